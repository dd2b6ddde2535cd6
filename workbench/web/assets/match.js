// @ts-check
// Follows a match. In the form for a new match, shows the corresponding command, and the time that the match may take.
import "./live.js";
import "./chart.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-command]"));
/** @param {string} word */
const quoted = (word) => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** @returns {NodeListOf<HTMLButtonElement>} */
const choices = () => document.querySelectorAll("button[data-field]");
/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form?.elements.namedItem(name));

// A click on a bot in a list fills the field above the list.
for (const button of choices()) {
  button.addEventListener("click", () => {
    field(button.dataset.field ?? "").value = button.value;
    show();
  });
}

/** The number of the latest question, because answers may come in another order. */
let asked = 0;

/** Shows how long the match may take, and a warning about its time limit. @param {FormData} data */
async function estimate(data) {
  const [place, warning] = ["estimate", "warning"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
  const number = ++asked;
  const problem = field("pairs").validationMessage;
  if (problem) {
    place.textContent = problem;
    return;
  }
  const answer = await fetch(`/matches/estimate?${new URLSearchParams(/** @type {any} */ (data))}`);
  const words = answer.ok ? await answer.json() : ["", ""];
  if (number !== asked) return;
  [place.textContent, warning.textContent] = words;
  warning.hidden = !words[1];
}

function show() {
  for (const button of choices()) button.setAttribute("aria-pressed", String(field(button.dataset.field ?? "").value === button.value));
  const data = new FormData(/** @type {HTMLFormElement} */ (form));
  const value = (/** @type {string} */ name) => String(data.get(name) ?? "").trim();
  // A sequential test decides only after some pairs.
  const [pairs, least] = [field("pairs"), value("sprt") ? Number(form?.dataset.least) : 1];
  pairs.setCustomValidity(value("sprt") && Number(pairs.value) < least ? `To stop early, a match needs at least ${least} pairs.` : "");
  const options = ["pairs", "sprt", "nodes", "time", "seed", "jobs", "rematch"].filter((name) => value(name)).map((name) => `--${name}=${quoted(value(name))}`);
  const line = ["contender match", quoted(value("game")), quoted(value("a")), quoted(value("b")), ...options, "--log games.jsonl"].join(" ");
  const place = /** @type {HTMLElement} */ (document.getElementById("line"));
  place.textContent = line;
  /** @type {HTMLElement} */ (document.getElementById("copy-line")).dataset.copy = line;
  estimate(data).catch(() => {});
}
form?.addEventListener("input", show);
if (form) show();

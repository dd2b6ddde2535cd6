// @ts-check
// Follows a match. In the form for a new match, shows the corresponding command and the time that the match may take.
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

/** The number of seconds in each unit of a time limit. */
const UNITS = { us: 1e-6, ms: 0.001, s: 1, sec: 1, m: 60, min: 60 };

/** Formats seconds. @param {number} time */
const duration = (time) => (time < 90 ? `${Math.ceil(time)} s` : time < 5400 ? `${Math.ceil(time / 60)} min` : `${(time / 3600).toFixed(1)} h`);

/**
 * Returns the time that a game takes if the bots use all of their time, in seconds; `null` if it is not known.
 * @param {string} setting the value of the field for the time
 */
function longest(setting) {
  const limits = JSON.parse(form?.dataset.lengths ?? "{}");
  if (!limits.answers) return null;
  let { first, turn, game } = limits;
  const share = /^([\d.]+) *%$/.exec(setting);
  const fixed = /^([\d.]+) *(us|ms|s|sec|m|min)$/.exec(setting);
  if (share) [first, turn, game] = [first, turn, game].map((limit) => limit && (limit * Number(share[1])) / 100);
  else if (fixed) {
    const time = Number(fixed[1]) * UNITS[/** @type {keyof typeof UNITS} */ (fixed[2])];
    if (game) game = time;
    else [first, turn] = [first && Math.max(first, time), time];
  } else if (setting) return null;
  const byTurn = turn ? 2 * (first ?? turn) + Math.max(0, limits.answers - 2) * turn : Infinity;
  const all = Math.min(byTurn, game ? 2 * game : Infinity);
  return Number.isFinite(all) ? all : null;
}

/** Returns a sentence on the time of the match. @param {(name: string) => string} value */
function estimate(value) {
  const problem = field("pairs").validationMessage;
  if (problem) return problem;
  const games = 2 * Number(value("pairs"));
  if (!games) return "";
  const words = `${games.toLocaleString("en")} games`;
  if (value("nodes")) return `${words}. The time depends on the speed of the bots.`;
  const time = longest(value("time"));
  if (time === null) return words;
  return `${words}: about ${duration((time * games) / Math.max(1, Math.min(Number(value("jobs")), Number(form?.dataset.cores))))}, if the bots use all of their time.`;
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
  /** @type {HTMLElement} */ (document.getElementById("estimate")).textContent = estimate(value);
}
form?.addEventListener("input", show);
if (form) show();

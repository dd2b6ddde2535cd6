// @ts-check
// Follows a match, and shows the command that corresponds to the form for a new match.
import "/live.js";
import "/chart.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-command]"));
/** @param {string} word */
const quoted = (word) => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** @returns {NodeListOf<HTMLButtonElement>} */
const choices = () => document.querySelectorAll("button[data-field]");
/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form?.elements.namedItem(name));

// A click on a bot in the list fills the field of bot A or bot B.
for (const button of choices()) {
  button.addEventListener("click", () => {
    field(button.dataset.field ?? "").value = button.value;
    show();
  });
}

function show() {
  for (const button of choices()) button.setAttribute("aria-pressed", String(field(button.dataset.field ?? "").value === button.value));
  const data = new FormData(/** @type {HTMLFormElement} */ (form));
  const value = (/** @type {string} */ name) => String(data.get(name) ?? "").trim();
  const options = ["pairs", "sprt", "nodes", "time", "seed", "jobs", "rematch"].filter((name) => value(name)).map((name) => `--${name}=${quoted(value(name))}`);
  const line = ["contender match", quoted(value("game")), quoted(value("a")), quoted(value("b")), ...options, "--log games.jsonl"].join(" ");
  const place = /** @type {HTMLElement} */ (document.getElementById("line"));
  place.textContent = line;
  /** @type {HTMLElement} */ (document.getElementById("copy-line")).dataset.copy = line;
}
form?.addEventListener("input", show);
if (form) show();

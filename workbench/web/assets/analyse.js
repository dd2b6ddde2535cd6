// @ts-check
// Shows the selected one of an analysis's boards.
import "/live.js";

/** The view that the user chose. */
let chosen = "";

function show() {
  const figures = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#boards figure"))];
  const found = figures.some((figure) => figure.dataset.view === chosen);
  for (const [at, figure] of figures.entries()) {
    figure.hidden = found ? figure.dataset.view !== chosen : at > 0;
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#views input"))) {
    if (found) input.checked = input.value === chosen;
  }
}

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.name !== "view") return;
  chosen = input.value;
  show();
});
document.addEventListener("updated", show);

// @ts-check
// Follows a league, and shows only the bots whose names contain the typed text.
import "/live.js";

const filter = /** @type {HTMLInputElement | null} */ (document.getElementById("filter"));

function show() {
  const wanted = filter?.value.toLowerCase() ?? "";
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#standings tbody tr"))) {
    row.hidden = !(row.querySelector("th")?.textContent ?? "").toLowerCase().includes(wanted);
  }
}

filter?.addEventListener("input", show);
document.addEventListener("updated", show);

// @ts-check
// Follows the project, searches its files, and uploads a file that is dropped or chosen.
import "./live.js";
import { problemIn, showNone } from "./app.js";

/** Shows only the files that contain all words of the search. */
function filter() {
  const search = /** @type {HTMLInputElement | null} */ (document.getElementById("search"));
  const words = search?.value.toLowerCase().split(/\s+/) ?? [];
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#logs tbody tr"))) {
    const text = row.textContent?.toLowerCase() ?? "";
    row.hidden = !words.every((word) => text.includes(word));
  }
  showNone(document.getElementById("logs"), search);
}
document.addEventListener("input", (event) => /** @type {Element} */ (event.target).id === "search" && filter());
document.addEventListener("updated", filter);
const area = /** @type {HTMLElement} */ (document.getElementById("drop"));
const input = /** @type {HTMLInputElement | null} */ (document.getElementById("file"));
const status = document.getElementById("status");

/** @param {File} file */
async function open(file) {
  if (!status) return;
  status.textContent = `Reading ${file.name} …`;
  const answer = await fetch(`/drop?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
  if (answer.ok) {
    location.href = (await answer.json()).page;
  } else if (answer.status === 413) {
    status.textContent = `${file.name} is too large.`;
  } else {
    status.textContent = problemIn(await answer.text());
  }
}

if (input) {
  input.addEventListener("change", () => input.files?.[0] && open(input.files[0]));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  addEventListener("dragleave", () => area.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}

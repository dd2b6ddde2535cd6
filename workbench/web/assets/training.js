// @ts-check
// Follows a training run, and marks the same minute in all of its curves.
import "/live.js";

const LINE = "http://www.w3.org/2000/svg";

/** @param {Element} figures @param {number | null} share horizontal place in a picture, from 0 to 1 */
function mark(figures, share) {
  for (const svg of /** @type {NodeListOf<SVGSVGElement>} */ (figures.querySelectorAll("svg"))) {
    svg.querySelector(".common")?.remove();
    const { width, height } = svg.viewBox.baseVal;
    if (share === null || width === 0) continue;
    const line = document.createElementNS(LINE, "line");
    line.setAttribute("class", "common");
    for (const name of ["x1", "x2"]) line.setAttribute(name, String(share * width));
    line.setAttribute("y1", "0");
    line.setAttribute("y2", String(height));
    svg.append(line);
  }
}

// All curves of a kind have the same axis, so the same place is the same minute or the same turn.
for (const id of ["curves", "weights"]) {
  const figures = document.getElementById(id);
  figures?.addEventListener("pointermove", (event) => {
    const svg = /** @type {Element} */ (event.target).closest("svg");
    if (!svg) return mark(figures, null);
    const place = svg.getBoundingClientRect();
    mark(figures, (event.clientX - place.left) / place.width);
  });
  figures?.addEventListener("pointerleave", () => mark(figures, null));
}

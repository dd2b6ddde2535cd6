// @ts-check
// Draws the pieces that a move adds to a board, over the board.
import { parts, place } from "./motion.js";

/** Returns the middle of a part of a board, and half its width. @param {Element} part */
export function middle(part) {
  const [, ...moved] = part.getAttribute("transform")?.match(/translate\(([\d.]+) ([\d.]+)\)/) ?? [];
  const half = part.matches("rect") ? Number(part.getAttribute("width")) / 2 : 0;
  return [...(moved.length > 0 ? moved.map(Number) : place(part).map((at) => at + half)), half];
}

/**
 * Returns the pieces that a move adds to a board, in a picture that covers the board.
 * @param {HTMLElement} after the board after the move @param {HTMLElement} board
 */
export function added(after, board) {
  const copy = /** @type {HTMLElement} */ (after.cloneNode(true));
  // A heat map has numbers in the squares, so the pieces are compared with those of the plain position.
  const known = board.querySelector('[data-view="the position"] svg') ?? board.querySelector("svg");
  const old = known ? parts(known) : new Map();
  const marked = [...copy.querySelectorAll(".square.marked")].map((square) => middle(square));
  /** Returns whether a part is in a marked square. @param {Element} part */
  const isMarked = (part) => marked.some(([x, y, half]) => [x, y].every((at, axis) => Math.abs(middle(part)[axis] - at) < half));
  // A piece covers the line that leads from it to a new one.
  const starts = [...copy.querySelectorAll("path.line")].filter((line) => !old.has(line.outerHTML)).map((line) => line.getAttribute("d")?.match(/-?[\d.]+/g)?.map(Number) ?? []);
  /** Returns whether a part belongs to the piece at the start of a new line. @param {Element} part */
  const isStart = (part) => part.matches(".piece, text") && starts.some((start) => [0, 1].every((axis) => Math.abs(middle(part)[axis] - start[axis]) < 1));
  for (const part of copy.querySelectorAll("svg :not(:has(*), title)")) {
    // The marked squares are those of the move; they cover what the board shows there, so they have all their parts.
    // Pale signs mark the legal moves. Tiles that are already on the board only lose the colour of the latest one.
    if (part.matches(".square:not(.marked), .label, text.dim, .laid:not(.new)") || (old.has(part.outerHTML) && !isMarked(part) && !isStart(part))) part.remove();
  }
  // A square that a piece leaves still shows the piece, because the move is not made yet.
  for (const square of copy.querySelectorAll(".square.marked")) {
    const [x, y, half] = middle(square);
    const isHere = (/** @type {Element} */ part) => [x, y].every((at, axis) => Math.abs(middle(part)[axis] - at) < half);
    square.classList.toggle("left", ![...copy.querySelectorAll("svg :not(:has(*), title, .paper, .square, .mark)")].some(isHere));
  }
  // The notes keep their room, so that both pictures have the same size.
  const notes = board.querySelector("figure:not([hidden]) .notes, .drawn > .notes");
  if (notes) copy.querySelector(".notes")?.replaceWith(notes.cloneNode(true));
  number(copy, board, isMarked);
  return copy;
}

/** Shows the numbers of a heat map in the corners of the squares that a move covers. @param {HTMLElement} copy @param {HTMLElement} board @param {(part: Element) => boolean} isMarked */
function number(copy, board, isMarked) {
  const shown = board.querySelector("figure[data-view]:not([hidden]) svg");
  if (!shown?.querySelector(".heat, .rim")) return;
  const half = Number(shown.querySelector(".square")?.getAttribute("width")) / 2;
  const shaded = [...shown.querySelectorAll(".heat")].map((square) => middle(square));
  const isShaded = (/** @type {Element} */ text) => shaded.some(([x, y]) => [x, y].every((at, axis) => Math.abs(middle(text)[axis] - at) < half));
  for (const text of [...shown.querySelectorAll("text.plain")].filter((text) => isShaded(text) && isMarked(text))) {
    const corner = /** @type {Element} */ (document.importNode(text, true));
    const [x, y] = place(text);
    corner.setAttribute("class", "plain halo corner");
    corner.setAttribute("x", String(x + half - 2));
    corner.setAttribute("y", String(y + 0.68 * half));
    corner.setAttribute("font-size", String(0.66 * half));
    copy.querySelector("svg")?.append(corner);
  }
}

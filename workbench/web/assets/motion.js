// @ts-check
// Moves the pieces of a board from one picture to the next, unless the reader prefers no motion.

/** Duration in milliseconds. */
const DURATION = 120;
/** Maximum number of changed parts; a larger change is not one move. */
const MAX_PARTS = 60;
const PLACES = ["cx", "cy", "x", "y"];

/** Returns an element's place, if its attributes say it. @param {Element} part */
export const place = (part) => [part.getAttribute("cx") ?? part.getAttribute("x"), part.getAttribute("cy") ?? part.getAttribute("y")].map(Number);

/** Returns an element without its place, as text. @param {Element} part */
function kind(part) {
  const copy = /** @type {Element} */ (part.cloneNode(true));
  for (const name of PLACES) copy.removeAttribute(name);
  return copy.outerHTML;
}

/** Returns the parts of a board that are no squares, by their text. @param {Element} board */
export const parts = (board) => new Map([...board.querySelectorAll(":not(:has(*))")].filter((part) => !part.matches("title, style, .square")).map((part) => [part.outerHTML, part]));

/**
 * Scrolls a board that is wider than the screen, so that at least one of these parts is in sight.
 * @param {Element} board @param {Element[]} parts
 */
export function reveal(board, parts) {
  const field = board.closest(".field");
  if (!field || field.scrollWidth <= field.clientWidth || parts.length === 0) return;
  const { left, right, width } = field.getBoundingClientRect();
  const places = parts.map((part) => part.getBoundingClientRect()).map((part) => part.x + part.width / 2);
  if (places.some((place) => place > left && place < right)) return;
  field.scrollLeft += places.sort((one, other) => one - other)[places.length >> 1] - left - width / 2;
}

/** Shows a picture in place of another one: moved pieces slide, and new ones appear. @param {Element} figure @param {Element} picture */
export function show(figure, picture) {
  const old = figure.firstElementChild;
  figure.replaceChildren(picture);
  if (!old || old === picture) return;
  const [before, after] = [parts(old), parts(picture)];
  const gone = [...before].filter(([text]) => !after.has(text)).map(([, part]) => part);
  const fresh = [...after].filter(([text]) => !before.has(text)).map(([, part]) => part);
  reveal(figure, fresh.filter((part) => part.closest("svg")));
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  if (fresh.length > MAX_PARTS) return;
  for (const part of fresh) {
    const at = gone.findIndex((other) => kind(other) === kind(part));
    const [from] = at < 0 ? [] : gone.splice(at, 1);
    const [x, y] = from ? place(from).map((value, axis) => value - place(part)[axis]) : [0, 0];
    const start = from && (x || y) ? { transform: `translate(${x}px, ${y}px)` } : { opacity: 0 };
    part.animate([start, {}], { duration: DURATION, easing: "ease-out" });
  }
}

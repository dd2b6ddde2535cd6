// @ts-check
// Buttons for the part of a move that squares cannot express: kinds of pieces with their directions and prices.

/**
 * @typedef {{ name: string, side: number | null, unit: string, cost: string }} Form
 * @typedef {{ text: string, words: string, squares: string[], form: Form }} Choice
 */

/** Signs of the directions, clockwise from the top. */
const ARROWS = ["↑", "→", "↓", "←"];

/** Returns a button for a choice. @param {Choice} choice @param {string} label */
function button(choice, label) {
  const made = document.createElement("button");
  [made.type, made.textContent, made.title] = ["button", label, choice.text];
  return made;
}

/** Returns text of the server as nodes. @param {string} text */
function nodes(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return [...page.body.childNodes].map((node) => document.importNode(node, true));
}

/**
 * Returns the parts of the page that offer some choices, and the buttons in them with their choices. Choices with
 * directions become one row for each kind of piece; a row shows the price of the piece.
 * @param {Choice[]} choices @returns {{ parts: HTMLElement[], buttons: [HTMLButtonElement, Choice][], pictured: [HTMLElement, Choice][] }}
 */
export function offered(choices) {
  if (choices.every((choice) => choice.form.side === null)) {
    const buttons = choices.map((choice) => /** @type {[HTMLButtonElement, Choice]} */ ([button(choice, choice.words), choice]));
    return { parts: buttons.map(([made]) => made), buttons, pictured: buttons };
  }
  const units = new Set(choices.map((choice) => choice.form.unit));
  /** @type {Map<string, Choice[]>} */
  const kinds = new Map();
  for (const choice of choices) {
    const key = `${choice.form.name} ${choice.form.unit}`;
    kinds.set(key, [...(kinds.get(key) ?? []), choice]);
  }
  /** @type {[HTMLButtonElement, Choice][]} */
  const buttons = [];
  /** @type {[HTMLElement, Choice][]} */
  const pictured = [];
  const parts = [...kinds.values()].map((of) => {
    const { name, unit, cost } = of[0].form;
    const row = document.createElement("div");
    row.className = "form";
    const title = row.appendChild(document.createElement("span"));
    const price = document.createElement("small");
    price.className = "notes";
    price.append(...(cost ? ["costs ", ...nodes(cost)] : []));
    title.append(`${name} `);
    if (units.size > 1 && unit) {
      // The board shows no numbers of pieces, so the place replaces them as soon as it is known.
      const from = title.appendChild(document.createElement("span"));
      [from.className, from.textContent] = ["unit", `of ${unit}`];
    }
    title.append(" ", price);
    const own = of.map((choice) => {
      const made = button(choice, choice.form.side === null ? "Choose" : ARROWS[choice.form.side]);
      made.setAttribute("aria-label", choice.form.side === null ? `Choose ${choice.words}` : choice.words);
      return /** @type {[HTMLButtonElement, Choice]} */ ([made, choice]);
    });
    const sides = row.appendChild(document.createElement("span"));
    sides.className = "sides";
    sides.append(...own.map(([made]) => made));
    buttons.push(...own);
    pictured.push([row, of[0]]);
    return row;
  });
  return { parts: folded(parts, [...kinds.values()]), buttons, pictured };
}

/**
 * Returns the rows of the first unit, and those of each other unit in a part that can be opened: a square may be reached
 * from several pieces, and mostly the piece does not matter.
 * @param {HTMLElement[]} rows @param {Choice[][]} kinds the choices of each row @returns {HTMLElement[]}
 */
function folded(rows, kinds) {
  const units = [...new Set(kinds.map((of) => of[0].form.unit))];
  return units.flatMap((unit, at) => {
    const own = rows.filter((_, row) => kinds[row][0].form.unit === unit);
    if (at === 0) return own;
    const [fold, title, name] = ["details", "summary", "span"].map((kind) => document.createElement(kind));
    [fold.className, name.className, name.textContent] = ["fold", "unit", `of ${unit}`];
    const count = kinds.filter((of) => of[0].form.unit === unit).flat().length;
    title.append(`${count} more moves `, name);
    fold.append(title, ...own);
    return [fold];
  });
}

/**
 * Returns the two forms between which a piece is turned, or `null` if the choices have no such forms.
 * @param {Choice[]} choices
 */
export function turns(choices) {
  const placed = choices.filter((choice) => choice.squares.length === 1);
  const names = new Set(placed.map((choice) => choice.form.name));
  const isTurned = placed.length > 0 && names.size === 2 && !names.has("") && placed.every((choice) => choice.form.side === null);
  return isTurned ? [...names] : null;
}

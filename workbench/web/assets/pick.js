// @ts-check
// Lets the user choose a move on a board, with the mouse or the keyboard: first its squares one after another, and then
// buttons for the choices that squares cannot express. The resulting board is shown before the move is made. A small
// square is chosen twice: the first time to see the move, and the second time to make it. A piece with two forms is
// turned before it is placed.

import { offered, turns } from "./forms.js";
import { added, middle } from "./ghost.js";
import { parts, reveal } from "./motion.js";

/**
 * @typedef {import("./forms.js").Choice} Choice
 * @typedef {{ choices: Choice[], lines: number, is_over: boolean, player?: number, prompt?: string }} Asked
 * @typedef {{ board: HTMLElement, over: HTMLElement, choices: HTMLElement, next: HTMLElement }} Places
 */

/** Maximum numbers of buttons for a square, and of those with a picture. */
const MAX_BUTTONS = 60;
const PICTURES = 24;
/** Delay before a preview in milliseconds, so that quick movements over squares show nothing. */
const PAUSE = 40;
/** Maximum distance in pixels between a finger and a marked square that is chosen. */
const REACH = 16;
/** Size in pixels below which a finger or a mouse may miss a square. */
const SMALL = 32;

/** Returns a board with its notes from their text. @param {string} text @returns {HTMLElement} */
export function drawn(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return /** @type {any} */ (document.importNode(page.body.children[0], true));
}

/** Splits a request into the task and the form of the answer as text. @param {string} prompt */
export function split(prompt) {
  const [, task, form] = prompt.match(/^(.*?)(?:(?:: |, (?=for example))(.*))?$/s) ?? ["", prompt, ""];
  return [task, form ?? ""];
}

/** Returns a message as nodes; the words between backticks are code. @param {string} text @returns {(string | Node)[]} */
export function coded(text) {
  return text.split("`").map((part, at, all) => {
    if (at % 2 === 0 || all.length % 2 === 0) return at % 2 === 0 ? part : `\`${part}`;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

/** Returns squares as text. @param {string[]} squares */
const named = (squares) => squares.map((name) => name.replace(" ", ",")).join(" → ");

/**
 * @param {Places} places
 * @param {(lines: string[]) => void} answer takes a complete answer
 * @param {(lines: string[]) => Promise<HTMLElement>} preview the board after a complete answer
 * @param {(lines: string[]) => Promise<Choice[]>} more the choices of the next line of an answer
 * @param {{ of: (choice: Choice) => string, show: (choice: Choice | undefined) => void }} [worth] the values of choices, if they are known
 */
export function picker(places, answer, preview, more, worth) {
  /** @type {Asked | null} */
  let asked = null;
  /** The choices of the current line. @type {Choice[]} */
  let open = [];
  /** The form in which a piece is placed, and both forms; no forms if pieces are not turned. @type {string[]} */
  let forms = [];
  /** The form that the user chose last. @type {string | undefined} */
  let wished;
  const turner = document.createElement("p");
  turner.className = "controls turner";
  turner.hidden = true;
  places.next.after(turner);
  /** The picture of the piece, and its pictures in both forms. */
  const piece = document.createElement("span");
  piece.className = "piece";
  piece.setAttribute("aria-hidden", "true");
  /** @type {Map<string, Promise<SVGSVGElement | null>>} */
  let pieces = new Map();
  /** The squares chosen so far for the current line, and the complete lines. @type {string[]} */
  let chosen = [];
  /** @type {string[]} */
  let lines = [];
  /** Whether the user plays with the keyboard; the first marked square then gets the focus. */
  let isByKeys = false;
  /** The number of the latest preview request; older requests are ignored. */
  let wish = 0;
  /** The small square that was chosen once. @type {string | undefined} */
  let tapped;
  /** The board after the suggested move, which is shown while no other move is. @type {HTMLElement | null} */
  let suggested = null;
  /** Whether the user asked for the suggested move, which then covers the other moves. */
  let isWished = false;
  /** The board after the complete lines of an unfinished answer. @type {HTMLElement | null} */
  let begun = null;
  /** The board after the choice that the user looks at, which covers the others, and the choice. @type {HTMLElement | null} */
  let foreseen = null;
  /** @type {Choice | undefined} */
  let seen;
  /** The buttons for choices. @type {[HTMLElement, Choice][]} */
  let buttons = [];

  /** Returns the choices that begin with these squares. @param {string[]} squares */
  function through(squares) {
    return open.filter((choice) => squares.every((name, at) => choice.squares[at] === name));
  }

  /** Returns the choices with the form in which the piece is shown. @param {Choice[]} choices */
  function fitting(choices) {
    return forms.length > 0 ? choices.filter((choice) => choice.form.name === forms[0]) : choices;
  }

  /** Returns the result of choosing a square: the squares so far, their choices, and the completed choice. @param {string} name */
  function step(name) {
    const squares = through([...chosen, name]).length > 0 ? [...chosen, name] : [name];
    const found = fitting(through(squares));
    const exact = found.length === 1 ? found[0] : found.find((choice) => choice.text === squares.join(""));
    return { squares, found, exact };
  }

  /** Turns the piece before it is placed. */
  function turn() {
    if (forms.length === 0 || !asked) return;
    forms.reverse();
    wished = forms[0];
    drawTurner();
    const [seen, focused] = [tapped, /** @type {SVGElement | undefined} */ (document.activeElement?.closest(".square"))];
    offer(chosen, through(chosen));
    if (isByKeys) focused?.focus();
    const exact = seen === undefined ? undefined : step(seen).exact;
    if (seen !== undefined && exact) confirm(seen, exact);
    else if (last !== undefined) foresee(step(last).exact);
  }

  function drawTurner() {
    turner.hidden = forms.length === 0;
    if (turner.hidden) return;
    const [button, key] = [turner.querySelector("button") ?? document.createElement("button"), document.createElement("kbd")];
    [button.type, key.textContent, button.onclick] = ["button", "R", turn];
    button.replaceChildren("Turn ", key);
    if (!button.isConnected) turner.replaceChildren(piece, document.createElement("strong"), button);
    const name = /** @type {HTMLElement} */ (turner.querySelector("strong"));
    name.textContent = forms[0];
    drawPiece();
  }

  /** Draws the piece in its form: the squares that it would cover. */
  async function drawPiece() {
    const form = forms[0];
    const choice = fitting(open)[0];
    const answer = choice && completed(choice.text);
    if (!pieces.has(form) && answer) pieces.set(form, preview(answer).then(covered, () => null));
    const shown = pieces;
    const drawing = await pieces.get(form);
    if (shown === pieces && form === forms[0]) piece.replaceChildren(...(drawing ? [drawing] : []));
  }

  /** Returns the marked squares of a board as a picture. @param {HTMLElement} board */
  function covered(board) {
    const small = /** @type {SVGSVGElement} */ (board.querySelector("svg"));
    const squares = [...small.querySelectorAll(".square.marked")].map((square) => ["x", "y", "width", "height"].map((name) => Number(square.getAttribute(name))));
    if (squares.length === 0) return null;
    const [left, top] = [0, 1].map((axis) => Math.min(...squares.map((square) => square[axis])));
    const [right, bottom] = [0, 1].map((axis) => Math.max(...squares.map((square) => square[axis] + square[axis + 2])));
    small.classList.add("tile");
    for (const name of ["role", "aria-label", "width", "height"]) small.removeAttribute(name);
    small.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
    // The picture may have more room than the piece, but it shows nothing else.
    for (const part of small.querySelectorAll("svg > :not(title)")) {
      const [x, y] = middle(part);
      if (part.matches(".paper") || !(x > left && x < right && y > top && y < bottom)) part.remove();
    }
    return small;
  }
  addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.key !== "r" || event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea")) return;
    turn();
  });

  /** Marks the squares that can be clicked next. @param {Choice[]} choices */
  function mark(choices) {
    const next = new Set(choices.map((choice) => choice.squares[chosen.length]));
    // The squares of other moves can still be chosen instead.
    const others = new Set(chosen.length > 0 ? fitting(open).map((choice) => choice.squares[0]) : []);
    places.board.dataset.mover = String(asked?.player ?? "");
    for (const square of /** @type {NodeListOf<SVGElement>} */ (places.board.querySelectorAll(".square"))) {
      const name = square.dataset.name;
      square.classList.toggle("open", name !== undefined && next.has(name));
      square.classList.toggle("chosen", name !== undefined && chosen.includes(name));
      square.classList.toggle("other", name !== undefined && others.has(name) && !next.has(name) && !chosen.includes(name));
      if (chosen.length > 0) square.classList.remove("hinted");
    }
    const [marked, all] = [".square.open", ".square"].map((kind) => places.board.querySelectorAll(kind).length);
    places.board.querySelector("svg")?.classList.toggle("mostly", marked > 0.8 * all);
    reach();
  }

  /** Marks the squares that can be clicked, and offers buttons for the choices that no square completes. @param {string[]} squares @param {Choice[]} choices */
  function offer(squares, choices) {
    choices = fitting(choices);
    tapped = undefined;
    chosen = squares;
    forget();
    mark(choices);
    say(squares, choices);
    if (isByKeys) focusFirst();
    reveal(places.board, [...places.board.querySelectorAll(".square.open")]);
    if (!asked) {
      // The buttons that every turn has keep their places while the others move.
      for (const part of [...places.choices.children]) {
        if (part instanceof HTMLButtonElement && "idle" in part.dataset) part.disabled = true;
        else part.remove();
      }
      return;
    }
    // A choice with another square is completed on the board.
    const ended = chosen.length > 0 ? choices.filter((choice) => choice.squares.length === chosen.length) : [];
    const [idle, own] = [offered(squareless()), offered(ended.length <= MAX_BUTTONS ? ended : [])];
    for (const [button] of idle.buttons) button.dataset.idle = "";
    buttons = [...idle.buttons, ...own.buttons];
    showValues();
    for (const [button, choice] of buttons) {
      button.addEventListener("click", () => choose(choice.text));
      for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => foresee(choice));
      for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => foresee(undefined));
    }
    // In a list of choices, the one that spends the turn is the last.
    if (own.parts.length > 0) places.choices.replaceChildren(head(`${named(chosen)}: choose one of ${own.buttons.length} moves`), ...own.parts, ...idle.parts);
    else places.choices.replaceChildren(...idle.parts);
    if (own.pictured.length <= PICTURES) picture(own.pictured);
    // A folded part has no layout, so its pictures are drawn when it opens.
    for (const part of own.parts.filter((part) => part.matches("details"))) {
      part.addEventListener("toggle", () => picture(own.pictured.filter(([row]) => part.contains(row) && !row.querySelector("svg"))), { once: true });
    }
  }

  /** Shows the values of the choices on their buttons. */
  function showValues() {
    for (const [button, choice] of buttons) {
      const value = worth?.of(choice);
      const part = button.querySelector(".worth") ?? document.createElement("span");
      [part.className, part.textContent] = ["worth", value ?? ""];
      if (value) button.append(part);
      else part.remove();
    }
  }

  /** Returns the title of the choices, with a button that closes them. A narrow screen shows them over the page. @param {string} text */
  function head(text) {
    const [row, title, close] = ["p", "strong", "button"].map((name) => document.createElement(name));
    [row.className, title.textContent, close.className, close.textContent] = ["head", text, "small", "Close"];
    close.setAttribute("type", "button");
    close.addEventListener("click", () => offer([], open));
    row.append(title, close);
    return row;
  }

  /** Returns the choices of the current line without a square, such as a pass. */
  const squareless = () => open.filter((choice) => choice.squares.length === 0);

  /**
   * Returns the square of the piece from which a move comes: the other end of a new line to one of the move's squares.
   * @param {Element} after the board after the move @param {string[]} squares
   */
  function origin(after, squares) {
    const known = parts(/** @type {Element} */ (places.board.querySelector("svg")));
    const names = [...after.querySelectorAll("path.line")].filter((line) => !known.has(line.outerHTML)).map((line) => {
      const numbers = (line.getAttribute("d") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
      return [numbers.slice(0, 2), numbers.slice(2, 4)].map(([x, y]) => at(after, x, y));
    });
    const found = names.find((ends) => ends.some((name) => squares.includes(name)));
    return found?.find((name) => name !== "" && !squares.includes(name)) ?? "";
  }

  /** Returns the name of the square at a place of a picture. @param {Element} board @param {number} x @param {number} y */
  function at(board, x, y) {
    const of = (/** @type {Element} */ square, /** @type {string} */ name) => Number(square.getAttribute(name));
    const squares = /** @type {NodeListOf<SVGElement>} */ (board.querySelectorAll(".square"));
    const inside = (/** @type {number} */ value, /** @type {number} */ start, /** @type {number} */ size) => value >= start && value < start + size;
    return [...squares].find((one) => inside(x, of(one, "x"), of(one, "width")) && inside(y, of(one, "y"), of(one, "height")))?.dataset.name ?? "";
  }

  /** Draws on each button the pieces that would be on its squares. @param {[HTMLElement, Choice][]} buttons */
  async function picture(buttons) {
    for (const [button, choice] of buttons) {
      const answer = completed(choice.text);
      const board = answer && (await preview(answer).catch(() => null));
      if (!button.isConnected) return;
      if (!board) continue;
      const small = /** @type {SVGSVGElement} */ (board.querySelector("svg"));
      const from = origin(small, choice.squares);
      const fold = /** @type {HTMLDetailsElement | null} */ (button.closest("details"));
      if (from) for (const unit of [button, fold?.firstElementChild].map((part) => part?.querySelector(".unit"))) unit?.replaceChildren(`from ${from.replace(" ", ",")}`);
      if (fold && !fold.open) continue;
      small.classList.add("tile");
      for (const name of ["role", "aria-label", "width", "height"]) small.removeAttribute(name);
      small.setAttribute("aria-hidden", "true");
      button.prepend(small);
      const boxes = [...small.querySelectorAll(".square")].map((square) => /** @type {SVGGraphicsElement} */ (square))
        .filter((square) => [...choice.squares, from].includes(square.dataset.name ?? "")).map((square) => square.getBBox());
      const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
      const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.width)), Math.max(...boxes.map((box) => box.y + box.height))];
      const side = Math.max(right - left, bottom - top) + 4;
      if (boxes.length === 0) {
        small.remove();
        continue;
      }
      small.setAttribute("viewBox", `${(left + right - side) / 2} ${(top + bottom - side) / 2} ${side} ${side}`);
      // Only whole squares are drawn: the other parts would be cut at the edge. All places are read before the first
      // change, because each change makes the next place cost a layout.
      const cut = [.../** @type {NodeListOf<SVGGraphicsElement>} */ (small.querySelectorAll("svg > :not(title)"))].filter((part) => {
        // The place of a piece is its translation.
        const { x, y, width, height } = part.getBBox();
        const moved = part.transform.baseVal.consolidate()?.matrix;
        const [across, down] = [x + width / 2 + (moved?.e ?? 0), y + height / 2 + (moved?.f ?? 0)];
        return across < left || across > right || down < top || down > bottom;
      });
      for (const part of cut) part.remove();
    }
  }

  /** Shows a text about the next choice. @param {string[]} squares @param {Choice[]} choices */
  function say(squares, choices) {
    const marked = places.board.querySelectorAll(".square.open").length;
    const all = through(squares).length;
    // A piece has one form at a time, so only a part of the moves is marked.
    const legal = forms.length > 0 ? `${choices.length} ${forms[0]} of ${all} legal moves` : choices.length === 1 ? "1 legal move" : `${choices.length} legal moves`;
    const shown = named(squares);
    let text = "";
    if (!asked || asked.is_over) text = "";
    else if (squares.length === 0 && forms.length > 0) text = `Choose a marked square: ${legal}.`;
    else if (squares.length === 0 && marked > 0) text = `Choose ${places.board.querySelector(".mostly") ? "an empty" : "a marked"} square: ${legal}.`;
    else if (marked > 0) text = `${shown}: choose the next square, ${legal}.`;
    else if (squares.length > 0) text = `${shown}: choose one of ${legal} below.`;
    else text = `Choose one of ${legal} below.`;
    if (asked && asked.lines > 1) {
      const unit = asked.prompt?.match(/one for each (\w+)/)?.[1];
      const whose = unit ? (lines.length === 0 ? `, for any ${unit}` : `, for another ${unit}`) : "";
      text = `Action ${lines.length + 1} of ${asked.lines}${whose}. ${text}`;
    }
    places.next.textContent = text;
  }

  /** Makes one marked square reachable with Tab; the arrow keys lead from it to the others. */
  function reach() {
    const open = /** @type {NodeListOf<SVGElement>} */ (places.board.querySelectorAll(".square.open"));
    for (const [at, square] of open.entries()) {
      square.setAttribute("tabindex", at === 0 ? "0" : "-1");
      square.setAttribute("role", "button");
      square.setAttribute("aria-label", `Square ${square.dataset.name}`);
    }
    for (const square of places.board.querySelectorAll(".square:not(.open)")) {
      for (const name of ["tabindex", "role", "aria-label"]) square.removeAttribute(name);
    }
    // A board with reachable squares must not be a single image for assistive technology.
    places.board.querySelector("svg")?.setAttribute("role", open.length > 0 ? "group" : "img");
  }

  function focusFirst() {
    /** @type {SVGElement | null} */ (places.board.querySelector(".square.open"))?.focus();
  }

  /** Returns the nearest marked square in a direction. @param {Element} from @param {number} right @param {number} down */
  function neighbour(from, right, down) {
    const middle = (/** @type {Element} */ square) => {
      const place = square.getBoundingClientRect();
      return [place.x + place.width / 2, place.y + place.height / 2];
    };
    const [x, y] = middle(from);
    let [best, least] = [/** @type {Element | null} */ (null), Infinity];
    for (const square of places.board.querySelectorAll(".square.open")) {
      const [across, up] = [middle(square)[0] - x, middle(square)[1] - y];
      const [along, aside] = [across * right + up * down, Math.abs(across * down) + Math.abs(up * right)];
      const far = along + 3 * aside;
      if (along > 1 && far < least) [best, least] = [square, far];
    }
    return /** @type {SVGElement | null} */ (best);
  }

  /**
   * Returns an answer that has this line next. For the lines after it, any choice without a square will do, such as
   * waiting. Without such a choice, the answer is complete only if this line is the last one.
   * @param {string} text
   */
  function completed(text) {
    const missing = (asked?.lines ?? 0) - lines.length - 1;
    const idle = open.find((choice) => choice.squares.length === 0)?.text;
    if (missing < 0 || (missing > 0 && idle === undefined)) return null;
    return [...lines, text, ...Array(missing).fill(idle)];
  }

  /** Shows the board after a choice that completes an answer. @param {Choice | undefined} choice */
  async function foresee(choice) {
    forget();
    seen = choice;
    worth?.show(choice);
    const answer = choice === undefined ? null : completed(choice.text);
    if (!answer) return;
    const number = wish;
    await new Promise((go) => setTimeout(go, PAUSE));
    const board = number === wish ? await preview(answer).catch(() => null) : null;
    if (!board || number !== wish) return;
    foreseen = board;
    cover();
  }

  function forget() {
    wish += 1;
    foreseen = null;
    seen = undefined;
    isWished = false;
    cover();
  }

  /** Covers the board with the pieces of the move that is shown. */
  function cover() {
    const own = isWished ? null : (foreseen ?? begun);
    const after = own ?? (isWished || chosen.length === 0 ? suggested : null);
    const shown = after ? [added(after, places.board)] : [];
    for (const board of shown) {
      // The move of a square that was tapped once is only proposed.
      board.classList.toggle("tapped", own !== null && (own === begun || tapped !== undefined));
      board.classList.toggle("suggested", own === null);
    }
    places.over.replaceChildren(...shown);
    places.board.parentElement?.classList.toggle("crossed", places.over.querySelector("text.cross") !== null);
  }

  /** Shows the lines that have been chosen while the next one is. */
  async function begin() {
    const shown = lines.length;
    const board = await preview([...lines]).catch(() => null);
    if (!asked || lines.length !== shown) return;
    begun = board;
    forget();
  }

  /**
   * Shows a suggested move until the next question.
   * @param {HTMLElement | null} after the board after the move @param {boolean} isWanted whether the user asked for it
   */
  function suggest(after, isWanted) {
    [suggested, isWished] = [after, isWanted];
    cover();
  }

  /** @param {string} text */
  function choose(text) {
    if (!asked) return;
    lines.push(text);
    if (lines.length === asked.lines) {
      const complete = lines;
      ask(null);
      answer(complete);
    } else {
      const shown = lines.length;
      offer([], open);
      begin();
      more([...lines]).then((choices) => {
        if (!asked || lines.length !== shown) return;
        open = choices;
        offer([], open);
      }, () => {});
    }
  }

  /** Returns whether a square can only be chosen after the piece is turned. @param {string | undefined} name */
  function needsTurn(name) {
    return name !== undefined && forms.length > 0 && fitting(through([name])).length === 0 && through([name]).length > 0;
  }

  /** Handles the choice of a square. @param {string | undefined} name */
  function pick(name) {
    if (!asked || asked.is_over || name === undefined) return;
    const { squares, found, exact } = step(name);
    if (exact) choose(exact.text);
    else if (found.length > 0) offer(squares, found);
    else offer([], open);
  }

  /** Requests an answer on the shown board, or stops requesting one. @param {Asked | null} wanted */
  function ask(wanted) {
    asked = wanted;
    suggested = begun = null;
    lines = [];
    open = wanted?.choices ?? [];
    // The chosen form stays for the next piece.
    forms = turns(open) ?? [];
    pieces = new Map();
    if (forms[1] === wished) forms.reverse();
    drawTurner();
    offer([], open);
  }

  /** Shows the move of a small square, which a second tap or the button makes. @param {string} name @param {Choice} choice */
  function confirm(name, choice) {
    offer(chosen, through(chosen));
    tapped = name;
    markTapped();
    const button = document.createElement("button");
    [button.type, button.className, button.textContent] = ["button", "primary", `Place ${choice.words}`];
    button.addEventListener("click", () => choose(choice.text));
    buttons = [[button, choice]];
    showValues();
    places.choices.replaceChildren(head("Choose the square again, or"), button);
    button.scrollIntoView({ block: "nearest" });
    places.next.textContent = "Choose the square again to make this move, or choose another square.";
    foresee(choice);
  }

  /** Marks the small square that was chosen once. */
  function markTapped() {
    for (const square of /** @type {NodeListOf<SVGElement>} */ (places.board.querySelectorAll(".square"))) {
      square.classList.toggle("chosen", square.dataset.name === tapped);
    }
  }

  /** Returns the square under the pointer, which pieces may cover. @param {MouseEvent} event */
  function under(event) {
    const square = document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.matches(".square"));
    return /** @type {SVGElement | undefined} */ (square)?.dataset.name;
  }

  /** The last square under the pointer. @type {string | undefined} */
  let last;
  places.board.addEventListener("pointermove", (event) => {
    const name = under(event);
    if (name === last) return;
    last = name;
    foresee(name === undefined ? undefined : step(name).exact);
  });
  places.board.addEventListener("pointerleave", () => {
    last = undefined;
    foresee(undefined);
  });
  places.board.addEventListener("focusin", (event) => {
    const name = /** @type {SVGElement} */ (event.target).dataset?.name;
    if (isByKeys && name !== undefined) foresee(step(name).exact);
  });
  /** Returns the marked square closest to a finger, because squares may be smaller than a finger. @param {PointerEvent} event */
  function touched(event) {
    const exact = under(event);
    let [best, least] = [exact, REACH];
    for (const square of /** @type {NodeListOf<SVGElement>} */ (places.board.querySelectorAll(".square.open"))) {
      const place = square.getBoundingClientRect();
      const across = Math.max(place.left - event.clientX, event.clientX - place.right, 0);
      const up = Math.max(place.top - event.clientY, event.clientY - place.bottom, 0);
      const far = Math.hypot(across, up);
      if (square.dataset.name === exact) return exact;
      if (far < least) [best, least] = [square.dataset.name, far];
    }
    return best;
  }
  places.board.addEventListener("click", (event) => {
    isByKeys = false;
    const click = /** @type {PointerEvent} */ (event);
    const name = click.pointerType === "touch" ? touched(click) : under(click);
    const square = [.../** @type {NodeListOf<SVGElement>} */ (places.board.querySelectorAll(".square"))].find((one) => one.dataset.name === name);
    const isTurned = needsTurn(name);
    if (isTurned) turn();
    const exact = name === undefined ? undefined : step(name).exact;
    // A mouse over a square shows the piece in its form, so the first click places it.
    const isSeen = forms.length > 0 && click.pointerType === "mouse" && !isTurned;
    if (name !== undefined && exact && name !== tapped && !isSeen && square && (isTurned || square.getBoundingClientRect().width < SMALL)) confirm(name, exact);
    else pick(name);
  });
  places.board.addEventListener("keydown", (event) => {
    const square = /** @type {SVGElement} */ (event.target);
    if (!square.matches(".square.open")) return;
    const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] ?? [0, 0];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      isByKeys = true;
      pick(square.dataset.name);
    } else if (right || down) {
      event.preventDefault();
      // The page uses the same keys to step through a game, so the event must not reach it.
      event.stopPropagation();
      isByKeys = true;
      neighbour(square, right, down)?.focus();
    }
  });
  /** Marks the squares again, after the page has drawn the board again. What the user has chosen stays. */
  function again() {
    if (!asked) return;
    mark(fitting(through(chosen)));
    if (tapped !== undefined) markTapped();
    if (isByKeys && document.activeElement === document.body) focusFirst();
    showValues();
    worth?.show(seen);
    cover();
  }
  /** Drops the lines of an unfinished answer. Returns whether there were any. */
  const restart = () => lines.length > 0 && (ask(asked), true);
  return { ask, choose, again, suggest, restart };
}

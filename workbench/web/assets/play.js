// @ts-check
// Plays against a bot: by clicks on the board, or by moves as text. The address holds the whole game, but for one that the server plays.

/**
 * @typedef {{ text: string, squares: string[] }} Choice
 * @typedef {{ moves: string[], decisions: number[], board: string, prompt: string, choices: Choice[], lines: number,
 *             points: number[], is_over: boolean, thought: number, problem: string | null, limits: string }} GameView
 */

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));
const address = new URLSearchParams(location.search);
/** What is played: the page says it, and no address. @type {Record<string, string>} */
const game = element("game")?.dataset;
const session = game?.session ? Number(game.session) : null;

/** The squares that were chosen of the move that is being put together, and the lines that are complete. @type {string[]} */
let chosen = [];
/** @type {string[]} */
let lines = [];
/** @type {GameView | undefined} */
let now;
/** @type {string[]} */
let moves = session === null ? (address.get("moves")?.split("\n").filter(Boolean) ?? []) : [];
const seed = Number(address.get("seed") ?? Math.floor(Math.random() * 2 ** 48));
let used = [0, 0];
let since = Date.now();
let isBusy = false;

/** @param {string} path @param {string[] | null} answer */
async function ask(path, answer) {
  const told = { game: game.game, bot: game.bot, seat: Number(game.seat), time: Number(game.time), seed, moves, answer, session };
  const reply = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told),
  });
  if (reply.ok) return reply.json();
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  throw new Error(page.querySelector("main p")?.textContent ?? "That did not work.");
}

/** @param {string[] | null} answer */
async function goOn(answer) {
  if (isBusy) return;
  isBusy = true;
  element("problem").textContent = element("advice").textContent = "";
  used[0] += answer ? Date.now() - since : 0;
  if (answer) element("prompt").textContent = `${game.bot} thinks …`;
  try {
    const view = /** @type {GameView} */ (await ask("/play/move", answer));
    used[1] += view.thought;
    show(view);
    element("problem").textContent = view.problem ?? "";
  } catch (error) {
    element("problem").textContent = error.message;
    if (now) show(now);
  }
  isBusy = false;
  since = Date.now();
}

/** @param {GameView} view */
function show(view) {
  now = view;
  moves = view.moves;
  lines = [];
  const picture = new DOMParser().parseFromString(view.board, "image/svg+xml");
  element("board").replaceChildren(document.importNode(picture.documentElement, true));
  element("prompt").textContent = view.prompt;
  element("after").hidden = !view.is_over;
  // Of a game that the server plays the luck is in its log.
  element("analyse-end").hidden = session !== null;
  element("analyse-end").href = `/analyse?${new URLSearchParams({ game: game.game, seed: String(seed), moves: moves.slice(0, -1).join("\n"), played: moves[moves.length - 1] ?? "" })}`;
  element("undo").disabled = view.decisions.length === 0;
  element("hint").disabled = element("text").disabled = view.is_over;
  element("clock").textContent = `you ${(used[0] / 1000).toFixed(0)} s, ${game.bot} ${(used[1] / 1000).toFixed(1)} s${view.limits && ` of ${view.limits}`}`;
  element("all").replaceChildren(...view.choices.map((choice) => new Option(choice.text)));
  element("moves").replaceChildren(...moves.map((move) => {
    const item = document.createElement("li");
    item.textContent = move;
    return item;
  }));
  element("moves").scrollTop = element("moves").scrollHeight;
  // What the server plays has its number; the rest is played again from its address.
  if (session === null) {
    for (const name of ["game", "bot", "seat", "time"]) address.set(name, game[name]);
    address.set("seed", String(seed));
    address.set("moves", moves.join("\n"));
    history.replaceState(null, "", `/play?${address}`);
  }
  offer([], view.choices);
}

/** The choices that go through these squares first. @param {string[]} squares */
function through(squares) {
  return now?.choices.filter((choice) => squares.every((name, at) => choice.squares[at] === name)) ?? [];
}

/** Marks what can be clicked, and offers what no square completes. @param {string[]} squares @param {Choice[]} choices */
function offer(squares, choices) {
  chosen = squares;
  const next = new Set(choices.map((choice) => choice.squares[chosen.length]));
  for (const square of element("board").querySelectorAll(".square")) {
    square.classList.toggle("open", square.dataset.name !== undefined && next.has(square.dataset.name));
    square.classList.toggle("chosen", chosen.includes(square.dataset.name));
  }
  say(squares, choices);
  reach();
  const few = chosen.length > 0 && choices.length <= 60 ? choices : choices.filter((choice) => choice.squares.length === 0);
  element("choices").replaceChildren(...few.map((choice) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = choice.text;
    button.addEventListener("click", () => choose(choice.text));
    return button;
  }));
}

/** Says what is to be chosen next. @param {string[]} squares @param {Choice[]} choices */
function say(squares, choices) {
  const open = element("board").querySelectorAll(".square.open").length;
  const legal = choices.length === 1 ? "1 legal move" : `${choices.length} legal moves`;
  if (!now || now.is_over) element("next").textContent = "";
  else if (squares.length === 0 && open > 0) element("next").textContent = `Choose a marked square: ${legal}.`;
  else if (open > 0) element("next").textContent = `${squares.join(", ")}: choose the next square, ${legal} go on from here.`;
  else element("next").textContent = `${squares.join(", ")} Choose one of the ways below: ${legal}.`;
}

/** Whether the board is played by keys: then the first marked square has the focus. */
let isByKeys = false;

/** One marked square is reached by Tab, from it the arrow keys lead to the others. */
function reach() {
  const open = /** @type {NodeListOf<SVGElement>} */ (element("board").querySelectorAll(".square.open"));
  for (const [at, square] of open.entries()) {
    square.setAttribute("tabindex", at === 0 ? "0" : "-1");
    square.setAttribute("role", "button");
    square.setAttribute("aria-label", `Square ${square.dataset.name}`);
  }
  for (const square of element("board").querySelectorAll(".square:not(.open)")) {
    for (const name of ["tabindex", "role", "aria-label"]) square.removeAttribute(name);
  }
  if (isByKeys) open[0]?.focus();
}

/** The marked square that is nearest in a direction. @param {Element} from @param {number} right @param {number} down */
function neighbour(from, right, down) {
  const middle = (/** @type {Element} */ square) => {
    const place = square.getBoundingClientRect();
    return [place.x + place.width / 2, place.y + place.height / 2];
  };
  const [x, y] = middle(from);
  let [best, least] = [null, Infinity];
  for (const square of element("board").querySelectorAll(".square.open")) {
    const [along, across] = [(middle(square)[0] - x) * right + (middle(square)[1] - y) * down, Math.abs((middle(square)[0] - x) * down) + Math.abs((middle(square)[1] - y) * right)];
    const far = along + 3 * across;
    if (along > 1 && far < least) [best, least] = [square, far];
  }
  return /** @type {SVGElement | null} */ (best);
}

element("board")?.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const square = /** @type {SVGElement} */ (event.target);
  if (!square.matches(".square.open")) return;
  const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] ?? [0, 0];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    isByKeys = true;
    pick(square.dataset.name);
  } else if (right || down) {
    event.preventDefault();
    neighbour(square, right, down)?.focus();
  }
});

/** @param {string} choice */
function choose(choice) {
  if (!now) return;
  lines.push(choice);
  if (lines.length === now.lines) {
    goOn(lines);
  } else {
    element("prompt").textContent = `${lines.join("; ")}; and ${now.lines - lines.length} more`;
    offer([], now.choices);
  }
}

/** A square was chosen. @param {string | undefined} name */
function pick(name) {
  if (!now || now.is_over || isBusy || name === undefined) return;
  const squares = through([...chosen, name]).length > 0 ? [...chosen, name] : [name];
  const found = through(squares);
  const exact = found.length === 1 ? found[0] : found.find((choice) => choice.text === squares.join(""));
  if (exact) choose(exact.text);
  else if (found.length > 0) offer(squares, found);
  else offer([], now.choices);
}

element("board")?.addEventListener("click", (/** @type {MouseEvent} */ event) => {
  // Pieces lie over the squares: the square is where the pointer is.
  const square = document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.matches(".square"));
  isByKeys = false;
  pick(/** @type {SVGElement | undefined} */ (square)?.dataset.name);
});
element("answer")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = element("text").value.trim();
  element("text").value = "";
  if (text) choose(text);
});
element("undo")?.addEventListener("click", () => {
  if (!now || isBusy) return;
  moves = moves.slice(0, now.decisions[now.decisions.length - 1]);
  goOn(null);
});
element("hint")?.addEventListener("click", async () => {
  if (isBusy) return;
  element("advice").textContent = `${game.bot} thinks …`;
  try {
    element("advice").textContent = (await ask("/play/hint", null)).words;
  } catch (error) {
    element("advice").textContent = error.message;
  }
});
if (element("board")) goOn(null);

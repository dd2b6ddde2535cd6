// @ts-check
// Plays against a bot, with clicks on the board or moves as text. The address contains the whole game, unless the server plays it.
import { problemIn } from "./app.js";
import { reveal } from "./motion.js";
import { coded, drawn, picker, split } from "./pick.js";

/**
 * @typedef {import("./forms.js").Choice} Choice
 * @typedef {{ moves: string[], words: string[], decisions: number[], board: string, prompt: string, choices: Choice[], lines: number,
 *             standing: number[] | null, is_over: boolean, thought: number, number: number | null, problem: string | null, limits: string }} GameView
 */

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));
const address = new URLSearchParams(location.search);
/** The settings of the game, which come from the page and not from the address. @type {Record<string, string>} */
const game = element("game")?.dataset;
const session = game?.session ? Number(game.session) : null;

/** @type {GameView | undefined} */
let now;
/** @type {string[]} */
let moves = session === null ? (address.get("moves")?.split("\n").filter(Boolean) ?? []) : [];
// The seed is text, because numbers are exact only up to 2^53.
const seed = address.get("seed") ?? String(Math.floor(Math.random() * 2 ** 48));
let used = [0, 0];
let since = Date.now();
let isBusy = false;
/** The number of moves before the earlier position on the board; `null` if the board shows the game. @type {number | null} */
let earlier = null;

/** @param {string} path @param {string[] | null} answer */
async function ask(path, answer) {
  const told = { game: game.game, bot: game.bot, seat: Number(game.seat), time: Number(game.time), seed, moves, answer, session };
  const reply = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told),
  });
  if (reply.ok) return reply.json();
  throw new Error(problemIn(await reply.text()));
}

/** @param {string[] | null} answer */
async function goOn(answer) {
  if (isBusy) return;
  isBusy = element("hint").disabled = element("undo").disabled = true;
  earlier = null;
  element("problem").textContent = element("advice").textContent = "";
  used[0] += answer ? Date.now() - since : 0;
  if (answer) {
    element("said").textContent = "";
    element("prompt").textContent = `Your move is made; ${game.bot} thinks …`;
    turn(1 - Number(game.seat));
    // The person's move is drawn at once, because the bot may think for seconds.
    const isLegal = answer.every((line) => now?.choices.some((choice) => choice.text === line));
    if (isLegal) preview(answer).then((board) => isBusy && element("board").replaceChildren(withNotes(board))).catch(() => {});
  }
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

/** Returns the actions of one player in a move of both. @param {string} text @param {number} player */
function side(text, player) {
  const part = document.createElement("span");
  part.className = `seat-${player}`;
  part.append(...text.split("; ").map((action) => {
    const line = document.createElement("span");
    [line.className, line.textContent] = ["action", `${action} `];
    return line;
  }));
  return part;
}

/** Marks the player whose turn it is. @param {number | null} seat */
function turn(seat) {
  for (const player of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-player]"))) {
    player.classList.toggle("turn", Number(player.dataset.player) === seat);
  }
}

/** Marks the shown position in the list of moves. */
function mark() {
  const at = earlier ?? moves.length;
  for (const [index, item] of [...element("moves").children].entries()) item.classList.toggle("shown", index === at - 1);
  element("earlier").disabled = at === 0;
  element("later").disabled = earlier === null;
}

/** Shows the position after some moves, or the game again. @param {number} at */
async function look(at) {
  if (!now || isBusy || at < 0) return;
  if (at >= moves.length) {
    if (earlier !== null) show(now);
    return;
  }
  earlier = at;
  mark();
  element("said").textContent = "";
  element("prompt").textContent = at === 0 ? "The start" : `After move ${at} of ${moves.length}`;
  element("next").textContent = "";
  chooser.ask(null);
  element("next").replaceChildren("You are looking back. ", back());
  const { board } = await line({ moves: moves.slice(0, at).join("\n") });
  if (earlier === at) element("board").replaceChildren(named(drawn(board)));
}

/** Returns the button that shows the game again. */
function back() {
  const button = document.createElement("button");
  [button.type, button.className, button.textContent] = ["button", "small", "Back to the game"];
  button.addEventListener("click", () => look(moves.length));
  return button;
}

/** Returns the bot's moves since the person's last decision, for screens on which the list of moves is out of sight. @param {GameView} view */
function said(view) {
  const seat = 1 - Number(game.seat);
  const joint = /^0: (.*) \| 1: (.*)$/s;
  const latest = view.words.slice(view.decisions.at(-1) ?? 0).flatMap((words, at) => {
    const sides = words.match(joint)?.slice(1);
    const isOwn = !sides && at === 0 && view.decisions.length > 0;
    return isOwn ? [] : [sides ? sides[seat] : words];
  });
  if (latest.length === 0) return [];
  const name = document.createElement("strong");
  [name.className, name.textContent] = [`seat-${seat}`, game.bot];
  return [name, ` played ${latest.join(", ").replaceAll("; ", " · ")}`];
}

/** @param {GameView} view */
function show(view) {
  now = view;
  moves = view.moves;
  earlier = null;
  element("board").replaceChildren(named(drawn(view.board)));
  const [task, form] = view.is_over ? [view.prompt, ""] : split(view.prompt);
  element("prompt").replaceChildren(...coded(view.is_over ? task : `Your turn: ${task}`));
  element("prompt").classList.toggle("result", view.is_over);
  turn(view.is_over ? null : Number(game.seat));
  for (const cell of document.querySelectorAll("[data-points]")) cell.textContent = String(view.standing?.[Number(/** @type {HTMLElement} */ (cell).dataset.points)] ?? "");
  element("said").replaceChildren(...said(view));
  element("format").replaceChildren(...coded(form ? `As text: ${form}.` : ""));
  element("after").hidden = !view.is_over;
  // If the server plays the game, its log contains the seed.
  element("analyse-end").hidden = session !== null;
  element("review").hidden = view.number === null;
  element("review").href = `/replay?${new URLSearchParams({ file: game.log, game: String(view.number) })}`;
  element("analyse-end").href = `/analyse?${new URLSearchParams({ game: game.game, seed, moves: moves.slice(0, -1).join("\n"), played: moves[moves.length - 1] ?? "" })}`;
  element("undo").disabled = view.decisions.length === 0;
  element("hint").disabled = element("text").disabled = view.is_over;
  element("clock").textContent = `you ${(used[0] / 1000).toFixed(0)} s, ${game.bot} ${(used[1] / 1000).toFixed(1)} s${view.limits && ` of ${view.limits}`}`;
  element("all").replaceChildren(...view.choices.map((choice) => new Option(choice.text)));
  element("moves").replaceChildren(...view.words.map((words, at) => {
    const item = document.createElement("li");
    const sides = words.match(/^0: (.*) \| 1: (.*)$/s)?.slice(1);
    const seat = Number(game.seat);
    if (!sides) item.className = `seat-${view.decisions.includes(at) ? seat : 1 - seat}`;
    const move = item.appendChild(document.createElement("span"));
    move.className = sides ? "both" : "text";
    move.title = moves[at];
    move.append(...(sides?.map((text, player) => side(text, player)) ?? [words]));
    item.addEventListener("click", () => look(at + 1));
    return item;
  }));
  element("moves").scrollTop = element("moves").scrollHeight;
  mark();
  // A game that the server plays has a number; any other game is replayed from its address.
  if (session === null) {
    for (const name of ["game", "bot", "seat", "time"]) address.set(name, game[name]);
    address.set("seed", seed);
    address.set("moves", moves.join("\n"));
    history.replaceState(null, "", `/play?${address}`);
  }
  chooser.ask({ ...view, player: Number(game.seat) });
}

/** Gives a board the notes of the shown position, because the turn has not ended. @param {HTMLElement} board */
function withNotes(board) {
  const notes = element("board").querySelector(".notes");
  if (notes) board.querySelector(".notes")?.replaceWith(notes.cloneNode(true));
  return board;
}

/** Names the players instead of their seats in the notes of a board. @param {HTMLElement} board */
function named(board) {
  const seats = game.seats.split("\n");
  for (const sign of board.querySelectorAll(".notes span")) {
    const at = seats.indexOf(sign.textContent ?? "");
    if (at >= 0) sign.textContent = at === Number(game.seat) ? "You" : game.bot;
  }
  return board;
}

/** Returns the board after an answer, as the player will see it. @param {string[]} answer */
const preview = (answer) => after({ [Number(game.seat) === 0 ? "zero" : "one"]: answer.join("\n") });

/** Fetches the board after a move, or the question after the first lines of one. @param {Record<string, string>} move */
async function line(move) {
  const told = new URLSearchParams({ game: game.game, seed, moves: moves.join("\n"), eyes: game.seat, ...(session === null ? {} : { session: String(session) }), ...move });
  const reply = await fetch(`/line?${told}`);
  if (!reply.ok) throw new Error(String(reply.status));
  return reply.json();
}
/** @param {Record<string, string>} move */
const after = async (move) => named(drawn((await line(move)).board));

const chooser = element("board") && picker(
  { board: element("board"), over: element("over"), choices: element("choices"), next: element("next") }, goOn, preview,
  async (lines) => (await line({ begun: lines.join("\n") })).choices,
);

element("answer")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = element("text").value.trim();
  element("text").value = "";
  if (text && !isBusy) chooser.choose(text);
});
element("change")?.addEventListener("click", (/** @type {Event} */ event) => {
  event.preventDefault();
  element("again").open = true;
  element("again").scrollIntoView({ block: "nearest" });
  element("new").querySelector("select").focus({ preventScroll: true });
});
element("earlier")?.addEventListener("click", () => look((earlier ?? moves.length) - 1));
element("later")?.addEventListener("click", () => look((earlier ?? moves.length) + 1));
document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!element("board") || event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea") || target.closest("dialog")) return;
  if (event.key === "ArrowLeft") look((earlier ?? moves.length) - 1);
  else if (event.key === "ArrowRight") look((earlier ?? moves.length) + 1);
});
element("undo")?.addEventListener("click", () => {
  if (!now || isBusy || chooser.restart()) return;
  moves = moves.slice(0, now.decisions[now.decisions.length - 1]);
  goOn(null);
});
element("hint")?.addEventListener("click", async () => {
  if (isBusy) return;
  look(moves.length);
  element("advice").textContent = `${game.bot} thinks …`;
  element("hint").disabled = true;
  try {
    const { words, mv, squares } = await ask("/play/hint", null);
    element("advice").textContent = words;
    after({ then: mv }).then((board) => chooser.suggest(board, true), () => {});
    for (const square of element("board").querySelectorAll(".square")) {
      square.classList.toggle("hinted", squares.includes(square.dataset.name));
    }
    reveal(element("board"), [...element("board").querySelectorAll(".square.hinted")]);
  } catch (error) {
    element("advice").textContent = error.message;
  }
  element("hint").disabled = isBusy || !now || now.is_over;
});
if (element("board")) goOn(null);

// @ts-check
// Steps through a recorded game, and lets bots analyse it. Without this script, the page works with its links.
import { morph } from "./live.js";
import { copy, problemIn } from "./app.js";
import { graph } from "./graph.js";
import { show as move } from "./motion.js";
import { coded, drawn, picker, split } from "./pick.js";
import { suggester } from "./suggest.js";

/**
 * @typedef {{ played: string, mover: number | null, standing: number[], used: number[], answers: number[], by_judge: boolean }} Turn
 * @typedef {{ player: number | null, turn: number | null, name: string, value: string }} Words
 * @typedef {{ page: string, board: string, picture: string, analyse: string | null, play: string | null, line: string | null, exchange: string | null, seats: string[], turns: Turn[], words: Words[],
 *             failures: number[], result: number | null, advice: import("./graph.js").Mark | null }} Course
 * @typedef {{ moves: string[], board: string, prompt: string, choices: import("./forms.js").Choice[], lines: number, is_over: boolean, player: number }} View
 * @typedef {{ from: number, parent: Step | null, text: string, moves: string[], next: Step[] }} Step a position in a tried line: the turn at which it leaves the game, and all moves from the start
 */

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));
/** @type {Course} */
const course = JSON.parse(element("data").textContent);
const last = course.turns.length - 1;
const [figure, slider, moves, words] = ["board", "slider", "moves", "words"].map(element);

/** The boards fetched so far, by address. @type {Map<string, Promise<HTMLElement>>} */
const boards = new Map();
let turn = Number(slider.value);
/** @type {number | undefined} */
let timer;
let isThinking = false;

/** Returns the parameters that name the moves on the board of a turn: the better one, if there is one. @param {number} at */
function named(at) {
  const found = chart.advice(at);
  return found ? `&${new URLSearchParams({ better: found.better, seat: String(found.player) })}` : "";
}

/** Returns the board at a turn. It has the frames of the played and the better move; the engine draws its own best move. @param {number} at @returns {Promise<HTMLElement>} */
function board(at) {
  const address = `${course.board}&turn=${at}${named(at)}${isThinking ? "&engine=true" : ""}`;
  let found = boards.get(address);
  if (!found) {
    found = fetch(address).then(async (answer) => {
      if (!answer.ok) throw new Error(`board ${at}: ${answer.status}`);
      return drawn(await answer.text());
    });
    found.catch(() => boards.delete(address));
    boards.set(address, found);
  }
  return found;
}

const played = course.turns.slice(1).map((one) => one.played);
/** The shown position of a line; `null` if a position of the game is shown. @type {Step | null} */
let step = null;
/** Returns the moves of the shown position. */
const position = () => step?.moves ?? played.slice(0, turn);

/** @param {number} wanted */
async function go(wanted) {
  if (step) {
    step = null;
    drawTree();
  }
  const before = turn;
  turn = Math.max(0, Math.min(last, wanted));
  const shown = turn;
  slider.value = String(turn);
  element("turn").textContent = `${turn} / ${last}`;
  element("first").disabled = element("back").disabled = turn === 0;
  element("last").disabled = element("forward").disabled = turn === last;
  // A better move that the address names stays in the address.
  history.replaceState(null, "", `${course.page}&turn=${turn}${course.advice?.turn === turn + 1 ? named(turn) : ""}`);
  state();
  for (const next of [turn + 1, turn + 2, turn + 3, turn - 1]) {
    if (next >= 0 && next <= last) board(next).catch(() => {});
  }
  const picture = await board(shown);
  if (shown === turn && !step) {
    if (Math.abs(shown - before) === 1) move(figure, picture);
    else figure.replaceChildren(picture);
    tryMoves();
  }
}

/** Shows the turn's data next to the board. */
function state() {
  const now = course.turns[turn];
  for (const player of [0, 1]) {
    for (const cell of document.querySelectorAll(`[data-standing="${player}"]`)) {
      cell.textContent = String(now.standing[player]);
    }
    for (const cell of document.querySelectorAll(`[data-used="${player}"]`)) {
      if (cell.textContent) cell.textContent = `${(now.used[player] / 1000).toFixed(1)} s`;
    }
  }
  moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const move = moves.querySelectorAll("a")[turn - 1];
  element("now").replaceChildren(turn === 0 ? "Start" : `${turn}. `, ...(move?.cloneNode(true).childNodes ?? []));
  move?.setAttribute("aria-current", "step");
  centre();
  const moves_of = position().join("\n");
  if (element("play-on")) {
    const seat = String(step ? 0 : (course.turns[turn + 1]?.mover ?? 0));
    element("play-on").href = `${course.play}&${new URLSearchParams({ seat, moves: moves_of })}`;
  }
  if (course.analyse && element("analyse")) {
    element("analyse").href = `${course.analyse}&${new URLSearchParams({ moves: moves_of, played: next_of() })}`;
  }
  chart.show(turn, step !== null);
  if (element("picture")) element("picture").href = `${course.picture}&turn=${turn}`;
  showExchange();
  // While the user steps through quickly, no analysis is requested.
  clearTimeout(soon);
  if (isThinking) soon = setTimeout(think, 150);
  if (words) {
    // Bots count turns by their own answers.
    const said = course.words.filter((word) => word.turn === null || word.turn === now.answers[word.player ?? 0]);
    words.replaceChildren(...said.flatMap((word) => {
      const [name, value] = [document.createElement("dt"), document.createElement("dd")];
      name.textContent = word.turn === null ? word.name : `${word.name} [${word.turn}]`;
      if (word.player !== null) name.className = `seat-${word.player}`;
      value.textContent = word.value;
      return [name, value];
    }));
  }
}

/** Scrolls the list of moves to the current one. */
function centre() {
  const item = moves.querySelector("[aria-current]")?.parentElement;
  moves.scrollTop = item ? item.offsetTop - moves.offsetTop - (moves.clientHeight - item.offsetHeight) / 2 : 0;
}
// The list gets smaller when the engine needs room.
new ResizeObserver(centre).observe(moves);

/** The streams with the bots' analyses of the shown position. @type {(EventSource | undefined)[]} */
const thoughts = [undefined, undefined];
/** @type {number | undefined} */
let soon;

/** Follows an address whose events contain parts of the page. @param {string} address @param {(parts: HTMLElement) => void} show @param {() => void} end */
function follow(address, show, end) {
  const source = new EventSource(address);
  /** @param {MessageEvent} event */
  const shown = (event) => show(new DOMParser().parseFromString(JSON.parse(event.data), "text/html").body);
  source.addEventListener("message", shown);
  source.addEventListener("last", (event) => {
    shown(/** @type {MessageEvent} */ (event));
    source.close();
    end();
  });
  return source;
}

/** Returns the next move that was played, if known. */
const next_of = () => (step ? "" : (played[turn] ?? ""));

/** The first bot's values square by square, by name; one of them is drawn over the board. @type {Map<string, Element>} */
let maps = new Map();
let shownMap = "the position";

/** @param {HTMLElement | null} parts */
function showMaps(parts) {
  maps = new Map([...(parts?.querySelectorAll("#boards figure") ?? [])].map((one) => [/** @type {HTMLElement} */ (one).dataset.view ?? "", one]));
  const views = parts?.querySelector("#views");
  const old = element("maps").firstElementChild;
  if (!views) {
    element("maps").replaceChildren();
  } else {
    for (const input of views.querySelectorAll("input")) input.toggleAttribute("checked", input.value === shownMap);
    const fresh = document.importNode(views, true);
    fresh.id = "";
    if (old) morph(old, fresh);
    else element("maps").append(fresh);
  }
  layMap();
}

function layMap() {
  const found = shownMap === "the position" ? null : maps.get(shownMap)?.firstElementChild;
  element("map").replaceChildren(...(found ? [document.importNode(found, true)] : []));
  element("maps").querySelector(".heat-key")?.remove();
  const key = found?.parentElement?.querySelector(".heat-key");
  if (key) element("maps").append(document.importNode(key, true));
}
element("maps").addEventListener("change", (/** @type {Event} */ event) => {
  shownMap = /** @type {HTMLInputElement} */ (event.target).value;
  layMap();
});

/** Lets the selected bots analyse the shown position, or stops them. */
function think() {
  showMaps(null);
  element("compare")?.replaceChildren();
  for (const [at, source] of thoughts.entries()) {
    source?.close();
    thoughts[at] = undefined;
    const place = element(`thought-${at}`);
    const bot = element(`thinker-${at}`)?.value;
    if (!place || !isThinking || !bot) {
      place?.replaceChildren();
      continue;
    }
    const wanted = new URLSearchParams({ moves: position().join("\n"), played: next_of(), bot, budget: "30s" });
    const seen = step ? undefined : ([0, 1].map((player) => chart.seen(turn, player)).find(Boolean));
    if (seen?.bot === bot && seen.shift) wanted.set("shift", String(seen.shift));
    thoughts[at] = follow(`${course.analyse}&${wanted}`.replace("/analyse", "/analyse/live"), (parts) => {
      if (at === 0) showMaps(parts);
      const found = parts.querySelector("#found");
      if (!found) return;
      if (at === 0) chart.weigh(/** @type {HTMLElement} */ (found).dataset.share);
      found.id = `found-${at}`;
      /** @type {HTMLElement} */ (found).dataset.moves = position().join();
      if (place.firstElementChild) morph(place.firstElementChild, document.importNode(found, true));
      else place.append(document.importNode(found, true));
      if (at === 0) compare(/** @type {HTMLElement} */ (place.firstElementChild));
      suggest();
    }, () => {});
  }
}
/** Explains the difference between the marks and the engine, which has more time. @param {HTMLElement} found */
function compare(found) {
  const seen = step ? undefined : chart.seen(turn, Number(found.dataset.player));
  const first = /** @type {HTMLElement | null} */ (found.querySelector("[data-move]"));
  if (!seen || !first) return element("compare").replaceChildren();
  const actions = [...first.cells[0].querySelectorAll(".action:not(.note)")].map((action) => action.textContent?.trim());
  const now = actions.join(" · ") || (first.cells[0].textContent ?? "").replace(" (played)", "").trim();
  const value = first.cells[1].textContent?.trim();
  const differs = Math.abs(Number(first.dataset.value ?? seen.amount) - seen.amount) > seen.notable;
  const same = differs ? `This longer search: the same move, but ${value} instead of ${seen.number}.` : "This search agrees.";
  const verdict = first.dataset.move === seen.best ? same : `This longer search prefers ${now}, ${value}.`;
  element("compare").textContent = `Marks: ${seen.by}, best ${seen.words}, ${seen.value}. ${verdict}`;
  element("compare").title = "The marks and the curve come from the evaluation of the whole game.";
}
element("think")?.addEventListener("click", () => {
  isThinking = !isThinking;
  element("think").textContent = isThinking ? "Engine on" : "Engine";
  element("think").setAttribute("aria-pressed", String(isThinking));
  think();
  if (!step && chart.advice(turn)) go(turn);
  suggest();
});
for (const at of [0, 1]) element(`thinker-${at}`)?.addEventListener("change", think);

const chart = graph(course, moves, (to) => jump(to));

/** Goes to the next of some turns after the shown one, or to the first. @param {number[]} places */
function next(places) {
  const found = places.find((place) => place > turn) ?? places[0];
  if (found !== undefined) jump(found);
  figure.closest(".field").scrollIntoView({ block: "nearest" });
}
/** Goes to the next failure: in this game, or else in the next game with one. */
function fail() {
  const address = element("failure")?.dataset.next;
  if (address && !course.failures.some((place) => place > turn)) location.href = address;
  else next(course.failures);
}
element("mistake")?.addEventListener("click", () => next(chart.mistakes()));
element("failure")?.addEventListener("click", fail);
// If the graph is below the list of moves, the button is next to the steps.
const narrow = matchMedia("(max-width: 60rem)");
function arrange() {
  const button = element("mistake");
  if (button && narrow.matches) element("last").after(button);
  else if (button) document.querySelector(".graph > .controls")?.append(button);
}
narrow.addEventListener("change", arrange);
arrange();
element("evaluate")?.addEventListener("click", () => {
  const button = element("evaluate");
  button.disabled = true;
  chart.choose("evaluation");
  const source = follow(button.dataset.address, (parts) => {
    for (const id of ["evaluation", "summary"]) {
      const fresh = parts.querySelector(`#${id}`);
      if (fresh) morph(element(id), document.importNode(fresh, true));
    }
    chart.refresh();
  }, () => {
    button.remove();
    if (!step) go(turn);
  });
  addEventListener("pagehide", () => source.close());
});
element("copy")?.addEventListener("click", () => copy(location.href));

/** Shows the bots' input and output, if that part is open. */
async function showExchange() {
  const part = element("exchange");
  if (!part?.open) return;
  const shown = turn;
  const answer = await fetch(`${course.exchange}&turn=${shown}`);
  if (shown !== turn) return;
  const text = await answer.text();
  const page = new DOMParser().parseFromString(text, "text/html");
  const found = answer.ok ? page.body : page.querySelector("main p");
  if (found) element("read").replaceChildren(...[...found.childNodes].map((node) => document.importNode(node, true)));
}
element("exchange")?.addEventListener("toggle", showExchange);

/** The tried lines, by the turn at which they leave the game. @type {Map<number, Step[]>} */
const tried = new Map();
let isTrying = false;
/** The request on the board, and the lines of the player who has already answered a simultaneous turn. @type {View | null} */
let asked = null;
/** @type {string[]} */
let answered = [];

/** Fetches a position, given its moves and answers. @param {Record<string, string>} more @returns {Promise<View>} */
async function tell(more) {
  const reply = await fetch(`${course.line}&${new URLSearchParams({ moves: position().join("\n"), ...more })}`);
  if (reply.ok) return reply.json();
  throw new Error(problemIn(await reply.text()));
}

/** @param {string[]} lines */
function answers(lines) {
  const own = { [asked?.player === 1 ? "one" : "zero"]: lines.join("\n") };
  return answered.length > 0 ? { zero: answered.join("\n"), ...own } : own;
}

const chooser = picker(
  { board: figure, over: element("over"), choices: element("choices"), next: element("next") },
  async (lines) => {
    const before = position();
    try {
      const view = await tell(answers(lines));
      if (before.join() !== position().join()) return;
      if (view.moves.length > before.length) {
        answered = [];
        add(view.moves);
      } else {
        // The other player has not answered yet.
        answered = lines;
        offerMoves(view);
      }
    } catch (error) {
      tryMoves();
      element("next").textContent = error.message;
    }
  },
  async (lines) => drawn((await tell({ ...answers(lines), eyes: String(asked?.player ?? 0) })).board),
  async (lines) => (await tell({ ...(answered.length > 0 ? { zero: answered.join("\n") } : {}), begun: lines.join("\n"), eyes: String(asked?.player ?? 0) })).choices,
);

// A better move from the evaluation is already on the board.
const suggest = suggester(tell, (board, isPointed) => chooser.suggest(board, isPointed), "[id^='thought-'] [data-move]",
  () => (isThinking ? document.querySelector("#thought-0 [data-move]") : null));

/** @param {View | null} view */
function offerMoves(view) {
  asked = view;
  chooser.ask(view);
  if (view) element("next").replaceChildren(...coded(`${(view.is_over ? view.prompt : split(view.prompt)[0]).replace(/[.]?$/, ".")} ${element("next").textContent}`));
}

/** Lets the user choose moves in the shown position, if lines are being tried. */
async function tryMoves() {
  answered = [];
  if (!isTrying) return offerMoves(null);
  const before = position();
  const view = await tell({}).catch(() => null);
  if (before.join() === position().join()) offerMoves(view);
}

/** Continues a line, or the game if it has the same moves. @param {string[]} moves */
function add(moves) {
  const [from, text] = [step?.from ?? turn, moves.slice(position().length).join(", ")];
  if (!step && played[turn] === text) return jump(turn + 1);
  const siblings = step ? step.next : (tried.get(from) ?? []);
  let found = siblings.find((one) => one.text === text);
  if (!found) {
    found = { from, parent: step, text, moves, next: [] };
    siblings.push(found);
    if (!step) tried.set(from, siblings);
  }
  show(found);
}

/** Returns the address of a position in a line. @param {Step} wanted */
const addressOf = (wanted) => `${course.page}&turn=${wanted.from}&${new URLSearchParams({ line: wanted.moves.slice(wanted.from).join("\n") })}`;

/** Shows a position in a line. @param {Step} wanted */
async function show(wanted) {
  stop();
  step = wanted;
  turn = wanted.from;
  history.replaceState(null, "", addressOf(wanted));
  state();
  drawTree();
  const view = await tell({}).catch(() => null);
  if (step !== wanted || !view) return;
  figure.replaceChildren(drawn(view.board));
  answered = [];
  offerMoves(isTrying ? view : null);
  if (!isTrying) element("next").replaceChildren(...coded(view.prompt));
}

/** Draws the lines as a tree, with a list wherever a position has several continuations. */
function drawTree() {
  /** @param {Step[]} steps @returns {HTMLElement} */
  const branch = (steps) => {
    const list = document.createElement("ul");
    for (let one of steps) {
      const item = document.createElement("li");
      if (!one.parent) item.append(`after move ${one.from}: `);
      for (;;) {
        const link = document.createElement("a");
        const shown = one;
        link.href = addressOf(one);
        link.textContent = one.text;
        if (one === step) link.setAttribute("aria-current", "step");
        link.addEventListener("click", (event) => {
          event.preventDefault();
          show(shown);
        });
        item.append(link, " ");
        if (one.next.length !== 1) break;
        one = one.next[0];
      }
      if (one.next.length > 0) item.append(branch(one.next));
      list.append(item);
    }
    return list;
  };
  const first = [...tried.entries()].sort(([one], [other]) => one - other).flatMap(([, steps]) => steps);
  element("lines").hidden = first.length === 0;
  element("tree").replaceChildren(branch(first));
}
element("game")?.addEventListener("click", () => jump(turn));
element("try")?.addEventListener("click", () => {
  isTrying = !isTrying;
  element("try").setAttribute("aria-pressed", String(isTrying));
  element("try").textContent = isTrying ? "Stop trying" : "Try moves";
  tryMoves();
});

function stop() {
  clearInterval(timer);
  timer = undefined;
  element("play").textContent = "▶ Play";
  element("play").setAttribute("aria-label", "Play");
}

function start() {
  stop();
  if (turn === last) go(0);
  element("play").textContent = "❚❚ Pause";
  element("play").setAttribute("aria-label", "Pause");
  timer = setInterval(() => {
    if (turn === last) stop();
    else go(turn + 1);
  }, 1000 / Number(element("speed").value));
}

/** @param {number} wanted */
function jump(wanted) {
  stop();
  go(wanted);
}

const steps = {
  first: () => jump(0),
  back: () => (step ? (step.parent ? show(step.parent) : jump(step.from)) : jump(turn - 1)),
  play: () => (timer === undefined ? start() : stop()),
  forward: () => (step ? step.next[0] && show(step.next[0]) : jump(turn + 1)),
  last: () => jump(last),
};
for (const [id, act] of Object.entries(steps)) element(id).addEventListener("click", act);
element("speed").addEventListener("change", () => timer !== undefined && start());
slider.addEventListener("input", () => jump(Number(slider.value)));
moves.addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const link = /** @type {Element} */ (event.target).closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  jump([...moves.querySelectorAll("a")].indexOf(link) + 1);
});
addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || target.matches("input, select, textarea")) return;
  const step = { ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last }[event.key];
  if (step) {
    event.preventDefault();
    step();
  } else if (event.key === "f" && course.failures.length > 0) {
    fail();
  } else if (event.key === "m" && chart.mistakes().length > 0) {
    next(chart.mistakes());
  } else if (event.key === " " && !target.matches("button, a, summary")) {
    event.preventDefault();
    steps.play();
  }
});
const address = new URLSearchParams(location.search);
const line = course.line ? (address.get("line")?.split("\n").filter(Boolean) ?? []) : [];
if (line.length > 0) {
  // The address is that of a line: its moves one after another.
  turn = Math.max(0, Math.min(last, turn));
  for (const at of line.keys()) {
    const moves = [...played.slice(0, turn), ...line.slice(0, at + 1)];
    /** @type {Step} */
    const next = { from: turn, parent: step, text: line[at], moves, next: [] };
    if (step) step.next.push(next);
    else tried.set(turn, [next]);
    step = next;
  }
  show(/** @type {Step} */ (step));
} else {
  // Without a turn in the address, the page opens at the first failure.
  go(address.has("turn") || course.failures.length === 0 ? turn : course.failures[0]);
}

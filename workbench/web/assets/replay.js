// @ts-check
// Steps through a recorded game, and has bots think about it. The page works without it, by its links.
import { morph } from "/live.js";

/**
 * @typedef {{ played: string, mover: number | null, standing: number[], used: number[], answers: number[], by_judge: boolean }} Turn
 * @typedef {{ player: number | null, turn: number | null, name: string, value: string }} Words
 * @typedef {{ page: string, board: string, analyse: string | null, play: string | null, exchange: string | null, turns: Turn[], words: Words[],
 *             failures: number[] }} Course
 * @typedef {{ turn: number, player: number, kind: string, sign: string, best: string }} Mark
 */

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));
/** @type {Course} */
const course = JSON.parse(element("data").textContent);
const last = course.turns.length - 1;
const [figure, slider, moves, cursor, words] = ["board", "slider", "moves", "cursor", "words"].map(element);

/** The boards that were fetched, by turn. @type {Map<number, Promise<SVGElement>>} */
const boards = new Map();
let turn = Number(slider.value);
/** @type {number | undefined} */
let timer;

/** @param {number} at @returns {Promise<SVGElement>} */
function board(at) {
  let found = boards.get(at);
  if (!found) {
    found = fetch(`${course.board}&turn=${at}`).then(async (answer) => {
      if (!answer.ok) throw new Error(`board ${at}: ${answer.status}`);
      const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
      return /** @type {any} */ (document.importNode(picture.documentElement, true));
    });
    found.catch(() => boards.delete(at));
    boards.set(at, found);
  }
  return found;
}

/** @param {number} wanted */
async function go(wanted) {
  turn = Math.max(0, Math.min(last, wanted));
  const shown = turn;
  slider.value = String(turn);
  element("turn").textContent = `${turn} / ${last}`;
  element("first").disabled = element("back").disabled = turn === 0;
  element("last").disabled = element("forward").disabled = turn === last;
  history.replaceState(null, "", `${course.page}&turn=${turn}`);
  state();
  for (const next of [turn + 1, turn + 2, turn + 3, turn - 1]) {
    if (next >= 0 && next <= last) board(next).catch(() => {});
  }
  const picture = await board(shown);
  if (shown === turn) figure.replaceChildren(picture);
}

/** Shows what goes with the turn beside the board. */
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
  if (move) {
    move.setAttribute("aria-current", "step");
    const item = move.parentElement;
    moves.scrollTop = item.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  } else {
    moves.scrollTop = 0;
  }
  if (element("play-on")) {
    const [played, seat] = [course.turns.slice(1, turn + 1).map((one) => one.played), String(course.turns[turn + 1]?.mover ?? 0)];
    element("play-on").href = `${course.play}&${new URLSearchParams({ seat, moves: played.join("\n") })}`;
  }
  if (course.analyse && element("analyse")) {
    const played = course.turns.slice(1).map((one) => one.played);
    const position = new URLSearchParams({ moves: played.slice(0, turn).join("\n"), played: played[turn] ?? "" });
    element("analyse").href = `${course.analyse}&${position}`;
  }
  if (cursor) {
    const x = String((cursor.ownerSVGElement.viewBox.baseVal.width * turn) / Math.max(1, last));
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }
  moveCursors();
  if (element("picture")) element("picture").href = `${course.board}&turn=${turn}`;
  showExchange();
  // Who steps through quickly asks for no thoughts on the way.
  clearTimeout(soon);
  if (isThinking) soon = setTimeout(think, 150);
  if (words) {
    // Of a turn, as the bot counts: its answers.
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

/** What the bots think of the position that is shown: a stream for each. @type {(EventSource | undefined)[]} */
const thoughts = [undefined, undefined];
let isThinking = false;
/** @type {number | undefined} */
let soon;

/** Follows an address whose events have parts of the page. @param {string} address @param {(parts: HTMLElement) => void} show @param {() => void} end */
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

/** Lets the chosen bots think about the turn that is shown, or none. */
function think() {
  for (const [at, source] of thoughts.entries()) {
    source?.close();
    thoughts[at] = undefined;
    const place = element(`thought-${at}`);
    const bot = element(`thinker-${at}`)?.value;
    if (!place || !isThinking || !bot) {
      place?.replaceChildren();
      continue;
    }
    const played = course.turns.slice(1).map((one) => one.played);
    const position = new URLSearchParams({ moves: played.slice(0, turn).join("\n"), played: played[turn] ?? "", bot, budget: "30s" });
    thoughts[at] = follow(`${course.analyse}&${position}`.replace("/analyse", "/analyse/live"), (parts) => {
      const found = parts.querySelector("#found");
      if (!found) return;
      found.id = `found-${at}`;
      if (place.firstElementChild) morph(place.firstElementChild, document.importNode(found, true));
      else place.append(document.importNode(found, true));
    }, () => {});
  }
}
element("think")?.addEventListener("click", () => {
  isThinking = !isThinking;
  element("think").textContent = isThinking ? "Stop" : "Think";
  element("think").setAttribute("aria-pressed", String(isThinking));
  think();
});
for (const at of [0, 1]) element(`thinker-${at}`)?.addEventListener("change", think);

/** The moves that gave much away. @type {Mark[]} */
let marks = [];

/** Shows the marks beside the moves, and lets the graph be clicked. */
function showMarks() {
  const graph = element("evaluation");
  marks = JSON.parse(graph?.dataset.marks ?? "[]");
  const links = moves.querySelectorAll("a");
  for (const old of moves.querySelectorAll(".mark")) old.remove();
  for (const { turn: at, player, kind, sign, best } of marks) {
    const mark = document.createElement("span");
    mark.className = `mark ${kind} seat-${player}`;
    mark.textContent = ` ${sign}`;
    mark.title = `${kind}; better ${best}`;
    links[at - 1]?.append(mark);
  }
  element("mistake")?.toggleAttribute("disabled", marks.length === 0);
  moveCursors();
}

function moveCursors() {
  for (const line of /** @type {NodeListOf<SVGLineElement>} */ (document.querySelectorAll("#evaluation .cursor"))) {
    const x = String((/** @type {SVGSVGElement} */ (line.ownerSVGElement).viewBox.baseVal.width * turn) / Math.max(1, last));
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
}

/** The next of some turns after the one that is shown, or the first. @param {number[]} places */
function next(places) {
  const found = places.find((place) => place > turn) ?? places[0];
  if (found !== undefined) jump(found);
}
element("mistake")?.addEventListener("click", () => next(marks.map((mark) => mark.turn)));
element("failure")?.addEventListener("click", () => next(course.failures));
element("evaluation")?.addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const graph = /** @type {Element} */ (event.target).closest("svg");
  if (!graph) return;
  const place = graph.getBoundingClientRect();
  jump(Math.round((last * (event.clientX - place.left)) / place.width));
});
element("evaluate")?.addEventListener("click", () => {
  const button = element("evaluate");
  button.disabled = true;
  const source = follow(button.dataset.address, (parts) => {
    const fresh = parts.querySelector("#evaluation");
    if (fresh) morph(element("evaluation"), document.importNode(fresh, true));
    showMarks();
  }, () => button.remove());
  addEventListener("pagehide", () => source.close());
});
element("copy")?.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    element("copy").textContent = "Copied";
  } catch {
    element("copy").textContent = "The browser does not let it";
  }
});

/** Shows what the bots read and wrote, where that is open. */
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

function stop() {
  clearInterval(timer);
  timer = undefined;
  element("play").textContent = "Play";
  element("play").setAttribute("aria-label", "Play");
}

function start() {
  stop();
  if (turn === last) go(0);
  element("play").textContent = "Pause";
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
  back: () => jump(turn - 1),
  play: () => (timer === undefined ? start() : stop()),
  forward: () => jump(turn + 1),
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
cursor?.ownerSVGElement.addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const place = cursor.ownerSVGElement.getBoundingClientRect();
  jump(Math.round((last * (event.clientX - place.left)) / place.width));
});
addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || target.matches("input, select, textarea")) return;
  const step = { ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last }[event.key];
  if (step) {
    event.preventDefault();
    step();
  } else if (event.key === "m" && marks.length > 0) {
    next(marks.map((mark) => mark.turn));
  } else if (event.key === " " && !target.matches("button, a, summary")) {
    event.preventDefault();
    steps.play();
  }
});
showMarks();
// Who comes without a turn sees where a bot failed.
go(new URLSearchParams(location.search).has("turn") || course.failures.length === 0 ? turn : course.failures[0]);

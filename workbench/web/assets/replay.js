// @ts-check
// Steps through a recorded game. The page works without it, by its links.

/**
 * @typedef {{ played: string, mover: number | null, standing: number[], used: number[], answers: number[] }} Turn
 * @typedef {{ player: number | null, turn: number | null, name: string, value: string }} Words
 * @typedef {{ page: string, board: string, analyse: string | null, turns: Turn[], words: Words[] }} Course
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
  if (course.analyse) {
    const played = course.turns.slice(1).map((one) => one.played);
    const position = new URLSearchParams({ moves: played.slice(0, turn).join("\n"), played: played[turn] ?? "" });
    element("analyse").href = `${course.analyse}&${position}`;
  }
  if (cursor) {
    const x = String((cursor.ownerSVGElement.viewBox.baseVal.width * turn) / Math.max(1, last));
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }
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
  } else if (event.key === " " && !target.matches("button, a, summary")) {
    event.preventDefault();
    steps.play();
  }
});
go(turn);

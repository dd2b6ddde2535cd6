// @ts-check
// Plays against a bot: by clicks on the board, or by moves as text. The address holds the whole game.

/**
 * @typedef {{ moves: string[], decisions: number[], board: string, prompt: string, choices: string[], lines: number,
 *             points: number[], is_over: boolean, thought: number, problem: string | null, session: number | null, limits: string }} Asked
 */

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));
const address = new URLSearchParams(location.search);
const form = element("new");

/** The start of the move that is being put together, and the lines that are complete. */
let sofar = "";
/** @type {string[]} */
let lines = [];
/** @type {Asked | undefined} */
let now;
/** @type {string[]} */
let moves = address.get("moves")?.split("\n").filter(Boolean) ?? [];
const seed = Number(address.get("seed") ?? Math.floor(Math.random() * 2 ** 48));
let used = [0, 0];
let since = Date.now();
let isBusy = false;

/** The game that the server keeps, where it keeps one. @type {number | null} */
let session = null;

/** @param {string} name */
const field = (name) => address.get(name) ?? form.elements[name].value;
if (form) {
  // What is no bundled bot plays by the contest's clock.
  const bundled = [...element("bots").children].map((option) => option.value);
  if (field("league") || !bundled.includes(field("bot").split(":")[0])) address.set("time", "0");
  for (const name of ["time", "seat", "bot", "league"]) form.elements[name].value = field(name);
  // Another bot is typed: it is none of the league's.
  form.elements.bot.addEventListener("input", () => (form.elements.league.value = ""));
  if (field("time") === "0") moves = [];
}

/** @param {string} path @param {string[] | null} answer */
async function ask(path, answer) {
  const told = { game: field("game"), bot: field("bot"), seat: Number(field("seat")), time: Number(field("time")), seed, moves, answer, session, league: field("league") };
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
  if (answer) element("prompt").textContent = `${field("bot")} thinks …`;
  try {
    const asked = /** @type {Asked} */ (await ask("/play/move", answer));
    used[1] += asked.thought;
    show(asked);
    element("problem").textContent = asked.problem ?? "";
  } catch (error) {
    element("problem").textContent = error.message;
    if (now) show(now);
  }
  isBusy = false;
  since = Date.now();
}

/** @param {Asked} asked */
function show(asked) {
  now = asked;
  moves = asked.moves;
  session = asked.session;
  sofar = "";
  lines = [];
  const picture = new DOMParser().parseFromString(asked.board, "image/svg+xml");
  element("board").replaceChildren(document.importNode(picture.documentElement, true));
  element("prompt").textContent = asked.prompt;
  element("undo").disabled = asked.decisions.length === 0;
  element("hint").disabled = element("text").disabled = asked.is_over;
  element("clock").textContent = `you ${(used[0] / 1000).toFixed(0)} s, ${field("bot")} ${(used[1] / 1000).toFixed(1)} s${asked.limits && ` of ${asked.limits}`}`;
  element("all").replaceChildren(...asked.choices.map((choice) => new Option(choice)));
  element("moves").replaceChildren(...moves.map((move) => {
    const item = document.createElement("li");
    item.textContent = move;
    return item;
  }));
  element("moves").scrollTop = element("moves").scrollHeight;
  for (const name of ["game", "bot", "seat", "time", "league"]) address.set(name, field(name));
  address.set("seed", String(seed));
  // A session's moves cannot be played again.
  if (session === null) address.set("moves", moves.join("\n"));
  history.replaceState(null, "", `/play?${address}`);
  offer(asked.choices);
}

/** The choices that go on with a square. @param {string[]} choices @param {string} name */
function through(choices, name) {
  const spoken = new RegExp(`^[A-Z]+ \\d+ ${name}( |$)`);
  return choices.filter((choice) => choice.startsWith(sofar + name) || (sofar === "" && spoken.test(choice)));
}

/** Marks what can be clicked, and offers what no square completes. @param {string[]} choices */
function offer(choices) {
  for (const square of element("board").querySelectorAll(".square")) {
    square.classList.toggle("open", through(choices, square.dataset.name).length > 0);
  }
  const few = sofar !== "" && choices.length <= 60 ? choices : choices.filter((choice) => !/\d|[a-z]{2}/.test(choice));
  element("choices").replaceChildren(...few.map((choice) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = choice;
    button.addEventListener("click", () => choose(choice));
    return button;
  }));
}

/** @param {string} choice */
function choose(choice) {
  if (!now) return;
  lines.push(choice);
  sofar = "";
  if (lines.length === now.lines) {
    goOn(lines);
  } else {
    element("prompt").textContent = `${lines.join("; ")}; and ${now.lines - lines.length} more`;
    offer(now.choices);
  }
}

element("board")?.addEventListener("click", (/** @type {MouseEvent} */ event) => {
  if (!now || now.is_over || isBusy) return;
  // Pieces lie over the squares: the square is where the pointer is.
  const square = document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.matches(".square"));
  const name = /** @type {SVGElement | undefined} */ (square)?.dataset.name;
  if (name === undefined) return;
  let found = through(now.choices, name);
  if (found.length === 0) {
    sofar = "";
    found = through(now.choices, name);
  }
  if (found.length === 1) {
    choose(found[0]);
  } else if (found.length > 1) {
    sofar = found.every((choice) => choice.startsWith(sofar + name)) ? sofar + name : found[0].split(" ")[0];
    element("board").querySelectorAll(".chosen").forEach((/** @type {Element} */ old) => old.classList.remove("chosen"));
    square?.classList.add("chosen");
    const exact = found.find((choice) => choice === sofar);
    exact ? choose(exact) : offer(found);
  } else {
    offer(now.choices);
  }
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
  element("advice").textContent = `${field("bot")} thinks …`;
  try {
    element("advice").textContent = (await ask("/play/hint", null)).words;
  } catch (error) {
    element("advice").textContent = error.message;
  }
});
if (form) goOn(null);

// @ts-check
// The graph below a recorded game: its layers, the values under the pointer, the marks of bad moves, and the bar of the
// evaluation next to the board.

/**
 * @typedef {{ turn: number, player: number, played: string, better: string, names: string[], kind?: string, sign?: string, words?: string, against?: string }} Mark
 */

/** @param {string} id */
const element = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * @param {{ turns: { played: string, mover: number | null, standing: number[] }[], seats: string[], result: number | null, advice: Mark | null }} course
 * @param {HTMLElement} moves the list of moves
 * @param {(turn: number) => void} jump
 */
export function graph(course, moves, jump) {
  const [place, cursor] = [element("graph"), element("cursor")];
  const last = course.turns.length - 1;
  /** @type {Mark[]} */
  let marks = [];
  /** Turn, share of the bar, and the value in words. @type {[number, number, string][]} */
  let values = [];
  /** The evaluated decisions: the best move and its value in words, and the bot with its time. @type {{ turn: number, player: number, best: string, words: string, value: string, amount: number, shift: number, bot: string, number: string, notable: number, by: string }[]} */
  let seen = [];
  /** The draws that changed the evaluation much, and its corrections, by the move before. @type {{ turn: number, player: number, words: string, is_correction: boolean }[]} */
  let draws = [];
  let now = 0;

  /**
   * Sets the bar to the share of seat 0; without a share, the bar is empty. Until the game has ended, both players have a part.
   * @param {number | undefined} share
   */
  function weigh(share, hasEnded = false) {
    const least = hasEnded ? 0 : 0.02;
    const part = Math.max(least, Math.min(1 - least, share ?? 0.5)) * 100;
    const bar = element("gauge")?.querySelector(".seat-0");
    bar?.setAttribute("y", String(100 - part));
    bar?.setAttribute("height", String(part));
    element("gauge")?.classList.toggle("unknown", share === undefined);
  }

  /** Returns the latest value at or before a turn. During an evaluation, later turns have no value yet. @param {number} turn */
  const valueAt = (turn) => {
    const before = values.filter(([at]) => at <= turn).at(-1);
    return element("evaluate") && before === values.at(-1) && before?.[0] !== turn ? undefined : before;
  };

  /** Reads the marks and values of the evaluation, and shows the marks next to the moves. */
  function refresh() {
    const data = element("evaluation")?.dataset ?? {};
    [marks, values, seen, draws] = [data.marks, data.values, data.seen, data.draws].map((text) => JSON.parse(text ?? "[]"));
    const links = moves.querySelectorAll("a");
    for (const old of moves.querySelectorAll(".mark, .draw")) old.remove();
    for (const { turn, player, kind, sign, words, names } of marks) {
      const mark = document.createElement("span");
      mark.className = `mark ${kind} seat-${player}`;
      mark.textContent = ` ${sign}`;
      mark.title = names[1] ? `${words}; better ${names[1]}` : (words ?? "");
      actionOf(links[turn - 1], player, names)?.append(mark);
    }
    for (const { turn, player, words, is_correction } of draws) {
      const note = document.createElement("span");
      note.className = "draw";
      note.append(` ${is_correction ? "evaluation" : "luck"} ${words.split(" ")[0]} `, named(`seat-${player}`, course.seats[player]));
      note.title = is_correction ? `After this move, the evaluation changes by ${words} for ${course.seats[player]}: it was wrong before` : `The draw after this move: ${words} for ${course.seats[player]}`;
      links[turn - 1]?.append(note);
    }
    element("mistake")?.toggleAttribute("disabled", marks.length === 0);
    show(now, false);
  }

  /**
   * Returns the place for a mark in the list: at a joint turn, the player's first action that the better move does not have.
   * @param {Element | undefined} link @param {number} player @param {string[]} names
   */
  function actionOf(link, player, names) {
    const actions = [...(link?.querySelectorAll(`.both > .seat-${player} > .action`) ?? [])];
    return actions.find((action) => names[0].split("; ").some((words) => action.textContent?.startsWith(words))) ?? actions.at(-1) ?? link;
  }

  /** Shows a turn of the game, or a tried line that leaves the game there. @param {number} turn @param {boolean} isTried */
  function show(turn, isTried) {
    now = turn;
    const x = String((640 * turn) / Math.max(1, last));
    for (const name of ["x1", "x2"]) cursor?.setAttribute(name, x);
    const value = isTried ? undefined : valueAt(turn);
    const result = !isTried && turn === last && values.length > 0 ? course.result : null;
    weigh(result ?? value?.[1], result !== null);
    if (element("value")) element("value").textContent = value?.[2] ?? "";
    const found = isTried ? undefined : (advice(turn) ?? marks.find((mark) => mark.turn === turn));
    const draw = isTried ? undefined : draws.find((draw) => draw.turn === turn);
    const cause = draw?.is_correction ? `After move ${turn}, the evaluation rose by ${draw.words.slice(1)} for ` : `Luck: the draw after move ${turn} gave ${draw?.words} to `;
    const end = draw?.is_correction ? ". It was too low before." : ".";
    const luck = draw ? [" ", cause, named(`seat-${draw.player}`, course.seats[draw.player]), end] : [];
    const judged = moves.querySelectorAll("a")[(found?.turn ?? 0) - 1];
    for (const link of moves.querySelectorAll(".judged")) link.classList.remove("judged");
    if (found && found.turn > turn) judged?.classList.add("judged");
    element("verdict").replaceChildren(...(found ? sentence(found) : []), ...luck);
  }

  /** Returns the mark of the next move of the game, or the better move that the address names. @param {number} turn */
  function advice(turn) {
    const next = turn + 1;
    return marks.find((mark) => mark.turn === next) ?? (course.advice?.turn === next ? course.advice : undefined);
  }

  /** Returns a name with a class. @param {string} kind @param {string} text @param {string} code */
  function named(kind, text, code = "") {
    const name = document.createElement("span");
    [name.className, name.textContent, name.title] = [kind, text, code];
    return name;
  }

  /** Returns the sentence about a costly move; the moves have the colours of their frames on the board. @param {Mark} mark */
  function sentence({ turn, player, played, better, names, sign, words, against }) {
    const own = named("played", names[0] || course.turns[turn].played, played);
    const who = course.turns[turn].mover === null ? [named(`seat-${player}`, course.seats[player]), ": "] : [];
    const said = words ? ` ${sign} ${words}` : " was played";
    const other = against ? [" At the same time, ", named(`seat-${1 - player}`, course.seats[1 - player]), ": ", named(`joint seat-${1 - player}`, against), "."] : [];
    return [turn > now ? `Next, move ${turn}: ` : `Just played, move ${turn}: `, ...who, own, said, ...(better ? ["; better ", named("better", names[1], better)] : []), ".", ...other, ...(turn > now ? [frames(player, better, against)] : [])];
  }

  /** Explains the frames on the board. @param {number} player @param {string} better @param {string | undefined} against */
  function frames(player, better, against) {
    const key = named("frames legend", "On the board: ");
    const kinds = [["played", "played"], ...(better ? [["better", "better"]] : []), ...(against ? [[`joint seat-${1 - player}`, `${course.seats[1 - player]} at the same time`]] : [])];
    key.append(...kinds.flatMap(([kind, words]) => [named(`frame ${kind}`, ""), words]));
    return key;
  }

  /** Returns the turn under the pointer. @param {MouseEvent} event */
  function under(event) {
    // The margin next to the curve has the labels of its ends.
    const frame = cursor.ownerSVGElement.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.round((last * (event.clientX - frame.left)) / frame.width)));
  }

  place?.addEventListener("click", (/** @type {MouseEvent} */ event) => jump(under(event)));
  place?.addEventListener("pointermove", (/** @type {MouseEvent} */ event) => {
    const turn = under(event);
    let box = place.querySelector(".values");
    if (!box) place.append((box = document.createElement("p")));
    box.className = `values ${turn > last / 2 ? "" : "right"}`;
    const played = turn > 0 ? `${turn}: ${moves.querySelectorAll("a")[turn - 1]?.textContent?.trim()}` : "start";
    box.textContent = [played, `score ${course.turns[turn].standing.join(" – ")}`, valueAt(turn)?.[2]].filter(Boolean).join(" · ");
  });
  place?.addEventListener("pointerleave", () => place.querySelector(".values")?.remove());
  element("summary")?.addEventListener("click", (/** @type {Event} */ event) => {
    const to = /** @type {Element} */ (event.target).closest("[data-turn]");
    if (to) jump(Number(/** @type {HTMLElement} */ (to).dataset.turn));
  });
  const layers = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-layer]"));
  /** Shows one layer of the graph. @param {string | undefined} id */
  function choose(id) {
    place.dataset.shown = id;
    for (const chip of layers) chip.setAttribute("aria-pressed", String(chip.dataset.layer === id));
  }
  for (const chip of layers) chip.addEventListener("click", () => choose(chip.dataset.layer));
  refresh();
  return {
    show, refresh, advice, choose,
    /** Returns the evaluation of a player's decision, if known. @param {number} turn @param {number} player */
    seen: (turn, player) => seen.find((one) => one.turn === turn + 1 && one.player === player),
    weigh: (/** @type {string | undefined} */ share) => share !== undefined && weigh(Number(share)),
    // A mistake is shown before it is made.
    mistakes: () => marks.map((mark) => mark.turn - 1),
  };
}

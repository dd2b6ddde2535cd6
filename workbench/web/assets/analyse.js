// @ts-check
// Shows the selected board of an analysis, and plays the moves that the user chooses on it.
import "./live.js";
import { problemIn } from "./app.js";
import { coded, drawn, picker, split } from "./pick.js";
import { suggester } from "./suggest.js";

/**
 * @typedef {{ moves: string[], board: string, prompt: string, choices: import("./forms.js").Choice[], lines: number, is_over: boolean, player: number }} View
 */

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** The view that the user chose. */
let chosen = "";

function show() {
  const figures = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#boards figure"))];
  const found = figures.some((figure) => figure.dataset.view === chosen);
  for (const [at, figure] of figures.entries()) {
    figure.hidden = found ? figure.dataset.view !== chosen : at > 0;
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#views input"))) {
    if (found) input.checked = input.value === chosen;
  }
}

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.name !== "view") return;
  chosen = input.value;
  show();
  chooser.again();
});

const { line, page, zero, one } = element("position").dataset;
/** The request on the board. @type {View | undefined} */
let asked;
/** The answer of the player who has already answered a simultaneous turn. @type {Record<string, string>} */
const answered = { ...(zero && { zero }), ...(one && { one }) };

/** Fetches the position after some answers. @param {Record<string, string>} more @returns {Promise<View>} */
async function tell(more) {
  const address = new URL(/** @type {string} */ (line), location.href);
  for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value);
  const reply = await fetch(address);
  if (reply.ok) return reply.json();
  throw new Error(problemIn(await reply.text()));
}

/** @param {string[]} lines */
const answers = (lines) => ({ ...answered, [asked?.player === 1 ? "one" : "zero"]: lines.join("\n") });

/** Plays a move, and opens the position after it, or the turn of the player who has not answered yet. @param {Record<string, string>} more */
async function make(more) {
  try {
    const view = await tell(more);
    const address = new URL(/** @type {string} */ (page), location.href);
    if (view.moves.length > (asked?.moves.length ?? 0)) address.searchParams.set("moves", view.moves.join("\n"));
    else for (const [seat, answer] of Object.entries(more)) address.searchParams.set(seat, answer);
    location.href = address.href;
  } catch (error) {
    if (asked) offer(asked);
    element("next").textContent = error.message;
  }
}

/** Returns the value of a listed move as text. @param {Element | null} row */
const valueIn = (row) => row?.querySelector("td.number")?.textContent ?? "";
const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#found [data-move]")]);
// A choice may leave out a part of the move that has only one form, such as the drawn tile, but their words agree.
/** @param {HTMLElement} row @param {import("./forms.js").Choice} choice */
const isOf = (row, choice) => row.dataset.move === choice.text || row.querySelector(".move")?.textContent?.trim() === choice.words;
/** @param {import("./forms.js").Choice} choice */
const valueOf = (choice) => valueIn(rows().find((row) => isOf(row, choice)) ?? null);

// A click on a row plays its move.
document.addEventListener("click", (event) => {
  const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("#found [data-move]"));
  const mv = row?.dataset.move;
  if (!row || !mv || !asked || asked.is_over || getSelection()?.toString()) return;
  const seat = /** @type {HTMLElement | null} */ (row.closest("[data-player]"))?.dataset.player ?? "0";
  if ("both" in element("position").dataset) make({ ...answered, [seat === "1" ? "one" : "zero"]: mv.split(";").map((line) => line.trim()).join("\n") });
  else make({ then: mv, eyes: seat });
});

const HELP = "A click on a row plays its move.";
/** @param {import("./forms.js").Choice | undefined} choice */
function showWorth(choice) {
  const value = choice && valueOf(choice);
  const unit = document.querySelector("#found thead th.number")?.textContent ?? "";
  // A page without a token has no place for it.
  const place = document.getElementById("worth");
  if (place) place.textContent = value ? `${choice.words}: ${unit} ${value}` : asked?.is_over ? "" : HELP;
}

const chooser = picker(
  { board: element("boards"), over: element("over"), choices: element("choices"), next: element("next") },
  (lines) => make(answers(lines)),
  async (lines) => drawn((await tell({ ...answers(lines), eyes: String(asked?.player ?? 0) })).board),
  async (lines) => (await tell({ ...answered, begun: lines.join("\n"), eyes: String(asked?.player ?? 0) })).choices,
  { of: valueOf, show: showWorth },
);

/** @param {View} view */
function offer(view) {
  asked = view;
  chooser.ask(view);
  showWorth(undefined);
  // If both players act at once, one of them answers first.
  const whose = "both" in element("position").dataset && !view.is_over ? `${element("position").dataset.seats?.split("\n")[view.player]}: ` : "";
  const task = whose + (view.is_over ? view.prompt : split(view.prompt)[0]);
  element("next").replaceChildren(...coded(`${task.replace(/^./, (letter) => letter.toUpperCase()).replace(/[.]?$/, ".")} ${element("next").textContent}`));
}

const suggest = suggester(tell, (board, isPointed) => chooser.suggest(board, isPointed), "#found [data-move]", () => document.querySelector("#found [data-move]"));

document.addEventListener("updated", () => {
  show();
  chooser.again();
  suggest();
});
tell(answered).then(offer, () => {});

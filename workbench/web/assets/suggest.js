// @ts-check
// Shows a move of an analysis with its pieces on the board: the move of the row under the pointer, or else a usual one.
import { drawn } from "./pick.js";

/**
 * @param {(more: Record<string, string>) => Promise<{ board: string }>} tell fetches the board after a move of a player
 * @param {(board: HTMLElement | null, isPointed: boolean) => void} show
 * @param {string} rows the selector of the table's rows
 * @param {() => HTMLElement | null} usual the row whose move is shown while the pointer is elsewhere
 * @returns {() => void} shows the move again; to be called after a change of the table
 */
export function suggester(tell, show, rows, usual) {
  /** The boards after moves of the analysis. @type {Map<string, Promise<HTMLElement | null>>} */
  const after = new Map();
  /** The move that the board shows. */
  let shown = "";
  /** The row under the pointer. @type {HTMLElement | null} */
  let pointed = null;

  async function suggest() {
    if (!pointed?.isConnected) pointed = null;
    const [row, isPointed] = [pointed ?? usual(), pointed !== null];
    const mv = row?.dataset.move ?? "";
    const found = /** @type {HTMLElement | null} */ (row?.closest("[data-player]") ?? null);
    const [eyes, moves] = [found?.dataset.player ?? "0", found?.dataset.moves ?? ""];
    const key = `${moves} ${mv}`;
    shown = key;
    if (mv && !after.has(key)) after.set(key, tell({ then: mv, eyes }).then((view) => drawn(view.board), () => null));
    const board = mv ? await after.get(key) : null;
    if (shown === key) show(board ?? null, isPointed);
  }
  /** @param {Event} event */
  const rowOf = (event) => /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(rows));
  /** @param {HTMLElement | null} row */
  function point(row) {
    pointed = row;
    suggest();
  }
  document.addEventListener("pointerover", (event) => rowOf(event) && point(rowOf(event)));
  document.addEventListener("pointerout", (event) => rowOf(event) && point(null));
  return () => void suggest();
}

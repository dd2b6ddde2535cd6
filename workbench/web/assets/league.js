// @ts-check
// Follows a league: filters and sorts its table, and shows how ranks have changed since the reader's last look.
import "./live.js";
import "./chart.js";
import "./games.js";
import { showNone } from "./app.js";

/** The ranks of an earlier look count for this time, in milliseconds. */
const KEPT = 3_600_000;
const key = `ranks ${location.search}`;
/** The column to sort by and the direction; none means the rank. @type {[number, boolean] | null} */
let sorting = null;

const table = () => /** @type {HTMLTableElement | null} */ (document.querySelector("table.league"));
/** @param {Element | undefined} cell */
const value = (cell) => {
  const text = /** @type {HTMLElement | undefined} */ (cell)?.dataset.value ?? cell?.textContent?.trim() ?? "";
  return text === "" ? Number.NEGATIVE_INFINITY : Number.isNaN(Number(text)) ? text.toLowerCase() : Number(text);
};

function sort() {
  if (!sorting) return;
  const [column, isUp] = sorting;
  for (const body of table()?.tBodies ?? []) {
    const rows = [...body.rows].sort((one, other) => {
      const [a, b] = [value(one.cells[column]), value(other.cells[column])];
      return (a < b ? -1 : a > b ? 1 : 0) * (isUp ? 1 : -1);
    });
    // Rows in order are not moved, so that an open part and the focus stay.
    if (rows.some((row, at) => row !== body.rows[at])) body.append(...rows);
  }
  for (const [at, cell] of [...(table()?.tHead?.rows[0].cells ?? [])].entries()) {
    if (at === column) cell.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    else cell.removeAttribute("aria-sort");
  }
}

/** Returns the ranks of all bots. @returns {Record<string, number>} */
const ranks = () => Object.fromEntries([...document.querySelectorAll("tr[data-key]")].map((row) =>
  [/** @type {HTMLElement} */ (row).dataset.key, Number(row.querySelector(".rank")?.firstChild?.textContent)]).filter(([, rank]) => rank));

/** @type {{ at: number, ranks: Record<string, number> }} */
let before = JSON.parse(localStorage.getItem(key) ?? "null") ?? { at: 0, ranks: {} };
if (Date.now() - before.at > KEPT) {
  before = { at: Date.now(), ranks: ranks() };
  localStorage.setItem(key, JSON.stringify(before));
}

function showChanges() {
  for (const [name, rank] of Object.entries(ranks())) {
    const change = (before.ranks[name] ?? rank) - rank;
    const cell = document.querySelector(`tr[data-key=${CSS.escape(name)}] .rank`);
    if (!cell || change === 0) continue;
    const arrow = document.createElement("span");
    arrow.className = change > 0 ? "good" : "failure";
    arrow.textContent = ` ${change > 0 ? "▲" : "▼"}${Math.abs(change)}`;
    arrow.title = "Change of the rank in the last hour";
    cell.append(arrow);
  }
}

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("button.sort");
  const cell = /** @type {HTMLTableCellElement | null} */ (button?.closest("th"));
  if (!cell) return;
  const isUp = sorting?.[0] === cell.cellIndex ? !sorting[1] : cell.cellIndex < 2;
  sorting = [cell.cellIndex, isUp];
  sort();
});
/** Shows only the bots whose names contain the typed text. */
function show() {
  const filter = /** @type {HTMLInputElement | null} */ (document.getElementById("filter"));
  const wanted = filter?.value.toLowerCase() ?? "";
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("tr[data-key]"))) {
    row.hidden = !(row.dataset.key ?? "").toLowerCase().includes(wanted);
  }
  showNone(table(), filter);
}
document.addEventListener("input", (event) => /** @type {Element} */ (event.target).id === "filter" && show());
// The browser's search finds only rows that are shown.
document.addEventListener("keydown", (event) => {
  const all = /** @type {HTMLInputElement | null} */ (document.getElementById("all-rows"));
  if (all && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") all.checked = true;
});
document.addEventListener("updated", () => {
  show();
  sort();
  showChanges();
  count();
});
showChanges();

// A menu is open until the reader clicks elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.more[open]"))
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute("open");
});

/** Shows for how long the league has been playing. */
function count() {
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("time[data-since]"))) {
    const seconds = Math.max(0, Math.floor(Date.now() / 1000 - Number(time.dataset.since)));
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
setInterval(count, 1000);
count();

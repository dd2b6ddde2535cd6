// @ts-check
// The search (Ctrl-K) and the list of keys (`?`), which open on any page, and the keys of lists.

/** An entry leads to an address, or presses a button of this page. @typedef {{ name: string, kind: string, address: string, keys: string, words: string, button?: HTMLElement }} Entry */

/** The keys of all pages; a page adds its own in `data-keys`, one `key: effect` per line. */
const KEYS = [["Ctrl K", "search pages, actions, files, leagues and bots"], ["g h", "go to Home"], ["g m", "go to Matches"], ["g l", "go to Leagues"], ["g a", "go to Analyse"], ["g p", "go to Play"], ["/", "filter the list, or search"], ["?", "show the keys"]];
/** The keys of pages with lists. Pages with keys of their own use the letters for something else. */
const LIST_KEYS = [["j", "go to the next entry of a list"], ["k", "go to the previous entry"], ["Enter", "open the entry"]];
const MAX_SHOWN = 12;
/** Minimum length of a word in which one wrong letter is forgiven. */
const MIN_FORGIVEN = 4;

/** @type {Promise<Entry[]> | undefined} */
let entries;
const load = () => (entries ??= fetch("/palette").then((answer) => answer.json()));

/** Returns whether two words differ in at most one letter: a wrong, missing or further one, or two swapped ones. @param {string} one @param {string} other */
function isNear(one, other) {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
}

/** Returns whether a text contains a word that starts almost like the typed one. @param {string} text @param {string} typed */
function hasNear(text, typed) {
  if (typed.length < MIN_FORGIVEN) return false;
  return text.split(/[^\p{L}\d]+/u).some((word) => [-1, 0, 1].some((more) => isNear(typed, word.slice(0, typed.length + more))));
}

/**
 * Returns how well an entry matches a search; 0 if it does not. The whole name counts most, then its start, then the
 * start of a word; a word with a wrong letter counts least. Entries that match equally well stay in their order: the
 * buttons of this page come first. Without a search, there are no bots.
 * @param {Entry} entry @param {string} text
 */
function fit({ name, kind, words: more }, text) {
  const [lower, words] = [`${name} ${kind} ${more}`.toLowerCase(), text.split(/\s+/).filter(Boolean)];
  if (!words.length) return kind === "bot" ? 0 : 1;
  if (!words.every((word) => lower.includes(word))) return words.every((word) => lower.includes(word) || hasNear(lower, word)) ? 0.5 : 0;
  if (name.toLowerCase() === words.join(" ")) return 4;
  return lower.startsWith(words.join(" ")) ? 3 : words.every((word) => ` ${lower}`.includes(` ${word}`)) ? 2 : 1;
}

/** Returns the actions of this page. Those that stop or remove something are left out. @returns {Entry[]} */
function ownActions() {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main :is(.actions, .controls, .headline) :is(a.button, button[type=submit], summary.button):not(.danger, [disabled], .small)"));
  const names = new Set();
  return [...buttons].filter((button) => button.checkVisibility()).flatMap((button) => {
    const name = button.textContent?.trim() ?? "";
    if (!name || names.has(name)) return [];
    names.add(name);
    return [{ name, kind: "this page", address: "", keys: "", words: "", button }];
  });
}

async function open() {
  if (document.querySelector("dialog[open]")) return;
  const dialog = document.createElement("dialog");
  dialog.id = "palette";
  dialog.setAttribute("aria-label", "Search");
  dialog.innerHTML = '<input type="search" role="combobox" aria-label="Search" aria-expanded="true" aria-controls="hits" placeholder="Page, action, match, league, bot …" autocomplete="off"><ul id="hits" role="listbox" aria-label="Results"></ul><p class="legend wide-only"><kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close <span class="count"></span></p>';
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const [input, list] = [/** @type {HTMLInputElement} */ (dialog.querySelector("input")), /** @type {HTMLElement} */ (dialog.querySelector("ul"))];
  dialog.showModal();
  const own = ownActions();
  const others = await load().catch(() => /** @type {Entry[]} */ ([]));
  const all = [...own, ...others.filter((other) => !own.some(({ name }) => name === other.name && other.kind === "action"))];
  let chosen = 0;
  /** @type {Entry[]} */
  let hits = [];
  const go = () => {
    const hit = hits[chosen];
    if (!hit) return;
    if (hit.button) {
      dialog.close();
      hit.button.click();
    } else location.href = hit.address;
  };
  const number = /** @type {HTMLElement} */ (dialog.querySelector(".count"));
  const show = () => {
    const found = all.map((entry) => ({ entry, fit: fit(entry, input.value.toLowerCase()) })).filter((one) => one.fit > 0);
    number.textContent = found.length > MAX_SHOWN ? `${MAX_SHOWN} of ${found.length} shown` : "";
    hits = found.sort((one, other) => other.fit - one.fit).slice(0, MAX_SHOWN).map((one) => one.entry);
    chosen = Math.max(0, Math.min(chosen, hits.length - 1));
    list.replaceChildren(...hits.map((hit, at) => {
      const item = document.createElement("li");
      item.id = `hit-${at}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(at === chosen));
      const [name, kind] = [document.createElement("span"), document.createElement("span")];
      [name.textContent, kind.textContent] = [hit.name, hit.kind];
      if (hit.keys) {
        const keys = document.createElement("kbd");
        keys.textContent = hit.keys;
        kind.append(" ", keys);
      }
      item.append(name, kind);
      item.addEventListener("click", () => { chosen = at; go(); });
      return item;
    }));
    if (hits.length === 0) {
      const nothing = document.createElement("li");
      nothing.className = "legend";
      nothing.setAttribute("role", "option");
      nothing.setAttribute("aria-disabled", "true");
      nothing.textContent = `Nothing found for “${input.value.trim()}”`;
      list.append(nothing);
    }
    input.setAttribute("aria-activedescendant", `hit-${chosen}`);
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("input", () => { chosen = 0; show(); });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      chosen = (chosen + step + hits.length) % Math.max(1, hits.length);
      show();
    } else if (event.key === "Enter") {
      event.preventDefault();
      go();
    }
  });
  show();
}

/** Returns the links to the entries of the page's lists: the first link of each row and card. */
function links() {
  if (document.querySelector("[data-keys], a[rel=next], a[rel=prev]")) return [];
  const entries = [...document.querySelectorAll("main :is(.cards > .card, .thumb, table:is(.list, .league) tbody tr)")];
  const found = entries.map((entry) => (entry.matches("a") ? entry : entry.querySelector("a[href]")));
  return /** @type {HTMLElement[]} */ (found.filter((link) => link?.checkVisibility()));
}

/** Moves the focus to the next or the previous entry of a list. @param {1 | -1} step */
function move(step) {
  const all = links();
  const at = all.findIndex((link) => link.closest("tr, .card, .thumb")?.contains(document.activeElement));
  const to = all[at < 0 ? (step > 0 ? 0 : -1) : at + step];
  to?.focus();
  to?.scrollIntoView({ block: "nearest" });
}

/** Returns a heading. @param {string} words */
function titled(words) {
  const title = document.createElement("h2");
  title.textContent = words;
  return title;
}

/** Returns a list of keys with their effects. @param {string[][]} keys */
function listOf(keys) {
  const list = document.createElement("dl");
  list.className = "keys";
  for (const [key, effect] of keys) {
    const [term, words] = [document.createElement("dt"), document.createElement("dd")];
    // An arrow or a word is one key, and a space separates keys that are pressed one after the other or together.
    term.append(...key.split(" ").map((name) => {
      const cap = document.createElement("kbd");
      cap.textContent = name;
      return cap;
    }));
    words.textContent = effect;
    list.append(term, words);
  }
  return list;
}

function help() {
  if (document.querySelector("dialog[open]")) return;
  const own = (document.querySelector("[data-keys]")?.getAttribute("data-keys") ?? "").split("\n").filter(Boolean);
  const dialog = document.createElement("dialog");
  dialog.id = "keys";
  dialog.setAttribute("aria-label", "Keys");
  // `split` would also split an effect that contains a colon.
  const pages = own.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]);
  const filter = /** @type {HTMLInputElement | null} */ (document.querySelector("main input[type=search]"));
  const here = [...pages, ...(filter?.checkVisibility() ? [["/", `filter by ${filter.placeholder || "name"}`]] : []), ...(links().length ? LIST_KEYS : [])];
  for (const [words, keys] of /** @type {[string, string[][]][]} */ ([["Keys of this page", here], ["Keys of all pages", KEYS]])) {
    if (keys.length) dialog.append(titled(words), listOf(keys));
  }
  const form = document.createElement("form");
  form.method = "dialog";
  form.innerHTML = '<button class="small">Close</button>';
  dialog.append(form);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

/** The pages to which `g` and a letter lead. @type {Record<string, string>} */
const PAGES = { h: "/", m: "/matches", l: "/leagues", a: "/analyse", p: "/play" };
let isAfterG = false;
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    open();
    return;
  }
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || target.matches?.("input, select, textarea")) return;
  if (event.key === "?") help();
  if (event.key === "/" && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    const filter = /** @type {HTMLElement | null} */ (document.querySelector("main input[type=search]"));
    if (filter?.checkVisibility()) filter.focus();
    else open();
  }
  if (isAfterG && PAGES[event.key]) location.href = PAGES[event.key];
  isAfterG = event.key === "g";
  // The links to the neighbours of this page, for example the previous and the next game.
  const link = { j: "a[rel=next]", k: "a[rel=prev]" }[event.key];
  if (link) /** @type {HTMLElement | null} */ (document.querySelector(link))?.click();
  const step = { j: 1, k: -1 }[event.key];
  if (step) move(/** @type {1 | -1} */ (step));
});
const find = document.createElement("button");
find.id = "find";
find.type = "button";
find.className = "plain";
find.innerHTML = "Search <kbd>Ctrl K</kbd>";
find.addEventListener("click", open);
document.querySelector(".top")?.append(find);

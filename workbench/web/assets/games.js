// @ts-check
// Shows the end of a listed game next to the list: of the game that the reader points at, or else of the first one.

const wide = matchMedia("(min-width: 60rem)");
/** The boards by address. @type {Map<string, Promise<string>>} */
const boards = new Map();
/** The game that the reader has pointed at. */
let chosen = "";
/** The address of the board in the page. */
let shown = "";

/** @param {Element} row */
const link = (row) => /** @type {HTMLAnchorElement | null} */ (row.querySelector(".players a[href^='/replay?']"));

/** @param {string} address */
function board(address) {
  let found = boards.get(address);
  if (!found) {
    found = fetch(address).then((answer) => (answer.ok ? answer.text() : ""), () => "");
    boards.set(address, found);
  }
  return found;
}

/** Returns a new element at the end of another one. @param {Element} parent @param {string} tag @param {string} kind */
function add(parent, tag, kind) {
  const made = parent.appendChild(document.createElement(tag));
  made.className = kind;
  return made;
}

/** The parts of the card. They stay when the game changes, so that they keep the focus. */
const card = document.createElement("figure");
card.className = "card";
const picture = /** @type {HTMLAnchorElement} */ (add(card, "a", "picture"));
picture.title = "Replay this game";
const caption = add(card, "figcaption", "");
const [names, points] = [add(caption, "span", "players"), add(caption, "span", "points")];
const replay = /** @type {HTMLAnchorElement} */ (add(caption, "a", "button small"));
replay.textContent = "Replay";

async function show() {
  const place = document.getElementById("preview");
  const rows = [...document.querySelectorAll("table.games tbody tr")].filter(link);
  const row = (wide.matches && rows.find((of) => of.getAttribute("data-key") === chosen)) || rows[0];
  // On a narrow page, only a league shows its latest game.
  const isShown = wide.matches || place?.previousElementSibling?.id === "choice";
  if (!place || !row || !isShown) return;
  for (const other of rows) other.classList.toggle("shown", wide.matches && other === row);
  const way = /** @type {HTMLAnchorElement} */ (link(row));
  const address = `${way.getAttribute("href")?.replace("/replay?", "/board?")}&turn=99999`;
  if (shown === address) return;
  shown = address;
  const text = await board(address);
  if (shown !== address) return;
  picture.href = replay.href = way.href;
  picture.replaceChildren(...document.adoptNode(new DOMParser().parseFromString(text, "text/html").body).childNodes);
  names.replaceChildren(...[...way.childNodes].map((node) => node.cloneNode(true)));
  points.textContent = row.querySelector(".points")?.textContent ?? "";
  card.hidden = !text;
  if (!place.contains(card)) place.append(card);
}

/** @param {Event} event */
function point(event) {
  const row = /** @type {Element} */ (event.target).closest?.("table.games tbody tr");
  const key = row?.getAttribute("data-key");
  if (!row || !key || key === chosen || !link(row)) return;
  chosen = key;
  show();
}
document.addEventListener("pointerover", point);
document.addEventListener("focusin", point);
document.addEventListener("updated", show);
wide.addEventListener("change", show);
show();

// The choice of bots needs no button.
const choice = /** @type {HTMLFormElement | null} */ (document.querySelector("form.choice"));
if (choice) {
  choice.querySelector("button")?.remove();
  choice.addEventListener("change", () => choice.requestSubmit());
}

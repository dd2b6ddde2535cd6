// @ts-check
// Updates a page: replaces the parts that differ from the ones that the server sends.

const live = /** @type {HTMLElement | null} */ (document.querySelector("[data-live]"));
/** @type {EventSource | undefined} */
let source;
let isOver = false;
/** Pause in milliseconds before a refused connection is tried again. */
const RETRY = 5000;

/**
 * Makes a node equal to another one. Equal parts stay in place, so that the focus, clicks and open parts are kept.
 * @param {Node} old @param {Node} fresh
 */
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (!(old instanceof Element && fresh instanceof Element) || old.tagName !== fresh.tagName) {
    /** @type {ChildNode} */ (old).replaceWith(fresh);
    return;
  }
  for (const name of new Set([...old.getAttributeNames(), ...fresh.getAttributeNames()])) {
    const value = fresh.getAttribute(name);
    if (name === "open") continue;
    if (value === null) old.removeAttribute(name);
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  // A child with a key keeps its element when it moves, so that an open part stays with its row.
  const keyed = new Map([...old.children].flatMap((child) => (keyOf(child) ? [[keyOf(child), child]] : [])));
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child);
    const same = key ? keyed.get(key) : place && !keyOf(place) ? place : null;
    if (!same) {
      old.insertBefore(child, place);
    } else if (same === place) {
      place = place.nextSibling;
      morph(same, child);
    } else {
      move(old, same, place);
      morph(same, child);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** Returns the key that identifies a node among its siblings, if it has one. @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.id || node.getAttribute("data-key") : null);

/** Moves a child before another one; the focus inside stays. @param {Element} parent @param {Element} child @param {Node | null} place */
function move(parent, child, place) {
  const focus = child.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  parent.insertBefore(child, place);
  focus?.focus({ preventScroll: true });
}

/** @param {string} data */
function update(data) {
  const parts = new DOMParser().parseFromString(JSON.parse(data), "text/html").body;
  for (const part of [...document.adoptNode(parts).children]) {
    const old = document.getElementById(part.id);
    if (old) morph(old, part);
  }
  document.dispatchEvent(new Event("updated"));
}

function close() {
  source?.close();
  source = undefined;
}

// A hidden page sends no requests.
function follow() {
  if (!live || isOver || document.hidden) return close();
  if (source) return;
  source = new EventSource(/** @type {string} */ (live.dataset.live));
  source.addEventListener("message", (event) => update(event.data));
  source.addEventListener("last", (event) => {
    isOver = true;
    update(/** @type {MessageEvent} */ (event).data);
    close();
  });
  // The browser connects again by itself, unless the server has refused the connection.
  source.addEventListener("error", () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    setTimeout(follow, RETRY);
  });
}

document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", close);
addEventListener("pageshow", follow);
follow();

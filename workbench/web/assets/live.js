// @ts-check
// Updates a page: replaces the parts that differ from those the server sends.

const live = /** @type {HTMLElement | null} */ (document.querySelector("[data-live]"));
/** @type {EventSource | undefined} */
let source;
let isOver = false;

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
  const [children, wanted] = [[...old.childNodes], [...fresh.childNodes]];
  for (const [at, child] of wanted.entries()) {
    if (at < children.length) morph(children[at], child);
    else old.append(child);
  }
  for (const child of children.slice(wanted.length)) child.remove();
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

// A hidden page requests nothing.
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
}

document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", close);
addEventListener("pageshow", follow);
follow();

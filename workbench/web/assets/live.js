// @ts-check
// Follows what a page shows: puts in the parts that the server sends and that differ.

const live = /** @type {HTMLElement | null} */ (document.querySelector("[data-live]"));
/** @type {EventSource | undefined} */
let source;
let isOver = false;

/** @param {string} data */
function update(data) {
  const parts = new DOMParser().parseFromString(JSON.parse(data), "text/html").body.children;
  for (const part of [...parts]) {
    const old = document.getElementById(part.id);
    if (!old) continue;
    for (const open of old.querySelectorAll("details[open][id]")) {
      part.querySelector(`#${open.id}`)?.setAttribute("open", "");
    }
    if (!old.isEqualNode(part)) old.replaceWith(document.adoptNode(part));
  }
  document.dispatchEvent(new Event("updated"));
}

function close() {
  source?.close();
  source = undefined;
}

// A page that nobody looks at asks for nothing.
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

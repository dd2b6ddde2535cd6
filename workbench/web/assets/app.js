// @ts-check
// The script of every page: forms that keep their contents after an error, the theme, commands to copy, and messages.
import "./palette.js";

/** Shows a message for some seconds. @param {string} words */
export function toast(words) {
  document.getElementById("toast")?.remove();
  const box = document.createElement("div");
  box.id = "toast";
  box.setAttribute("role", "status");
  box.textContent = words;
  document.body.append(box);
  setTimeout(() => box.remove(), 4000);
}

/** Shows instead of a filtered list that no entry contains the typed text. @param {Element | null} list @param {HTMLInputElement | null} filter */
export function showNone(list, filter) {
  const frame = /** @type {HTMLElement | null} */ (list?.closest(".wide") ?? null);
  if (!list || !frame) return;
  document.getElementById("none")?.remove();
  frame.hidden = Boolean(filter?.value.trim()) && [...list.querySelectorAll("tbody tr")].every((row) => /** @type {HTMLElement} */ (row).hidden);
  if (!frame.hidden) return;
  const words = document.createElement("p");
  [words.id, words.textContent] = ["none", `No ${filter?.dataset.of} contains “${filter?.value.trim()}”.`];
  words.setAttribute("role", "status");
  frame.after(words);
}

/** Copies a text and reports it. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("The browser blocks copying: select the text and press Ctrl-C.");
  }
}

/** Returns the message of a page that reports an error. @param {string} text @returns {HTMLElement | null} */
const problemOf = (text) => new DOMParser().parseFromString(text, "text/html").querySelector("#problem");
/** Returns this message as text. @param {string} text */
export const problemIn = (text) => problemOf(text)?.textContent ?? "That did not work.";

/** Removes the mark and the message of a field. @param {Element} field */
function forgive(field) {
  field.removeAttribute("aria-invalid");
  field.closest("p")?.querySelector(".failure")?.remove();
}

/**
 * Shows in a form why its action failed: next to each field that the errors name, or else above the buttons.
 * @param {HTMLFormElement} form @param {string} page the page that reports the errors
 */
function explain(form, page) {
  for (const old of form.querySelectorAll(".failure")) old.remove();
  for (const old of form.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  const problems = [...new DOMParser().parseFromString(page, "text/html").querySelectorAll("#problem, [data-field]")];
  let hasFocus = false;
  for (const problem of problems.length ? problems : [null]) {
    const field = form.elements.namedItem(/** @type {HTMLElement | null} */ (problem)?.dataset.field ?? "");
    const place = field instanceof HTMLElement ? field.closest("p") : null;
    const words = document.createElement(place ? "span" : "p");
    words.className = "failure";
    words.setAttribute("role", "alert");
    words.textContent = problem?.textContent ?? problemIn(page);
    const buttons = form.querySelector(".controls:has([type=submit])");
    if (field instanceof HTMLElement && place) {
      field.closest("details")?.setAttribute("open", "");
      field.setAttribute("aria-invalid", "true");
      place.append(words);
      if (!hasFocus) field.focus();
      hasFocus = true;
    } else if (buttons) buttons.before(words);
    else form.append(words);
  }
}
// A field that is changed may be right. More games at once than cores make bots late.
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.matches("[aria-invalid]")) forgive(field);
  const warning = /** @type {HTMLElement | null | undefined} */ (field.dataset.cores && field.closest("p, form")?.querySelector(".too-many"));
  if (warning) warning.hidden = Number(field.value) <= Number(field.dataset.cores);
});

// A form whose action fails stays as it is, with the reason below it. Without this script the server sends a page.
document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "post" || event.defaultPrevented) return;
  event.preventDefault();
  const data = new FormData(form, /** @type {SubmitEvent} */ (event).submitter);
  const buttons = form.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (data)) });
    if (answer.ok) {
      const here = location.href.split("#")[0];
      location.href = answer.url;
      // An address that differs only in its place on the page does not load the page again.
      if (answer.url.split("#")[0] === here) location.reload();
      return;
    }
    explain(form, await answer.text());
  } catch {
    toast("The server does not answer. Is `contender web` still running?");
  }
  for (const button of buttons) button.disabled = false;
});

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-copy]"));
  if (button) copy(button.dataset.copy ?? "");
});
const THEMES = ["", "light", "dark"];
const theme = document.createElement("button");
theme.id = "theme";
theme.type = "button";
theme.className = "plain";
function nameTheme() {
  const chosen = document.documentElement.dataset.theme ?? "";
  theme.textContent = { light: "☀ Light", dark: "☾ Dark" }[chosen] ?? "◐ Auto";
  theme.setAttribute("aria-label", `${theme.textContent} theme`);
}
theme.addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "") + 1) % THEMES.length];
  if (next) document.documentElement.dataset.theme = next;
  else delete document.documentElement.dataset.theme;
  localStorage.setItem("theme", next);
  nameTheme();
});
nameTheme();
document.querySelector(".top")?.append(theme);

// A browser offers only the suggestions that contain the field's text, so a click empties the field until it is left.
document.addEventListener("pointerdown", (event) => {
  const input = /** @type {HTMLInputElement | null} */ (/** @type {Element} */ (event.target).closest?.("input[list]"));
  if (!input?.value) return;
  input.placeholder = input.value;
  input.value = "";
  const back = (/** @type {Event} */ event) => {
    if (event.type === "blur" || /** @type {KeyboardEvent} */ (event).key === "Enter") input.value ||= input.placeholder;
  };
  input.addEventListener("keydown", back);
  input.addEventListener("blur", back, { once: true });
});

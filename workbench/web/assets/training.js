// @ts-check
// Follows training runs or a tuning run. All curves of a group show their values at the same place.
import "./live.js";
import "./chart.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[action="/training"]'));
// On a telephone, the curves come first, unless the reader has changed something.
const settings = form?.closest("details");
if (settings && matchMedia("(max-width: 40rem)").matches && !/[?&](other|smooth|from|to|across)=/.test(location.search)) settings.open = false;
form?.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  // A range on one axis means nothing on another axis.
  if (input.name === "across") for (const name of ["from", "to"]) /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = "";
  if (input.type !== "number") form.requestSubmit();
});

// @ts-check
// Leads back from a page that says what is wrong to the form as it was left.

const link = /** @type {HTMLAnchorElement} */ (document.getElementById("back"));
if (history.length > 1) {
  link.hidden = false;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.back();
  });
}

// @ts-check
// Leads from an error page back to the page before it.

if (history.length > 1) {
  const link = document.createElement("a");
  link.href = document.referrer || "/";
  link.textContent = "Back";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.back();
  });
  link.className = "button";
  document.getElementById("ways")?.append(link);
}

// @ts-check
// Leads from an error page back to the form, with its contents.

if (history.length > 1) {
  const link = document.createElement("a");
  link.href = document.referrer || "/";
  link.textContent = "Back to what you wrote";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.back();
  });
  document.getElementById("ways")?.append(link);
}

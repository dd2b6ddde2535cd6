// @ts-check
// Leads back from a page that says what is wrong to the form as it was left.

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

// Applies the theme that the user chose. It runs before the first paint, so that the page does not flash.
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the page follows the system's theme.
}

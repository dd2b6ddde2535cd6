// @ts-check
// Shows the values under the pointer in all charts of a group, with a common line. A chart's data are in `data-chart`.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** @param {number} value */
const text = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(3)).replace("-", "−");

/** Shows the values of a chart at a place, or hides them. @param {HTMLElement} chart @param {number | null} at the value on the horizontal axis */
function show(chart, at) {
  chart.querySelector(".common")?.remove();
  chart.querySelector(".values")?.remove();
  const svg = chart.querySelector("svg");
  if (at === null || !svg) return;
  const { x: [low, high, left, right], y: [top, bottom], across, lines } = JSON.parse(chart.dataset.chart ?? "{}");
  if (at < low || at > high) return;
  const place = left + ((right - left) * (at - low)) / (high - low);
  const line = document.createElementNS(NAMESPACE, "line");
  for (const [name, value] of [["class", "common"], ["x1", place], ["x2", place], ["y1", top], ["y2", bottom]]) line.setAttribute(String(name), String(value));
  svg.append(line);
  const box = document.createElement("p");
  box.className = `values ${place > (left + right) / 2 ? "" : "right"}`;
  box.textContent = `${text(at)} ${across}`;
  for (const { name, look, points } of lines) {
    const known = points.filter((/** @type {number[]} */ point) => point[0] <= at).at(-1) ?? points[0];
    if (!known || known[1] === null) continue;
    const row = document.createElement("span");
    row.className = look;
    row.textContent = `${lines.length > 1 ? `${name}: ` : ""}${text(known[1])}`;
    box.append(row);
  }
  chart.append(box);
}

/** Returns the value on the horizontal axis of a chart under the pointer. @param {HTMLElement} chart @param {MouseEvent} event */
function under(chart, event) {
  const svg = /** @type {SVGSVGElement} */ (chart.querySelector("svg"));
  const frame = svg.getBoundingClientRect();
  const { x: [low, high, left, right] } = JSON.parse(chart.dataset.chart ?? "{}");
  const place = ((event.clientX - frame.left) / frame.width) * svg.viewBox.baseVal.width;
  return Math.max(low, Math.min(high, low + ((high - low) * (place - left)) / (right - left)));
}

/** Returns the chart of an event. @param {Event} event */
const chartOf = (event) => /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest?.("[data-chart]"));

document.addEventListener("pointermove", (event) => {
  const chart = chartOf(event);
  const group = chart?.closest("[data-together]") ?? chart;
  for (const other of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chart]"))) {
    show(other, chart && (group === other || group?.contains(other)) ? under(chart, event) : null);
  }
});

// In a group with zoom, dragging selects the part of the axis to show.
/** @type {number | null} */
let start = null;
document.addEventListener("pointerdown", (event) => {
  const chart = chartOf(event);
  start = chart?.closest("[data-zoom]") ? under(chart, event) : null;
});
document.addEventListener("pointerup", (event) => {
  const chart = chartOf(event);
  if (start === null || !chart) return;
  const ends = [start, under(chart, event)].sort((one, other) => one - other);
  const { x: [low, high] } = JSON.parse(chart.dataset.chart ?? "{}");
  if (ends[1] - ends[0] < 0.03 * (high - low)) return;
  const address = new URL(location.href);
  for (const [at, name] of ["from", "to"].entries()) address.searchParams.set(name, ends[at].toPrecision(4));
  location.href = address.href;
});

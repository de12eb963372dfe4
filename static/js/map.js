// The map of a campaign: moving over it, and from hex to hex by keyboard. Without this file it scrolls, its links pick, and its size is asked for by links.
const frameOf = () => document.getElementById("map-frame");
const drawing = () => document.getElementById("map");
const SMALLEST = 0.2, LARGEST = 3, STEP = 1.25;

// Size: the drawing's width and height; what lies at a point of the frame stays there.
const scale = () => drawing().getBoundingClientRect().width / drawing().viewBox.baseVal.width;
function resize(wanted, x, y) {
  const frame = frameOf(), svg = drawing(), before = scale();
  const next = Math.min(LARGEST, Math.max(SMALLEST, wanted));
  const left = (frame.scrollLeft + x) / before, top = (frame.scrollTop + y) / before;
  svg.closest(".map-inner").classList.remove("fit");
  svg.setAttribute("width", Math.round(svg.viewBox.baseVal.width * next));
  svg.setAttribute("height", Math.round(svg.viewBox.baseVal.height * next));
  frame.scrollLeft = left * next - x;
  frame.scrollTop = top * next - y;
  tellSize(true);
}
// The size that is lit: none of those with a number once another was taken by hand, and the whole only where all of it is in
// sight: a narrow screen begins with a part of it, which can be read.
const narrow = matchMedia("(max-width: 60rem)");
const byWidth = () => frameOf().clientWidth / drawing().viewBox.baseVal.width;
function tellSize(byHand) {
  const sizes = document.querySelector("[data-map-zoom]")?.closest("nav").querySelectorAll("a") ?? [];
  for (const link of sizes) {
    const whole = link.dataset.mapZoom === "whole" && drawing().getBoundingClientRect().width <= frameOf().clientWidth + 1;
    if (byHand && whole) link.setAttribute("aria-current", "true");
    else if (byHand || (link.dataset.mapZoom && !whole)) link.removeAttribute("aria-current");
  }
}
const byStep = (factor) => resize(scale() * factor, frameOf().clientWidth / 2, frameOf().clientHeight / 2);

// What is picked comes to the middle; a map that was scrolled stays where it was as long as that is in sight.
function centre(element) {
  const frame = frameOf(), box = element.getBoundingClientRect(), room = frame.getBoundingClientRect();
  frame.scrollLeft += box.left + box.width / 2 - room.left - room.width / 2;
  frame.scrollTop += box.top + box.height / 2 - room.top - room.height / 2;
}
function inSight(element) {
  const box = element.getBoundingClientRect(), room = frameOf().getBoundingClientRect();
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}
const KEPT = `map ${location.pathname}`;
function keep() {
  const frame = frameOf(), fit = drawing().closest(".fit");
  try { sessionStorage.setItem(KEPT, JSON.stringify([frame.scrollLeft, frame.scrollTop, fit ? 0 : scale(), new URLSearchParams(location.search).get("zoom")])); } catch { /* forbidden */ }
}
function comeBack() {
  let kept = null;
  try { kept = JSON.parse(sessionStorage.getItem(KEPT)); } catch { /* forbidden */ }
  const frame = frameOf(), picked = drawing().querySelector(".counter.picked") ?? document.getElementById("here");
  if (kept && kept[3] === new URLSearchParams(location.search).get("zoom")) {
    if (kept[2]) resize(kept[2], 0, 0);
    [frame.scrollLeft, frame.scrollTop] = kept;
    if (!picked || inSight(picked)) return;
  }
  if (picked) centre(picked);
}

// Hexes by their names
const LETTERS = 26;
const letters = (column) => { let text = ""; for (let left = column + 1; left > 0; left = Math.floor((left - 1) / LETTERS)) text = String.fromCharCode(65 + ((left - 1) % LETTERS)) + text; return text; };
const columnOf = (text) => [...text].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 64, 0) - 1;
const nameOf = (link) => new URLSearchParams(link.getAttribute("href").slice(1)).get("hex");
let links = new Map();
function name() {
  const svg = drawing(), kinds = JSON.parse(document.getElementById("map-kinds").textContent);
  links = new Map();
  svg.querySelectorAll(".hexes a").forEach((link) => {
    const hex = nameOf(link);
    links.set(hex, link);
    link.setAttribute("aria-label", `${hex}, ${kinds[link.firstElementChild.getAttribute("href").slice(1)] ?? "?"}`);
  });
  svg.querySelector(".hexes").removeAttribute("aria-hidden");
}
// East, west and the four slanting ways; up and down go by turns to either side, so that one stays in a column.
const WAYS = {
  ArrowRight: () => [1, 0], ArrowLeft: () => [-1, 0],
  PageUp: (odd) => [odd, -1], Home: (odd) => [odd - 1, -1], PageDown: (odd) => [odd, 1], End: (odd) => [odd - 1, 1],
  ArrowUp: () => [0, -1], ArrowDown: () => [0, 1],
};
function beside(hex, key) {
  const [, column, row] = /^([A-Z]+)(\d+)$/.exec(hex);
  const [east, south] = WAYS[key]((Number(row) - 1) % 2);
  return links.get(`${letters(columnOf(column) + east)}${Number(row) + south}`);
}
function firstHex() {
  const frame = frameOf().getBoundingClientRect();
  return links.get(drawing().dataset.start) ?? [...links.values()].find((link) => { const box = link.getBoundingClientRect(); return box.left >= frame.left && box.top >= frame.top; });
}
document.addEventListener("keydown", (event) => {
  if (!WAYS[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
  const frame = event.target.closest?.("#map-frame");
  if (!frame) return;
  const from = event.target.closest(".hexes a");
  const next = from ? beside(nameOf(from), event.key) : firstHex();
  event.preventDefault();
  if (!next) return;
  next.focus({ preventScroll: true });
  if (!inSight(next)) centre(next);
});

// Dragging with the mouse; a finger scrolls by itself, two of them change the size.
let drag = null;
let moved = false;
const fingers = new Map();
const gap = () => { const [one, two] = [...fingers.values()]; return Math.hypot(one.x - two.x, one.y - two.y); };
let pinched = 0;
document.addEventListener("pointerdown", (event) => {
  const frame = event.target.closest?.("#map-frame");
  if (!frame) return;
  if (event.pointerType === "touch") {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    pinched = fingers.size === 2 ? gap() : 0;
  } else if (event.button === 0) {
    drag = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
    moved = false;
  }
});
document.addEventListener("pointermove", (event) => {
  if (drag) {
    const frame = frameOf(), x = event.clientX - drag.x, y = event.clientY - drag.y;
    moved ||= Math.hypot(x, y) > 6;
    if (moved) [frame.scrollLeft, frame.scrollTop] = [drag.left - x, drag.top - y];
  }
});
document.addEventListener("touchmove", (event) => {
  if (event.touches.length !== 2 || !event.target.closest?.("#map-frame")) return;
  event.preventDefault();
  [...event.touches].forEach((touch, place) => fingers.set(place, { x: touch.clientX, y: touch.clientY }));
  const [one, two] = event.touches, room = frameOf().getBoundingClientRect();
  const now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  if (pinched) resize(scale() * now / pinched, (one.clientX + two.clientX) / 2 - room.left, (one.clientY + two.clientY) / 2 - room.top);
  pinched = now;
}, { passive: false });
const letGo = (event) => { drag = null; fingers.clear(); pinched = 0; if (event.type === "pointercancel") moved = false; };
document.addEventListener("pointerup", letGo);
document.addEventListener("pointercancel", letGo);
document.addEventListener("click", (event) => {
  if (moved && event.target.closest?.("#map-frame")) event.preventDefault(); // it was dragged, nothing was picked
  moved = false;
}, true);
document.addEventListener("dragstart", (event) => { if (event.target.closest?.("#map-frame")) event.preventDefault(); });
document.addEventListener("wheel", (event) => {
  const frame = event.target.closest?.("#map-frame");
  if (!frame || !(event.ctrlKey || event.metaKey)) return; // the wheel alone scrolls
  event.preventDefault();
  const room = frame.getBoundingClientRect();
  resize(scale() * (event.deltaY < 0 ? STEP : 1 / STEP), event.clientX - room.left, event.clientY - room.top);
}, { passive: false });
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-map-zoom]");
  if (!button) return;
  if (button.dataset.mapZoom !== "whole") byStep(button.dataset.mapZoom === "in" ? STEP : 1 / STEP);
  else if (narrow.matches || !new URLSearchParams(location.search).get("zoom")) { // elsewhere the page that comes is as wide as its frame
    event.preventDefault();
    resize(byWidth(), 0, 0);
    drawing().closest(".map-inner").classList.toggle("fit", !narrow.matches);
  }
});

function begin() {
  if (!drawing()) return;
  name();
  comeBack();
  tellSize(false);
}
begin();
addEventListener("pagehide", () => { if (drawing()) keep(); });

// News are laid over the page: the map stays where it was, as large as it was.
let before = null;
document.addEventListener("htmx:beforeSwap", () => {
  const frame = frameOf();
  before = drawing() ? [frame.scrollLeft, frame.scrollTop, drawing().closest(".fit") ? 0 : scale()] : null;
});
document.addEventListener("laid-over", () => {
  if (!drawing()) return;
  name();
  if (before?.[2]) resize(before[2], 0, 0);
  else tellSize(false);
  if (before) [frameOf().scrollLeft, frameOf().scrollTop] = before;
});

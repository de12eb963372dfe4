// A map of hexes inside [data-board], a campaign's or a battle's: moving over it, and from hex to hex by keyboard.
// Without this file it scrolls, its links pick, and its size is asked for by links.
const frameOf = () => document.querySelector("[data-board]");
const drawing = () => frameOf()?.querySelector("[data-board-drawing]");
const innerOf = () => frameOf().querySelector("[data-board-inner]");
const SMALLEST = 0.2, LARGEST = 3, STEP = 1.25;
const inAddress = (name) => new URLSearchParams(location.search).get(name);

// Size: the drawing's width and height; what lies at a point of the frame stays there.
const scale = () => drawing().getBoundingClientRect().width / drawing().viewBox.baseVal.width;
const fitted = () => innerOf().matches(".fit, .board:not(.zoomed)");
function setSize(next) {
  const svg = drawing();
  innerOf().classList.remove("fit");
  innerOf().classList.add("zoomed");
  svg.setAttribute("width", Math.round(svg.viewBox.baseVal.width * next));
  svg.setAttribute("height", Math.round(svg.viewBox.baseVal.height * next));
}
function resize(wanted, x, y) {
  const frame = frameOf(), before = scale();
  const next = Math.min(LARGEST, Math.max(SMALLEST, wanted));
  const left = (frame.scrollLeft + x) / before, top = (frame.scrollTop + y) / before;
  setSize(next);
  frame.scrollLeft = left * next - x;
  frame.scrollTop = top * next - y;
  tellSize(true);
}
// The size that is marked as chosen: none of those with a number once another was set by hand. "Whole map" is chosen
// only if all of it is visible: a narrow screen begins with a part that can be read.
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

// Scroll the selection to the middle, unless the reader has scrolled the map and it is visible.
function centre(element) {
  const frame = frameOf(), box = element.getBoundingClientRect(), room = frame.getBoundingClientRect();
  frame.scrollLeft += box.left + box.width / 2 - room.left - room.width / 2;
  frame.scrollTop += box.top + box.height / 2 - room.top - room.height / 2;
}
function inSight(element) {
  const box = element.getBoundingClientRect(), room = frameOf().getBoundingClientRect();
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}
const pickedOn = () => frameOf().querySelector(".counter.picked, .l-over .picked") ?? document.getElementById("here");
const KEPT = `map ${location.pathname}`;
function keep() {
  const frame = frameOf();
  try { sessionStorage.setItem(KEPT, JSON.stringify([frame.scrollLeft, frame.scrollTop, fitted() ? 0 : scale(), inAddress("zoom")])); } catch { /* forbidden */ }
}
function comeBack() {
  let kept = null;
  try { kept = JSON.parse(sessionStorage.getItem(KEPT)); } catch { /* forbidden */ }
  const frame = frameOf(), picked = pickedOn();
  if (kept && kept[3] === inAddress("zoom")) {
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
const saidBy = (link, name) => new URLSearchParams(link.getAttribute("href").slice(1)).get(name);
const nameOf = (link) => link.dataset.hex ?? saidBy(link, link.matches(".go") ? "to" : "hex");
let links = new Map();
function name() {
  const svg = drawing(), kinds = JSON.parse(document.getElementById(frameOf().dataset.kinds ?? "map-kinds").textContent);
  links = new Map();
  svg.querySelectorAll(".hexes a").forEach((link) => {
    const hex = nameOf(link);
    links.set(hex, link);
    link.setAttribute("aria-label", `${hex}, ${kinds[link.firstElementChild.getAttribute("href").slice(1)] ?? "?"}`);
  });
  svg.querySelector(".hexes").removeAttribute("aria-hidden");
}
// The topmost thing on a hex: a target, a way to go there, a counter, the ground
function topOf(hex) {
  const on = [...frameOf().querySelectorAll(`.l-over [data-hex="${CSS.escape(hex)}"], .l-tokens [data-hex="${CSS.escape(hex)}"]`)];
  return on.find((link) => link.closest(".l-over"))
    ?? [...frameOf().querySelectorAll(".l-choices a")].find((link) => nameOf(link) === hex)
    ?? on.at(-1) ?? links.get(hex);
}
// East, west and the four diagonals; up and down alternate between both sides, so that the column stays the same.
const WAYS = {
  ArrowRight: () => [1, 0], ArrowLeft: () => [-1, 0],
  PageUp: (odd) => [odd, -1], Home: (odd) => [odd - 1, -1], PageDown: (odd) => [odd, 1], End: (odd) => [odd - 1, 1],
  ArrowUp: () => [0, -1], ArrowDown: () => [0, 1],
};
function beside(hex, key) {
  const [, column, row] = /^([A-Z]+)(\d+)$/.exec(hex);
  const [east, south] = WAYS[key]((Number(row) - 1) % 2);
  const there = `${letters(columnOf(column) + east)}${Number(row) + south}`;
  return links.has(there) ? topOf(there) : null;
}
function firstHex() {
  const frame = frameOf().getBoundingClientRect();
  return links.get(drawing().dataset.start) ?? frameOf().querySelector(".l-tokens a:not([tabindex])")
    ?? [...links.values()].find((link) => { const box = link.getBoundingClientRect(); return box.left >= frame.left && box.top >= frame.top; });
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const frame = event.target.closest?.("[data-board]");
  if (!frame) return;
  if (event.key === "Escape") document.getElementById("clear")?.click();
  if (event.key === "Enter" && event.target === frame) document.getElementById("go")?.click();
  if (!WAYS[event.key]) return;
  const from = event.target.closest("a");
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
  const frame = event.target.closest?.("[data-board]");
  if (!frame) return;
  if (event.pointerType === "touch") {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    pinched = fingers.size === 2 ? gap() : 0;
  } else if (event.button === 0) {
    if (brushOf()) stroke = new Set([hexUnder(event)].filter(Boolean));
    else drag = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
    moved = false;
  }
});
document.addEventListener("pointermove", (event) => {
  if (stroke) wet(event);
  if (drag) {
    const frame = frameOf(), x = event.clientX - drag.x, y = event.clientY - drag.y;
    moved ||= Math.hypot(x, y) > 6;
    if (moved) [frame.scrollLeft, frame.scrollTop] = [drag.left - x, drag.top - y];
  }
});
document.addEventListener("touchmove", (event) => {
  if (event.touches.length !== 2 || !event.target.closest?.("[data-board]")) return;
  event.preventDefault();
  [...event.touches].forEach((touch, place) => fingers.set(place, { x: touch.clientX, y: touch.clientY }));
  const [one, two] = event.touches, room = frameOf().getBoundingClientRect();
  const now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  if (pinched) resize(scale() * now / pinched, (one.clientX + two.clientX) / 2 - room.left, (one.clientY + two.clientY) / 2 - room.top);
  pinched = now;
}, { passive: false });
const letGo = (event) => {
  if (stroke?.size > 1 && event.type === "pointerup") paintOver([...stroke]);
  drag = stroke = null;
  fingers.clear();
  pinched = 0;
  if (event.type === "pointercancel") moved = false;
};
document.addEventListener("pointerup", letGo);
document.addEventListener("pointercancel", letGo);
document.addEventListener("click", (event) => {
  if (moved && event.target.closest?.("[data-board]")) event.preventDefault(); // it was dragged, nothing was picked
  moved = false;
}, true);
document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-board]")) event.preventDefault(); });
document.addEventListener("wheel", (event) => {
  const frame = event.target.closest?.("[data-board]");
  if (!frame || !(event.ctrlKey || event.metaKey)) return; // the wheel alone scrolls
  event.preventDefault();
  const room = frame.getBoundingClientRect();
  resize(scale() * (event.deltaY < 0 ? STEP : 1 / STEP), event.clientX - room.left, event.clientY - room.top);
}, { passive: false });
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-map-zoom]");
  if (!button || !drawing()) return;
  if (button.dataset.mapZoom !== "whole") byStep(button.dataset.mapZoom === "in" ? STEP : 1 / STEP);
  else if (narrow.matches || !inAddress("zoom")) { // elsewhere the page that comes is as wide as its frame
    event.preventDefault();
    resize(byWidth(), 0, 0);
    innerOf().classList.toggle("fit", !narrow.matches);
  }
});

// A battle's board: a choice fetches only what it changes; the ground on the page is not sent again.
const chooses = () => frameOf()?.dataset.choices !== undefined;
const brushOf = () => document.getElementById("board-brush");
let stroke = null;
const hexUnder = (event) => { const link = event.target.closest?.("[data-board] a"); return link ? nameOf(link) : null; };
function wet(event) {
  const hex = hexUnder(event);
  if (!hex) return;
  stroke.add(hex);
  if (stroke.size < 2) return;
  moved = true;
  stroke.forEach((one) => links.get(one)?.classList.add("wet"));
}
function paintOver(hexes) {
  const form = brushOf(), field = form.querySelector("[name=hexes]"), text = form.querySelector("[name=text]");
  const does = form.querySelector("select[name=look-does]")?.value; // what the address keeps stands beside it, hidden
  if (does === "edge") { // of two hexes that touch: drawn from one to the other, or tapped one after the other
    const first = field.value.trim().toUpperCase(), begun = links.has(first) && first !== hexes[0];
    field.value = (hexes.length > 1 ? hexes.slice(0, 2) : begun ? [first, hexes[0]] : hexes).join(" ");
    document.querySelectorAll(".hexes .wet").forEach((one) => one.classList.remove("wet"));
    if (!field.value.includes(" ")) { links.get(hexes[0])?.classList.add("wet"); return; }
  } else if (does === "label") {
    field.value = hexes.at(-1);
    if (!text.value.trim()) { text.focus(); return; }
  } else field.value = hexes.join(" ");
  form.requestSubmit();
}
// Links that were drawn earlier have the parameters of that time
function addressOf(link) {
  const told = new URLSearchParams(link.getAttribute("href").slice(1));
  if (!link.closest("[data-board]")) return told;
  for (const kept of frameOf().dataset.kept.split(" ")) {
    if (inAddress(kept) === null) told.delete(kept);
    else told.set(kept, inAddress(kept));
  }
  if (link.closest(".l-ground")) keepPicks(told, PICKED.filter((pick) => pick !== "hex")); // a hex is looked at
  return told;
}
let chosenAt = null; // the hex that had the focus
function choose(told) {
  const focus = document.activeElement?.closest?.("[data-board] a");
  chosenAt = focus ? nameOf(focus) : null;
  const headers = { "Field-Choice": document.getElementById("battle").dataset.version };
  window.htmx.ajax("GET", `${location.pathname}?${told}`, { source: frameOf(), target: "#battle", swap: "none", headers }).catch(() => {}); // another choice came first
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-board] a, [data-choices-here] a");
  if (!link || !chooses() || !window.htmx || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!link.getAttribute("href")?.startsWith("?") || link.hasAttribute("hx-get")) return;
  event.preventDefault();
  const place = document.getElementById("board-place");
  if (brushOf() && link.closest("[data-board]")) paintOver([nameOf(link)]);
  else if (place && link.matches(".go.place")) {
    place.querySelector("[name=to]").value = nameOf(link);
    place.requestSubmit();
  } else choose(addressOf(link));
});
// The foot still has the earlier choice: it can't be sent once something else is chosen
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#board-foot form button") || !frameOf()?.classList.contains("htmx-request")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
// Requests of elements drawn before a choice (refresh, sizes, layers, tabs) get the current selection
const PICKED = ["unit", "to", "target", "hex", "pick"];
function keepPicks(told, picks) {
  for (const pick of picks) {
    told.delete(pick);
    new URLSearchParams(location.search).getAll(pick).forEach((one) => told.append(pick, one));
  }
}
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (!chooses() || !drawing()?.querySelector(".hexes")) return;
  detail.headers["Field-Ground"] = drawing().id;
  if (detail.verb !== "get" || !detail.elt.matches("#battle, .board-tools a, .rail-tabs a")) return;
  const [path, query] = detail.path.split("?"), told = new URLSearchParams(query);
  keepPicks(told, PICKED);
  detail.path = `${path}?${told}`;
});
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (!chooses() || detail.target?.id !== "layer-over") return;
  if (chosenAt) topOf(chosenAt)?.focus({ preventScroll: true });
  chosenAt = null;
  const picked = frameOf().querySelector(".l-over .picked");
  if (picked && !inSight(picked)) centre(picked);
});
// The visible part of the map, marked on the small map
function showWindow() {
  const rect = document.querySelector("[data-window]"), frame = frameOf();
  if (!rect || !frame) return;
  const by = scale(), room = drawing().viewBox.baseVal;
  rect.hidden = false;
  rect.removeAttribute("hidden");
  const sides = { x: frame.scrollLeft / by, y: frame.scrollTop / by, width: Math.min(room.width, frame.clientWidth / by), height: Math.min(room.height, frame.clientHeight / by) };
  for (const [side, value] of Object.entries(sides)) rect.setAttribute(side, Math.round(value));
}
document.addEventListener("scroll", (event) => { if (event.target === frameOf()) showWindow(); }, true);

function begin() {
  if (!drawing()) return;
  name();
  comeBack();
  tellSize(false);
  dress();
}
function dress() {
  frameOf().classList.toggle("wet-brush", Boolean(brushOf()));
  showWindow();
}
begin();
addEventListener("pagehide", () => { if (drawing()) keep(); });

// After an update of the page or of a battle's field the map keeps its size and scroll position.
let before = null;
document.addEventListener("htmx:beforeSwap", () => {
  const frame = frameOf();
  before = drawing() ? [frame.scrollLeft, frame.scrollTop, fitted() ? 0 : scale(), drawing().id, frame.dataset.zoom] : null;
});
document.addEventListener("laid-over", () => {
  if (!drawing()) return;
  name();
  if (before?.[2]) resize(before[2], 0, 0);
  else tellSize(false);
  if (before) [frameOf().scrollLeft, frameOf().scrollTop] = before;
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (!drawing() || !detail.target?.matches?.("#battle, #replay, #aftermath")) return;
  if (!drawing().querySelector(".hexes")) return;
  name();
  if (before && before[4] === frameOf().dataset.zoom) {
    if (before[2]) setSize(before[2]);
    [frameOf().scrollLeft, frameOf().scrollTop] = before;
  } else if (innerOf().dataset.wide) {
    drawing().setAttribute("width", innerOf().dataset.wide);
    drawing().setAttribute("height", innerOf().dataset.high);
  }
  dress();
});
document.addEventListener("htmx:historyRestore", () => begin());

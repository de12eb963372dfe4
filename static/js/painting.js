// Painting with more than taps: a mouse drawn over hexes is one stroke, arrows move from hex to hex. Every tap works
// without this file.
const brush = document.getElementById("brush");
const canvas = document.getElementById("canvas");
const hexes = () => canvas.querySelectorAll(".hex-row > button");
const kindOf = () => new FormData(brush).get("brush");

// One hex at a time is in the row of the tab key: the one that had the focus last
let current = null;
function settle() {
  const all = hexes();
  const kept = (current && document.getElementById(current)) || all[0];
  all.forEach((button) => { if (button !== kept) button.tabIndex = -1; });
  kept.tabIndex = 0;
}
canvas.addEventListener("focusin", (event) => {
  const button = event.target.closest(".hex-row > button");
  if (!button || button.id === current) return;
  const before = current && document.getElementById(current);
  if (before) before.tabIndex = -1;
  button.tabIndex = 0;
  current = button.id;
});

// The neighbours: arrows east and west, up and down along the slant that keeps to the column; the six keys around S
const buttonsOf = (row) => [...row.querySelectorAll(":scope > button")];
const rows = () => [...canvas.querySelectorAll(".hex-row")];
function step(button, east, south) {
  const own = button.parentElement;
  const column = buttonsOf(own).indexOf(button);
  if (!south) return buttonsOf(own)[column + east];
  const number = rows().indexOf(own);
  const shifted = number % 2; // drawn half a hex to the right
  const other = rows()[number + south];
  return other && buttonsOf(other)[column + (east > 0 ? shifted : shifted - 1)];
}
const slant = (button) => (rows().indexOf(button.parentElement) % 2 ? -1 : 1);
const MOVES = {
  ArrowRight: [1, 0], ArrowLeft: [-1, 0], d: [1, 0], a: [-1, 0], w: [-1, -1], e: [1, -1], z: [-1, 1], x: [1, 1],
};
canvas.addEventListener("keydown", (event) => {
  const button = event.target.closest(".hex-row > button");
  if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
  const upright = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const move = upright ? [slant(button), upright] : MOVES[event.key];
  if (!move) return;
  event.preventDefault();
  step(button, ...move)?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.target.matches("input[type=text], textarea")) return;
  event.preventDefault();
  document.querySelector("[data-undo]").click();
});

// A mouse held down paints what it passes over, as one stroke; lines and names are tapped
let passed = null;
const paints = () => ["paint", "claim"].includes(kindOf()) && new FormData(brush).get("size") !== "fill";
canvas.addEventListener("pointerdown", (event) => {
  const button = event.target.closest(".hex-row > button");
  if (button && event.button === 0 && event.pointerType !== "touch" && paints()) passed = new Set([button.value]);
});
canvas.addEventListener("pointerover", (event) => {
  const button = passed && event.target.closest(".hex-row > button");
  if (!button) return;
  passed.add(button.value);
  if (passed.size > 1) passed.forEach((name) => document.getElementById(name).classList.add("wet"));
});
document.addEventListener("pointerup", () => {
  if (!passed) return;
  const stroke = [...passed];
  passed = null;
  if (stroke.length < 2) return;
  const field = brush.querySelector("[name=hexes]");
  field.value = stroke.join(",");
  brush.requestSubmit();
  field.value = "";
  canvas.querySelectorAll(".wet").forEach((button) => button.classList.remove("wet"));
});

document.body.addEventListener("htmx:afterSettle", settle);
settle();

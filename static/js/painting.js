// Painting by dragging the mouse (one stroke) and by keyboard (arrows move from hex to hex). Taps work without this
// file.
const brush = document.getElementById("brush");
const canvas = document.getElementById("canvas");
const hexes = () => canvas.querySelectorAll(".hex-row > button");
const kindOf = () => new FormData(brush).get("brush");

// Only one hex is in the tab order: the one that had the focus last
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

// The neighbors: arrows go east and west, up and down along the diagonal that stays in the column; the six keys around
// S
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

// Dragging the mouse paints the hexes it passes, as one stroke; lines and names need taps
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
  moisten();
});

// On a slow connection strokes are made faster than they are answered: each waits its turn with its own brush, and its
// hexes are marked until then. The previous answer says where a line continues and which drawing is known.
const undoing = document.getElementById("undo-stroke");
const ANSWERED = ["start", "version", "csrfmiddlewaretoken"];
const waiting = [];
let under = null;
const hexesOf = ({ data }) => [...data.getAll("hex"), ...String(data.get("hexes") ?? "").split(",")].filter(Boolean);
function moisten() {
  canvas.querySelectorAll(".wet").forEach((button) => button.classList.remove("wet"));
  [under, ...waiting].filter(Boolean).flatMap(hexesOf).forEach((name) => document.getElementById(name)?.classList.add("wet"));
}
function next() {
  under = waiting.shift() ?? null;
  under?.form.requestSubmit();
  if (under && !under.sent) next(); // the browser has a complaint of its own
  else moisten();
}
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form !== brush && form !== undoing) return;
  if (under && !under.sent && under.form === form) { under.sent = true; return; } // its turn has come
  const stroke = { form, data: new FormData(form, event.submitter), sent: !under };
  if (!under) under = stroke;
  else {
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(stroke);
  }
  moisten();
}, true);
document.body.addEventListener("htmx:configRequest", ({ detail }) => {
  if (!under || detail.elt !== under.form) return;
  for (const name of new Set([...under.data.keys(), "hex"])) {
    if (ANSWERED.includes(name)) continue;
    detail.formData.delete(name);
    under.data.getAll(name).forEach((value) => detail.formData.append(name, value));
  }
});
document.body.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt !== brush && detail.elt !== undoing) return;
  if (!detail.xhr.status) waiting.splice(0); // nobody answers: what waits would only fail like it
  setTimeout(next);
});
addEventListener("pageshow", () => { waiting.splice(0); under = null; });

document.body.addEventListener("htmx:afterSettle", settle);
document.body.addEventListener("htmx:afterSettle", () => document.getElementById("ask-first")?.scrollIntoView({ block: "nearest" }));
settle();

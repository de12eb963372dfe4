// The picture below the map follows the numbers of the form. Saving works without this file.
const form = document.getElementById("background");
const preview = document.getElementById("background-preview");
const picture = preview.querySelector(".background image");
const hex = Number(preview.dataset.hex), land = Number(preview.dataset.land);
const shape = picture.getAttribute("height") / picture.getAttribute("width");

function follow() {
  const typed = (name) => (form.elements[name].value === "" ? null : Number(form.elements[name].value));
  const set = (name, value) => picture.setAttribute(name, value);
  const width = typed("width") === null ? land : typed("width") * hex;
  if (width > 0) {
    set("width", width);
    set("height", width * shape);
  }
  if (typed("left") !== null) set("x", typed("left") * hex);
  if (typed("top") !== null) set("y", typed("top") * hex);
  if (typed("opacity") !== null) set("opacity", typed("opacity") / 100);
}
form.addEventListener("input", follow);
follow(); // a browser fills in what was typed before it came back

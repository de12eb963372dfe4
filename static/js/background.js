// The picture below the map follows the numbers of the form. Saving works without this file.
const placementForm = document.getElementById("background");
const placementPreview = document.getElementById("background-preview");
const placedPicture = placementPreview.querySelector(".background image");
const hexWidth = Number(placementPreview.dataset.hex), landWidth = Number(placementPreview.dataset.land);
const pictureShape = placedPicture.getAttribute("height") / placedPicture.getAttribute("width");

function fitPicture() {
  const typed = (name) => (placementForm.elements[name].value === "" ? null : Number(placementForm.elements[name].value));
  const set = (name, value) => placedPicture.setAttribute(name, value);
  const width = typed("width") === null ? landWidth : typed("width") * hexWidth;
  if (width > 0) {
    set("width", width);
    set("height", width * pictureShape);
  }
  if (typed("left") !== null) set("x", typed("left") * hexWidth);
  if (typed("top") !== null) set("y", typed("top") * hexWidth);
  if (typed("opacity") !== null) set("opacity", typed("opacity") / 100);
}
placementForm.addEventListener("input", fitPicture);
fitPicture(); // a browser fills in what was typed before it came back

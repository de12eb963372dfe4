// Setup of a battle: armies are dragged between sides and bench, and moved by arrow keys. Each move presses what the
// page has buttons for, so the server knows one way alone.
(() => {
  const form = () => document.getElementById("setup");
  const place = (element) => element?.closest?.("#setup [data-drop]");
  function press(value) {
    const button = Object.assign(document.createElement("button"), { name: "add", value, hidden: true, formNoValidate: true });
    form().append(button);
    button.click();
    button.remove();
  }
  const moveTo = (army, there) => press(`${there}:${army}`);

  let dragged = null;
  const clear = () => document.querySelectorAll("#setup .over").forEach((one) => one.classList.remove("over"));
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("#setup [data-army]");
    if (!dragged) return;
    dragged.classList.add("dragged");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.army);
  });
  document.addEventListener("dragover", (event) => {
    const there = dragged && place(event.target);
    clear();
    if (!there || there.contains(dragged)) return;
    event.preventDefault();
    there.classList.add("over");
  });
  document.addEventListener("drop", (event) => {
    const there = dragged && place(event.target);
    if (!there || there.contains(dragged)) return;
    event.preventDefault();
    moveTo(dragged.dataset.army, there.dataset.drop);
  });
  document.addEventListener("dragend", () => {
    clear();
    dragged?.classList.remove("dragged");
    dragged = null;
  });

  // With a button of an army focused: left and right send it to the first and second side, down sends it to the bench
  const KEYS = { ArrowLeft: "seat:0", ArrowRight: "seat:1", ArrowDown: "bench" };
  document.addEventListener("keydown", (event) => {
    const army = event.target.closest?.("#setup [data-army]");
    const there = KEYS[event.key];
    if (!army || !there || !event.target.matches("button") || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (place(army).dataset.drop !== there) moveTo(army.dataset.army, there);
  });
})();

// A button sends once. The second click of a double click may hit the refreshed form: it is ignored. On a slow
// connection a sent form is locked until its answer comes; the back button unlocks it.
const PATIENCE = 30000;
const underway = new Map();
const changes = (form) => form?.method === "post";
const hold = (form) => { clearTimeout(underway.get(form)); underway.set(form, setTimeout(() => underway.delete(form), PATIENCE)); };
document.addEventListener("click", (event) => {
  const button = event.detail > 1 && event.target.closest("button, input[type=submit]");
  if (button && button.type === "submit" && changes(button.form)) event.preventDefault();
}, true);
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || !changes(event.target)) return; // htmx sends it, and disables its button meanwhile
  if (underway.has(event.target)) event.preventDefault();
  else hold(event.target);
});
addEventListener("pageshow", () => { underway.forEach(clearTimeout); underway.clear(); });

// A form that returns to its page keeps the current selection, not that of when the page was opened.
document.addEventListener("submit", (event) => {
  event.target.querySelectorAll("[data-here]").forEach((field) => { field.value = location.pathname + location.search; });
});

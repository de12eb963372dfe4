// What a button sends is sent once. The second click of a double click may meet the form drawn anew: it is no wish
// of its own. On a slow line a form that is under way waits for its answer; the back button sets it free.
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

// A form that leads back to its page leads to what is picked there now, not to where the page was opened.
document.addEventListener("submit", (event) => {
  event.target.querySelectorAll("[data-here]").forEach((field) => { field.value = location.pathname + location.search; });
});

// The search over every page: Ctrl-K (⌘K), the slash where single keys are on, or the magnifying glass. A combobox: the
// arrows choose, Enter goes there, Esc closes. Typing searches after a short pause; outdated answers are dropped.
(() => {
  const dialog = document.getElementById("finder");
  if (!dialog?.showModal) return;
  const form = dialog.querySelector("form"), field = dialog.querySelector("#finder-q"), answer = dialog.querySelector("#finder-answer");
  const told = dialog.querySelector("#finder-told"), place = form.elements.campaign;
  const BREATH = 120;
  let waiting = 0, asking = null, asked = "", shown = "";
  const options = () => [...answer.querySelectorAll("[role=option]")];
  const active = () => answer.querySelector("[aria-selected=true]");

  function choose(option) {
    active()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }
  function show(html, query) {
    shown = query;
    answer.innerHTML = html;
    const said = answer.querySelector("[data-told]");
    told.textContent = said?.dataset.told ?? "";
    field.setAttribute("aria-expanded", String(options().length > 0));
    field.setAttribute("aria-controls", options().length ? "finder-found" : "finder-answer");
    choose(options()[0]);
  }
  async function ask() {
    const query = field.value.trim();
    if (query === asked) return;
    asked = query;
    asking?.abort();
    if (!query) return show("", "");
    asking = new AbortController();
    const sent = new URLSearchParams({ q: query, ...(place.value ? { campaign: place.value } : {}) });
    try {
      const response = await fetch(`${dialog.dataset.url}?${sent}`, { signal: asking.signal });
      if (response.redirected || !response.ok) return form.submit(); // the session ended, or whatever the page says of it
      show(await response.text(), query);
    } catch (error) {
      if (error.name !== "AbortError") asked = ""; // no line: the next key asks again
    }
  }
  function open(link) {
    if (dialog.open) return field.select();
    place.value = (link ?? document.querySelector("[data-find]"))?.dataset.find ?? "";
    place.disabled = !place.value;
    dialog.showModal();
    field.focus();
    field.select();
  }
  function step(by) {
    const all = options();
    if (all.length) choose(all[(all.indexOf(active()) + by + all.length) % all.length]);
  }

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey) return;
    const held = event.ctrlKey || event.metaKey;
    const called = held && !event.shiftKey && event.key.toLowerCase() === "k";
    const typing = event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");
    const slash = event.key === "/" && "slash" in dialog.dataset && !held && !typing;
    if (!(called || slash) || document.querySelector("dialog[open]:not(#finder)") || (slash && dialog.open)) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-find]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      open(link);
    }
    const closes = event.target === dialog || event.target.closest("#finder [data-close], #finder [role=option]");
    if (closes) dialog.close(); // an option may lead to a place of this very page
  });
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(ask, BREATH); });
  field.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) { event.preventDefault(); step(by); }
    if (event.key === "Escape") { event.preventDefault(); dialog.close(); } // the browser would only empty the field
    if (event.key === "Enter" && active() && field.value.trim() === shown) { event.preventDefault(); active().click(); }
  });
})();

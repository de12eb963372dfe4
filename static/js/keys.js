// Keys: whatever bears data-key (one, or several with spaces) answers to it, and does what it would do by a click. Single characters count only
// while the focus is inside [data-keys] (the question mark as soon as the page is open), never while somebody types, and not for who has turned them off.
(() => {
  const find = (selector, root = document) => [...root.querySelectorAll(selector)];
  const TYPED = "input:not([type=radio], [type=checkbox], [type=button], [type=submit]), select, textarea, [contenteditable]";
  const STEPS = "input, select, textarea, summary, [role=region], [role=log]"; // what the other keys have a use of their own for
  const can = (bearer) => !bearer.disabled && !bearer.closest("[inert]");
  const aloud = (text) => { const region = document.getElementById("live-region"); if (region) region.textContent = text; };

  // The next of several: of radio buttons, or of a list
  function step(bearer) {
    const radios = find("input[type=radio]:not(:disabled)", bearer);
    if (radios.length) return take(radios[(radios.findIndex((radio) => radio.checked) + 1) % radios.length]);
    const list = bearer.querySelector("select");
    const options = [...(list?.options ?? [])].filter((option) => !option.disabled);
    if (!options.length) return;
    const next = options[(options.indexOf(list.selectedOptions[0]) + 1) % options.length];
    next.selected = true;
    list.dispatchEvent(new Event("change", { bubbles: true }));
    aloud(next.label);
  }
  function take(control) {
    control.click();
    control.focus();
  }
  function answer(bearer) {
    if (bearer.matches("input")) take(bearer);
    else if (bearer.matches("a, button")) bearer.click();
    else if (bearer.hasAttribute("tabindex")) bearer.focus();
    else step(bearer);
  }
  const heard = (event) => {
    if (event.key.length > 1) return !event.target.closest(STEPS);
    const asked = event.key === "?" && event.target === document.body; // what keys there are, whoever asks first
    return !event.repeat && (asked || event.target.closest("[data-keys]")) && !event.target.closest(TYPED);
  };

  // A key pressed while another page of this place is on its way is meant for that page, which answers it when it is here. What sends
  // something is not sent: who presses twice out of impatience would send what comes next, unseen.
  const ahead = [];
  let coming = null;
  let drawn = false;
  const bearerOf = (key) => find(`[data-key~="${CSS.escape(key)}"]`).find(can);
  const asleep = () => document.querySelector("dialog[open]") || !document.activeElement?.closest("[data-keys]");
  function arrived() {
    coming = null;
    while (ahead.length && !coming) {
      const bearer = bearerOf(ahead.shift());
      if (asleep() || !bearer || bearer.type === "submit") ahead.length = 0;
      else answer(bearer);
    }
  }
  document.addEventListener("htmx:beforeSend", ({ detail: { xhr, target, elt } }) => {
    if (elt !== target && target?.matches("[data-keys]")) [coming, drawn] = [xhr, false];
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.xhr === coming) drawn = detail.shouldSwap; });
  document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.xhr === coming && !drawn) arrived(); });
  for (const end of ["htmx:afterSettle", "htmx:swapError"]) document.addEventListener(end, ({ detail }) => { if (coming && detail.xhr === coming) arrived(); });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (event.key === "Enter") event.target.form?.requestSubmit?.(); // also out of a field
      return;
    }
    if (document.querySelector("dialog[open]") || !heard(event)) return;
    if (coming && event.key.trim().length === 1) {
      ahead.push(event.key);
      return;
    }
    const bearer = bearerOf(event.key);
    if (!bearer) return;
    event.preventDefault();
    answer(bearer);
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  });
})();

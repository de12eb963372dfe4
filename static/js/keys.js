// Keyboard shortcuts: an element with data-key (one key, or several separated by spaces) is clicked by that key. Single
// characters count only while the focus is inside [data-keys] (the question mark always), never while the reader types,
// and not for readers who have turned them off.
(() => {
  const find = (selector, root = document) => [...root.querySelectorAll(selector)];
  const TYPED = "input:not([type=radio], [type=checkbox], [type=button], [type=submit]), select, textarea, [contenteditable]";
  const STEPS = "input, select, textarea, summary, [role=region], [role=log]"; // what the other keys have a use of their own for
  const PRESSED = "a, button"; // what Enter itself does
  const can = (bearer) => !bearer.disabled && !bearer.closest("[inert]");
  const aloud = (text) => { const region = document.getElementById("live-region"); if (region) region.textContent = text; };

  // The next one of several: radio buttons, or entries of a list
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
    if (event.key.length > 1) return !event.target.closest(event.key === "Enter" ? `${STEPS}, ${PRESSED}` : STEPS);
    // Nothing has the focus: the question mark still shows the keys, also on a page whose focus is still to come.
    const free = event.target === document.body && (event.key === "?" || settles());
    return !event.repeat && (free || event.target.closest("[data-keys]")) && !event.target.closest(TYPED);
  };

  // A key pressed while another page of this place is loading is meant for that page, which handles it on arrival. Keys
  // that send something are dropped: an impatient second press would send the next step unseen. The key is also dropped
  // if no such page comes, if it reports an error, or once the reader has done anything else.
  const PATIENCE = 5000; // from then on a key asks anew
  const KEPT = /^[a-z0-9?]$/i;
  let ahead = [];
  let coming = null;
  let drawn = false;
  let sent = 0;
  let answering = false;
  const bearerOf = (key) => find(`[data-key~="${CSS.escape(key)}"]`).find(can);
  const sends = (bearer) => bearer.type === "submit" || bearer.matches("[hx-post], [hx-put], [hx-patch], [hx-delete]");
  const awaits = () => coming && (drawn || ![0, 4].includes(coming.readyState)) && performance.now() - sent < PATIENCE;
  const settles = () => drawn && awaits();
  const awake = () => !document.querySelector("dialog[open]") && document.activeElement?.closest("[data-keys]") && !document.activeElement.closest(TYPED);
  function expect(xhr) {
    [coming, drawn, sent] = [xhr, false, performance.now()];
  }
  function forget() {
    coming = null;
    ahead = [];
  }
  function arrived(status) {
    coming = null;
    if (status >= 400) ahead = [];
    answering = true;
    while (ahead.length && !coming) {
      const { key, seen } = ahead.shift();
      const bearer = bearerOf(key);
      if (!awake() || (bearer && !seen && sends(bearer))) ahead = [];
      else if (bearer) answer(bearer);
    }
    answering = false;
  }
  document.addEventListener("htmx:beforeSend", ({ detail: { xhr, target, elt } }) => {
    if (elt === target || !target?.matches("[data-keys]")) return;
    if (!answering) forget();
    expect(xhr);
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.xhr === coming) drawn = detail.shouldSwap; });
  document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.xhr === coming && !drawn) forget(); });
  document.addEventListener("htmx:afterSettle", ({ detail }) => { if (coming && detail.xhr === coming) arrived(coming.status); });
  // Going back: the page that is left handles no more keys, the one that comes does
  document.addEventListener("htmx:historyCacheMiss", ({ detail: { xhr } }) => {
    forget();
    expect(xhr);
  });
  document.addEventListener("htmx:historyCacheMissLoad", ({ detail: { xhr } }) => { if (xhr === coming) drawn = true; });
  document.addEventListener("htmx:historyRestore", () => { if (coming) arrived(coming.status); });
  for (const other of ["htmx:swapError", "htmx:historyCacheMissLoadError", "pointerdown"]) document.addEventListener(other, forget);
  addEventListener("pageshow", forget);
  document.addEventListener("focusin", ({ target }) => { if (target.matches(TYPED)) ahead = []; });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (event.key === "Enter") event.target.form?.requestSubmit?.(); // also out of a field
      return;
    }
    if (document.querySelector("dialog[open]") || !heard(event)) return;
    if (awaits() && KEPT.test(event.key)) {
      event.preventDefault();
      ahead.push({ key: event.key, seen: drawn });
      return;
    }
    const bearer = bearerOf(event.key);
    if (!bearer) return;
    event.preventDefault();
    answer(bearer);
  });
  let opened = null;
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (!opener) return;
    opened = opener;
    document.getElementById(opener.dataset.opens)?.showModal();
  });
  // The browser returns the focus to the element that had it before. If that is hidden (a menu that closes by a click
  // or Esc), or if nothing had it, focus the battle: otherwise no key would be heard. A hidden element keeps it for a
  // moment.
  document.addEventListener("close", ({ target }) => {
    const nowhere = () => [null, document.body].includes(document.activeElement) || target.contains(document.activeElement);
    if (target.id !== opened?.dataset.opens || !nowhere()) return;
    opened.focus();
    if (nowhere()) document.getElementById("battle")?.focus({ preventScroll: true });
  }, true);
})();

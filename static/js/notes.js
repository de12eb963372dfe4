// While a name is typed after "@", those it may become are offered as buttons under the text. Without scripts the name
// is simply typed.
(() => {
  if (window.warhostNotes) return;
  window.warhostNotes = true;
  const BEGUN = /(?:^|[^\p{L}\p{N}_\\])@(\[?)([^@[\]\n]{1,60})$/u;
  const PLAIN = /^[\p{L}\p{N}_]+$/u;
  const rowOf = (text) => document.querySelector(`.offered[data-for="${CSS.escape(text.id)}"]`);
  let waiting = 0;

  function hide(row) {
    row.hidden = true;
    row.replaceChildren();
  }

  async function offer(text) {
    const row = rowOf(text);
    const begun = BEGUN.exec(text.value.slice(0, text.selectionStart));
    const word = begun?.[2].trimStart();
    if (!row) return;
    if (!word || word.split(/\s+/).length > 5) return hide(row);
    try {
      const answer = await fetch(`${row.dataset.names}?q=${encodeURIComponent(word)}`);
      if (!answer.ok || answer.redirected || text.value.slice(0, text.selectionStart) !== begun.input) return;
      row.innerHTML = await answer.text();
      row.hidden = !row.children.length;
    } catch { hide(row); } // no line: nothing is offered
  }

  document.addEventListener("input", ({ target }) => {
    if (!target.matches("textarea[data-mentions]")) return;
    clearTimeout(waiting);
    waiting = setTimeout(offer, 200, target);
  });
  document.addEventListener("click", ({ target }) => {
    const write = target.closest("#note-write > summary")?.parentElement;
    if (write && !write.open) requestAnimationFrame(() => write.querySelector("textarea").focus()); // once it is shown
  });
  document.addEventListener("click", ({ target }) => {
    const button = target.closest(".offered [data-name]");
    if (!button) return;
    const row = button.closest(".offered");
    const text = document.getElementById(row.dataset.for);
    const name = button.dataset.name;
    const before = text.value.slice(0, text.selectionStart).replace(/@\[?[^@[\]\n]*$/u, "");
    const said = PLAIN.test(name) || /[[\]]/.test(name) ? `@${name}` : `@[${name}]`;
    text.setRangeText(`${said} `, before.length, text.selectionStart, "end");
    hide(row);
    text.focus();
  });
  // Down leads from the text into the row, arrows along it, Up before its first and Escape back into the text.
  const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  document.addEventListener("keydown", (event) => {
    const inText = event.target.matches("textarea[data-mentions]");
    const row = event.target.closest(".offered") ?? (inText ? rowOf(event.target) : null);
    if (!row || row.hidden) return;
    const text = document.getElementById(row.dataset.for);
    if (event.key === "Escape") {
      text.focus();
      hide(row);
    } else if (inText ? event.key === "ArrowDown" : event.key in STEPS) {
      event.preventDefault();
      const names = [...row.querySelectorAll("[data-name]")];
      const next = names.indexOf(document.activeElement) + STEPS[event.key];
      (next < 0 ? text : names[Math.min(next, names.length - 1)]).focus();
    }
  });
})();

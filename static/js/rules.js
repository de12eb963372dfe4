// A rule id or a chip that leads to its entry opens it beside itself; without scripts the link leads to its page.
const note = Object.assign(document.createElement("div"), { id: "rule-note", className: "sum-pop rule-note", popover: "auto", tabIndex: -1 });
const read = new Map();

async function entryAt(url) {
  if (!read.has(url)) {
    const answer = await fetch(url, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
    read.set(url, await answer.text());
  }
  return read.get(url);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-entry]");
  if (!link || !note.showPopover || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  try {
    note.innerHTML = await entryAt(link.href);
  } catch {
    location.assign(link.href); // the page says what is wrong
    return;
  }
  (link.closest("[popover]") ?? document.body).append(note); // what it explains stays open
  note.hidePopover();
  note.showPopover({ source: link });
  note.focus();
});

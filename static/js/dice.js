// Dice entered by hand: several numbers in one field fill the empty rows below, the foot counts them, and they survive
// a reload. The server distributes them in the same way, so pages work without this file.
(() => {
  const PREFIX = "dice:";
  const rows = (root) => [...root.querySelectorAll(".dice-rows > li")];
  const buttons = (row) => [...row.querySelectorAll(".die-sides input")]; // of a die with symbols, one for each side
  const fieldOf = (row) => row.querySelector("input[name='face']");
  const faceOf = (row) => (buttons(row).length ? buttons(row).find((button) => button.checked)?.value ?? "" : fieldOf(row).value.trim());
  function setFace(row, face) {
    const button = buttons(row).find((one) => one.value === face || one.dataset.number === face);
    if (button) button.checked = true;
    else if (!buttons(row).length) fieldOf(row).value = face;
  }
  const sheetOf = (element) => element?.closest?.(".dice-sheet");
  const isField = (element) => Boolean(element?.matches?.(".dice-rows input[name='face']"));
  const facesIn = (text) => text.split(/[\s,;]+/).filter(Boolean);

  // As the server does: fill the empty rows below, in order; if there is no room for all, move none
  function spread(field, faces) {
    const fields = rows(sheetOf(field)).filter((row) => !buttons(row).length).map(fieldOf);
    const below = fields.slice(fields.indexOf(field) + 1).filter((other) => !other.value.trim());
    const room = [field, ...below];
    if (faces.length > room.length) return null;
    faces.forEach((face, place) => { room[place].value = face; });
    return room[faces.length] ?? room[faces.length - 1];
  }

  function count(sheet) {
    const counts = { typed: 0, wrong: 0, empty: 0 };
    for (const row of rows(sheet)) {
      const face = faceOf(row);
      const most = Number(fieldOf(row).dataset.most);
      const fits = buttons(row).length || (/^\d+$/.test(face) && Number(face) >= 1 && Number(face) <= most);
      counts[!face ? "empty" : fits ? "typed" : "wrong"] += 1;
    }
    for (const [name, number] of Object.entries(counts)) {
      const place = sheet.querySelector(`[data-count="${name}"]`);
      if (place) place.textContent = number;
    }
  }

  // Typed values by die; a second die of the same army and purpose has its own key
  function named(form) {
    const seen = new Map();
    const found = [];
    for (const hidden of form.querySelectorAll("input[name='die']")) {
      const turn = (seen.get(hidden.value) ?? 0) + 1;
      seen.set(hidden.value, turn);
      const row = hidden.closest(".dice-rows > li");
      if (row) found.push([`${hidden.value}#${turn}`, row]);
    }
    return found;
  }
  const placeOf = (form) => PREFIX + form.dataset.dice;
  const stored = (form) => { try { return JSON.parse(sessionStorage.getItem(placeOf(form))) ?? {}; } catch { return {}; } };
  function keep(form) {
    const typed = stored(form);
    named(form).forEach(([name, row]) => { typed[name] = faceOf(row); });
    try { sessionStorage.setItem(placeOf(form), JSON.stringify(typed)); } catch { /* forbidden or full */ }
  }
  // A loaded page may be older than what was typed; the answer to a form is not.
  function bringBack(form, loaded) {
    const subject = placeOf(form).slice(0, placeOf(form).lastIndexOf(":") + 1);
    try {
      Object.keys(sessionStorage)
        .filter((place) => place.startsWith(subject) && place !== placeOf(form)) // what it was typed for has moved on
        .forEach((place) => sessionStorage.removeItem(place));
    } catch { return; }
    const typed = stored(form);
    named(form).forEach(([name, row]) => { if ((loaded || !faceOf(row)) && typed[name]) setFace(row, typed[name]); });
  }

  function changed(sheet) {
    count(sheet);
    const form = sheet.closest("form[data-dice]");
    if (form) keep(form);
  }
  function begin(root, loaded) {
    root.querySelectorAll("form[data-dice]").forEach((form) => bringBack(form, loaded));
    root.querySelectorAll(".dice-sheet").forEach(count);
  }

  document.addEventListener("paste", (event) => {
    if (!isField(event.target)) return;
    const faces = facesIn(event.clipboardData?.getData("text") ?? "");
    if (faces.length < 2) return;
    event.preventDefault(); // a field of one line would run the lines together
    const next = spread(event.target, faces);
    if (next) next.focus();
    else event.target.value = faces.join(" ");
    changed(sheetOf(event.target));
  });
  document.addEventListener("change", (event) => {
    if (!isField(event.target)) return;
    const faces = facesIn(event.target.value);
    if (faces.length > 1) spread(event.target, faces);
    changed(sheetOf(event.target));
  });
  document.addEventListener("input", (event) => {
    const sheet = sheetOf(event.target);
    if (sheet && event.target.closest(".dice-rows")) changed(sheet);
  });
  // A digit chooses a symbol of the die and goes on to the next row. Runs before the page's other keys.
  document.addEventListener("keydown", (event) => {
    const row = event.target.closest?.(".die-sides")?.closest("li");
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    const emptied = event.key === "Backspace" || event.key === "Delete";
    const button = buttons(row).find((one) => (emptied ? !one.value : one.dataset.number === event.key));
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.checked = true;
    changed(sheetOf(row));
    const next = emptied ? null : row.nextElementSibling;
    const after = next && (buttons(next)[0] ?? fieldOf(next));
    (after ?? button).focus();
  }, true);
  document.addEventListener("htmx:load", (event) => begin(event.target.parentElement ?? event.target, false));
  begin(document, true);
})();

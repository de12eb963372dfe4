// A battle calls its readers when it is their turn or a phase is resolved: by a mark in the title while the page is not
// in front, by a sound and a notification of the device if they asked for them. Only what others did calls.
(() => {
  const MARK = "● ";
  const NOTES = { turn: [[660, 0], [880, 0.16]], done: [[392, 0]] }; // hertz, seconds after the first
  const LONG = 0.35;
  const box = () => document.getElementById("call");
  const seen = () => ({ turn: box()?.hasAttribute("data-turn") ?? false, done: Number(box()?.dataset.done ?? 0) });

  // Sound: generated here. Browsers allow it once the page has been touched
  let speaker = null;
  const wake = () => {
    try { speaker ??= new AudioContext(); speaker.resume(); } catch { /* no sound on this device */ }
  };
  function sound(kind) {
    wake();
    if (!speaker) return;
    for (const [pitch, after] of NOTES[kind]) {
      const begins = speaker.currentTime + after;
      const note = new OscillatorNode(speaker, { type: "triangle", frequency: pitch });
      const volume = new GainNode(speaker, { gain: 0 });
      volume.gain.setValueAtTime(0, begins);
      volume.gain.linearRampToValueAtTime(0.25, begins + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, begins + LONG);
      note.connect(volume).connect(speaker.destination);
      note.start(begins);
      note.stop(begins + LONG);
    }
  }
  for (const touched of ["pointerdown", "keydown"]) {
    addEventListener(touched, () => { if (box()?.hasAttribute("data-sound")) wake(); }, { once: true });
  }

  // Notifications: the reason why this device shows none (a keyword of the page), or ""
  function hindrance() {
    if (!("Notification" in window)) return isSecureContext ? "missing" : "insecure";
    if (!isSecureContext) return "insecure";
    return { denied: "refused", default: "unasked" }[Notification.permission] ?? "";
  }
  function notify(kind) {
    if (hindrance()) return;
    const { battle, name, turnWords, doneWords } = box().dataset;
    try {
      const notice = new Notification(name, { body: kind === "turn" ? turnWords : doneWords, tag: battle, icon: document.querySelector("link[rel=icon]")?.href });
      notice.onclick = () => { window.focus(); notice.close(); };
    } catch { /* some phones show none for a page; the settings say so */ }
  }

  // News
  const marked = () => document.title.startsWith(MARK);
  const mark = () => { if (!marked()) document.title = MARK + document.title; };
  let unseen = false;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    unseen = false;
    if (marked()) document.title = document.title.slice(MARK.length);
  });
  function call(kind) {
    if (box().hasAttribute("data-sound")) sound(kind);
    if (!document.hidden) return;
    unseen = true;
    if (box().hasAttribute("data-notices")) notify(kind);
  }
  let before = seen();
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!box()) return;
    const now = seen();
    const live = event.detail.requestConfig?.triggeringEvent?.type === "battle-changed";
    if (live && now.turn && !before.turn) call("turn");
    else if (live && now.done > before.done) call(now.turn ? "turn" : "done");
    before = now;
    if (unseen) mark(); // the refresh has written the title anew
  });

  // The offer on a battle's page: choosing notifications asks the device for permission, then sends the form
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("#call-offer button[value=both]");
    if (!button || button.dataset.asked || hindrance() !== "unasked") return;
    event.preventDefault();
    button.dataset.asked = "";
    await Notification.requestPermission();
    button.click();
  });

  // The settings: each choice is tried at once, and the page says what this device supports
  const said = document.getElementById("notices-said");
  const button = document.getElementById("notices-ask");
  const choice = (name) => document.querySelector(`input[name="${name}"]`);
  function tell(found = hindrance()) {
    const why = choice("notices").checked ? found || "ready" : "";
    said.textContent = said.dataset[why] ?? "";
    button.hidden = why !== "unasked";
  }
  function tried() {
    const why = hindrance();
    if (why || !choice("notices").checked) return why;
    try { new Notification(document.title, { body: said.dataset.ready }); } catch { return "missing"; } // as on some phones
    return "";
  }
  async function ask() {
    tell();
    if (choice("notices").checked && hindrance() === "unasked") await Notification.requestPermission();
    tell(tried());
  }
  if (said) {
    choice("sound").addEventListener("change", (event) => { if (event.target.checked) sound("turn"); });
    choice("notices").addEventListener("change", ask);
    button.addEventListener("click", ask);
    tell();
  }
})();

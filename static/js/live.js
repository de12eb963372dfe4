// Live pages: an event stream says that something has changed, and the page fetches what. A battle's part refreshes
// itself (battle-changed). Any other page that follows its campaign is fetched again and morphed into the present one.
const live = { source: null, script: document.currentScript?.dataset.line, told: 0, unsaid: false, lost: false, gone: false, wait: 2000, timer: 0 };
const PACE = 1000;
const stage = () => document.querySelector("main[data-live-url]");
const wholePage = () => document.querySelector("main[data-seen]");
const versionShown = () => Number(document.querySelector("[data-version]")?.dataset.version ?? 0);
function changed(news) {
  const version = news.data?.version ?? 0;
  if (version && version <= versionShown()) return; // what this very page did
  live.told = Math.max(live.told, version);
  live.unsaid ||= !version && !wholePage() && onTheWay.size > 0;
  if (wholePage()) lookAgain();
  else window.htmx?.trigger(document.body, "battle-changed", news);
}
// A message during a refresh starts no second one, although the refreshed page may be older than the message.
// Messages without a version (after a broken connection) count as newer
const onTheWay = new Set();
function catchUp() {
  const missed = live.told;
  if (live.unsaid && !onTheWay.size) {
    live.unsaid = false;
    return changed({ caughtUp: true });
  }
  if (missed <= versionShown()) return;
  live.told = 0; // once for each
  changed({ data: { version: missed } });
}
// A refused refresh is repeated after a pause; the notice of the refusal is shown at once
document.addEventListener("htmx:afterSettle", ({ detail: { xhr } }) => { if (!passes(xhr)) catchUp(); });
const deeds = new Set(); // those of them that change something
// A further click on a battle's page would abort the request under way: the reader is asked to try again
document.addEventListener("htmx:confirm", (event) => {
  const sync = event.target.closest?.("[hx-sync]")?.getAttribute("hx-sync");
  if (!deeds.size || sync !== "#battle:replace") return;
  event.preventDefault();
  complain(document.getElementById("messages")?.dataset.busy, true);
});
// htmx calls it an error on the console when a newer request replaces one; here it is meant (hx-sync)
function abortQuietly(xhr) {
  const told = xhr.onabort;
  xhr.onabort = (event) => {
    const { error } = console;
    console.error = () => {};
    try { told?.call(xhr, event); } finally { console.error = error; }
  };
}
document.addEventListener("htmx:beforeSend", ({ detail }) => {
  abortQuietly(detail.xhr);
  onTheWay.add(detail.xhr);
  if (detail.requestConfig.verb !== "get") deeds.add(detail.xhr);
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (passes(detail.xhr) && !wholePage()) setTimeout(catchUp, pause(detail.xhr));
  onTheWay.delete(detail.xhr);
  deeds.delete(detail.xhr);
  if (look.due && !look.underway) lookAgain();
  if (live.unsaid) setTimeout(catchUp, PACE); // without a swap htmx reports no settling
});
// A refresh that was lost with the connection is repeated when the browser is back online, and now and then before
document.addEventListener("htmx:sendError", () => {
  if (live.told > versionShown()) setTimeout(catchUp, AGAIN);
});
addEventListener("online", () => { if (stage()) changed({ caughtUp: true }); });

// One refresh at a time, and at most one a second. The server answers 204 if nothing is new. A form of this page is
// answered first: a refreshed page may have no place for the answer any more (a deleted note).
const look = { at: 0, timer: 0, underway: false, due: false };
function lookAgain(wait = Math.max(0, look.at + PACE - Date.now())) {
  if (look.underway) look.due = true;
  else if (!look.timer) look.timer = setTimeout(lookNow, wait);
}
async function lookNow() {
  const page = wholePage();
  Object.assign(look, { timer: 0, due: deeds.size > 0, at: Date.now() });
  if (!page || !window.htmx || look.due) return;
  look.underway = true;
  const source = document.getElementById("live-region");
  const headers = { "Live-Seen": page.dataset.seen };
  try {
    await window.htmx.ajax("GET", location.pathname + location.search, { source, target: page, swap: "laid-over", headers });
  } catch { /* the line is down: the stream says so, and that it is back */ }
  look.underway = false;
  if (!stage()) hangUp();
  if (look.due) lookAgain();
}
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!deeds.size || !looksAgain(detail.requestConfig.elt)) return;
  detail.shouldSwap = false;
  look.due = true;
});
document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  const page = looksAgain(elt) && wholePage();
  if (!page) return;
  if (xhr.status === 204) page.dataset.version = xhr.getResponseHeader("Live-Version") ?? page.dataset.version;
  else if (passes(xhr)) lookAgain(pause(xhr));
});

// A refresh may happen during a press of the mouse: the pressed button is gone, and the browser sends no click. The
// button in its place is then clicked if it would do the same, with the version that the reader saw: the server refuses
// it if that version is too old.
{
  const BUTTONS = "button[id], a[href]";
  const NEWER = new Set(["version", "csrfmiddlewaretoken"]); // fields that a refresh may change, and the deed is the same
  const versionOf = (button) => button.form?.elements.version;
  const fieldsOf = (form) => (form ? [...new FormData(form)].filter(([name]) => !NEWER.has(name)) : []);
  const deedOf = (button) => [
    button.id || button.getAttribute("href"), button.name, button.value, button.form?.getAttribute("action"), ...fieldsOf(button.form),
  ].join("\n");
  const isPlain = (event) => event.button === 0 && event.detail === 1 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  let press = null;
  document.addEventListener("mousedown", (event) => {
    const button = isPlain(event) ? event.target.closest?.(BUTTONS) : null;
    press = button && { button, deed: deedOf(button), version: versionOf(button)?.value };
  });
  document.addEventListener("mouseup", ({ target }) => {
    const here = target.closest?.(BUTTONS);
    if (here && press && !press.button.isConnected && deedOf(here) === press.deed) {
      const field = press.version && versionOf(here), now = field?.value;
      if (field) field.value = press.version;
      here.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, view: window }));
      if (field) field.value = now; // where the press was held back, the next one is for what stands here
    }
    press = null;
  });
}

// Morphing keeps what the reader is doing: fields with typed text or the focus, refused forms, what they opened or
// closed, and what was answered to them alone ([data-stay]).
const halfDone = (node) => node.matches("input, select, textarea") && isDirty(node);
const refused = (node) => node.matches("form") && Boolean(node.querySelector(".field-error, .form-errors"));
const careful = {
  beforeNodeMorphed: (node) => !(node instanceof Element && (halfDone(node) || refused(node) || held.has(node) || node.matches("[data-stay]"))),
  beforeNodeRemoved: (node) => !(node instanceof Element && (held.has(node) || node.matches("[data-stay]"))),
  beforeAttributeUpdated: (name, node, how) => name !== "open" && !(name === "hidden" && "scripted" in node.dataset)
    && !(how === "remove" && node.id === "main"), // the answer to a refused form does not follow; the page still does
};
// A form that was fetched into the page (a note's editor), or came back refused, is not in the refreshed page: the
// element around it is not changed
const fetched = new WeakSet();
let fetching = false;
document.addEventListener("htmx:load", ({ target }) => {
  if (fetching && target instanceof Element) [target, ...all("form", target)].forEach((element) => fetched.add(element));
});
const held = new Set();
let done = null; // the form that was sent from here and taken
function leaveAlone(page, fragment) {
  held.clear();
  const there = new Set(all("form", fragment).map((form) => form.getAttribute("action")));
  for (const form of all("form", page)) {
    if (form === done || there.has(form.getAttribute("action")) || !fetched.has(form)) continue;
    let place = form.parentElement;
    while (place !== page && !(place.id && fragment.querySelector(`#${CSS.escape(place.id)}`))) place = place.parentElement;
    if (place !== page) held.add(place);
  }
}
function layOver(page, fragment) {
  leaveAlone(page, fragment);
  const laid = window.Idiomorph.morph(page, fragment.children, { morphStyle: "outerHTML", ignoreActiveValue: true, callbacks: careful });
  document.dispatchEvent(new CustomEvent("laid-over")); // for scripts that have added elements of their own
  return laid;
}
window.htmx?.defineExtension("laid-over", {
  isInlineSwap: (style) => style === "laid-over",
  handleSwap: (style, target, fragment) => style === "laid-over" && layOver(target, fragment),
});

// A form that is answered by the whole page is done: its fields no longer count as half typed
document.addEventListener("htmx:beforeSwap", ({ detail: { target, requestConfig, xhr } }) => {
  const form = requestConfig?.elt?.closest("form");
  fetching = target !== wholePage() && (requestConfig?.verb === "get" || xhr.status >= 400);
  done = form && target === wholePage() && xhr.status < 400 ? form : null;
  done?.reset();
});

function showLost(lost) {
  const banner = document.getElementById("connection-lost");
  if (banner) banner.hidden = !lost;
}
function address() {
  const url = new URL(stage().dataset.liveUrl, location.href);
  if (wholePage()) url.searchParams.set("version", versionShown());
  return url;
}
// All tabs of a browser share one stream (line.js): over plain HTTP/1.1 it has six connections to one server, and would
// have none left for the next page. This is a page's end of it, with the interface of EventSource. In browsers without
// shared workers each page has its own
class SharedLine extends EventTarget {
  readyState = EventSource.CONNECTING;
  constructor(url) {
    super();
    const worker = new SharedWorker(live.script, "live");
    worker.onerror = () => { live.script = ""; hangUp(); listen(); };
    this.port = worker.port;
    this.port.onmessage = ({ data }) => this.hear(data);
    this.port.postMessage({ follow: url.pathname + url.search });
  }
  hear({ type, data, closed }) {
    if (this.readyState === EventSource.CLOSED) return;
    if (type === "open") this.readyState = EventSource.OPEN;
    if (type === "error") this.readyState = closed ? EventSource.CLOSED : EventSource.CONNECTING;
    this.dispatchEvent(new MessageEvent(type, { data }));
  }
  close() {
    this.readyState = EventSource.CLOSED;
    this.port.postMessage({});
    this.port.close();
  }
}
function lineTo(url) {
  if ("SharedWorker" in window && live.script) {
    try { return new SharedLine(url); } catch { /* refused by the browser's settings */ }
  }
  return new EventSource(url);
}
function listen() {
  if (!stage() || live.source || document.documentElement.dataset.seen) return; // an old page follows nothing
  const source = live.source = lineTo(address());
  source.addEventListener("open", () => {
    clearTimeout(live.timer);
    showLost(false);
    if (live.lost) changed({ caughtUp: true });
    Object.assign(live, { lost: false, gone: false, wait: 2000 });
  });
  source.addEventListener("gone", () => { // this session may watch no more: the page asks, and is told why
    live.gone = true;
    changed({});
  });
  source.addEventListener("rest", hangUp); // too many pages are open: this one listens when somebody looks at it
  source.addEventListener("message", (event) => {
    let data = event.data;
    try { data = JSON.parse(event.data); } catch { /* plain text */ }
    showLost(live.lost = Boolean(data.lost)); // the server hears nothing itself; it says so when it does again
    if (!live.lost) changed({ data });
  });
  source.addEventListener("error", () => {
    live.lost = true;
    clearTimeout(live.timer);
    const closed = source.readyState === EventSource.CLOSED; // then the browser does not try again by itself
    if (closed) live.source = null;
    if (live.gone) return; // it asks once more; refused, it stays away
    live.timer = setTimeout(() => { showLost(true); if (closed) listen(); }, live.wait);
    if (closed) live.wait = Math.min(live.wait * 2, 5000);
  });
}
function hangUp() {
  clearTimeout(live.timer);
  live.source?.close();
  live.source = null;
}
function listenAgain() {
  if (live.source || !stage()) return;
  live.lost = true;
  listen();
}
addEventListener("pagehide", hangUp);
addEventListener("pageshow", (event) => { if (event.persisted) listenAgain(); });

// A browser has few connections to one server: a hidden page closes its stream. A battle's page keeps it, to call.
const UNSEEN = 5000;
let unseen = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(unseen);
  if (!document.hidden) listenAgain();
  else if (wholePage()) unseen = setTimeout(hangUp, UNSEEN);
});
addEventListener("focus", listenAgain);

listen();

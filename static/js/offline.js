// The app offline: the service worker keeps the pages seen last, and a stored page says so. It names the time at which
// it was seen, sends nothing, and is refreshed as soon as there is a connection.
const seenAt = document.documentElement.dataset.seen;
const LOOK_AGAIN = 4000;

function when(iso) {
  const then = new Date(iso);
  const clock = { hour: "2-digit", minute: "2-digit" };
  const today = then.toDateString() === new Date().toDateString();
  return then.toLocaleString(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, today ? clock : { weekday: "long", day: "numeric", month: "long", ...clock });
}

function closeForms(root) {
  root.querySelectorAll("form :is(button, input, select, textarea), [hx-post], [type=submit]").forEach((control) => { control.disabled = true; });
}

let asking = false;
async function renew() {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch("/healthz/", { cache: "no-store" });
    if (answer.ok) return location.reload();
  } catch { /* still none */ }
  asking = false;
  setTimeout(renew, LOOK_AGAIN);
}

if (seenAt) {
  const banner = document.getElementById("seen-before");
  banner.querySelector("[data-said]").textContent = banner.dataset.words.replace("{time}", when(seenAt));
  banner.hidden = false;
  closeForms(document);
  document.addEventListener("submit", (event) => event.preventDefault(), true);
  document.addEventListener("htmx:beforeRequest", (event) => event.preventDefault());
  document.addEventListener("htmx:load", (event) => closeForms(event.target));
}
if (seenAt || document.body.matches("[data-unseen]")) {
  addEventListener("online", renew);
  setTimeout(renew, LOOK_AGAIN);
}

// The other stored pages of this device, if the requested one is not stored
async function listSeen() {
  const list = document.getElementById("seen-sheets");
  const names = (await caches.keys()).filter((name) => name.startsWith("sheets:"));
  for (const name of names) {
    const sheets = await caches.open(name);
    for (const request of (await sheets.keys()).reverse()) {
      const kept = await sheets.match(request, { ignoreVary: true });
      const told = decodeURIComponent(kept.headers.get("Warhost-Title") ?? "").replace(/ · Warhost$/, "");
      const title = new DOMParser().parseFromString(told, "text/html").body.textContent;
      const link = Object.assign(document.createElement("a"), { href: request.url, textContent: title || new URL(request.url).pathname });
      const time = Object.assign(document.createElement("small"), { textContent: ` ${when(kept.headers.get("Warhost-Seen"))}` });
      const row = document.createElement("li");
      row.append(link, time);
      list.append(row);
    }
  }
  list.closest("section").hidden = !list.children.length;
}
if (document.getElementById("seen-sheets") && "caches" in window) listSeen();

if ("serviceWorker" in navigator && !seenAt) {
  const led = navigator.serviceWorker.controller;
  navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" }).then(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (!led) active.postMessage({ keep: true });
  }).catch(() => { /* forbidden here: everything works as without */ });
}

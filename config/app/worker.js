// Service worker of the app (config/app/views.py puts APP before it). The network comes first. A stored page is shown
// only without a connection, and says when it was seen. Stored are whole pages only, no forms, parts or API, and only
// those of the reader who used the device last.
const SHELL = `shell:${APP.version}`;
const SHEETS = "sheets:";
const NOTES = "notes"; // who reads on this device, in which language
const HASHED = /\.[0-9a-f]{12}\.\w+$/;
const MOST = 80; // sheets
const LONGEST = 14 * 24 * 3600 * 1000; // as long as a session

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const shell = await caches.open(SHELL);
    const fresh = (url) => new Request(url, { credentials: "omit", cache: HASHED.test(url) ? "default" : "no-cache" });
    await shell.addAll([...APP.shell, ...Object.values(APP.pages)].map(fresh));
    await skipWaiting();
  })());
});
addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("shell:") && name !== SHELL) await caches.delete(name);
    await clients.claim();
  })());
});

const note = async (name) => (await (await caches.open(NOTES)).match(`/${name}`))?.text();
const write = async (name, text) => (await caches.open(NOTES)).put(`/${name}`, new Response(text));

async function forget(except = "") {
  for (const name of await caches.keys()) if (name.startsWith(SHEETS) && name !== except) await caches.delete(name);
}
// Only pages of the present reader are kept
async function readBy(reader) {
  await forget(reader === APP.nobody ? "" : SHEETS + reader);
  await write("reader", reader);
}

// One after the other: a page fetched before the sign-out is not stored after it
let turn = Promise.resolve();
const inTurn = (work) => (turn = turn.then(work, work));
let signedOut = 0;

async function keep(request, response, asked) {
  const reader = response.headers.get(APP.reader);
  if (!reader || asked < signedOut) return;
  await readBy(reader);
  if (response.headers.get("Content-Language")) await write("language", response.headers.get("Content-Language"));
  if (reader === APP.nobody) return;
  const sheets = await caches.open(SHEETS + reader);
  if (!response.ok || !response.headers.get(APP.sheet)) return void (await sheets.delete(request.url, { ignoreVary: true }));
  const text = await response.text();
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie", "Vary"]) headers.delete(name);
  headers.set("Warhost-Seen", new Date().toISOString());
  headers.set("Warhost-Title", encodeURIComponent(/<title>([^<]*)/.exec(text)?.[1].trim().replace(/\s+/g, " ") ?? ""));
  await sheets.delete(request.url);
  await sheets.put(request.url, new Response(text, { headers }));
  const urls = await sheets.keys();
  for (const old of urls.slice(0, Math.max(0, urls.length - MOST))) await sheets.delete(old);
}

async function page(event) {
  const asked = Date.now();
  try {
    const response = await fetch(event.request);
    if (response.type === "basic" && !response.redirected) {
      const copy = response.clone();
      event.waitUntil(inTurn(() => keep(event.request, copy, asked)));
    }
    return response;
  } catch (error) {
    await turn;
    return (await seen(event.request.url)) ?? (await unseen()) ?? Promise.reject(error);
  }
}

// The page as it was seen, with the time in its first line, which the page shows
async function seen(url) {
  const reader = await note("reader");
  if (!reader || reader === APP.nobody) return undefined;
  const kept = await (await caches.open(SHEETS + reader)).match(url.split("#")[0], { ignoreVary: true });
  const at = kept?.headers.get("Warhost-Seen");
  if (!kept || Date.now() - Date.parse(at) > LONGEST) return undefined;
  const text = (await kept.text()).replace(/<html\b/, `<html data-seen="${at}"`);
  return new Response(text, { headers: kept.headers });
}

async function unseen() {
  const language = await note("language");
  return caches.match(APP.pages[language] ?? APP.pages.en, { ignoreVary: true });
}

// A file with a hash in its name never changes; any other is fetched, and stored for use without a connection
async function file(request) {
  const shell = await caches.open(SHELL);
  const kept = await shell.match(request.url, { ignoreVary: true });
  if (kept && HASHED.test(new URL(request.url).pathname)) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method !== "GET") {
    if (url.pathname === "/accounts/logout/") {
      signedOut = Date.now();
      event.waitUntil(inTurn(async () => { await forget(); await write("reader", APP.nobody); }));
    }
    return;
  }
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && !url.pathname.startsWith("/api/")) event.respondWith(page(event));
});

// The page that installed this worker was loaded before it: fetch it once more, to store it
addEventListener("message", (event) => {
  if (event.data?.keep && event.source?.url) {
    const asked = Date.now();
    event.waitUntil(clients.claim());
    event.waitUntil(inTurn(async () => keep(new Request(event.source.url.split("#")[0]), await fetch(event.source.url), asked)));
  }
});

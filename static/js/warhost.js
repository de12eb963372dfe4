// What the pages add when scripts run. Every action also works without this file.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const remember = (key, value) => { try { value ? localStorage.setItem(key, value) : localStorage.removeItem(key); } catch { /* forbidden */ } };

// The answer to a form that was sent, mostly refused, takes the address of the form: Back to it, or a reload, opens that
// again. Otherwise the browser would ask whether to send everything once more.
function ownAddress() {
  if (document.body.hasAttribute("data-sent") && document.referrer.startsWith(`${location.origin}/`)) history.replaceState(history.state, "", document.referrer);
}

// Elements that only work with scripts are hidden until here.
function reveal(root) {
  all("[data-scripted]", root).forEach((element) => { element.hidden = false; });
  if (navigator.share) all("[data-share]", root).forEach((element) => { element.hidden = false; });
  showTheme();
  markTab();
  centreCurrent(root);
}

// Scroll the chosen tab or the running phase into view if the row is too long for the screen
function centreCurrent(root) {
  all(":is(.tabs, .phases) [aria-current]", root).forEach((current) => {
    const row = current.closest(".tabs, .phases");
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.clientWidth) / 2;
  });
}

// A page in tabs (.in-tabs): the tab whose panel is shown is the current one
function markTab() {
  all("[data-tabs]").forEach((page) => {
    all(":scope > .tabs a", page).forEach((link) => {
      const shown = getComputedStyle(document.querySelector(link.hash)).display !== "none";
      if (shown) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  });
}
addEventListener("hashchange", markTab);

// Theme: light, dark, or the system's
const themeNow = () => document.documentElement.dataset.theme ?? "auto";
function showTheme() {
  all("[data-theme-choice]").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.themeChoice === themeNow())));
}
function chooseTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember("theme", theme === "auto" ? null : theme);
  showTheme();
}

// Where this device is, so that hours can be told as its clock does (core/text.py)
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
}

// Menus close with Esc and with a click elsewhere
const openMenus = () => all("details.menu[open]");
function closeMenus(except) {
  openMenus().filter((menu) => !menu.contains(except)).forEach((menu) => { menu.open = false; });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") openMenus().forEach((menu) => { menu.open = false; menu.querySelector("summary").focus(); });
});
// The tour by the keyboard, while the focus is in its panel: arrows lead on and back, Esc ends it
document.addEventListener("keydown", (event) => {
  const panel = event.target.closest?.(".tour");
  if (!panel || event.ctrlKey || event.altKey || event.metaKey) return;
  all("[data-tour]", panel).find((one) => one.dataset.tour === event.key)?.click();
});
// “?” opens the help for this page, unless the page has an answer of its own (keys.js) or somebody types
document.addEventListener("keydown", (event) => {
  const link = document.querySelector("a[data-help]");
  if (event.key !== "?" || !link || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]")) return;
  if (!document.querySelector("dialog[open], [data-key~='?']")) link.click();
});
document.addEventListener("click", (event) => {
  closeMenus(event.target);
  const theme = event.target.closest("[data-theme-choice]");
  if (theme) chooseTheme(theme.dataset.themeChoice);
  const copy = event.target.closest("[data-copy]");
  if (copy) copyText(copy);
  const share = event.target.closest("[data-share]");
  if (share) shareText(share);
  if (event.target.closest("[data-print]")) print();
  event.target.closest("[data-dismiss]")?.closest(".message")?.remove();
});
function shareText(button) {
  const source = document.querySelector(button.dataset.share);
  navigator.share({ title: button.dataset.title, url: source.value ?? source.textContent.trim() }).catch(() => {}); // closed again
}
async function copyText(button) {
  const source = document.querySelector(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  } catch {
    if (!copySelected(source)) return;
  }
  say(button.dataset.copied);
  showCopied(button);
}
// Without https a page has no clipboard: the older command copies what is selected.
function copySelected(source) {
  if (source.select) source.select();
  else getSelection().selectAllChildren(source);
  return document.execCommand("copy");
}
function showCopied(button) {
  const label = button.querySelector("span");
  if (button.classList.contains("copied")) return;
  const before = label.textContent;
  button.classList.add("copied");
  label.textContent = button.dataset.copied;
  setTimeout(() => { label.textContent = before; button.classList.remove("copied"); }, 2500);
}

// Screen readers: the page's one polite live region
function say(text) {
  const region = document.getElementById("live-region");
  if (region && text) region.textContent = text;
}

// A refused form: the focus goes to the first field that needs it
function focusFirstError(root = document) {
  const error = root.querySelector(".field-error, .form-errors");
  if (!error) return;
  const control = (error.id && root.querySelector(`[aria-describedby~="${CSS.escape(error.id)}"]`)) || error.closest(".field-row")?.querySelector("input, select, textarea");
  const place = control ?? error;
  if (place === error) error.tabIndex = -1;
  place.focus();
}

// When a part of the page is replaced, by a live refresh or by another form, this keeps the text typed in <form
// data-keep>, open <details id> and open popovers. Text in a form that is hidden for a while is there when it comes
// back. The form that was sent is left to the server's answer. A single-choice list without a selected option shows its
// first one.
const isOtherwiseSelected = (list) => {
  const options = [...list.options], byDefault = options.some((option) => option.defaultSelected);
  if (list.multiple || byDefault) return options.some((option) => option.selected !== option.defaultSelected);
  return list.selectedIndex > options.findIndex((option) => !option.disabled);
};
const isDirty = (control) => {
  if (control.type === "hidden" || control.disabled || !control.matches("input, select, textarea")) return false;
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control instanceof HTMLSelectElement) return isOtherwiseSelected(control);
  return control.value !== control.defaultValue;
};
const controlsOf = (root, sent) => all("form[data-keep]", root).filter((form) => form !== sent).flatMap((form) => [...form.elements]).filter((control) => control.id);
const typed = new Map();
function snapshot(root, sent) {
  [...(sent?.elements ?? [])].forEach((control) => typed.delete(control.id));
  for (const control of controlsOf(root, sent)) {
    if (isDirty(control)) typed.set(control.id, { value: control.value, checked: control.checked });
    else typed.delete(control.id);
  }
  const open = all("details[id][open]:not(.menu)", root).filter((details) => !sent || !details.contains(sent));
  const shown = all("[popover]:popover-open", root).map((popover) => popover.id);
  return { open: open.map((details) => details.id), shown };
}
function restore({ open, shown }) {
  shown.forEach((id) => document.getElementById(id)?.showPopover?.());
  for (const [id, { value, checked }] of typed) {
    const control = document.getElementById(id);
    if (!control || control.disabled) continue;
    if (control.type === "checkbox" || control.type === "radio") control.checked = checked;
    else if (!(control instanceof HTMLSelectElement) || [...control.options].some((option) => option.value === value)) control.value = value;
  }
  open.forEach((id) => { const details = document.getElementById(id); if (details) details.open = true; });
}

// A form that is replaced by its answer keeps text typed meanwhile, and is sent again when the field is left.
const asked = new WeakMap();
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const form = detail.elt.closest("form");
  if (form?.method === "get") asked.set(form, new Map([...form.elements].map((control) => [control.id, control.value])));
});
function typedSince(form) {
  const control = document.activeElement;
  const known = form && asked.get(form);
  const typing = known && control.form === form && control.matches("input:not([type=radio], [type=checkbox]), textarea");
  return typing && control.id && known.get(control.id) !== control.value ? { id: control.id, value: control.value } : null;
}
function typeAgain({ id, value }) {
  const control = document.getElementById(id);
  if (!control || control.disabled || control.value === value) return;
  control.value = value;
  control.addEventListener("blur", () => control.dispatchEvent(new Event("change", { bubbles: true })), { once: true });
}

// Focus is never lost. The answer says where work goes on (data-focus: the id of a control, form or place), or the
// followed link does (data-then). Otherwise the focus stays where it was, or on the nearest element that still exists.
const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
const lost = () => !document.activeElement || document.activeElement === document.body;
const tried = (element) => { element?.focus(); return Boolean(element) && document.activeElement === element; };
function focusOn(id) {
  const place = id && document.getElementById(id);
  if (!place) return false;
  if (place.matches(`${CONTROLS}, [tabindex]`)) return tried(place);
  const control = all(CONTROLS, place).find((found) => !found.disabled && !found.closest("[inert]") && found.getClientRects().length);
  const chosen = control?.type === "radio" ? all("input:checked", place).find((radio) => radio.name === control.name) : null;
  if (tried(chosen ?? control)) return true;
  place.tabIndex = -1;
  return tried(place);
}
function trailOf(element) {
  const ids = [];
  for (let place = element; place && place !== document.body; place = place.parentElement) ids.push(place.id, place.getAttribute("aria-labelledby"));
  return ids.filter(Boolean);
}
let trail = [];
const leaveTrail = () => { if (!lost()) trail = trailOf(document.activeElement); };
document.addEventListener("htmx:beforeRequest", leaveTrail); // a button that is disabled meanwhile loses the focus
document.addEventListener("htmx:beforeSwap", leaveTrail);
let answered = null;
let givenUp = ""; // the id of what had the focus until it was replaced (giveUpFocus)
function bringFocus(xhr, sender) {
  const answer = document.querySelector("[data-focus]");
  const named = answer?.dataset.focus ?? (xhr !== answered && xhr?.status < 400 ? sender?.dataset.then : null);
  answered = xhr; // which settles once for each of its parts
  if (answer) delete answer.dataset.focus;
  if (!(named && focusOn(named)) && lost()) {
    document.getElementById(givenUp)?.focus({ preventScroll: true }); // where its reader left it: nothing moves
    if (lost()) trail.some(focusOn);
  }
  givenUp = "";
}

// Whoever has gone back in the log keeps what they opened when the page is drawn anew
document.addEventListener("htmx:configRequest", (event) => {
  const oldest = all("#battle [data-since]").at(-1);
  if (oldest && event.detail.target?.id === "battle") event.detail.parameters.since = oldest.dataset.since;
});

let kept = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, target } = event.detail;
  const login = document.body.dataset.loginUrl;
  if (login && xhr.responseURL && new URL(xhr.responseURL).pathname === login && location.pathname !== login) {
    event.detail.shouldSwap = false; // the session ended: the whole page goes to sign in, not a corner of it
    // Unless a form that leaves the page is under way: the stream reports a sign-out before its answer comes
    if (!underway.size) location.assign(login + "?next=" + encodeURIComponent(location.pathname + location.search));
    return;
  }
  const sender = event.detail.requestConfig?.elt;
  const form = sender?.closest("form");
  kept = event.detail.shouldSwap && target ? { ...snapshot(target.parentElement ?? target, form), newer: typedSince(form) } : null;
  if (kept && sender !== target) giveUpFocus(target, sender);
});
// If a part is removed while it has the focus, the browser computes its layout once more, a tenth of the cost of a
// step. So the focus is released first; without data-focus, bringFocus restores it.
const REPLACED = /^(outer|inner)HTML/;
const WRITTEN = "input:not([type=radio], [type=checkbox]), textarea, select"; // htmx itself brings back where one stands in it
function giveUpFocus(target, sender) {
  const active = document.activeElement;
  const swap = sender?.closest("[hx-swap]")?.getAttribute("hx-swap") ?? "";
  if (!lost() && REPLACED.test(swap) && target.contains(active) && !active.matches(WRITTEN)) {
    givenUp = active.id;
    active.blur();
  }
}
document.addEventListener("htmx:afterSwap", () => {
  if (kept) restore(kept);
  if (kept?.newer) typeAgain(kept.newer);
  kept = null;
});
// Scroll news into view unless a form is half filled in. After an army was picked or got its orders, scroll to the
// desk. In one column the desk lies right under its row, which then comes to the top.
const newsShown = () => document.getElementById("verdict")?.dataset.seq;
const pickedShown = () => document.querySelector(".unit.picked");
const oneColumn = matchMedia("(max-width: 46rem)");
// The strip unrolls once for each resolution in a browser, not again after a reload, a refresh or going back
const UNROLLED = "unrolled";
const UNROLLED_MOST = 50; // battles that are remembered
function unroll() {
  const strip = document.getElementById("verdict");
  const battle = document.querySelector("#call[data-battle]")?.dataset.battle;
  if (!strip || !battle) return;
  try {
    const seen = new Map(JSON.parse(localStorage.getItem(UNROLLED) ?? "[]"));
    const seq = Number(strip.dataset.seq);
    if (seq > (seen.get(battle) ?? 0)) {
      strip.parentElement.classList.add("news"); // not the strip: htmx settles what has an id
      seen.delete(battle);
      localStorage.setItem(UNROLLED, JSON.stringify([...seen, [battle, seq]].slice(-UNROLLED_MOST)));
    }
  } catch { /* nothing can be kept on this device: it stays still */ }
}
unroll();
document.addEventListener("htmx:afterSwap", unroll);
// The first touch ends the animation of falling dice
for (const touched of ["pointerdown", "keydown"]) addEventListener(touched, () => document.getElementById("dice-fall")?.remove());
let newsBefore = newsShown();
let pickedBefore = pickedShown()?.id;
function bringIntoView(sender) {
  const news = newsShown();
  const picked = pickedShown();
  const busy = [...(document.activeElement?.closest("form")?.elements ?? [])].some(isDirty);
  if (sender && picked && oneColumn.matches && (sender.closest(".unit") || (picked.id !== pickedBefore && news === newsBefore))) picked.scrollIntoView({ block: "start" });
  else if (sender?.closest(".unit")) document.getElementById("desk")?.scrollIntoView({ block: "nearest" });
  else if (news !== newsBefore && !busy) document.getElementById("verdict")?.scrollIntoView({ block: "nearest" });
  newsBefore = news;
  pickedBefore = picked?.id;
}
document.addEventListener("htmx:afterSettle", (event) => {
  const status = event.detail.xhr?.status;
  if (status >= 500) document.getElementById("messages")?.scrollIntoView({ block: "nearest" }); // the server's trouble
  else if (status >= 400) focusFirstError();
  bringFocus(event.detail.xhr, event.detail.requestConfig?.elt);
  if (!(status >= 400)) bringIntoView(event.detail.requestConfig?.elt);
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.xhr?.status && event.detail.xhr.status < 500) calm();
});
document.addEventListener("htmx:load", (event) => reveal(event.target));

// Going back cancels pending answers: they would be drawn over the new page, or change its address
const underWay = new Set();
document.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig } }) => { if (requestConfig.verb === "get") underWay.add(xhr); });
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => underWay.delete(xhr));
document.addEventListener("htmx:historyCacheMiss", ({ detail }) => {
  for (const xhr of [...underWay]) xhr.abort();
  detail.xhr.onerror = () => location.reload(); // that one is told of by the browser, or by what is kept for it (offline.js)
});
document.addEventListener("htmx:historyCacheMissLoadError", () => location.reload());

// A request that failed says so instead of doing nothing
function complain(text, passing = false) {
  const box = document.getElementById("messages");
  if (!box || !text) return;
  const message = document.createElement("div");
  message.className = "message error";
  if (passing) message.dataset.trouble = "";
  message.append(Object.assign(document.createElement("p"), { textContent: text }));
  box.replaceChildren(message);
  message.scrollIntoView({ block: "nearest" });
}
// Connection trouble ends with the next answer, or when the browser is back online
function calm() {
  all("#messages [data-trouble]").forEach((message) => message.remove());
}
addEventListener("online", calm);
document.addEventListener("htmx:responseError", (event) => {
  const words = document.getElementById("messages")?.dataset ?? {};
  const status = event.detail.xhr.status;
  complain(status === 403 || status === 404 ? words.refused : words.failed);
});
document.addEventListener("htmx:sendError", ({ detail }) => {
  if (!looksAgain(detail.elt)) complain(document.getElementById("messages")?.dataset.offline, true);
});

// Live pages (live.js) send their requests from the live region, which exists on every page
const looksAgain = (elt) => elt.id === "live-region";

// Temporary trouble: the server is unreachable or overloaded. Returns how long to wait before the next attempt
const passes = (xhr) => xhr?.status >= 500 || xhr?.status === 429;
const pause = (xhr) => Math.max(AGAIN, 1000 * Number(xhr?.getResponseHeader("Retry-After") ?? 0));

// Elements that poll (hx-trigger="load…") go on after temporary trouble: a server restart, a lost connection
const AGAIN = 3000;
function asksItself(elt) {
  return Boolean(elt.getAttribute("hx-trigger")?.trim().startsWith("load"));
}
function askAgain({ detail: { elt, xhr } }) {
  if (!asksItself(elt)) return;
  const verb = elt.hasAttribute("hx-post") ? "post" : "get";
  setTimeout(() => elt.isConnected && htmx.ajax(verb, elt.getAttribute(`hx-${verb}`), { source: elt }).catch(() => {}), pause(xhr));
}
document.addEventListener("htmx:sendError", askAgain);
document.addEventListener("htmx:afterRequest", (event) => { if (passes(event.detail.xhr)) askAgain(event); });

// In a list with a search field, arrows move between the field and the results; Enter in the field only searches
document.addEventListener("keydown", (event) => {
  const list = event.target.closest?.("[data-arrows]");
  if (!list || event.altKey || event.ctrlKey || event.metaKey) return;
  const asks = document.querySelector(`[data-enter-of="${CSS.escape(event.target.id)}"]`);
  if (event.key === "Enter" && event.target.id && asks) { event.preventDefault(); asks.click(); }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const search = list.querySelector("input[type=search]");
  if (!step || !(event.target === search || event.target.closest(".unit-picks"))) return;
  const stops = [search, ...all(".unit-picks button", list)];
  const next = stops[stops.indexOf(event.target) + step];
  if (next) { event.preventDefault(); next.focus(); }
});

// In a battle, what succeeded leaves by itself and uncovers the field; the log keeps it. Whoever points at it or has the focus in it
// keeps it, and so stays what is wrong or can be undone (WCAG 2.2.1)
const READ_IN = 8000;
function leaveOnceRead(message) {
  if (message.matches(":hover, :focus-within")) setTimeout(leaveOnceRead, READ_IN, message);
  else message.remove();
}
function letSuccessesLeave() {
  for (const message of all(".at-war #messages > .message.success:not(:has(form), [data-leaves])")) {
    message.dataset.leaves = "";
    setTimeout(leaveOnceRead, READ_IN, message);
  }
}
if (document.getElementById("messages")) new MutationObserver(letSuccessesLeave).observe(document.getElementById("messages"), { childList: true });
letSuccessesLeave();

ownAddress();
reveal(document);
focusFirstError();

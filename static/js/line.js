// Shared worker with one event stream for all tabs of a browser. It lives as long as one of them is open. A tab names
// the address it follows; the worker follows all of them (kingdom/live/stream.py: GET /live/?follow=…) and passes each
// message to the tabs that follow its address.
(() => {
  const addresses = new Map(); // address without version → last version, its message, the tabs' ports
  const SOON = 20; // ms: tabs opened together share one request
  const AGAIN = 2000;
  let line = null; // the stream requested last
  let standing = null; // the open stream meanwhile
  let timer = 0;

  const withVersion = (address, version) => {
    const url = new URL(address, location.href);
    if (version) url.searchParams.set("version", version);
    return url.pathname + url.search;
  };
  function pass(address, message) {
    for (const port of addresses.get(address)?.ports ?? []) port.postMessage(message);
  }
  function forget(address) {
    addresses.delete(address);
    if (!addresses.size) hangUp();
  }
  function hangUp() {
    clearTimeout(timer);
    timer = 0;
    line?.close();
    standing?.close();
    line = standing = null;
  }

  function follow(port, wanted) {
    leave(port);
    const url = new URL(wanted, location.href);
    const version = Number(url.searchParams.get("version") ?? 0);
    url.searchParams.delete("version");
    const address = url.pathname + url.search;
    const known = addresses.get(address);
    if (!known) {
      addresses.set(address, { version, told: "", stands: false, ports: new Set([port]) });
      listen(SOON);
      return;
    }
    known.ports.add(port);
    if (known.stands) port.postMessage({ type: "open" });
    if (known.version > version) port.postMessage({ type: "message", data: known.told });
    else if (version > known.version) tell(address, JSON.stringify({ version })); // a newer version in one tab is news for the others
  }
  function leave(port) {
    for (const [address, { ports }] of addresses) {
      if (ports.delete(port) && !ports.size) forget(address);
    }
  }
  function tell(address, data) {
    const known = addresses.get(address);
    if (!known) return;
    let version = 0;
    try { version = JSON.parse(data).version ?? 0; } catch { /* plain text */ }
    if (version > known.version) Object.assign(known, { version, told: data });
    pass(address, { type: "message", data });
  }

  function listen(wait) {
    timer ||= setTimeout(open, wait);
  }
  // A further address needs a new stream. The old one closes once the new one is open, so no message is missed
  function open() {
    timer = 0;
    if (line !== standing) line?.close();
    const asked = [...addresses.keys()];
    const query = asked.map((address) => `follow=${encodeURIComponent(withVersion(address, addresses.get(address).version))}`);
    const own = line = new EventSource(`/live/?${query.join("&")}`);
    const about = (event) => asked[JSON.parse(event.data).of];
    const on = (type, heard) => own.addEventListener(type, (event) => { if (line === own || type === "message") heard(event); });
    on("open", () => {
      if (standing !== own) standing?.close();
      standing = own;
    });
    on("following", (event) => {
      const known = addresses.get(about(event));
      if (!known || known.stands) return;
      known.stands = true;
      pass(about(event), { type: "open" });
    });
    on("message", (event) => tell(about(event), event.data));
    on("rest", (event) => { // too many are followed: the tab asks again once it is visible
      pass(about(event), { type: "rest" });
      forget(about(event));
    });
    on("gone", (event) => { // asked once more, then perhaps refused
      const known = addresses.get(about(event));
      if (!known) return;
      known.stands = false;
      pass(about(event), { type: "gone" });
      listen(AGAIN);
    });
    on("refused", (event) => {
      pass(about(event), { type: "error", closed: true });
      forget(about(event));
    });
    on("error", () => {
      const closed = own.readyState === EventSource.CLOSED; // then the browser does not try again by itself; the tabs do
      if (closed) hangUp();
      for (const address of asked) {
        const known = addresses.get(address);
        if (!known) continue;
        known.stands = false;
        pass(address, { type: "error", closed });
        if (closed) forget(address);
      }
    });
  }

  addEventListener("connect", ({ ports: [port] }) => {
    port.onmessage = ({ data }) => (data.follow ? follow(port, data.follow) : leave(port));
    port.addEventListener("close", () => leave(port)); // of a tab that crashed
  });
})();

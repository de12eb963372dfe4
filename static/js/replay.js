// A replay plays by itself: play and pause, and how fast. Every step is fetched as if Next had been pressed. Whoever
// takes a step of their own pauses it. It begins by itself where its address says so (?play), and never for who wants
// less motion.
(() => {
  const bar = document.getElementById("player");
  if (!bar) return;
  const button = bar.querySelector("button");
  const speed = bar.querySelector("select");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const next = () => document.querySelector("#replay #next");
  let timer = null;
  const playing = () => timer !== null;
  const show = () => {
    button.setAttribute("aria-pressed", String(playing()));
    bar.classList.toggle("plays", playing());
    button.disabled = !playing() && !next();
  };
  function pause() {
    clearTimeout(timer);
    timer = null;
    show();
  }
  function wait() {
    clearTimeout(timer);
    timer = next() ? setTimeout(step, 1000 * Number(speed.value)) : null;
    show();
  }
  async function step() {
    const href = next()?.getAttribute("href");
    if (!href) return pause();
    await htmx.ajax("GET", location.pathname + href, { target: "#replay", swap: "outerHTML" });
    if (!playing()) return;
    history.replaceState(history.state, "", href);
    wait();
  }
  button.addEventListener("click", () => (playing() ? pause() : wait()));
  speed.addEventListener("change", () => { if (playing()) wait(); });
  for (const act of ["click", "change", "submit"]) {
    document.addEventListener(act, (event) => { if (playing() && event.target.closest?.("#replay")) pause(); }, true);
  }
  addEventListener("pagehide", pause);
  bar.hidden = false;
  show();
  if (new URLSearchParams(location.search).has("play") && !still.matches) wait();
})();

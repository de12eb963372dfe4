// On a phone the choices may be out of sight above the button that gives orders. Until one of them was visible, the
// button scrolls to them instead, and says so.
(() => {
  const phone = matchMedia("(max-width: 46rem)");
  const giving = () => document.querySelector(".foot button.give");
  let watching = null;
  function watch() {
    watching?.disconnect();
    const button = giving(), form = button?.form;
    const choice = form?.querySelector("input:not([type=hidden]), select");
    if (!choice || !phone.matches) return;
    const margin = `0px 0px -${Math.ceil(innerHeight - button.closest(".foot").getBoundingClientRect().top)}px`;
    watching = new IntersectionObserver(([seen]) => {
      button.toggleAttribute("data-look", !seen.isIntersecting);
      if (seen.isIntersecting) watching.disconnect();
    }, { rootMargin: margin, threshold: 1 });
    watching.observe(choice.closest("label") ?? choice);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".give[data-look]");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.form.closest(".orders").scrollIntoView({ block: "start" });
  }, true);
  document.addEventListener("htmx:afterSettle", watch);
  watch();
})();

// Orders that were chosen but not given: the button that resolves the phase warns first. Pressed again, it goes on.
(() => {
  const chosen = () => all("form.order-form, form#together").filter((form) => [...form.elements].some(isDirty));
  document.addEventListener("click", (event) => {
    const notice = document.getElementById("not-given");
    if (!notice || !event.target.closest?.("#go, button.forward")) return;
    const forms = chosen();
    if (!forms.length) return;
    if (!notice.hidden) return forms.forEach((form) => form.reset());
    notice.hidden = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
})();

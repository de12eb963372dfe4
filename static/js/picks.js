// Armies selected in lists: shows their number beside the order; selecting a whole kingdom ticks its visible armies.
(() => {
  const ticked = () => [...document.querySelectorAll("input.pick[form=picks]:checked")];
  function count() {
    const said = document.querySelector("#picks .count");
    if (!said) return;
    const picked = ticked();
    const kingdoms = picked.filter((box) => box.name === "kingdom");
    const single = picked.filter((box) => box.name === "army" && !box.disabled).length;
    const whole = kingdoms.reduce((sum, box) => sum + Number(box.dataset.armies ?? 0), 0);
    const known = kingdoms.every((box) => box.dataset.armies);
    const many = single + whole;
    if (known) said.textContent = many === 1 ? said.dataset.one : said.dataset.many.replace("{n}", many);
    else said.textContent = said.dataset.kingdoms;
  }
  // Armies of a kingdom that is selected as a whole need no tick of their own
  function follow(box) {
    const list = box.closest("article, section");
    if (!list || box.closest(".whole")) return;
    list.querySelectorAll("input.pick[name=army]").forEach((one) => { one.checked = box.checked; one.disabled = box.checked; });
  }
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("input.pick")) return;
    if (target.name === "kingdom") follow(target);
    count();
  });
  const standAgain = () => { document.querySelectorAll("input.pick[name=kingdom]:checked").forEach(follow); count(); };
  addEventListener("pageshow", standAgain);
  document.addEventListener("laid-over", standAgain);
})();

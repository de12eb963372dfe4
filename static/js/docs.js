// Swagger UI has a dark look of its own, by a class: it follows the reader's choice or the system's.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => {
  const chosen = document.documentElement.dataset.theme;
  document.documentElement.classList.toggle("dark-mode", chosen ? chosen === "dark" : dark.matches);
};
dark.addEventListener("change", follow);
follow();

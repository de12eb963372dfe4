// The tabs of a campaign count what waits for the reader. While anything waits, the icon of the browser's tab has a
// mark, and the installed app shows the number.
(() => {
  const places = document.querySelector(".places");
  const icon = document.querySelector("link[rel=icon]");
  const usual = icon?.href;
  const set = (number) => {
    if (icon?.dataset.waits) icon.href = number ? icon.dataset.waits : usual;
    const done = number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.();
    done?.catch(() => {}); // a browser that has the function may still show none
  };
  const count = () => set([...places.querySelectorAll(".count")].reduce((sum, { textContent }) => sum + (parseInt(textContent, 10) || 0), 0));
  if (places) {
    new MutationObserver(count).observe(places, { childList: true, characterData: true, subtree: true });
    count();
  } else if (location.pathname === document.body.dataset.loginUrl) set(0); // nobody is signed in
})();

"""Pages whose clocks run fast: what a script does after seconds it does after a moment."""

from __future__ import annotations

HASTE = """((later) => {
  window.setTimeout = (does, wait = 0, ...given) => later(does, wait / 20, ...given);
})(window.setTimeout)"""
"""For `page.add_init_script`, before the page is opened."""

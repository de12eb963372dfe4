"""For `page.add_init_script`, before a page is opened."""

from __future__ import annotations

HASTE = """((later) => {
  window.setTimeout = (does, wait = 0, ...given) => later(does, wait / 20, ...given);
})(window.setTimeout)"""
"""Its clocks run fast: what a script does after seconds it does after a moment."""

DEAF = "delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} };"
"""It hears of nothing that happens."""

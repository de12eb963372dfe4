"""Asset bundles: one style sheet and one script for every page, each joined from the parts named here.

For each page it opens a browser looks up every file anew: forty of them cost it more than a third of the work.
The parts lie in `static/`, and nothing has to be built: a finder of static files joins them when they are asked for,
collected or served, and again when one of them has changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage

from config.ops.data_directory import BASE_DIR, get_home, written_aside

STATIC = BASE_DIR / "static"
PARTS = {
    "css/all.css": (
        "css/fonts.css",
        "css/tokens.css",
        "css/elements.css",
        "css/frame.css",
        "css/forms.css",
        "css/pieces.css",
        "css/arms.css",
        "css/war.css",
        "css/begin.css",
        "css/now.css",
        "css/dice.css",
        "css/field.css",
        "css/blocks.css",
        "css/seating.css",
        "css/odds.css",
        "css/aftermath.css",
        "css/armies.css",
        "css/workshop.css",
        "css/notes.css",
        "css/map.css",
        "css/board.css",
        "css/painting.css",
        "css/print.css",
    ),
    "js/all.js": (
        "js/htmx.min.js",
        "js/idiomorph.min.js",
        "js/warhost.js",
        "js/live.js",
        "js/rules.js",
        "js/offline.js",
        "js/find.js",
        "js/badge.js",
    ),
}
"""By the name of the whole; what comes later has the last word."""


class JoinedFinder(BaseFinder):
    """Finds the wholes. `django.contrib.staticfiles` finds the parts, which the few pages of another look name."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any):
        self.storage = FileSystemStorage(location=get_home() / "joined")
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path not in PARTS:
            return []  # what Django asks of a finder that does not know
        found = str(build_bundle(path, Path(self.storage.location)))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        for path in PARTS:
            if not matches_patterns(path, ignore_patterns or ()):
                build_bundle(path, Path(self.storage.location))
                yield path, self.storage


def build_bundle(name: str, folder: Path) -> Path:
    """Where the whole of this name lies, as its parts are now. It is as old as the youngest of them."""
    whole, parts = folder / name, [STATIC / part for part in PARTS[name]]
    youngest = max(part.stat().st_mtime_ns for part in (*parts, Path(__file__)))
    if not whole.exists() or whole.stat().st_mtime_ns != youngest:
        whole.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(whole) as aside:
            aside.write_text("".join(_told(part) for part in parts))
            os.utime(aside, ns=(youngest, youngest))
    return whole


def _told(part: Path) -> str:
    """A statement that ends nowhere, or a bracket left open, is no matter of the next part."""
    text = part.read_text()
    return f"{text}\n;\n" if part.suffix == ".js" else f"{text}\n"

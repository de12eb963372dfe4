"""Asset bundles: one style sheet and one script for every page, joined from the parts listed here.

A browser checks every file anew for each page: forty files took more than a third of the work. No build step is needed:
a static files finder joins the parts in `static/` when they are requested, collected or served, and again when one has
changed. Comments and spaces stay behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import rcssmin
import rjsmin
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
        "js/sending.js",
        "js/live.js",
        "js/rules.js",
        "js/offline.js",
        "js/find.js",
        "js/badge.js",
    ),
}
"""The parts by bundle; later rules override earlier ones."""


class JoinedFinder(BaseFinder):
    """Finds the bundles. `django.contrib.staticfiles` finds the parts, which a few pages use alone."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any):
        self.storage = FileSystemStorage(location=get_home() / "joined")
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path not in PARTS:
            return []  # Django expects an empty list from a finder without a match
        found = str(build_bundle(path, Path(self.storage.location)))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        for path in PARTS:
            if not matches_patterns(path, ignore_patterns or ()):
                build_bundle(path, Path(self.storage.location))
                yield path, self.storage


def build_bundle(name: str, folder: Path) -> Path:
    """Return the path of the bundle, up to date. Its time is that of its newest part."""
    whole, parts = folder / name, [STATIC / part for part in PARTS[name]]
    youngest = max(part.stat().st_mtime_ns for part in (*parts, Path(__file__)))
    if not whole.exists() or whole.stat().st_mtime_ns != youngest:
        whole.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(whole) as aside:
            aside.write_text("".join(shorten(part) for part in parts))
            os.utime(aside, ns=(youngest, youngest))
    return whole


def shorten(part: Path) -> str:
    """Return the part's text without comments, ended so that an unfinished statement cannot run into the next part."""
    text = part.read_text()
    return f"{rjsmin.jsmin(text)}\n;\n" if part.suffix == ".js" else f"{rcssmin.cssmin(text)}\n"

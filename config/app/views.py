"""Views of the installable app: manifest, service worker, offline page."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.app import GROUND, PAPER
from config.app.readers import NOBODY, READER, SHEET
from config.web.asset_bundles import PARTS, STATIC

WORKER = Path(__file__).with_name("worker.js")
SHELL = ("css/*.css", "js/*.js", "fonts/*-latin-[0-9]*.woff2", "icons.svg", "arms.svg", "favicon.svg")
"""Kept for pages without a line. Letters of the extended files are kept by the browser once a page had them."""


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest."""
    icons = [("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("maskable-512.png", 512, "maskable")]
    body = {
        "id": "/",
        "name": "Warhost",
        "short_name": "Warhost",
        "description": _("Kingdoms, their armies and their battles."),
        "lang": get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": GROUND,
        "icons": [
            {"src": static(f"app/{name}"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, size, purpose in icons
        ],
    }
    return JsonResponse(body, content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, with the list of this version's static files. The browser checks it each time."""
    return HttpResponse(worker_script(), content_type="text/javascript")


@require_safe
def offline(request: HttpRequest, language: str) -> HttpResponse:
    """The page shown offline for pages this device has not kept; the same for everybody."""
    return HttpResponse(_unseen(language))


def _unseen(language: str) -> str:
    with translation.override(language):
        return render_to_string("config/offline.html", {"language": language})


@cache
def worker_script() -> str:
    """Return the service worker's script. A change of static files or of the offline page changes the script, and the
    browser then fetches the files again.
    """
    script = WORKER.read_text()
    shell = [staticfiles_storage.url(name) for name in shell_names()]
    pages = {code: f"/offline/{code}/" for code, _name in settings.LANGUAGES}
    written = "".join(map(_unseen, pages))
    told = {"shell": shell, "pages": pages, "reader": READER, "sheet": SHEET, "nobody": NOBODY}
    version = hashlib.sha256(f"{script}{told}{written}{_dates()}".encode()).hexdigest()[:16]
    return f"const APP = {json.dumps({**told, 'version': version})};\n{script}"


def shell_names() -> list[str]:
    """Return the names below static/ of the files pages need; bundles replace their parts."""
    named = {str(path.relative_to(STATIC)) for pattern in SHELL for path in STATIC.glob(pattern)}
    return sorted(named.difference(*PARTS.values()).union(PARTS))


def shell_files() -> list[Path]:
    """Return the paths of these files."""
    return [Path(found) for name in shell_names() if (found := finders.find(name))]


def _dates() -> str:
    """Return the files' dates, which reveal changes where names have no hash."""
    return "".join(str(path.stat().st_mtime_ns) for path in shell_files())

"""What a browser that has nothing yet fetches for a page: everything together has a limit (decision 26)."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from battles.models import Battle
from config.web.asset_bundles import STATIC
from kingdom.onboarding import checklist
from tests.everyday import everyday
from tests.kingdom.conftest import make_user

LIMIT = 180_000
OF_HEXES = 203_000  # a board brings its own signs, and a longer page
FONTS = ("alegreya-latin-700", "alegreya-sans-latin-400", "alegreya-sans-latin-500", "alegreya-sans-latin-700")
FILE = re.compile(r'(?:href|src)="/static/([^"#?]+\.(?:css|js|svg))')
UNSEEN = {"favicon.svg"}  # fetched beside the page, if at all


def sizes(page: str) -> dict[str, int]:
    """What is sent for this page, by file, compressed as WhiteNoise does it."""
    found = {"page": len(gzip.compress(page.encode()))}
    for name in set(FILE.findall(page)) - UNSEEN:
        found[name] = len(gzip.compress(Path(finders.find(name) or "").read_bytes(), 9))
    return found | {font: (STATIC / f"fonts/{font}-normal.woff2").stat().st_size for font in FONTS}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "law", everyday(["combat-de-masse", "thucidide-fantasy", "wing-command", "breaking-point"], first=2)
)
def test_a_first_visit_to_a_campaign_and_to_its_battle_is_light(law):
    gm = make_user("gm")
    campaign = checklist.make(owner=gm, law=law)
    battle = Battle.objects.filter(campaign=campaign, status="running").first()
    assert battle is not None
    client = Client()
    client.force_login(gm)
    for address in (f"/c/{campaign.pk}/", f"/battles/{battle.pk}/"):
        sent = sizes(client.get(address).content.decode())
        assert {"css/all.css", "js/all.js", "icons.svg"} <= sent.keys()
        most = OF_HEXES if "glyphs.svg" in sent else LIMIT
        assert sum(sent.values()) <= most, sorted((size, name) for name, size in sent.items())


def test_paths_of_sprites_are_rounded():
    """A new icon comes with long fractions: static/round-sprites.mjs takes them off."""
    for name in ("icons.svg", "glyphs.svg"):
        sprite = (STATIC / name).read_text()
        drawn = [path for path in re.findall(r' d="([^"]+)"', sprite) if re.search(r"\d\.\d\d", path)]
        assert drawn == [], name

"""What knows no law and says no word of one: everything outside the rooms of the laws."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.test_house import APPS, ROOT, laws, name_of, text_of

TEMPLATES = ROOT / "templates"
FRAMES = {
    "armies": 160,
    "battles": 150,
    "kingdom": 190,
    "core": 18,
    "config": 60,
    "rules": 35,
    "pages": 60,
    "looks": 35,
}
"""Rooms of which no file belongs to a law, with about how many files that is."""


def frame_of(room: str) -> list[Path]:
    """An app's Python and templates; of the rules what every law uses; `pages`: templates of no app; `looks`: styles
    and scripts. Migrations are left out: what happened once may be told in the words of then.
    """
    match room:
        case "rules":
            found: Iterable[Path] = [
                *(ROOT / "rules").glob("*.py"),
                *(path for part in ("core", "odds", "hexes") for path in (ROOT / "rules" / part).rglob("*.py")),
            ]
        case "pages":
            ours = {"armies", "battles", "kingdom", "config"}
            found = (path for path in TEMPLATES.rglob("*.html") if not ours & set(path.relative_to(TEMPLATES).parts))
        case "looks":
            found = [path for kind in ("css", "js") for path in (ROOT / "static" / kind).glob(f"*.{kind}")]
            found = (path for path in found if ".min." not in path.name)
        case _:
            pages = (TEMPLATES / room, TEMPLATES / "jinja2" / room)
            found = [*(ROOT / room).rglob("*.py"), *(path for folder in pages for path in folder.rglob("*.html"))]
    return [path for path in found if not {*laws(), "migrations"} & set(path.relative_to(ROOT).parts)]


@pytest.mark.parametrize("room", [room for room in FRAMES if room != "config"])
def test_a_frame_knows_a_law_only_through_its_face(room):
    """`<app>/<law>/` shows and reads a law; everything else knows `rules.law` and UIs. The settings name both."""
    apps = "|".join(APPS)
    named = re.compile(rf"\b({apps})[./]({'|'.join(laws())})\b")  # imports, dotted paths in strings, templates
    known = {name_of(path): [found.group() for found in named.finditer(text_of(path))] for path in frame_of(room)}
    assert len(known) > FRAMES[room]
    assert {name: found for name, found in known.items() if found} == {}


@cache
def contracts() -> list[dict[str, Any]]:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found: list[dict[str, Any]] = told["tool"]["importlinter"]["contracts"]
    return found


def importers_of(protected: str) -> set[str]:
    """Whom the contracts let import it; nobody may be let where none protects it."""
    found = [one for one in contracts() if one["type"] == "protected" and protected in one["protected_modules"]]
    assert found, f"no contract protects {protected}"
    return {importer for one in found for importer in one["allowed_importers"]}


@pytest.mark.parametrize("law", laws())
def test_every_law_has_its_contracts(law):
    """Rules are known to their UIs, armies to the UI of their battles, battles to nobody; kingdoms and time know
    none of them.
    """
    assert importers_of(f"rules.{law}") == {f"armies.{law}", f"battles.{law}"}
    assert importers_of(f"armies.{law}") == {f"battles.{law}"}
    assert importers_of(f"battles.{law}") == set()
    for source, unknown in (("kingdom", {f"rules.{law}"}), ("armies.weeks", {f"rules.{law}", f"armies.{law}"})):
        told = [one for one in contracts() if one["type"] == "forbidden" and source in one["source_modules"]]
        assert unknown <= {name for one in told for name in one["forbidden_modules"]}


LAW_WORDS = re.compile(
    r"(?<!cattrs\.)\b(om|dv|acr|hp|hit points?|tactics?|boons?|strategy|strategies|morale|melee|ranged|leadership|"
    r"economy|loyalty|stability|unrest|anarchy|control dc|consumption|arrears|drain\w*|diseas\w*|deserti\w*|deserters?|"
    r"deserted|cannibal\w*|mount(s|ed)?|resources?|spells?(?!-book)|d20s?|pathfinder|pf-\d+(\.\d+)?|r-\d+|"
    r"rout(s|ed)?|sieges?|besieg\w*|garrison\w*|fortif\w*|sortie\w*|invested|bombard\w*|honours of war|"
    r"breaking points?|bp-\d+(\.\d+)?|b-\d+)\b"
)
"""In small letters. BP alone is what every treasury counts in; ransoms, captives and hexes are the frame's own."""

OF_EVERY_LAW = {
    "armies": {"routed"},  # what an army may be
    "battles": {"rout", "routs", "routed"},  # how it may end
    "rules": {"rout", "routed"},  # both
    "core": {"resource"},  # the API's word for what an address names
    "config": {"drain", "drained", "resource"},  # queues that empty, and Python's module
    "kingdom": {"resource"},  # as REST says it
}

ALLOWED = {
    # columns named after what the first law put on a kingdom's sheet (decision 0011)
    "kingdom/models/kingdom.py": {"consumption", "control dc", "economy", "loyalty", "stability", "unrest"},
    # `hp`, as the API and what is kept of a battle have always called an army's health
    "battles/api/serializers/battle_shapes.py": {"hp"},
    "battles/api/serializers/forecast_shapes.py": {"hp"},
    "battles/codec/forecasts.py": {"hp"},
    "armies/forces/busy.py": {"hp"},
    "battles/play/battle_state.py": {"hp"},
    "battles/setup/queries.py": {"hp"},
    "battles/forecast/queries.py": {"hp"},
    "battles/forecast/views.py": {"hp"},
    # a template of campaigns has a story, and is called by it
    "armies/onboarding/casts.py": {"besieged", "garrison"},
    # where laws are named: by the settings, at the door of the site, in the credits; and no password either
    "config/settings.py": {"pathfinder", "breaking point"},
    "templates/kingdom/campaign/landing.html": {
        "bombardment",
        "breaking point",
        "hit points",
        "morale",
        "pathfinder",
        "sieges",
        "sorties",
    },
    "templates/pages/credits.html": {"pathfinder"},
    "config/accounts/adapter.py": {"pathfinder"},
}
"""What still says a law's word, and why. It may only shrink: what is no longer said must go from here, too."""


BEGINS_A_WORD = re.compile(r"([A-Z])(?:(?<=[a-z0-9][A-Z])|(?<=[A-Z][A-Z])(?=[a-z]))")
"""The letter comes first in it, for that is quick to find."""


def words_in(text: str) -> set[str]:
    """The words of a law in it, names split into theirs: `hp_max`, `ArmyHp`."""
    apart = BEGINS_A_WORD.sub(r" \1", text.replace("_", " ")).lower()
    return {found.group() for found in LAW_WORDS.finditer(apart)}


@pytest.mark.parametrize("room", FRAMES)
def test_a_frame_speaks_no_word_of_a_law(room):
    told = {name_of(path): words_in(text_of(path)) - OF_EVERY_LAW.get(room, set()) for path in frame_of(room)}
    allowed = {name: words for name, words in ALLOWED.items() if name in told}
    assert {name: words for name, words in told.items() if words} == allowed


def test_what_may_say_a_word_of_a_law_is_there():
    assert [name for name in ALLOWED if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(
    "text",
    ["its DV, here", "om", "a tactic", "boons", "diseased", "(PF-3.5)", "R-52", "d20", "hp_max", "rout_at", "SiegeHall",
     "garrison", "`BP-8`", "B-69", "class HPBar", "breaking_point", "loyalty"],
)  # fmt: skip
def test_a_word_of_a_law_is_recognised(text):
    assert words_in(text)


@pytest.mark.parametrize("text", ["BP a week", "a desert", "spell-book", "from", "enforced", "ransom", "hop", "amount"])
def test_a_word_of_the_frame_is_none_of_a_law(text):
    assert not words_in(text)

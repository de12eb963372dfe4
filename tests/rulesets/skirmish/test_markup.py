"""Names of units, labels and names of maps are text wherever a board shows them."""

from __future__ import annotations

from typing import Any

from django.test import Client as Browser

from battles.models import Battle
from kingdom.sharing.services import create_share
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import document
from tests.battles.frame.conftest import opened, play
from tests.rulesets.skirmish.driver import DRIVER as hexes

NAME = "<b id=evil>\"'&{x}"
LABEL = "</text><script>evil()</script>?hex="


def texts(table: Any, battle: Battle) -> list[str]:
    browser, unit = Browser(), hexes.unit(table.watch, "R1").rpartition(":")[2]
    browser.force_login(table.ana)
    page = f"/battles/{battle.pk}/"
    asked = ["", f"?unit={unit}", f"?unit={unit}&to=F7", "?hex=C7&zoom=150&layers=heights.coordinates", "?tables=1"]
    asked += [f"?find={LABEL}", f"?list={LABEL}&zoom={LABEL}&layers={LABEL}&unit={LABEL}&to={LABEL}&hex={LABEL}"]
    asked += ["order-of-battle/", "report/", "replay/", "log/"]
    found = [browser.get(page + query).getvalue().decode() for query in asked]
    found.append(browser.get(browser.get(f"{page}ground/none.svg").headers["Location"]).getvalue().decode())
    token = create_share(by=table.gm, campaign=table.campaign, kind="live", thing=battle.pk).token
    return [*found, Browser().get(f"/s/{token}/").getvalue().decode()]


def test_names_and_labels_are_text(table):
    table.watch.name = NAME
    table.watch.save()
    gm = opened(table)
    gm.ok(type="load_map", map=document(STARTERS["meadows"]) | {"name": NAME, "labels": {"C7": LABEL}})
    play(gm, hexes.before_dice(table))
    gm.ok(type="paint", hexes=["A1"], terrain="wood", reason=NAME)
    found = texts(table, Battle.objects.get(pk=gm.battle.pk))
    assert sum("&lt;b id=evil&gt;" in text for text in found) > 6
    for text in found:
        assert "<b id=evil" not in text
        assert "<script>evil" not in text
        assert 'evil()"' not in text

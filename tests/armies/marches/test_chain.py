"""From a stroke on the map to the aftermath of the battle it led to, and all of it undone, the last deed first."""

from __future__ import annotations

import json
from typing import Any

import pytest

from armies.marches.queries import list_encounters
from armies.marches.services import march_along
from battles.models import Battle
from battles.play.services import undo
from battles.setup.services import open_battle
from kingdom.chronicle.services import undo_entry
from kingdom.map.painting_services import paint_map, undo_stroke
from kingdom.models import Campaign, ChronicleEntry
from rules.core.errors import IllegalCommand
from tests.armies.marches.conftest import WAY, fresh, pass_days, where
from tests.battles.conftest import Client
from tests.rulesets.drivers import sides_of
from tests.worlds import everything

pytestmark = pytest.mark.django_db
STROKES = (
    {"command": "paint", "hexes": ["B7", "C7"], "terrain": "forest"},
    {"command": "road", "start": "A7", "to": "D7"},
    {"command": "label", "hex": "G7", "text": "Gallows ford"},
)
TOLD = {"kingdom_chronicleentry", "kingdom_lastchange", "kingdom_ledgerentry", "battles_battle", "battles_battlearmy",
        "battles_battlerecord"}  # fmt: skip
OWN = {"kingdom_apitoken", "kingdom_user", "django_session"}  # whoever does it, and how they throw their dice
RENAMED = ("version", "revision")  # of a map: each of its states has a name of its own


def rows() -> dict[str, set[str]]:
    """Every row but the records of what was done and undone."""
    found = {table: lines for table, lines in everything().items() if table not in TOLD | OWN}
    maps = [json.loads(line) for line in found.pop("kingdom_campaignmap")]
    return found | {"maps": {json.dumps({key: row[key] for key in row if key not in RENAMED}) for row in maps}}


def differing(before: dict[str, set[str]], after: dict[str, set[str]]) -> dict[str, set[str]]:
    """The rows that are in one of them alone, by table."""
    return {table: found for table in before if (found := before[table] ^ after[table])}


def test_map_march_week_battle_and_aftermath_are_undone_to_the_rows(marches, driver):
    before = rows()
    for stroke in STROKES:
        paint_map(by=marches.gm, campaign=marches.campaign, command=stroke)
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    march = latest(marches)
    week = pass_days(marches, 7)
    assert where(marches.watch) == ["G7"]
    fought(marches, driver)
    assert rows() != before
    with pytest.raises(IllegalCommand, match=r"depends on this|Undo that battle first"):
        undo_entry(by=marches.gm, entry=week)
    battle = take_back(marches)
    assert battle.status == Battle.Status.AFTERMATH
    with pytest.raises(IllegalCommand, match=r"on the page of “At G7”, undo every step back to its start"):
        undo_entry(by=marches.gm, entry=week)
    while battle.records.filter(undone=False).exists():
        battle = take_back(marches)
    with pytest.raises(IllegalCommand, match=r"Undo that event first"):
        undo_entry(by=marches.gm, entry=march)
    undo_entry(by=marches.gm, entry=week)
    assert where(marches.watch) == ["A7"]
    undo_entry(by=marches.gm, entry=march)
    for _stroke in STROKES:
        undo_stroke(by=marches.gm, campaign=marches.campaign)
    assert differing(before, rows()) == {}


def take_back(table: Any) -> Battle:
    """What was done last in the battle, as its page does."""
    battle = Battle.objects.get()
    undo(by=table.gm, battle_id=battle.pk, version=battle.version)
    return Battle.objects.get()


def fought(table: Any, driver: Any) -> None:
    """The battle that the meeting proposes, fought to its end, its aftermath confirmed."""
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    [meeting] = list_encounters(campaign)
    assert (meeting.hex, {army.pk for army in meeting.armies}) == ("G7", {table.watch.pk, table.raiders.pk})
    client = Client(table.gm, open_battle(by=table.gm, campaign=campaign, name="At G7", sides=sides_of(table)))
    for command in driver.until_over(table):
        client.ok(**command)
    client.ok(type="aftermath", confirm=True, dice=driver.aftermath_dice(table))
    assert Battle.objects.get().status == Battle.Status.CLOSED


def latest(table: Any) -> ChronicleEntry:
    return ChronicleEntry.objects.filter(campaign=table.campaign, undone_at=None).latest("seq")

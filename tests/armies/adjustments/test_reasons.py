"""Who is told the GM's reason for an adjusted figure in a battle: whoever may read the army's sheet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from armies.adjustments.services import adjust_army
from battles.models import Battle
from battles.play.battle_state import load_state
from tests.armies.weeks.test_pages import browser, text_of
from tests.battles.frame.conftest import opened
from tests.rulesets.drivers import driver_of, table_of
from tests.worlds import built_once

pytestmark = pytest.mark.django_db

SECRETS = {"watch": "Marked by the lake", "raiders": "Cursed by the marsh"}
FIGURES = {
    "breaking-point": ("combat", "defense"),
    "wing-command": ("melee", "guard", "move"),
    "thucidide-fantasy": ("dice", "move"),
}


@pytest.fixture(params=sorted(FIGURES))
def law(request) -> str:
    return request.param


@built_once
def fought(db, law) -> SimpleNamespace:
    """A battle of two adjusted armies, fought to its end."""
    table = table_of(driver_of(law))
    for army, reason in SECRETS.items():
        for figure in FIGURES[law]:
            adjust_army(by=table.gm, army=getattr(table, army), figure=figure, amount=1, reason=reason)
            getattr(table, army).refresh_from_db()
    gm = opened(table)
    table.battle = gm.battle
    table.seen = {}
    for command in driver_of(law).until_over(table):
        status = gm.ok(**command)["status"]
        if status == "running" and not table.seen:
            table.seen = read_by_all(table)
        if status == "aftermath":
            break
    table.over = read_by_all(table)
    return table


def pages_of(table: Any) -> list[str]:
    """Every address that tells of the battle: its page with each unit picked, the log, files and the API."""
    state = load_state(Battle.objects.get(pk=table.battle.pk))
    units = state.armies if table.campaign.ruleset == "breaking-point" else state.units
    here = f"/battles/{table.battle.pk}/"
    return [
        here, f"{here}log/", f"{here}log.json", f"{here}log.txt", f"{here}log.jsonl",
        f"/api/v1{here}", f"/api/v1{here}events/", *(f"{here}?unit={unit}" for unit in units),
    ]  # fmt: skip


def read_by_all(table: Any) -> dict[str, dict[str, str]]:
    return {who: told(table, getattr(table, who)) for who in ("gm", "ana", "bo", "viewer")}


def told(table: Any, user: Any) -> dict[str, str]:
    """What this user reads there, by address."""
    client = browser(user)
    found = {}
    for address in pages_of(table):
        answer = client.get(address)
        assert answer.status_code in (200, 404), address
        found[address] = text_of(answer) if "html" in answer["Content-Type"] else _whole(answer)
    return found


def where(seen: dict[str, str], army: str) -> list[str]:
    return [address for address, text in seen.items() if SECRETS[army] in text]


def _whole(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return body.decode()


def test_enemies_are_not_told_the_reason(fought):
    for seen in (fought.seen, fought.over):
        assert where(seen["ana"], "raiders") == []
        assert where(seen["bo"], "watch") == []


def test_who_reads_the_sheet_is_told_it(fought):
    """A viewer reads every sheet."""
    for user, army in (("ana", "watch"), ("bo", "raiders"), ("gm", "watch"), ("gm", "raiders"), ("viewer", "watch")):
        assert where(fought.seen[user], army) or where(fought.over[user], army), (user, army)


@pytest.mark.parametrize("law", ["wing-command"], indirect=True)
def test_a_card_of_wing_command_tells_adjustments_to_readers_of_the_sheet_alone(fought):
    cards = {who: "".join(seen.values()) for who, seen in fought.seen.items()}
    assert "Guard · GM: Cursed by the marsh" in cards["bo"]
    assert "· GM adjustment" not in cards["bo"]

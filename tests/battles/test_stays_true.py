"""What was fought stays as it was fought, whatever the rules become."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from battles import folding
from battles.models import Battle
from kingdom.models import Campaign
from rules import registry
from rules.pathfinder.effects import Modifier, Stat
from rules.pathfinder.rulesets import COMBAT_DE_MASSE
from tests.battles.conftest import Client, open_ford

MIGHTY = (Modifier(Stat.OM, +7), Modifier(Stat.DV, -7))


def tomorrow() -> Any:
    """The same law with every tactic, boon and resource meaning something else."""
    changed = {
        kind: {slug: replace(item, modifiers=MIGHTY) for slug, item in getattr(COMBAT_DE_MASSE, kind).items()}
        for kind in ("tactics", "boons", "resources")
    }
    return COMBAT_DE_MASSE.amend(slug="combat-de-masse", name=COMBAT_DE_MASSE.name, version="3", **changed)


@pytest.fixture
def new_law(monkeypatch):
    def come() -> None:
        monkeypatch.setitem(registry.RULESETS, "combat-de-masse", tomorrow())
        folding._states.clear()

    return come


def shown(client: Any, battle: Battle) -> dict[str, str]:
    """Everything a reader finds of the battle, without what differs from one request to the next."""
    page = f"/battles/{battle.pk}/"
    paths = [page, *(f"{page}replay/?step={step}" for step in range(0, 60, 3)), f"{page}log.json", f"{page}log.txt"]
    paths += [f"/api/v1/battles/{battle.pk}/", f"/api/v1/battles/{battle.pk}/events/?limit=200"]
    return {path: plain(client.get(path)) for path in paths}


def plain(response: Any) -> str:
    assert response.status_code == 200
    token = response.context and response.context.get("csrf_token")
    text = response.getvalue().decode()
    return re.sub(r"[A-Za-z0-9]{64}", "", text.replace(str(token), "")) if token else text


def test_a_closed_battle_reads_the_same_after_the_rules_have_changed(demonstration, client, new_law):
    client.force_login(demonstration.gm)
    battle = Battle.objects.get(status=Battle.Status.CLOSED)
    before = shown(client, battle)
    new_law()
    assert shown(client, battle) == before


def test_an_open_battle_goes_on_by_the_rules_of_the_day(demonstration, client, new_law):
    gm = demonstration.gm
    client.force_login(gm)
    battle = Battle.objects.get(status=Battle.Status.RUNNING)
    before = Client(gm, battle).read()
    new_law()
    after = Client(gm, battle).read()
    assert [army["om"] for army in after["armies"]] != [army["om"] for army in before["armies"]]
    assert [army["hp"] for army in after["armies"]] == [army["hp"] for army in before["armies"]]


def test_house_rules_changed_since_leave_a_battle_as_it_was(table, battle, client):
    client.force_login(table.gm)
    before = shown(client, battle)
    Campaign.objects.filter(pk=table.campaign.pk).update(house_rules={"minimum_damage": 0})
    folding._states.clear()
    assert shown(client, battle) == before


def test_figures_are_kept_where_they_changed(table, battle):
    api = Client(table.gm, battle)
    api.ok(type="next")
    api.ok(type="override", army=str(table.watch.pk), field="om", value=3, reason="high ground")
    kept = [bool(record.figures) for record in battle.records.order_by("seq")]
    assert kept == [False, True]
    now = folding.figures_at(Battle.objects.get(pk=battle.pk))[str(table.watch.pk)]["om"].total
    first = folding.figures_at(Battle.objects.get(pk=battle.pk), 0)[str(table.watch.pk)]["om"].total
    assert now == first + 3


def test_figures_taken_back_are_not_shown(table, battle):
    api = Client(table.gm, battle)
    api.ok(type="next")
    before = folding.figures_at(battle)
    api.ok(type="override", army=str(table.watch.pk), field="om", value=3, reason="high ground")
    api.ok(type="undo")
    assert folding.figures_at(Battle.objects.get(pk=battle.pk)) == before


def test_an_opening_that_would_be_refused_today_still_folds(table, monkeypatch):
    """A condition switched off since, an army that may not fight any more: the battle was opened, and stays so."""
    battle = open_ford(table, conditions=[{"condition": "fog"}])
    off = COMBAT_DE_MASSE.amend(
        slug="combat-de-masse", name=COMBAT_DE_MASSE.name, version="3",
        conditions={"fog": COMBAT_DE_MASSE.conditions["fog"].switched_off()},
    )  # fmt: skip
    monkeypatch.setitem(registry.RULESETS, "combat-de-masse", off)
    folding._states.clear()
    assert folding.refold(battle).conditions[0].condition == "fog"


def test_an_open_battle_says_what_the_rules_have_changed(table, battle, client):
    client.force_login(table.gm)
    page = f"/battles/{battle.pk}/"
    assert "The rules have changed since" not in client.get(page).content.decode()
    Battle.objects.filter(pk=battle.pk).update(ruleset_version="1")
    assert "seeks an enemy within its reach" in client.get(page).content.decode()
    Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.CLOSED)
    assert "The rules have changed since" not in client.get(page).content.decode()


@pytest.mark.parametrize("slug", ["combat-de-masse", "breaking-point"])
def test_every_version_of_a_law_says_what_it_changed(slug):
    law = registry.RULESETS[slug]
    newest = int(law.version)
    assert [len(law.changes_since(str(version))) for version in range(1, newest + 1)] == [*range(newest - 1, -1, -1)]

"""What was fought stays as it was fought, whatever the rules become."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import pytest

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from kingdom.models import Campaign
from rules import registry
from rules.breaking_point.arms import Tables
from rules.breaking_point.ruleset import BreakingPoint
from rules.pathfinder.catalogue.effects import Modifier, Stat
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from tests.battles.breaking_point.conftest import river  # noqa: F401 - a fixture
from tests.battles.conftest import Client, open_ford
from tests.battles.frame.test_cold import forgotten
from tests.everyday import at_most

AFTERWARDS = ("report/", "fairness/")  # told of battles that are over
FOLLOWING = {"HX-Request": "true"}  # asks for a part of a page
MIGHTY = (Modifier(Stat.OM, +7), Modifier(Stat.DV, -7))


def tomorrow() -> Any:
    """The same law with whatever its catalogues hold meaning something else."""
    changed: dict[str, Any] = {
        kind: {slug: replace(item, modifiers=MIGHTY) for slug, item in getattr(COMBAT_DE_MASSE, kind).items()}
        for kind in ("tactics", "boons", "resources", "abilities", "conditions")
    }
    strategies, sizes = COMBAT_DE_MASSE.strategies.items(), COMBAT_DE_MASSE.sizes.items()
    changed["strategies"] = {slug: replace(item, om=-9, dv=9, damage=9) for slug, item in strategies}
    changed["sizes"] = {slug: replace(size, step=size.step + 5, factor=9 * size.factor) for slug, size in sizes}
    return COMBAT_DE_MASSE.amend(slug="combat-de-masse", name=COMBAT_DE_MASSE.name, version="9", **changed)


class BreakingPointTomorrow(BreakingPoint):
    """The same law, whose tables list weapons, machines and types that do something else."""

    version = "9"

    def with_house(self, stored: Any) -> BreakingPoint:
        return BreakingPointTomorrow(super().with_house(stored).house)

    @cached_property
    def tables(self) -> Tables:
        own = super().tables
        return own._replace(
            weapons={slug: replace(weapon, damage=weapon.damage + 9) for slug, weapon in own.weapons.items()},
            machines={slug: replace(machine, toughness=1, armour=9) for slug, machine in own.machines.items()},
            armours={
                slug: armour._replace(full=armour.full + 9, worn=armour.worn + 9)
                for slug, armour in own.armours.items()
            },
        )


@pytest.fixture
def new_law(monkeypatch):
    def come() -> None:
        monkeypatch.setitem(registry.RULESETS, "combat-de-masse", tomorrow())
        monkeypatch.setitem(registry.RULESETS, "breaking-point", BreakingPointTomorrow())
        forgotten()

    return come


TOLD = ("fairness/", "", "log.json", "log.txt", "log.jsonl", "log/", "report/", "order-of-battle/")  # report: with it
ALIKE = ("fairness/", "log.txt", "log.jsonl", "log/", "order-of-battle/")  # told alike under every law


def shown(client: Any, battle: Battle, told: Sequence[str] = TOLD) -> dict[str, str]:
    """Everything a reader finds of the battle, without what differs from one request to the next."""
    page, api = f"/battles/{battle.pk}/", f"/api/v1/battles/{battle.pk}/"
    paths = [f"{page}{part}" for part in told if battle.status == Battle.Status.CLOSED or part not in AFTERWARDS]
    paths += [f"{page}replay/?step={step}" for step in range(0, 60, at_most(20, full=3))]
    paths += [api, f"{api}events/?limit=200", f"{api}export/"]
    return {path: plain(client.get(path, headers=FOLLOWING if "fairness" in path else {})) for path in paths}


def plain(response: Any) -> str:
    assert response.status_code == 200
    token = response.context and response.context.get("csrf_token")
    text = response.getvalue().decode()
    return re.sub(r"[A-Za-z0-9]{64}", "", text.replace(str(token), "")) if token else text


def test_a_closed_battle_reads_the_same_after_the_rules_have_changed(demonstration, client, new_law):
    client.force_login(demonstration.gm)
    reads_the_same(client, Battle.objects.get(status=Battle.Status.CLOSED), new_law)


def test_a_closed_battle_of_breaking_points_does_so_too(river, client, new_law):  # noqa: F811
    table = Client(river.gm, river.bridge)
    table.ok(type="resolve")
    table.ok(type="end", reason="The bridge falls")
    table.ok(type="aftermath", confirm=True)
    client.force_login(river.gm)
    told = [part for part in TOLD if part not in at_most(ALIKE, full=())]
    reads_the_same(client, Battle.objects.get(pk=river.bridge.pk), new_law, told)


def reads_the_same(client: Any, battle: Battle, new_law: Any, told: Sequence[str] = TOLD) -> None:
    assert battle.status == Battle.Status.CLOSED
    before = shown(client, battle, told)
    new_law()
    assert play_battle_state.get_law(Battle.objects.get(pk=battle.pk)).version != battle.ruleset_version
    after = shown(client, battle, told)
    for path, seen in before.items():
        assert after[path] == seen, path


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
    told = [part for part in TOLD if part not in at_most(ALIKE, full=())]
    before = shown(client, battle, told)
    Campaign.objects.filter(pk=table.campaign.pk).update(house_rules={"minimum_damage": 0})
    forgotten()
    assert shown(client, battle, told) == before


def test_figures_are_kept_where_they_changed(table, battle):
    api = Client(table.gm, battle)
    api.ok(type="next")
    api.ok(type="override", army=str(table.watch.pk), field="om", value=3, reason="high ground")
    kept = [bool(record.figures) for record in battle.records.order_by("seq")]
    assert kept == [False, True]
    now = play_battle_state.load_figures(Battle.objects.get(pk=battle.pk))[str(table.watch.pk)]["om"].total
    first = play_battle_state.load_figures(Battle.objects.get(pk=battle.pk), 0)[str(table.watch.pk)]["om"].total
    assert now == first + 3


def test_figures_taken_back_are_not_shown(table, battle):
    api = Client(table.gm, battle)
    api.ok(type="next")
    before = play_battle_state.load_figures(battle)
    api.ok(type="override", army=str(table.watch.pk), field="om", value=3, reason="high ground")
    api.ok(type="undo")
    assert play_battle_state.load_figures(Battle.objects.get(pk=battle.pk)) == before


def test_an_opening_that_would_be_refused_today_still_folds(table, monkeypatch):
    """A condition switched off since, an army that may not fight any more: the battle was opened, and stays so."""
    battle = open_ford(table, conditions=[{"condition": "fog"}])
    off = COMBAT_DE_MASSE.amend(
        slug="combat-de-masse", name=COMBAT_DE_MASSE.name, version="9",
        conditions={"fog": COMBAT_DE_MASSE.conditions["fog"].switched_off()},
    )  # fmt: skip
    monkeypatch.setitem(registry.RULESETS, "combat-de-masse", off)
    play_battle_state._states.clear()
    assert play_battle_state.refold(battle).conditions[0].condition == "fog"


def test_an_open_battle_says_what_the_rules_have_changed(table, battle, client):
    client.force_login(table.gm)
    page = f"/battles/{battle.pk}/"
    assert "The rules have changed since" not in client.get(page).content.decode()
    Battle.objects.filter(pk=battle.pk).update(ruleset_version="1")
    assert "armies in a last stand or panicked can’t leave the field" in client.get(page).content.decode()
    Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.CLOSED)
    assert "The rules have changed since" not in client.get(page).content.decode()


@pytest.mark.parametrize("slug", ["combat-de-masse", "breaking-point"])
def test_every_version_of_a_law_says_what_it_changed(slug):
    law = registry.RULESETS[slug]
    newest = int(law.version)
    assert [len(law.changes_since(str(version))) for version in range(1, newest + 1)] == [*range(newest - 1, -1, -1)]

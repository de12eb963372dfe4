"""What time and battles may change of armies and commanders, and undo."""

from __future__ import annotations

import pytest

from armies.pathfinder.armies.queries import build_sheet
from armies.pathfinder.models import PathfinderArmy
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models.base import uuid7
from rules.core.errors import IllegalCommand
from rules.core.text import _
from tests.armies.conftest import appointed, orc


def change(thing, field, before, after, kind="army") -> chronicle_changes.Change:
    return chronicle_changes.Change(
        kind, str(getattr(thing, "pk", thing)), field, before, after, "PF-6.3", _("Change"), "It"
    )


def applied(war, *changes):
    return chronicle_changes.apply(campaign=war.campaign, changes=changes, by=war.gm, kind="battle", text=_("The ford"))


def undone(war, entry):
    chronicle_changes.undo(campaign=war.campaign, entry=entry, by=war.gm)


def fresh(army) -> PathfinderArmy:
    return PathfinderArmy.objects.get(pk=army.pk)


COLUMNS = [
    ("hp", 16, 3),
    ("morale", 0, 1),
    ("status", "ready", "routed"),
    ("disease", 0, 2),
    ("drain", 0, 1),
    ("arrears", False, True),
]


def test_columns_change_and_return(war):
    for field, before, after in COLUMNS:
        entry = applied(war, change(war.levy, field, before, after))
        assert getattr(fresh(war.levy), field) == after, field
        undone(war, entry)
        assert getattr(fresh(war.levy), field) == before, field


def test_a_tactic_is_learned_and_unlearned(war):
    entry = applied(war, change(war.levy, "tactics", [], ["taunt"]))
    row = fresh(war.levy).tactics.get()
    assert (row.tactic, row.granted) == ("taunt", False)
    undone(war, entry)
    assert not fresh(war.levy).tactics.exists()


def test_lost_engines_take_their_consumption_with_them(war):
    first = applied(war, change(war.levy, "resources", {}, {"siege-engines": 2}))
    assert fresh(war.levy).consumption == 7
    second = applied(war, change(war.levy, "resources", {"siege-engines": 2}, {"siege-engines": 1}))
    assert fresh(war.levy).consumption == 4
    undone(war, second)
    undone(war, first)
    assert (fresh(war.levy).consumption, fresh(war.levy).resources.count()) == (1, 0)


def test_a_spawned_army_comes_and_goes(war):
    pk = str(uuid7())
    spawned = {"kingdom": str(war.crown.pk), "name": "Spawn", "unit": orc(), "count": 200, "hp": 4, "morale": 0}
    entry = applied(war, change(pk, "created", None, spawned))
    army = PathfinderArmy.objects.get(pk=pk)
    assert (army.name, army.hp, army.kingdom, army.status) == ("Spawn", 4, war.crown, "ready")
    assert build_sheet(army).size.slug == "large"
    undone(war, entry)
    assert not PathfinderArmy.objects.filter(pk=pk).exists()


def test_a_change_to_an_army_that_is_not_there_is_refused(war):
    with pytest.raises(IllegalCommand):
        applied(war, change(str(uuid7()), "hp", 5, 3))


def test_command_is_taken_away_and_given_back_unless_it_moved_on(war):
    entry = applied(war, change(war.levy, "commander", str(war.vell.pk), None))
    assert fresh(war.levy).commander is None
    PathfinderArmy.objects.filter(pk=war.raiders.pk).update(commander=war.vell)
    with pytest.raises(IllegalCommand, match="now leads another army: Raiders"):
        undone(war, entry)
    PathfinderArmy.objects.filter(pk=war.raiders.pk).update(commander=None)
    undone(war, entry)
    assert fresh(war.levy).commander == war.vell


def test_a_commanders_fate_and_boons(war):
    boons = [*war.vell.boons, {"boon": "triage", "tactic": None}]
    entry = applied(
        war,
        change(war.vell, "status", "free", "captured", "commander"),
        change(war.vell, "captures", 0, 1, "commander"),
        change(war.vell, "boons", war.vell.boons, boons, "commander"),
    )
    war.vell.refresh_from_db()
    assert (war.vell.status, war.vell.captures, war.vell.boons) == ("captured", 1, boons)
    undone(war, entry)
    war.vell.refresh_from_db()
    assert (war.vell.status, war.vell.captures, len(war.vell.boons)) == ("free", 0, 1)


def test_lines_about_hidden_armies_are_kept_from_players(war):
    other = appointed(war.gm, war.horde, "Gorth")
    ids = {str(war.levy.pk), str(war.raiders.pk)}
    assert chronicle_changes.visible_ids("army", war.ana, war.campaign, ids) == {str(war.levy.pk)}
    people = {str(war.vell.pk), str(other.pk)}
    assert chronicle_changes.visible_ids("commander", war.bo, war.campaign, people) == {str(other.pk)}

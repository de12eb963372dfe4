"""A campaign taken along in the midst of a battle of THUCIDIDE fantasy: it goes on where it stood."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from battles.models import Battle
from kingdom.archive.export_rows import document_for
from tests.battles.conftest import Client
from tests.kingdom.archive.journeys import bring_in, same_battle, taken_along
from tests.rulesets.thucidide_fantasy import hosts
from tests.rulesets.thucidide_fantasy.test_secrecy import LOW, _free, conjured, face


def waiting(table: Any, spell: str, targets: Any) -> Battle:
    """The dark host has cast this, a like card is left; a unit of it has fallen, and riders are asked to pursue."""
    battle, gm = conjured(table, spell, targets)
    gm.ok(type="end_phase")
    tokens = hosts.state_of(battle).field.tokens.values()
    called = {(str(token.name), token.side): token.id for token in tokens}
    riders, ogres, bows = called["Medium riders", 0], called["Ogres", 1], called["Bows 1", 1]
    gm.ok(type="activate", leader=hosts.unit(battle, "Chief Realm"), units=[riders], characters=[])
    gm.ok(type="end_phase")
    gm.ok(type="end_phase")
    for what, at in ((riders, "H8"), (ogres, "H7"), (bows, "H6")):
        gm.ok(type="override", what=what, field="at", value=at, reason="for a test")
    gm.ok(type="override", what=ogres, field="stands", value=1, reason="for a test")
    gm.ok(type="override", what="0", field="counters", value=1, reason="for a test")
    gm.ok(type="attack", unit=riders, target=ogres, dice=[face(riders, "attack", "red", "red")])
    return Battle.objects.get(pk=battle.pk)


SPELLS = [
    pytest.param("grove", lambda battle: [hosts.unit(battle, LOW)], id="hidden"),
    pytest.param("phantom-troop", lambda battle: [_free(battle), "foot-medium"], id="phantom", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("spell", "targets"), SPELLS)
def test_a_battle_that_runs_is_brought_in_as_it_stood_and_goes_on(table, spell, targets):
    here = waiting(table, spell, targets)
    state = hosts.state_of(here)
    assert state.fight.asks == "pursue"
    assert state.field.graves
    caster = hosts.unit(here, "Necromancer")
    assert state.people[caster].cards == (spell,), "one more lies face down"
    if spell == "grove":
        assert any(token.hidden for token in state.field.tokens.values())
        assert state.field.timers
    else:
        assert any(unit.false for unit in state.units.values())
    arrival = bring_in(table.gm, taken_along(table.campaign))
    assert arrival.warnings == ()
    there = Battle.objects.get(campaign=arrival.campaign)
    same_battle(here, there)
    for battle in (here, there):
        gm = Client(table.gm, battle)
        (asked,) = gm.read()["pending"]
        gm.ok(type="answer", key=asked["key"], answers={"target": "none"})
    same_battle(Battle.objects.get(pk=here.pk), Battle.objects.get(pk=there.pk))


def test_players_take_no_document_along(table, begun):
    """It tells of everything that is hidden: it is the GM's."""
    for who in (table.ana, table.bo, table.viewer):
        with pytest.raises(PermissionDenied):
            document_for(who, table.campaign, named=False)

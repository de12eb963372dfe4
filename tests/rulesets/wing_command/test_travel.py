"""A campaign taken along in the midst of a battle of wing command: it goes on where it stood."""

from __future__ import annotations

from battles.models import Battle
from battles.play.battle_state import load_state
from tests.battles.conftest import Client
from tests.kingdom.archive.journeys import bring_in, same_battle, taken_along
from tests.rulesets.wing_command import hosts
from tests.rulesets.wing_command.test_secrecy import MAGE, SPIES, face, wing


def test_a_battle_that_runs_is_brought_in_as_it_stood_and_goes_on(table):
    """Scouts lie hidden, a spell lies face down, and another one waits for its target."""
    begun = hosts.opened(table)
    gm = hosts.place_all(table, begun)
    gm.ok(type="place", unit=hosts.unit(begun, SPIES), at="A1")
    gm.ok(type="start")
    gm.ok(type="roll_initiative", dice=[face(wing(table, side, 0), "initiative", eye)
                                        for side, eye in (("crown", 1), ("horde", 6))])  # fmt: skip
    mage, foe, theirs = (hosts.unit(begun, name) for name in ("Mirel", "Levy 1", MAGE))
    gm.ok(type="choose_spell", character=theirs, spell="ward")
    gm.ok(type="pass", side=1)
    for what, at in ((mage, "B13"), (foe, "B9")):
        gm.ok(type="override", what=what, field="at", value=at, reason="for a test")
    gm.ok(type="choose_spell", character=mage, spell="firebolt")
    gm.ok(type="override", what=mage, field="activated", value=False, reason="for a test")
    gm.ok(type="cast", character=mage, dice=[face(mage, "spell", 1, 1)])
    here = Battle.objects.get(pk=begun.pk)
    state = load_state(here)
    assert state.aiming is not None
    assert state.token(hosts.unit(here, SPIES)).hidden
    assert state.units[theirs].spell == "ward"
    arrival = bring_in(table.gm, taken_along(table.campaign))
    assert arrival.warnings == ()
    there = Battle.objects.get(campaign=arrival.campaign)
    same_battle(here, there)
    for battle in (here, there):
        target, archer = hosts.unit(battle, "Levy 1"), hosts.unit(battle, "Mirel")
        Client(table.gm, battle).ok(type="aim", target=target, dice=[face(archer, "missile", 1, 1)])
    same_battle(Battle.objects.get(pk=here.pk), Battle.objects.get(pk=there.pk))

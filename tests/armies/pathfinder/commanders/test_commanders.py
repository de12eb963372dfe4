"""Commanders, their offices and boons (PF-2)."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from armies.pathfinder.commanders.page import commander_page
from armies.pathfinder.commanders.services import forget_boon, learn_boon, remove_commander, update_commander
from armies.pathfinder.forces.access import get_commander_for
from armies.pathfinder.models import PathfinderCommander
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import appointed


def sheet(commander):
    from armies.pathfinder.forces.specs import build_commander_spec

    return get_ruleset(commander.campaign).commander_sheet(build_commander_spec(commander))


def test_figures_of_level_8_charisma_2_and_6_ranks(war):
    figures = sheet(war.vell)
    assert (figures.leadership.total, figures.morale_bonus.total, figures.boons_max) == (10, 3, 2)


def test_an_office_holder_has_at_least_one_soldiering(war):
    marshal = appointed(war.ana, war.crown, "Ana", soldier_ranks=0, office="marshal", office_boon="triage")
    assert sheet(marshal).soldiering == 1


WRONG = [
    ({"name": ""}, "/name"),
    ({"level": 0}, "/level"),
    ({"level": "eight"}, "/level"),
    ({"charisma_modifier": 99}, "/charisma_modifier"),
    ({"office": "jester"}, "/office"),
    ({"office_boon": "triage"}, "/office"),
    ({"office": "", "office_boon": "triage"}, "/office"),
    ({"office": "marshal"}, "/office_boon"),
    ({"office": "marshal", "office_boon": "loyalty"}, "/office_boon"),
    ({"office": "general", "office_boon": "bonus-tactic"}, "/office_tactic"),
    ({"boons": [{"boon": "luck"}]}, "/boons/0/boon"),
    ({"boons": "loyalty"}, "/boons"),
    ({"boons": [{"boon": "bonus-tactic"}]}, "/boons/0"),
    ({"boons": [{"boon": "triage"}, {"boon": "triage"}]}, "/boons/1"),
    ({"boons": [{"boon": "triage"}, {"boon": "merciless"}, {"boon": "loyalty"}]}, "/boons"),
    ({"level": 1, "boons": [{"boon": "loyalty"}]}, "/boons/0"),
    ({"status": "asleep"}, "/status"),
]


def test_what_a_commander_cannot_be_is_refused_at_its_field(war):
    for given, pointer in WRONG:
        with pytest.raises(InvalidInput) as refusal:
            appointed(war.gm, war.crown, **{"name": "Nobody", **given})
        assert pointer in [place for place, _said in refusal.value.errors], given
        assert not PathfinderCommander.objects.filter(name="Nobody").exists(), given


def test_missing_leadership_is_explained(war):
    with pytest.raises(InvalidInput, match="Loyalty needs leadership 6; this commander has 3"):
        appointed(war.gm, war.crown, level=1, boons=[{"boon": "loyalty"}])


def test_learning_fills_the_room(war):
    learn_boon(by=war.ana, commander=war.vell, boon="bonus-tactic", tactic="taunt")
    war.vell.refresh_from_db()
    assert war.vell.boons[-1] == {"boon": "bonus-tactic", "tactic": "taunt"}
    with pytest.raises(IllegalCommand, match="no room"):
        learn_boon(by=war.ana, commander=war.vell, boon="triage")


ODD_BOONS = [("luck", None), ("bonus-tactic", None), ("triage", "taunt")]


def test_odd_boons_are_refused(war):
    for boon, tactic in ODD_BOONS:
        with pytest.raises(InvalidInput):
            learn_boon(by=war.ana, commander=war.vell, boon=boon, tactic=tactic)


def test_a_boon_is_learned_once(war):
    with pytest.raises(IllegalCommand, match="already knows this"):
        learn_boon(by=war.ana, commander=war.vell, boon="defensive-tactics")


def test_a_boon_without_its_leadership_is_illegal_now(war):
    green = appointed(war.ana, war.crown, "Green", level=1, charisma_modifier=0)
    with pytest.raises(IllegalCommand, match="needs leadership 6; this commander has 1"):
        learn_boon(by=war.ana, commander=green, boon="loyalty")


def test_a_boon_whose_leadership_is_lost_stays_known_but_dormant(war):
    update_commander(by=war.ana, commander=war.vell, level=1)
    war.vell.refresh_from_db()
    state = next(state for state in sheet(war.vell).boons if state.boon.slug == "defensive-tactics")
    assert (state.known, state.active) == (True, False)


def test_boons_are_forgotten(war):
    forget_boon(by=war.ana, commander=war.vell, boon="defensive-tactics")
    war.vell.refresh_from_db()
    assert war.vell.boons == []
    with pytest.raises(IllegalCommand):
        forget_boon(by=war.ana, commander=war.vell, boon="defensive-tactics")


def test_losing_the_office_loses_its_boon(war):
    update_commander(by=war.ana, commander=war.vell, office="warden", office_boon="loyalty")
    update_commander(by=war.ana, commander=war.vell, office=None)
    war.vell.refresh_from_db()
    assert (war.vell.office, war.vell.office_boon) == (None, None)


@pytest.mark.parametrize("field, value", [("status", "killed"), ("notorious", True), ("captures", 2)])
def test_a_commanders_fate_is_the_gms(war, field, value):
    with pytest.raises(PermissionDenied):
        update_commander(by=war.ana, commander=war.vell, **{field: value})
    update_commander(by=war.gm, commander=war.vell, **{field: value})
    war.vell.refresh_from_db()
    assert getattr(war.vell, field) == value


def test_a_player_may_send_the_gms_fields_unchanged(war):
    changed = update_commander(by=war.ana, commander=war.vell, level=9, status="free", notorious=False)
    assert (changed.level, changed.status) == (9, "free")


def test_a_commander_struck_from_the_rolls_leaves_his_army(war):
    with pytest.raises(PermissionDenied):
        remove_commander(by=war.ana, commander=war.vell)
    remove_commander(by=war.gm, commander=war.vell)
    war.levy.refresh_from_db()
    assert war.levy.commander is None


def test_the_page_says_what_is_known_open_and_missing(war):
    learn_boon(by=war.ana, commander=war.vell, boon="triage")
    page = commander_page(war.ana, get_commander_for(war.ana, war.vell.pk))
    assert [line.boon.slug for line in page.known] == ["defensive-tactics", "triage"]
    assert page.open == ()
    assert "No room for another boon: 2 of 2 known." in {str(line.why) for line in page.missing}
    assert page.room == 0

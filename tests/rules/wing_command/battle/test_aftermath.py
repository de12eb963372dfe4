"""Aftermath: ruling C-6 and WC-11."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import Term
from rules.hexbattle.field import Ended
from rules.law import Outcome
from rules.wing_command.battle.aftermath import ArmyInCampaign, World, toll_of
from rules.wing_command.ruleset import WING_COMMAND
from rules.wing_command.wing import WingCharacter
from tests.rules.wing_command.fights import LAW, Loaded, Table, army

TROOPS = ["foot", "foot", "levy", "archers"]
MEASURE = WING_COMMAND.armies.measure


def table(**gone):
    own = army(
        "a",
        0,
        *(f"{kind}:T{n}" for n, kind in enumerate(TROOPS)),
        characters=(WingCharacter("Bo"), WingCharacter("Cy")),
    )
    now = Table(own, army("b", 1, "foot:Foe"), places={"Foe": "C1", "Chief b": "C1"})
    field = now.state.field
    for name, how in gone.items():
        field = field.put(now.ids[name.replace("_", " ")], at="", gone=how)
    now.state = now.state.but(field=field)
    return now


def world(characters=("Bo", "Cy")):
    document = WING_COMMAND.armies.read({
        "troops": [{"type": kind, "name": f"T{n}"} for n, kind in enumerate(TROOPS)],
        "characters": [{"name": name} for name in characters], "morale": 8,
    })  # fmt: skip
    return World({"a": ArmyInCampaign(document, "idle", 4, 4, 3)}, MEASURE, {"c-a": "free"})


def after(now, choices=None, **faces):
    field = replace(now.state.field, ended=Ended(1, "all-lost"))
    dice = Loaded("", **{name.replace("_", "-"): values for name, values in faces.items()})
    sequel = LAW.aftermath(now.state.but(field=field), world(), choices or {}, dice)
    return sequel, {(one.subject_kind, one.field): one.after for one in sequel.changes}


def test_c_6_a_destroyed_troop_and_character_leave_the_document():
    _sequel, changes = after(table(T0="destroyed", Bo="destroyed"))
    sheet = changes["army", "sheet"]
    assert [troop["name"] for troop in sheet["troops"]] == ["T1", "T2", "T3"]
    assert [one["name"] for one in sheet["characters"]] == ["Cy"]
    assert (changes["army", "health"], changes["army", "health_max"]) == (3, 3)


def test_c_6_of_the_fled_each_returns_on_4_and_more():
    sequel, changes = after(table(T0="fled", T1="fled", T2="fled"), **{"return": (3, 4, 6)})
    assert [troop["name"] for troop in changes["army", "sheet"]["troops"]] == ["T1", "T2", "T3"]
    assert [roll.name for roll in sequel.rolls] == ["return"] * 3


def test_c_6_withdrawn_ones_are_back():
    sequel, changes = after(table(T0="withdrawn", T1="withdrawn"))
    assert changes == {}
    (note,) = sequel.notes
    assert (str(note.text), note.about) == ("Wing a: 2 troops that left the map come back.", "a")


def test_a_broken_army_is_called_broken_after_the_battle_too():
    now = table(T0="withdrawn").wing("a", broken=True)
    assert str(LAW.summary(now.state).armies["a"].in_the_end) == "broken"
    assert str(LAW.summary(now.state).armies["b"].in_the_end) == "holding"


@pytest.mark.parametrize(
    ("winner", "words"), [(0, ["holding", "beaten"]), (1, ["broken", "holding"]), (None, ["holding", "holding"])]
)
def test_an_army_of_the_beaten_side_is_not_called_holding(winner, words):
    now = table(T0="withdrawn").wing("a", broken=winner == 1)
    ended = replace(LAW.summary(now.state), outcome=Outcome(winner, "", Term("It is over.")))
    assert [str(ended.fate_of(ended.armies[army])) for army in "ab"] == words


@pytest.mark.parametrize(("how", "status"), [(("destroyed",) * 3 + ("fled",), "defeated"), (("fled",) * 4, "routed")])
def test_wc_11_all_troops_lost_is_defeat_if_most_were_destroyed_else_rout(how, status):
    gone = {f"T{n}": one for n, one in enumerate(how)}
    _sequel, changes = after(table(**gone), **{"return": (1, 1, 1, 1)})
    assert changes["army", "status"] == status
    assert changes["army", "health"] == 0
    assert ("army", "sheet") not in changes


def test_wc_11_a_broken_wing_with_troops_left_loses_1_of_its_morale():
    now = table(T0="destroyed", T1="destroyed").wing("a", broken=True)
    _sequel, changes = after(now)
    assert changes["army", "sheet"]["morale"] == 7


@pytest.mark.parametrize(("face", "fate"), [(20, "killed"), (21, "captured"), (70, "captured"), (71, None)])
def test_c_6_a_destroyed_commanders_fate_is_rolled(face, fate):
    sequel, changes = after(table(Chief_a="destroyed"), commander_fate=(face,))
    assert changes.get(("commander", "status")) == fate
    assert sequel.questions[0].key == "fate:a"
    told = next(note for note in sequel.notes if note.moment)
    assert told.about == "c-a"


def test_the_gm_may_rule_the_fate_of_a_commander():
    """The drawings' third question: fate is open on the table."""
    _sequel, changes = after(table(Chief_a="destroyed"), {"fate:a": "captured"}, commander_fate=(99,))
    assert changes["commander", "status"] == "captured"
    with pytest.raises(InvalidInput):
        after(table(Chief_a="destroyed"), {"fate:a": "eaten"})
    with pytest.raises(InvalidInput):
        after(table(), {"fate:z": "killed"})


def test_refused_before_the_battle_is_over():
    with pytest.raises(IllegalCommand, match="isn’t over yet"):
        LAW.aftermath(table().state, world(), {}, Loaded())


def test_losses_are_told_by_army():
    now = table(T0="destroyed", T1="fled", T2="withdrawn")
    toll = toll_of(now.state, "a")
    assert (toll.destroyed, toll.fled, toll.commander) == ((0,), (1,), "")
    assert LAW.summary(now.state).armies["a"].health == 1

"""What a battle costs armies of other laws (WC-11)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.core.errors import IllegalCommand
from rules.hexbattle.field import Ended
from tests.rules.wing_command.fights import LAW, Table, army

TROOPS = ("T0", "T1", "T2", "T3")


def fought(broken=False, **gone):
    own = army("a", 0, *(f"foot:{name}" for name in TROOPS))
    now = Table(own, army("b", 1, "foot:Foe"), places={"Foe": "C1", "Chief b": "C1"})
    field = now.state.field
    for name, how in gone.items():
        field = field.put(now.ids[name.replace("_", " ")], at="", gone=how)
    now.state = now.state.but(field=replace(field, ended=Ended(1, "all-lost")))
    return (now.wing("a", broken=True) if broken else now).state


def toll(**gone):
    return LAW.tolls(fought(**gone)).armies["a"]


@pytest.mark.parametrize(
    ("gone", "lost"),
    [({}, Fraction(0)), ({"T0": "destroyed"}, Fraction(1, 4)), ({"T0": "fled"}, Fraction(1, 8)),
     ({"T0": "destroyed", "T1": "fled"}, Fraction(3, 8)), ({"T0": "withdrawn"}, Fraction(0))],
)  # fmt: skip
def test_wc_11_the_share_lost_is_that_of_the_destroyed_and_half_of_the_fled(gone, lost):
    assert toll(**gone).lost == lost


@pytest.mark.parametrize(
    ("destroyed", "left"), [(4, "destroyed"), (3, "destroyed"), (2, "scattered"), (0, "scattered")]
)
def test_wc_11_all_troops_lost_is_a_defeat_if_most_were_destroyed_else_a_rout(destroyed, left):
    gone = {name: "destroyed" if place < destroyed else "fled" for place, name in enumerate(TROOPS)}
    assert toll(**gone).left == left


def test_who_has_withdrawn_is_not_lost():
    assert toll(T0="destroyed", T1="destroyed", T2="destroyed", T3="withdrawn").left == "stands"


def test_wc_11_a_wing_broken_with_troops_left_costs_morale():
    assert toll(broken=True, T0="destroyed", T1="destroyed").spirit == -1
    assert toll(T0="destroyed").spirit == 0
    assert toll(broken=True, **dict.fromkeys(TROOPS, "destroyed")).spirit == 0


def test_wc_11_a_commander_destroyed_is_lost_one_who_fled_is_not():
    assert toll(Chief_a="destroyed").leader_lost
    assert not toll(Chief_a="fled").leader_lost


def test_the_sides_and_who_won_are_told_and_each_toll_says_why():
    tolls = LAW.tolls(fought(T0="destroyed", T1="fled"))
    assert [side.armies for side in tolls.sides] == [("a",), ("b",)]
    assert tolls.winner == 1
    assert tolls.won("b")
    assert not tolls.won("a")
    assert (tolls.armies["a"].rule, str(tolls.armies["a"].told)) == (
        "WC-11", "Wing command: 1 of 4 troops destroyed, 1 fled.",
    )  # fmt: skip


def test_a_battle_that_goes_on_has_no_tolls_yet():
    state = fought()
    with pytest.raises(IllegalCommand):
        LAW.tolls(state.but(field=replace(state.field, ended=None)))

"""What is said of many armies one after the other is told once, of all of them; what is recorded stays as it was."""

from __future__ import annotations

import pytest

from battles.field.verdict import _told
from battles.forecast.odds_page import explain_rounding
from battles.log.phases import LogPhase, PageLine, _folded
from battles.setup.services import open_battle
from core.text import render
from rules.aftermath import Fate
from rules.core.dice import Roll
from rules.core.odds import SIMULATED, Length, Odds, SideOdds
from rules.core.text import Term, say
from rules.law import Weight
from rules.pathfinder.battle.orders.commands import Next, Resolve
from tests.battles.conftest import SPEARMAN, muster
from tests.battles.field.test_pages import page_of, play, text

AWAY, LEFT = Term("{army}: unopposed withdrawal."), Term("{army}: withdrawn from the field.")


def line(text, army, **more):
    told = {"colour": "one", "type": "left", "rule": "BP-4", "rolls": (), "faces": (), "sums": ()}
    return PageLine(seq=len(army), text=say(text, army=army), army=army, **{**told, **more})


def told(*lines):
    return [render(one.text) for one in _folded(lines)]


def test_a_run_of_the_same_is_one_line_that_names_all():
    run = [line(AWAY, army) for army in ("Foot", "Horse", "Guns", "Guard")]
    assert told(*run) == ["Foot: unopposed withdrawal. Also: Horse, Guns, Guard."]
    assert told(*run, *(line(LEFT, army) for army in ("Foot", "Horse"))) == [
        "Foot: unopposed withdrawal. Also: Horse, Guns, Guard.",
        "Foot: withdrawn from the field.",
        "Horse: withdrawn from the field.",
    ]


def test_two_of_the_same_and_other_sides_words_and_dice_stay_lines_of_their_own():
    two = [line(AWAY, "Foot"), line(AWAY, "Horse")]
    assert len(told(*two)) == 2
    assert len(told(*two, line(AWAY, "Guns", colour="two"))) == 3
    assert len(told(*two, line(AWAY, "Guns", weight=Weight.TURNING))) == 3
    thrown = {"rolls": (Roll("x", "shot", 10, 3),), "faces": (3,)}
    assert len(told(*(line(AWAY, army, **thrown) for army in ("Foot", "Horse", "Guns")))) == 3


def test_lines_that_differ_in_two_things_are_told_apart():
    lost = Term("{body} can’t carry out the order: {target} left the field.")
    three = [("Foot", "Wall"), ("Horse", "Gate"), ("Guns", "Wall")]
    lines = [line(lost, body) for body, _target in three]
    lines = [
        PageLine(**{**vars(one), "text": say(lost, body=body, target=target)})
        for one, (body, target) in zip(lines, three, strict=True)
    ]
    assert len(told(*lines)) == 3


class Summary:
    def __init__(self, *names):
        self.armies = {name: type("Army", (), {"name": name}) for name in names}


def fate(army, lost=0, word="untouched", gone=False):
    return Fate(army, lost, Term(word), Term("x"), say(Term("{army} has its own."), army=army), gone)


def test_the_strip_names_all_to_whom_nothing_happened_in_one_sentence():
    names = ("Foot", "Horse", "Guns", "Guard", "Levy")
    fates = [fate("Foot"), fate("Horse", lost=3), fate("Guns"), fate("Guard"), fate("Levy", gone=True)]
    assert [render(one) for one in _told(Summary(*names), fates)] == [
        "Horse has its own.",
        "Levy has its own.",
        "Foot, Guns, Guard: untouched.",
    ]
    assert [render(one) for one in _told(Summary(*names), fates[:3])] == [
        "Horse has its own.",
        "Foot has its own.",
        "Guns has its own.",
    ]
    assert LogPhase(None, ()).headlines == ()


@pytest.mark.django_db
def test_a_player_reads_one_line_of_all_his_armies_to_whom_nothing_happened(table):
    more = [muster(table.gm, table.crown, name, SPEARMAN, 500) for name in ("Boatmen", "Ferrymen", "Millers")]
    sides = [
        {"name": "Crown", "armies": [str(army.pk) for army in (table.watch, *more)]},
        {"name": "Horde", "armies": [str(table.raiders.pk)]},
    ]
    battle = open_battle(by=table.gm, campaign=table.campaign, name="The ford", sides=sides)
    play(table, battle, Next(), Resolve(), Resolve())
    told = " ".join(text(page_of(table.ana, battle)).partition('id="verdict"')[2].partition("</section>")[0].split())
    assert '<p class="moment"><b>Ironwatch, Boatmen, Ferrymen, Millers: untouched.</b></p>' in told
    assert ": not attacked" not in told


@pytest.mark.parametrize(
    ("shares", "told"), [((0.47, 0.4, 0.1, 0.03), False), ((0.334, 0.333, 0.333, 0), True), ((0.5, 0.5, 0, 0), False)]
)
def test_the_forecast_says_where_its_shares_do_not_add_up_as_they_are_told(shares, told):
    one, two, nobody, undecided = shares
    sides = tuple(SideOdds(name, win, 0, 0, win, win) for name, win in (("A", one), ("B", two)))
    assert (explain_rounding(Odds(SIMULATED, 0.02, undecided, nobody, sides, {}, Length(1, 1))) is not None) is told

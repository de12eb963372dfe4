"""PF-3.12: what the GM sets by hand, and what the other rulings make of it."""

from __future__ import annotations

import pytest

from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.battle.aftermath import Aftermath
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Mark, Part
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.steps import run
from rules.pathfinder.ruleset import ULTIMATE_CAMPAIGN
from tests.scenario import has, hold, order, scenario, use


def test_a_number_given_replaces_the_one_on_the_sheet() -> None:
    """PF-3.12: fast healing 8 by the GM's word, whatever the sheet says; a ranged spell stays ranged."""
    s = scenario().army("A", abilities=["fast-healing 2", has("spellcasting", 1, ranged=True)], hp=10).army("B")
    s.override("A", "ability", "+fast-healing 8").override("A", "ability", "+spellcasting 4").melee()
    assert (s.hp("A"), s.om("A", "B")) == (14 + 4, 13)  # two phases
    s.ranged(A=order(), dice={"A attack": 2})
    assert s.last(e.Attacked, "A").mode == "shot"


def test_wild_shape_silences_spells_the_gm_gave_and_ends_without_those_he_took() -> None:
    """R-24, PF-3.12."""
    s = scenario().army("A", abilities=["wild-shape"]).army("B").override("A", "ability", "+spellcasting 3")
    s.melee(A=hold(use("wild-shape", "scent")))
    assert s.om("A", "B") == 9
    s.melee(A=hold(use("wild-shape", "end")))
    assert s.om("A", "B") == 12
    s = scenario().army("A", abilities=["wild-shape", "spellcasting 3"]).army("B")
    s.override("A", "ability", "-spellcasting").melee(A=hold(use("wild-shape", "scent")))
    s.melee(A=hold(use("wild-shape", "end")))
    assert s.om("A", "B") == 9


def test_a_shape_the_gm_takes_away_gives_the_spells_back() -> None:
    """R-24: the army has its own abilities again."""
    s = scenario().army("A", abilities=["wild-shape", "spellcasting 3"]).army("B")
    s.melee(A=hold(use("wild-shape", "scent")))
    assert s.override("A", "mark", "-shape").om("A", "B") == 12


def test_a_tactic_that_became_impossible_is_not_adopted() -> None:
    """R-23: its need is checked when it is adopted, in the tactics phase too."""
    s = scenario().army("A", abilities=["breath-weapon"], tactics=["sniper-support"]).army("B").until("tactics")
    s.order("A", order(tactic="sniper-support")).override("A", "ability", "-breath-weapon").play(c.Resolve())
    assert s.fighter("A").tactic == "standard"


def test_who_is_a_tactician_no_more_has_not_his_tactic_either() -> None:
    """PF-1.10, PF-3.12: until the GM gives the ability back."""
    s = scenario().army("A", abilities=[has("tactician", tactic="full-defense")]).army("B").until("tactics")
    s.override("A", "ability", "-tactician")
    with pytest.raises(IllegalCommand, match="must learn"):
        s.order("A", order(tactic="full-defense"))
    s.override("A", "ability", "+tactician").order("A", order(tactic="full-defense"))


def test_an_army_rages_once() -> None:
    """R-1: the GM's word and its own rage are one rage."""
    s = scenario().army("A", abilities=["rage"]).army("B").override("A", "mark", "+rage")
    s.melee(A=hold(use("rage")))
    assert (s.om("A", "B"), s.dv("A", "B")) == (11, 18)


def test_the_song_ends_when_the_gm_takes_the_bards_from_the_field() -> None:
    """R-25: and is not heard again when they come back."""
    s = scenario().army("A", abilities=["inspire-courage"]).army("A2").army("B")
    s.melee(A=hold(use("inspire-courage", target="A2"))).override("A", "status", "withdrawn")
    assert s.om("A2", "B") == 9
    assert s.override("A", "status", "fighting").om("A2", "B") == 9


def test_bards_who_come_back_sing_for_themselves() -> None:
    """R-25, PF-VAR: they name nobody any more."""
    s = scenario(ULTIMATE_CAMPAIGN).army("A", abilities=["inspire-courage"]).army("A2").army("B")
    s.melee(A=hold(use("inspire-courage", target="A2")))
    s.override("A", "status", "withdrawn").override("A", "status", "fighting")
    assert s.om("A", "B") == 10


def test_the_mindless_cannot_use_the_engines_they_are_given() -> None:
    """PF-5.1: no OM, no shot, no wear."""
    s = scenario().army("A", abilities=["mindless"]).army("B").declared("engines_shoot", "A")
    s.condition("fortification", "B", parts=(Part("wall", "stone", 4),)).override("A", "engines", 2)
    s.ranged(A=order()).melee(A=order(), dice={"A attack": 2})
    assert (s.om("A", "B"), s.dv("B", "A"), len(s.all(e.Attacked))) == (9, 23, 1)


def figure(proposal: Aftermath, subject: str, field: str) -> object:
    return next((ch.after for ch in proposal.changes if (ch.subject_id, ch.field) == (subject, field)), "unchanged")


def test_morale_the_gm_set_stays_with_the_army() -> None:
    """PF-3.12, PF-1.9: the figure is the army's; a rout takes one more from it."""
    s = scenario().army("A").army("B").until("melee").override("A", "morale", 2).override("B", "morale", -2)
    s.override("B", "status", "routed").play(c.End("the sun sets", None))
    proposal = s.aftermath()
    assert figure(proposal, "A", "morale") == 2
    assert [ch.after for ch in proposal.changes if (ch.subject_id, ch.field) == ("B", "morale")] == [-2, -3]


def test_a_last_stand_does_not_outlive_the_battle() -> None:
    """R-52, PF-6.5: also when the GM ends it."""
    s = scenario().army("A", hp=1, abilities=["ferocity"]).army("B").melee(B=order(), dice={"B attack": 15})
    assert s.status("A") == "fighting"
    assert s.play(c.End("the sun sets", 0)).status("A") == "defeated"


def test_an_army_that_rose_and_routed_rallies_like_any_other() -> None:
    """R-54, PF-6.2: its hp are raised to its ACR, its Morale falls by one."""
    s = scenario().army("A", abilities=["create-spawn"]).army("B", hp=3).army("B2")
    s.melee(A=order("B", spawn="army"), dice={"A attack": 14}).override("A~1", "hp", 1)
    s.override("A~1", "status", "routed").play(c.End("the sun sets", None))
    born = figure(s.aftermath(), "A~1", "created")
    assert isinstance(born, dict)
    assert (born["hp"], born["morale"], born["status"]) == (s.fighter("A~1").acr, -1, "routed")


def test_an_army_that_rises_as_a_phase_begins_acts_from_the_next() -> None:
    """R-54: its maker's victim falls at last when the GM takes its regeneration away."""
    s = scenario().army("A", abilities=["create-spawn"]).army("B", hp=1, abilities=["regeneration 2"]).army("B2")
    s.melee(A=order("B"), dice={"A attack": 14}).override("B", "status", "fighting")
    s.override("B", "ability", "-regeneration").melee(A=order("B2", spawn="army"), dice={"A attack": 2})
    assert s.fighter("A~1").status == "fighting"
    assert {hit.army for hit in s.all(e.Attacked)} == {"A"}


@pytest.mark.parametrize(
    "mark", ["challenge", "combat-style", "judgment", "shape", "taunted", "last-stand", "burrowed"]
)
def test_a_mark_that_needs_an_order_is_taken_away_but_not_given(mark: str) -> None:
    """PF-3.12: nobody could say against whom, or which option."""
    s = scenario().army("A").army("B").until("melee")
    with pytest.raises(InvalidInput, match="you can remove it but not add it"):
        s.override("A", "mark", f"+{mark}")
    s.override("A", "mark", f"-{mark}")


def test_a_mark_of_a_phase_given_by_the_gm_ends_with_the_phase() -> None:
    """PF-3.12, R-29."""
    s = scenario().army("A").army("B").until("melee").override("B", "mark", "+tripped")
    assert s.dv("B", "A") == 18
    s.melee(A=hold(), B=hold())
    assert s.dv("B", "A") == 19


def test_how_long_a_mark_lasts_is_said_by_the_event_not_by_the_marks_of_the_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PF-3.12; records of before that was said fold as they did."""
    s = scenario().army("A").army("B").until("melee")
    for mark, lasts in (("afraid", "phase"), ("bleeding", "battle")):
        s.override("A", "mark", f"+{mark}")
        event = s.last(e.Overridden, "A")
        assert event.lasts == lasts
        held = s.fighter("A").mark(mark)
        assert held is not None
        assert (held.at is None) is (lasts == "battle")
        before = fold(s.state, [event._replace(value=f"-{mark}", lasts="")])
        assert fold(before, [event._replace(lasts="")]) == s.state
    assert s.override("A", "om", 3).last(e.Overridden, "A").lasts == ""


def test_what_outlasts_an_interruption_the_event_says() -> None:
    """PF-6.5."""
    s = scenario().army("A").army("B").until("melee")
    s.override("A", "mark", "+drained").override("A", "mark", "+paralysed").play(c.Interrupt("night"))
    assert s.last(e.Interrupted).kept == ("drained", "ill", "surrendered", "invincible")
    assert s.marks("A") == ["drained"]


def test_what_becomes_of_a_mark_beside_another_the_events_say_not_who_folds_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """R-44: once the law has it otherwise, drains do not add up any more, and in battles of before they still do."""
    s = scenario().army("A").army("B").until("melee")
    before = s.state
    drains = s.override("A", "mark", "+drained").override("A", "mark", "+drained").all(e.Overridden)
    assert [event.again for event in drains] == ["", ""]
    assert s.fighter("A").mark("drained").amount == 2  # type: ignore[union-attr]
    monkeypatch.setitem(run._SAID, "drained", "once")
    other = scenario().army("A").army("B").until("melee")
    other.override("A", "mark", "+drained").override("A", "mark", "+drained")
    assert other.fighter("A").mark("drained").amount == 1  # type: ignore[union-attr]
    assert fold(before, drains).armies["A"] == s.fighter("A")
    given = e.Marked("A", Mark("drained"), again="each")
    assert len(fold(before, [given, given]).armies["A"].marks) == 2


def test_what_ends_with_an_army_the_event_of_its_leaving_says() -> None:
    """R-25, PF-3.12: and so for an army the GM takes off the field."""
    s = scenario().army("A", abilities=["inspire-courage"]).army("A2").army("B")
    s.ranged(A=hold(use("inspire-courage", target="A2")))
    before = s.state
    left = s.override("A", "status", "withdrawn").last(e.Overridden)
    assert (left.ends_given, left.ends_borne, s.marks("A2")) == (("inspired",), ("sings-for-ally",), [])
    for event in (left, e.Left("A", "withdrawn")):
        assert fold(before, [event._replace(ends_given=())]).armies["A2"].mark("inspired") is not None


def test_whether_an_army_has_attacked_early_an_event_may_say() -> None:
    """PF-VAR; one that does not is read by its phase, as records always were."""
    s = scenario().army("A").army("B").until("melee")
    first = s.state
    blow = s.melee(A=order("B"), dice={"A attack": 2}).last(e.Attacked, "A")
    assert (blow.moment, s.fighter("A").attacked) == ("", "early")
    assert fold(first, [blow._replace(moment="late")]).armies["A"].attacked == "late"
    second = fold(first, [e.PhaseEnded(first.phase), e.PhaseBegan(s.state.phase)])
    assert fold(second, [blow]).armies["A"].attacked == "late"
    assert fold(second, [blow._replace(moment="early")]).armies["A"].attacked == "early"

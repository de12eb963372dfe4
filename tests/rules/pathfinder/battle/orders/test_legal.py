"""What may be done now: the buttons of the pages and the `legal` of the API."""

from __future__ import annotations

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import ArmyChoices, LegalNow, awaiting, legal
from tests.scenario import GM, Scenario, boss, hold, order, scenario, spec, use

PLAYER = c.Viewer(armies=frozenset({"A"}))


def choices(s: Scenario, army: str = "A") -> ArmyChoices:
    return next(found for found in legal(s.state, GM).armies if found.army == army)


def notes(found: tuple, *, why: bool = False) -> dict[str, str]:  # type: ignore[type-arg]
    return {choice.slug: str(choice.why if why else choice.note or "") for choice in found}


def test_the_commands_of_each_phase() -> None:
    """PF-3.2: for the GM."""
    s = scenario().army("A").army("B")
    commands = {s.state.phase.kind: set(legal(s.state, GM).commands)}
    for phase in ("tactics", "ranged", "melee"):
        commands[phase] = set(legal(s.until(phase).state, GM).commands)
    always = {"condition", "reinforce", "override", "end"}
    assert commands == {
        "setup": always | {"next"},
        "tactics": always | {"order", "resolve", "interrupt"},
        "ranged": always | {"order", "resolve", "interrupt"},
        "melee": always | {"order", "resolve", "interrupt", "ranged"},
    }
    assert legal(s.play(c.End("dusk")).state, GM).commands == ("aftermath",)
    assert legal(s.play(c.Close()).state, GM).commands == ()


def test_a_player_sees_his_own_army_and_orders_it() -> None:
    """PF-3.5: nothing else, and nothing before or after the battle."""
    s = scenario().army("A").army("B")
    assert legal(s.state, PLAYER) == LegalNow((), ())
    seen = legal(s.until("melee").state, PLAYER)
    assert (seen.commands, [found.army for found in seen.armies]) == (("order",), ["A"])
    assert legal(s.state, c.Viewer()).commands == ()
    assert legal(s.override("A", "status", "withdrawn").state, PLAYER).commands == ()


def test_a_change_of_tactic_says_what_it_costs() -> None:
    """PF-3.5: a check, but for withdraw, the tactic it has and the tactics phase."""
    s = scenario().army("A", tactics=["taunt", "cavalry-experts"]).army("B").until("tactics")
    assert set(notes(choices(s).tactics).values()) == {""}
    found = choices(s.until("ranged")).tactics
    assert notes(found) == {"standard": "", "withdraw": "", "taunt": "morale check DC 15", "cavalry-experts": ""}
    assert [choice.slug for choice in found if choice.current] == ["standard"]
    assert "needs mounts" in notes(found, why=True)["cavalry-experts"]


def test_reinforcements_choose_their_first_tactic_for_nothing() -> None:
    """PF-3.2."""
    s = scenario().army("A").army("B").until("melee").play(c.Reinforce(spec("A2", tactics=["taunt"]), 0))
    assert notes(choices(s, "A2").tactics)["taunt"] == ""
    s.melee()
    assert notes(choices(s, "A2").tactics)["taunt"] == "morale check DC 15"


def test_a_change_of_strategy_says_what_it_costs() -> None:
    """PF-3.7: nothing in the first melee phase, then a check beyond one step; none to choose at range."""
    s = scenario().army("A").army("B").until("ranged")
    assert choices(s).strategies == ()
    assert set(notes(choices(s.until("melee")).strategies).values()) == {""}
    check = "morale check DC 20"
    assert notes(choices(s.melee()).strategies) == {
        "defensive": check, "cautious": "", "standard": "", "aggressive": "", "reckless": check
    }  # fmt: skip


def test_targets_are_the_enemies_still_on_the_field() -> None:
    """PF-3.8: the one it has is marked."""
    s = scenario().army("A").army("A2").army("B").army("B2").army("C").melee(A=order("B2"), dice={"A attack": 2})
    assert [(choice.slug, choice.current) for choice in choices(s).targets] == [
        ("B", False),
        ("B2", True),
        ("C", False),
    ]
    s.override("B2", "status", "routed")
    assert [choice.slug for choice in choices(s).targets] == ["B", "C"]


def test_uses_say_what_is_left_and_why_not() -> None:
    """PF-5, PF-9: with their options and targets."""
    s = scenario().army("A", abilities=["challenge", "combat-style"], resources=["healing-potions"]).army("B")
    s.melee(A=hold(use("healing-potions", kind="resource"), use("challenge", target="B")))
    found = {use.slug: use for use in choices(s).uses}
    assert (found["healing-potions"].left, found["healing-potions"].available) == (1, True)
    assert (found["challenge"].left, found["challenge"].available) == (0, False)
    assert "already" in str(found["challenge"].why)
    assert [option.slug for option in found["combat-style"].options] == ["ranged", "melee"]
    assert (found["challenge"].needs_target, [t.slug for t in found["challenge"].targets]) == (True, ["B"])


def test_a_use_that_could_name_nobody_says_so() -> None:
    """R-27: nobody here is evil."""
    s = scenario().army("A", abilities=["smite-evil"]).army("B").until("melee")
    (smite,) = choices(s).uses
    assert (smite.available, str(smite.why)) == (False, "No army here can be chosen.")


def test_the_uses_of_tactics_it_could_take_up_are_offered() -> None:
    """R-28: with the order that takes it up."""
    s = (
        scenario()
        .army("A", tactics=["dirty-fighters", "false-retreat"])
        .army("B")
        .tactics(A="dirty-fighters")
        .until("melee")
    )
    assert [(use.kind, use.slug) for use in choices(s).uses] == [
        ("tactic", "dirty-fighters"),
        ("tactic", "false-retreat"),
    ]


def test_what_else_an_order_may_say() -> None:
    """PF-2.9, PF-3.10, R-54."""
    s = scenario().army("A", abilities=["create-spawn"], commander=boss("hold-the-line")).army("B").until("melee")
    mine, theirs = choices(s), choices(s, "B")
    assert (mine.may_hold_the_line, mine.may_spawn, mine.may_let_go, mine.may_keep_range) == (True, True, True, True)
    assert (theirs.may_hold_the_line, theirs.may_spawn) == (False, False)
    s.order("A", hold())
    assert (choices(s).current or hold()).army == "A"
    assert choices(s, "B").current is None


def test_an_army_that_cannot_act_says_why() -> None:
    """PF-3.3, R-52."""
    s = scenario().army("A").army("B").ambush("B", "A").setup(dice={"B ambush": 20})
    assert "ambushed" in str(choices(s).why_not)
    assert choices(s, "B").why_not is None


def test_who_has_not_spoken_yet() -> None:
    """PF-3.5: and what there is to say; the ambushed and those in a last stand have nothing."""
    s = scenario().army("A").army("B").ambush("B", "A")
    assert awaiting(s.state) == ()
    assert awaiting(s.setup(dice={"B ambush": 20}).state) == (("B", ("tactic",)),)
    assert awaiting(s.until("ranged").state) == (("A", ("tactic", "target")), ("B", ("tactic", "target")))
    s.until("melee").order("A", hold())
    assert awaiting(s.state) == (("B", ("tactic", "strategy", "target")),)

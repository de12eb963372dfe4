"""What a battle remembers of a pairing: as long as nothing its conditions read has changed, and no longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, get_args

import pytest

from rules.core.dice import Roll
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import legal
from rules.pathfinder.battle.state.battle_state import (
    FIGHTING,
    ArmyInBattle,
    BattleState,
    Mark,
    Opening,
    SetCondition,
    Side,
)
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.battle.state.view import _FACTS, _OF_THE_MOMENT, ArmyView
from rules.pathfinder.battle.steps import strike
from rules.pathfinder.battle.steps import strike as exchanges
from rules.pathfinder.battle.steps.strike import reckoned
from rules.pathfinder.catalogue import traits
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.catalogue.effects import (
    IN_ANY_CASE,
    READS,
    Condition,
    Fact,
    Feature,
    Has,
    Is,
    Modifier,
    MomentKind,
    Situation,
    Works,
)
from rules.pathfinder.catalogue.items import Boon, Tactic
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.ruleset import ULTIMATE_CAMPAIGN, Ruleset
from rules.pathfinder.spec import ArmySpec, BoonChoice, CommanderSpec, TacticKnown
from tests.everyday import at_most, everyday
from tests.rules.pathfinder.battle.steps.test_calm import army, field
from tests.rules.pathfinder.strategies import GM, Scattered, random_order

KINDS = ("abilities", "tactics", "boons", "resources", "conditions")
ITEMS = [(kind, slug) for kind in KINDS for slug in getattr(LAW, kind)]
BY_HAND = tuple(slug for slug, mark in MARKS.items() if mark.by_hand)


def veterans(name: str, *abilities: str, **fields: Any) -> ArmySpec:
    """An army no single phase can fell from half its hit points."""
    raw = army(name, *abilities, **fields)
    return replace(raw, unit=replace(raw.unit, cr="16"))


def meddling(battle: BattleState, random: Random) -> Iterator[c.Command]:
    """What the GM changes by hand: hit points around the half, so nobody falls, and now and then something else."""
    for held in battle.armies.values():
        if held.status == FIGHTING:
            yield c.Override(held.id, "hp", held.hp_max // 2 + random.randint(0, 1), "to see")
    name = random.choice(list(battle.armies))
    figure, value = random.choice((
        ("engines", random.randint(0, 1)), ("om", random.randint(-2, 2)),
        ("tactic", random.choice(sorted(LAW.tactics))), ("strategy", random.choice(sorted(LAW.strategies))),
        ("mark", f"+{random.choice(BY_HAND)}"), ("mark", f"-{random.choice(BY_HAND)}"),
        ("ability", f"+{random.choice(('flight', 'animal-companion', 'incorporeal'))}"), ("ability", "-flight"),
    ))  # fmt: skip
    if random.random() < 0.2:
        yield c.Override(name, figure, value, "to see")
    if random.random() < 0.05:
        yield c.ChangeCondition(SetCondition(random.choice(("rain", "darkness", "suits-mobility"))))


def fought(opening: Opening, seed: int) -> list[object]:
    """The story of a battle with random orders, in which the GM changes something before every phase."""
    random, state, story = Random(seed), open_battle(LAW, opening), []

    def do(command: c.Command) -> None:
        nonlocal state
        told = decide(state, command, Scattered(random), GM)
        state = fold(state, told)
        story.extend(told)

    do(c.Next())
    while state.phase.kind in ("tactics", "ranged", "melee") and len(state.phases) < at_most(7, full=12):
        for command in meddling(state, random):
            do(command)
        for choices in legal(state, GM).armies:
            if choices.why_not is None and random.random() < 0.1:
                do(c.GiveOrder(random_order(choices, random, tactics_only=state.phase.kind == "tactics")))
        do(c.Resolve())
    return story


def with_item(kind: str, slug: str) -> Opening:
    """Two strong sides; the first army has the item, or stands where it is in force."""
    abilities = (slug,) if kind == "abilities" else ("rock-throwing",)
    fields: dict[str, Any] = {}
    if kind == "boons":
        boon = BoonChoice(slug, "taunt" if LAW.boons[slug].needs_tactic else None)
        fields["commander"] = CommanderSpec("boss", "boss", level=15, charisma_modifier=5, boons=(boon,))
    if kind == "tactics":
        fields["tactics"] = (TacticKnown(slug, True),)
    if kind == "resources":
        fields["resources"] = {slug: 1}
    conditions: tuple[SetCondition, ...] = ()
    if kind == "conditions":
        value = {"wind": "severe", "heroes": 4, "defense": 6}.get(LAW.conditions[slug].value)
        conditions = (SetCondition(slug, value, ("A",)),)
    third = veterans("C", "sneak-attack", "flurry-of-blows", tactics=(TacticKnown("expert-flankers", True),))
    first, second = veterans("A", *abilities, **fields), veterans("B", "rock-catching")
    return field(first, second, third, conditions=conditions)


@pytest.mark.parametrize("kind, slug", everyday(ITEMS, keep=lambda item: ITEMS.index(item) % 3 == 0))
def test_every_item_is_told_alike_with_the_memo_and_without(
    monkeypatch: pytest.MonkeyPatch, kind: str, slug: str
) -> None:
    opening = with_item(kind, slug)
    for seed in range(at_most(1, full=3)):
        kept = fought(opening, seed)
        with monkeypatch.context() as patch:
            patch.setattr(strike, "exchange", reckoned)
            assert fought(opening, seed) == kept, seed


class Fives(Scattered):
    """Dice that always show a five: nobody is hit."""

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, 5)


def test_a_battle_remembers_what_did_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain army's figures do not hang on its hit points: the pairing is reckoned once for all its phases."""
    reckonings = []
    monkeypatch.setattr(
        "rules.pathfinder.battle.steps.strike.reckoned", lambda *args: reckonings.append(args) or reckoned(*args)
    )
    state = open_battle(LAW, field(army("A"), army("B")))
    for command in (c.Next(), c.Resolve(), c.Resolve(), c.Resolve(), c.Override("A", "hp", 5, "hurt"), c.Resolve()):
        state = fold(state, decide(state, command, Fives(Random(3)), GM))
    assert state.phase.number == 3
    assert len(reckonings) == 2


@pytest.mark.parametrize("hurt", ["A", "B"])
def test_what_is_read_of_either_army_makes_it_another_pairing(monkeypatch: pytest.MonkeyPatch, hurt: str) -> None:
    reckonings = []
    monkeypatch.setattr(exchanges, "reckoned", lambda *args: reckonings.append(args) or object())
    whole = open_battle(LAW, field(veterans("A"), veterans("B")))
    bloodied = fold(whole, decide(whole, c.Override(hurt, "hp", 1, "hurt"), Scattered(Random(3)), GM))
    assert bloodied.memo is whole.memo
    for battle in (whole, bloodied, whole):
        one, other = (ArmyView(battle, battle.armies[name]) for name in "AB")
        one.reads = frozenset({Fact.BLOODIED})
        exchanges.exchange(one, other, "melee", "attack")
    assert [call[0].battle for call in reckonings] == [whole, bloodied]


# what a condition says it reads is what it reads
class Watched:
    """Lets through what may be read of a thing, and notes the facts. Everything else is refused."""

    def __init__(self, thing: Any, facts: Mapping[str, Fact | None], seen: set[str]):
        self._thing, self._facts, self._seen = thing, facts, seen

    def __getattr__(self, name: str) -> Any:
        if (fact := self._facts[name]) is not None:
            self._seen.add(fact)
        return getattr(self._thing, name)


OF_THE_ARMY = {
    "id": None, "acr": None, "spec": None, "profile": None, "engines": Fact.ENGINES, "attacked": Fact.ATTACKED,
    "tactic": Fact.TACTIC, "marks": Fact.MARKS,
}  # fmt: skip
OF_THE_BATTLE = {
    "opening": None, "law": None, "phase": Fact.PHASE, "conditions": Fact.FIELD, "forts": Fact.FIELD,
}  # fmt: skip
OF_THE_VIEW = {"bloodied": Fact.BLOODIED, "marks": Fact.MARKS, "tactic": Fact.TACTIC}


class WatchedView(ArmyView):
    def __init__(self, battle: BattleState, army: ArmyInBattle, seen: set[str]):
        super().__init__(battle, army)
        self.own, self.seen = army, seen
        self.army = Watched(army, OF_THE_ARMY, seen)  # type: ignore[assignment]
        self.battle = Watched(battle, OF_THE_BATTLE, seen)  # type: ignore[assignment]

    @property
    def bloodied(self) -> bool:
        return self.own.hp * 2 <= self.own.hp_max

    def __getattribute__(self, name: str) -> Any:
        if name in OF_THE_VIEW and "seen" in object.__getattribute__(self, "__dict__"):
            object.__getattribute__(self, "seen").add(OF_THE_VIEW[name])
        return object.__getattribute__(self, name)


def situations(seen: set[str]) -> Iterator[Situation]:
    """Two armies in every kind of meeting, on foot and with engines, with a mark in force."""
    plain, full = army("A"), army("B", "favored-enemy", "inspire-courage", "mobility", resources={"siege-engines": 1})
    opening = Opening((plain, full), (Side("Crown", ("A",)), Side("Horde", ("B",))), engines_shoot=("B",))
    battle = open_battle(LAW, opening)
    one, two = (WatchedView(battle, battle.armies[name], seen) for name in "AB")
    for mode, purpose, deed in product(("melee", "shot", None), ("rout", None), ("attack", "ambush", None)):
        for me, foe in ((one, two), (two, one), (one, None)):
            yield Situation(me, foe, mode, purpose=purpose, deed=deed, mark=Mark("judgment", "B"))  # type: ignore[arg-type]


def modifiers_of(item: Feature) -> Iterator[Modifier]:
    yield from item.modifiers
    yield from item.tier_modifiers if isinstance(item, Boon) else ()


def unsaid(condition: Condition) -> set[str]:
    """What the condition reads without saying so."""
    seen: set[str] = set()
    for s in situations(seen):
        condition(s)
    return seen - condition.reads


@pytest.mark.parametrize("law", [LAW, ULTIMATE_CAMPAIGN], ids=lambda law: law.slug)
def test_conditions_read_what_they_say_they_read(law: Ruleset) -> None:
    items = [item for kind in KINDS for item in getattr(law, kind).values()] + list(MARKS.values())
    conditions = [m.when for item in items for m in modifiers_of(item) if m.when is not None]
    conditions += [item.needs for item in items if isinstance(item, Tactic) and item.needs is not None]
    assert len(conditions) > 60
    assert [found for condition in conditions if (found := unsaid(condition))] == []


def test_numbers_reckoned_from_an_army_read_nothing_that_changes() -> None:
    items = [item for kind in KINDS for item in getattr(LAW, kind).values()] + list(MARKS.values())
    amounts = [m.value for item in items for m in modifiers_of(item) if not isinstance(m.value, int)]
    amounts += [item.use.heal for item in items if item.use is not None and item.use.heal is not None]
    seen: set[str] = set()
    for s in situations(seen):
        for amount in amounts:
            amount(s, 3)
    assert amounts
    assert seen == set()


def test_a_condition_that_hides_what_it_reads_is_found_out() -> None:
    assert unsaid(Condition(lambda s: s.me.bloodied)) == {Fact.BLOODIED}
    assert unsaid(Condition(lambda s: None if s.foe is None else s.foe.marked("rage"))) == {Fact.MARKS}
    with pytest.raises(KeyError):
        unsaid(Condition(lambda s: s.me.army.hp < 5))  # type: ignore[attr-defined]


def test_what_is_not_a_trait_or_a_moment_cannot_be_asked() -> None:
    for asking in (Has, Works):
        with pytest.raises(ValueError, match="no trait"):
            asking("flys")  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        Is("tuesday")  # type: ignore[arg-type]


def test_every_trait_and_every_moment_is_known_everywhere() -> None:
    named = {value for name, value in vars(traits).items() if name.isupper() and isinstance(value, str)}
    assert named - {traits.FEAR_IMMUNITY} == traits.TRAITS
    assert set(get_args(MomentKind.__value__)) == set(READS) == set(_OF_THE_MOMENT)
    assert {fact for fact, _told in _FACTS} | IN_ANY_CASE == set(Fact)
    given = {trait for kind in KINDS for item in getattr(LAW, kind).values() for trait in item.traits}
    assert given <= traits.TRAITS

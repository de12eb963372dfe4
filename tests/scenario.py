"""A fluent builder, so that a test reads like a ruling.

    s = scenario().army("A", abilities=["fear"]).army("B").melee(A=order(), dice={"A attack": 14})
    assert s.last(e.Attacked, "A").damage == 4

An army stands on the side of the first letter of its name: A and A2 together against B. By default it is
a hundred humanoids of CR 9 with d8 hit dice: ACR 9, 40 hp, OM +9, DV 19, no commander.

Dice are typed and strict: a die nobody typed and a die nobody needed both fail the test. An army without
an order in a phase holds (`SILENT` gives it none at all). Every command is decided twice, the second time
from the recorded dice, and must come out the same; so must the fold of its events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, Self

from rules.core.dice import Dice, Replayed, Roll, Typed, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput, Refusal
from rules.pathfinder.battle.aftermath import (
    Aftermath,
    ArmyInCampaign,
    CommanderInCampaign,
    KingdomFigures,
    World,
    aftermath,
)
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import awaiting
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import (
    Ambush,
    ArmyInBattle,
    BattleState,
    Opening,
    Order,
    Part,
    SetCondition,
    Side,
)
from rules.pathfinder.battle.state.battle_state import UseOrder as Using
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.catalogue.effects import Situation
from rules.pathfinder.figures import dv_lines, morale_lines, om_lines, total
from rules.pathfinder.rulebook import House
from rules.pathfinder.ruleset import COMBAT_DE_MASSE, Ruleset
from rules.pathfinder.spec import (
    SIZES,
    AbilityChoice,
    ArmySpec,
    BoonChoice,
    CommanderSpec,
    MountSpec,
    TacticKnown,
    UnitSpec,
    parse_cr,
)

GM = c.Viewer(gm=True)
SILENT = object()
type DiceTyped = Mapping[str, int | list[int]]


def has(ability: str, value: int | None = None, **options: object) -> AbilityChoice:
    """An ability with its number and options: has("spellcasting", 3, ranged=True)."""
    return AbilityChoice(ability, value, options)


def boss(*boons: str, charisma: int = 0, level: int = 20, **figures: Any) -> CommanderSpec:
    """A commander with these boons ("bonus-tactic:taunt" names a tactic). Leadership = level, 20 by default."""
    chosen = tuple(BoonChoice(slug, tactic or None) for slug, _s, tactic in (boon.partition(":") for boon in boons))
    who = {"id": "boss", "name": "Boss", **figures}
    return CommanderSpec(level=level, charisma_modifier=charisma, boons=chosen, **who)


def use(slug: str, option: str = "", target: str = "", kind: str = "ability") -> Using:
    return Using(kind, slug, option, target)


def order(target: str | None = "\0keep", *uses: Using, **fields: Any) -> Order:
    """Attack (the first enemy unless named), and whatever else the order says."""
    return Order("", target=target, use=uses, **fields)


def hold(*uses: Using, **fields: Any) -> Order:
    """No attack this phase."""
    return order(None, *uses, **fields)


def spec(name: str, *, acr: object = 9, size: str = "medium", abilities: Any = (), resources: Any = (),
         tactics: Any = (), commander: CommanderSpec | None = None, mount: MountSpec | None = None,
         **fields: Any) -> ArmySpec:  # fmt: skip
    """An army of this ACR and size; other fields go to the unit or the army by their name."""
    unit_fields = {key: fields.pop(key) for key in list(fields) if key in UnitSpec.__slots__}
    unit = UnitSpec(**{"name": f"{name} soldier", "cr": unit_cr(acr, size), **unit_fields})
    unit = replace(unit, abilities=tuple(_ability(item) for item in abilities))
    army: dict[str, Any] = {
        "id": name, "name": name, "unit": unit, "count": SIZES[size].units, "mount": mount,
        "resources": dict(resources) if isinstance(resources, Mapping) else dict.fromkeys(resources, 1),
        "tactics": tuple(TacticKnown(tactic, granted=True) for tactic in tactics),
        "commander": commander and replace(commander, id=f"{commander.id} of {name}"),
    }  # fmt: skip
    return ArmySpec(**{**army, **fields})


def unit_cr(acr: object, size: str) -> str:
    """The CR of a unit of which an army of this size has this ACR."""
    rating = parse_cr(acr)
    return str(type(rating)(rating.step - SIZES[size].step))


def _ability(item: str | AbilityChoice) -> AbilityChoice:
    """ "fear", "fast-healing 4" or a choice made with has()."""
    if isinstance(item, AbilityChoice):
        return item
    slug, _space, value = item.partition(" ")
    return AbilityChoice(slug, int(value) if value else None)


class NoServer:
    """There is no server at this table: a die nobody typed fails the test."""

    def roll(self, army: str, name: str, die: int) -> Roll:
        raise AssertionError(f"nobody typed “{army} {name}” (d{die})")

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Recorded(Typed):
    """Typed dice that remember what fell, in order."""

    def __init__(self, typed: DiceTyped, server: Dice | None = None):
        super().__init__((_typed(key, values) for key, values in typed.items()), by="GM", server=server or NoServer())
        self.fallen: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        self.fallen.append(super().roll(army, name, die))
        return self.fallen[-1]


def _typed(key: str, values: int | list[int]) -> TypedDie:
    army, _space, name = key.rpartition(" ")
    return TypedDie(army, name, tuple(values if isinstance(values, list) else [values]))


class Scenario:
    """A battle in the making, then in play. Methods change it and return it."""

    def __init__(self, law: Ruleset):
        self.law = law
        self.specs: dict[str, ArmySpec] = {}
        self.opening_fields: dict[str, list[Any]] = {}
        self.conditions: list[SetCondition] = []
        self.ranged_phases: int | None = None
        self.records: list[tuple[c.Command, tuple[Roll, ...], tuple[e.Event, ...]]] = []
        self.opened: BattleState | None = None
        self.server: Dice | None = None
        self._state: BattleState | None = None

    def rolled_by(self, server: Dice) -> Self:
        """Dice nobody types fall from this source instead of failing the test."""
        self.server = server
        return self

    # before the battle
    def army(self, name: str, **fields: Any) -> Self:
        self.specs[name] = spec(name, **fields)
        return self

    def condition(self, slug: str, *armies: str, value: object = None, exempt: tuple[str, ...] = (),
                  parts: tuple[Part, ...] = (), lift: bool = False) -> Self:  # fmt: skip
        """Set a condition; once the battle is under way the GM's command does it (or lifts it)."""
        found = SetCondition(slug, value, armies, exempt, parts)  # type: ignore[arg-type]
        if self._state is None:
            self.conditions.append(found)
            return self
        return self.play(c.ChangeCondition(found, lift))

    def declared(self, field: str, *values: Any) -> Self:
        """What the GM declares of the opening: overcomes, sees_invisible, cannot_leave, engines_shoot, magical."""
        self.opening_fields.setdefault(field, []).extend(values)
        return self

    def ammunition(self, phases: int) -> Self:
        """For how many ranged phases there is ammunition."""
        self.ranged_phases = phases
        return self

    def ambush(self, by: str, target: str) -> Self:
        return self.declared("ambushes", Ambush(by, target))

    def opening(self) -> Opening:
        names: dict[str, list[str]] = {}
        for army in self.specs:
            names.setdefault(army[0], []).append(army)
        sides = tuple(Side(letter, tuple(armies)) for letter, armies in names.items())
        declared = {field: tuple(values) for field, values in self.opening_fields.items()}
        found = Opening(tuple(self.specs.values()), sides, tuple(self.conditions), **declared)
        return replace(found, ammunition=self.ranged_phases)

    @property
    def state(self) -> BattleState:
        if self._state is None:
            self.opened = self._state = open_battle(self.law, self.opening())
        return self._state

    # the battle
    def play(self, command: c.Command, dice: DiceTyped | None = None, viewer: c.Viewer = GM) -> Self:
        """Decide the command, twice, and fold what it makes happen."""
        before, recorded = self.state, Recorded(dice or {}, self.server)
        happened = decide(before, command, _strict(recorded), viewer)
        again = decide(before, command, Replayed(recorded.fallen), viewer)
        assert again == happened, "deciding again from the recorded dice gave another story"
        self._state = fold(before, happened)
        self.records.append((command, tuple(recorded.fallen), happened))
        return self

    def setup(self, dice: DiceTyped | None = None) -> Self:
        return self.play(c.Next(), dice)

    def tactics(self, dice: DiceTyped | None = None, **chosen: str) -> Self:
        """The tactics phase: every army named takes its tactic. `dice` are those of an ambush."""
        self._until("tactics", dice)
        for army, tactic in chosen.items():
            self.order(army, Order(army, tactic=tactic))
        return self.play(c.Resolve())

    def ranged(self, dice: DiceTyped | None = None, **orders: Any) -> Self:
        if self.state.phase.kind == "melee":
            self.play(c.Next("ranged"))
        return self._phase("ranged", orders, dice)

    def melee(self, dice: DiceTyped | None = None, **orders: Any) -> Self:
        return self._phase("melee", orders, dice)

    def order(self, army: str, given: Order, viewer: c.Viewer = GM) -> Self:
        return self.play(c.GiveOrder(replace(given, army=army)), viewer=viewer)

    def override(self, army: str, field: str, value: int | str | None) -> Self:
        return self.play(c.Override(army, field, value, "test"))

    def refusal(self, viewer: c.Viewer = GM, /, **orders: Order) -> Refusal:
        """The refusal this one order meets (it must be refused); nothing has changed."""
        ((army, given),) = orders.items()
        return self.refused(c.GiveOrder(replace(given, army=army)), viewer=viewer)

    def refused(self, command: c.Command, dice: DiceTyped | None = None, viewer: c.Viewer = GM) -> Refusal:
        before = self.state
        try:
            decide(before, command, Recorded(dice or {}), viewer)
        except (IllegalCommand, InvalidInput) as refusal:
            assert self.state == before
            return refusal
        raise AssertionError(f"{command} was accepted")

    def until(self, kind: str, dice: DiceTyped | None = None) -> Self:
        """Quietly to a phase of this kind: nobody does anything on the way."""
        self._until(kind, dice)
        return self

    def _until(self, kind: str, dice: DiceTyped | None = None) -> None:
        for _step in range(4):
            if self.state.phase.kind == kind:
                return
            if self.state.phase.kind == "setup":
                self.setup(dice)
                continue
            self._everyone_else_holds(())
            self.play(c.Resolve())
        raise AssertionError(f"no {kind} phase comes: the battle is at {self.state.phase}")

    def _phase(self, kind: str, orders: dict[str, Any], dice: DiceTyped | None) -> Self:
        self._until(kind)
        for army, given in orders.items():
            if given is not SILENT:
                self.order(army, given)
        self._everyone_else_holds(orders)
        return self.play(c.Resolve(), dice)

    def _everyone_else_holds(self, spoken: Any) -> None:
        if self.state.phase.kind == "tactics":
            return
        for army, _what in awaiting(self.state):
            if army not in spoken:
                self.order(army, hold())

    def aftermath(self, dice: DiceTyped | None = None, choices: Mapping[str, str] | None = None,
                  now: Mapping[str, Mapping[str, Any]] | None = None, **kingdom: int) -> Aftermath:  # fmt: skip
        """What the battle would do to the world: one kingdom a side, every figure as in the opening.

        `now`: fields of armies ("A") and commanders ("boss of A") that differ; `kingdom`: figures of all kingdoms.
        """
        figures = {"economy": 20, "loyalty": 20, "stability": 20, "unrest": 0, "control_dc": 30, **kingdom}
        now = now or {}
        armies = {
            name: ArmyInCampaign(**{"kingdom": name[0], "hp": self.opened_hp(name), "morale": army.morale,
                             "status": army.status, "resources": dict(army.resources), **now.get(name, {})})
            for name, army in self.specs.items()
        }  # fmt: skip
        led = [army.commander for army in self.specs.values() if army.commander is not None]
        commanders = {who.id: CommanderInCampaign(who, **now.get(who.id, {})) for who in led}
        kingdoms = {name[0]: KingdomFigures(name[0], **figures) for name in self.specs}
        world = World(kingdoms, armies, commanders)
        return aftermath(self.state, world, choices or {}, _strict(Recorded(dice or {})))

    def opened_hp(self, army: str) -> int:
        _ = self.state
        assert self.opened is not None
        return self.opened.armies[army].hp

    # readers
    def fighter(self, army: str) -> ArmyInBattle:
        return self.state.armies[army]

    def hp(self, army: str) -> int:
        return self.fighter(army).hp

    def status(self, army: str) -> str:
        return self.fighter(army).status

    def marks(self, army: str) -> list[str]:
        return [mark.kind for mark in self.fighter(army).marks]

    @property
    def events(self) -> list[e.Event]:
        return [event for _command, _rolls, events in self.records for event in events]

    def all[T](self, kind: type[T], army: str | None = None) -> list[T]:
        """Every event of this kind so far, about this army if one is named."""
        return [event for event in self.events
                if isinstance(event, kind) and army in (None, getattr(event, "army", None))]  # fmt: skip

    def last[T](self, kind: type[T], army: str | None = None) -> T:
        found = self.all(kind, army)
        assert found, f"no {kind.__name__} of {army or 'anybody'} happened"
        return found[-1]

    def om(self, army: str, against: str | None = None, mode: str | None = None, deed: str | None = None) -> int:
        """The Offense Modifier now; with `against` in that pairing (mode "melee" or "shot")."""
        return total(om_lines(self._situation(army, against, mode, deed=deed)))

    def dv(self, army: str, against: str | None = None, mode: str | None = None, deed: str | None = None) -> int:
        return total(dv_lines(self._situation(army, against, mode, deed=deed)))

    def morale(self, army: str, purpose: str | None = None) -> int:
        """What the army adds to a d20 in a morale check made for this purpose."""
        return total(morale_lines(self._situation(army, None, None, purpose=purpose)))

    def _situation(self, army: str, against: str | None, mode: str | None, **why: Any) -> Situation:
        foe = None if against is None else ArmyView(self.state, self.fighter(against))
        return Situation(ArmyView(self.state, self.fighter(army)), foe, mode, **why)


def _strict(dice: Recorded) -> Recorded:
    """Dice nobody needed fail the test instead of being refused politely."""
    polite = dice.finish

    def finish() -> None:
        try:
            polite()
        except InvalidInput as spare:
            raise AssertionError(str(spare)) from spare

    dice.finish = finish  # type: ignore[method-assign]
    return dice


def scenario(law: Ruleset = COMBAT_DE_MASSE, **house: Any) -> Scenario:
    return Scenario(law.with_house(asdict(House(**house))) if house else law)

"""Setting of a hypothetical battle: an opening, and each army's behaviour from its first blow on (PF-3.2 to PF-3.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.battle_law import OMNISCIENT
from rules.core.dice import Roll
from rules.core.errors import IllegalCommand, require
from rules.core.text import _
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.options import tactic_refusal, use_refusal, uses_of
from rules.pathfinder.battle.state.battle_state import (
    RANGED,
    SETUP,
    TACTICS,
    Adjustment,
    ArmyInBattle,
    BattleState,
    Entered,
    Mark,
    Opening,
    Order,
    Phase,
    SetCondition,
    Side,
    UseOrder,
    changed,
)
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import check_opening, enter_field, figures_of, opening_state
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.figures import UseOf
from rules.pathfinder.forecast.standing import strategy_later_refusal
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import ArmySpec

WHAT_IF = "what if"


@dataclass(frozen=True, slots=True)
class Bearing:
    """Behaviour of an army from its first blow on, and bonuses to its figures to try out."""

    tactic: str = "standard"
    strategy: str = "standard"
    hold_the_line: bool = False
    uses: tuple[UseOrder, ...] = ()
    om: int = 0
    dv: int = 0


STANDARD = Bearing()


@dataclass(frozen=True, slots=True)
class Setting:
    """Question of the workshop. An army without a bearing fights by the standard tactic and strategy."""

    law: Rulebook
    opening: Opening
    bearings: Mapping[str, Bearing] = field(default_factory=dict)

    def spec(self, army: str) -> ArmySpec:
        return next(spec for spec in self.opening.armies if spec.id == army)

    def bearing(self, army: str) -> Bearing:
        return self.bearings.get(army, STANDARD)

    def with_spec(self, spec: ArmySpec) -> Setting:
        """Return the setting with this army replacing the one of its id. Figures stored for that one are dropped."""
        armies = tuple(spec if held.id == spec.id else held for held in self.opening.armies)
        entered = {army: figures for army, figures in self.opening.entered.items() if army != spec.id}
        return replace(self, opening=replace(self.opening, armies=armies, entered=entered))

    def figures(self, spec: ArmySpec) -> Entered:
        """Return the figures with which it takes the field."""
        return self.opening.entered.get(spec.id) or figures_of(self.law, spec)

    def with_hp(self, army: str, hp: int) -> Setting:
        """Return the setting with this many hit points. Beyond its maximum the army's maximum is raised; its figures
        stay.
        """
        spec = self.spec(army)
        figures = self.figures(spec)
        turned = self.with_spec(replace(spec, hp=hp))
        entered = {**turned.opening.entered, army: replace(figures, hp=hp, hp_max=max(hp, figures.hp_max))}
        return replace(turned, opening=replace(turned.opening, entered=entered))

    def with_bearing(self, army: str, bearing: Bearing) -> Setting:
        return replace(self, bearings={**self.bearings, army: bearing})


def check_setting(setting: Setting) -> None:
    """Check a setting. Raises `InvalidInput` with every problem of the opening, `IllegalCommand` for what an army
    cannot do.
    """
    check_opening(setting.law, setting.opening)
    battle = begun(setting)
    for army in battle.armies.values():
        _check_bearing(battle, army, setting.bearing(army.id))


def _check_bearing(battle: BattleState, army: ArmyInBattle, bearing: Bearing) -> None:
    """Refuse orders that `begun` would ignore as impossible."""
    at = f"/orders/{army.id}"
    for use in bearing.uses:
        known = any((use.kind, use.slug) == (able.kind, able.source.slug) for able in lasting_uses(battle, army.id))
        require(known, _("{army} can’t use {slug} for the whole battle."), field=at, army=army.name,
                slug=use.slug)  # fmt: skip
    marked = changed(army, marks=(*army.marks, *(Mark(use.slug) for use in bearing.uses if use.slug in MARKS)))
    said = tactic_refusal(battle, marked, bearing.tactic) or strategy_later_refusal(battle, marked, bearing.strategy)
    if said is not None:
        raise IllegalCommand(said, at)
    able = t.HOLDS_THE_LINE in army.profile.traits
    require(able or not bearing.hold_the_line, _("The commander of {army} doesn’t have the boon Hold the line."),
            field=f"{at}/hold_the_line", army=army.name)  # fmt: skip


def begun(setting: Setting) -> BattleState:
    """Return the setting's battle at its first ranged phase, with its armies' orders. Impossible tactics and uses are
    left out.
    """
    battle = _after_tactics(_opened(setting), setting)
    armies = {army.id: _ready(battle, army, setting.bearing(army.id)) for army in battle.armies.values()}
    battle = changed(battle, armies=armies)
    orders = {army.id: _order(battle, army, setting.bearing(army.id)) for army in battle.armies.values()}
    return changed(battle, orders={army: order for army, order in orders.items() if order != Order(army)})


def meetings(
    law: Rulebook, first: ArmySpec, others: Sequence[ArmySpec], conditions: tuple[SetCondition, ...]
) -> list[BattleState]:
    """Return a battle of this army against each of the others. Equal to `begun` without bearings, at a fraction of the
    cost.
    """
    mine, ready = _entered(law, first, 0), Phase(RANGED, 1, 1)
    met = (Phase(SETUP), Phase(TACTICS, 1))
    found = []
    for other in others:
        theirs = _entered(law, other, 1)
        sides = Side(first.name, (first.id,)), Side(other.name, (other.id,))
        opening = Opening((first, other), sides, conditions)
        found.append(
            BattleState(law, opening, ready, sides, {first.id: mine, other.id: theirs}, conditions, phases=met)
        )
    return found


MOST_ENTERED = 1024
_known: dict[tuple[int, int, int], tuple[Rulebook, ArmySpec, ArmyInBattle]] = {}


def _entered(law: Rulebook, spec: ArmySpec, side: int) -> ArmyInBattle:
    """Return the result of `enter_field`, cached by the identity of the spec, for an army that meets many others."""
    key = id(law), id(spec), side
    found = _known.get(key)
    if found is None:
        if len(_known) >= MOST_ENTERED:
            _known.clear()
        found = _known[key] = law, spec, enter_field(law, spec, side, figures_of(law, spec))
    return found[2]


def _opened(setting: Setting) -> BattleState:
    battle = opening_state(setting.law, setting.opening)
    return fold(battle, decide(battle, c.Next(), NoDice(), OMNISCIENT))


def _after_tactics(battle: BattleState, setting: Setting) -> BattleState:
    """Adopt tactics without a check, before the first phase (PF-3.4)."""
    wanted = {army: Order(army, tactic=setting.bearing(army).tactic) for army in battle.armies}
    battle = changed(battle, orders=wanted)
    return fold(battle, decide(battle, c.Resolve(), NoDice(), OMNISCIENT))


def _ready(battle: BattleState, army: ArmyInBattle, bearing: Bearing) -> ArmyInBattle:
    """Return the army with its strategy for the first melee, which is chosen freely (PF-3.7). No figure reads it
    earlier.
    """
    refused = strategy_later_refusal(battle, army, bearing.strategy)
    strategy = bearing.strategy if refused is None else army.strategy
    added = [Adjustment(name, value, WHAT_IF) for name in ("om", "dv") if (value := getattr(bearing, name))]
    return changed(army, strategy=strategy, adjustments=(*army.adjustments, *added))


def _order(battle: BattleState, army: ArmyInBattle, bearing: Bearing) -> Order:
    holds = bearing.hold_the_line and t.HOLDS_THE_LINE in army.profile.traits
    able = {(use.kind, use.source.slug) for use in lasting_uses(battle, army.id)}
    uses = tuple(use for use in bearing.uses if (use.kind, use.slug) in able)
    return Order(army.id, use=uses, hold_the_line=holds)


def lasting_uses(battle: BattleState, army_id: str) -> list[UseOf]:
    """Return the uses that the army can order in its first phase and that last to the end of the battle."""
    army = battle.armies[army_id]
    return [
        use for use in uses_of(battle, army)
        if (use.use.mark or use.use.condition) and use.use.lasts == "battle" and use.use.per == "battle"
        and use_refusal(battle, army, use) is None
    ]  # fmt: skip


class NoDice:
    """Dice source for a set-up in which no die is rolled."""

    def roll(self, army: str, name: str, die: int) -> Roll:
        raise IllegalCommand(_("The workshop can’t calculate battles that begin with dice: remove the ambush."))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...

"""Setting of a hypothetical battle: an opening, and each army's behaviour from its first round on (B-22)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rules.battle_law import OMNISCIENT
from rules.breaking_point.battle.decide import decide
from rules.breaking_point.battle.orders.commands import Next
from rules.breaking_point.battle.orders.legal import ATTACK, SHOOT
from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import (
    ASSAULT,
    FIELD,
    FIGHTING,
    FLEET,
    SHOOTING,
    BattleNow,
    Body,
    BodyOrder,
    FieldMark,
    Opening,
    Order,
    Side,
)
from rules.breaking_point.battle.state.entering import battle_of, with_mark
from rules.breaking_point.battle.state.fold import fold
from rules.breaking_point.battle.state.opening import checked, formations_of
from rules.breaking_point.figures import body_figures
from rules.breaking_point.spec import Host, House
from rules.core.dice import Typed
from rules.core.errors import demand
from rules.core.text import _

BEST, HOLDS, COUNTER = "", "hold", "counter"
CONTACT_PLANS = (BEST, ATTACK, SHOOT, HOLDS)
SHOOTING_PLANS = (SHOOT, COUNTER, HOLDS)
COMBAT, DEFENSE, RALLY, BREAKING = "combat", "defense", "rally", "breaking"
NO_SUCH_PLAN = _("Plan not found.")
WHOLE = _("Use a whole number from {low} to {high}.")
BESIDES = 20
BOUNDS: Mapping[str, tuple[int, int]] = {
    "circumstances": (-c.CIRCUMSTANCES_MOST, c.CIRCUMSTANCES_MOST), "cover": (0, c.COVER_MOST),
    "combat": (-BESIDES, BESIDES), "defense": (-BESIDES, BESIDES),
}  # fmt: skip
"""Bounds of a plan's numbers."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Behaviour of an army from its first round on, and bonuses to its figures to try out.

    `contact` is "attack", "shoot", "hold", or "" for what its contact group does better. `shooting` is "shoot",
    "counter" (enemy shooters first) or "hold". `commit`: its reserve fights from the start. `spared` are figures that
    are set to nothing.
    """

    contact: str = BEST
    shooting: str = SHOOT
    pursue: bool = False
    commit: bool = True
    circumstances: int = 0
    cover: int = 0
    combat: int = 0
    defense: int = 0
    spared: frozenset[str] = frozenset()


USUAL = Plan()


@dataclass(frozen=True, slots=True)
class MatchUp:
    """Question of the workshop. An army without a plan fights in the way it is best at."""

    house: House
    opening: Opening
    plans: Mapping[str, Plan] = field(default_factory=dict)

    def host(self, army: str) -> Host:
        return next(host for host in self.opening.armies if host.id == army)

    def plan(self, army: str) -> Plan:
        return self.plans.get(army, USUAL)

    def side_of(self, army: str) -> int:
        return next(at for at, side in enumerate(self.opening.sides) if army in side.armies)

    def with_host(self, host: Host) -> MatchUp:
        """Return the question with this army replacing the one of its id."""
        armies = tuple(host if held.id == host.id else held for held in self.opening.armies)
        return self.with_opening(armies=armies)

    def with_plan(self, army: str, **changes: Any) -> MatchUp:
        return replace(self, plans={**self.plans, army: replace(self.plan(army), **changes)})

    def with_opening(self, **changes: Any) -> MatchUp:
        return replace(self, opening=replace(self.opening, **changes))

    def with_mark(self, mark: FieldMark) -> MatchUp:
        return self.with_opening(conditions=(*self.opening.conditions, mark))

    def holds(self, kind: str) -> bool:
        return any(mark.kind == kind for mark in self.opening.conditions)

    @property
    def assaulted(self) -> Host | None:
        """Army that holds the place in an assault, or None."""
        if self.opening.kind != ASSAULT:
            return None
        return self.host(self.opening.sides[self.opening.defender].armies[0])


def opening_of(one: Host, two: Host, marks: Sequence[FieldMark] = ()) -> Opening:
    """Return an opening of one army against the other in the open, as fleets if all are machines (B-65)."""
    machines = all(unit.machine is not None for host in (one, two) for unit in host.units)
    twin = " (2)" if one.name == two.name else ""
    sides = (Side(one.name, (one.id,)), Side(f"{two.name[: 120 - len(twin)]}{twin}", (two.id,)))
    return Opening(sides, (one, two), kind=FLEET if machines else FIELD, conditions=tuple(marks))


def check_match_up(asked: MatchUp) -> None:
    """Check a question. Raises `InvalidInput` with every problem of the opening, or of a plan."""
    checked(asked.opening)
    for army, plan in asked.plans.items():
        at = f"/plans/{army}"
        demand(plan.contact in CONTACT_PLANS, NO_SUCH_PLAN, field=f"{at}/contact")
        demand(plan.shooting in SHOOTING_PLANS, NO_SUCH_PLAN, field=f"{at}/shooting")
        for name, (low, high) in BOUNDS.items():
            demand(low <= getattr(plan, name) <= high, WHOLE, field=f"{at}/{name}", low=low, high=high)


def begun(asked: MatchUp) -> BattleNow:
    """Return the battle before its command test, with its armies' orders. The question was checked, or derives from a
    checked one.
    """
    opening = replace(asked.opening, formations=formations_of(asked.opening))
    battle = battle_of(opening, asked.house)
    battle = fold(battle, decide(battle, Next(), Typed((), by="", ask=True), OMNISCIENT))
    for host in opening.armies:
        battle = _planned(battle, host.id, asked.plan(host.id), asked.side_of(host.id))
    orders = {host.id: _order(battle, host.id, asked.plan(host.id)) for host in opening.armies}
    return battle.changed(orders=orders)


def _planned(battle: BattleNow, army: str, plan: Plan, side: int) -> BattleNow:
    bodies = {body.id: _body(battle, body, plan) if body.army == army else body for body in battle.bodies.values()}
    battle = battle.changed(bodies=bodies)
    if plan.circumstances:
        battle = with_mark(battle, FieldMark(c.CIRCUMSTANCES, plan.circumstances, side=side))
    for body in battle.of_army(army) if plan.cover else ():
        battle = with_mark(battle, FieldMark(c.COVER, plan.cover, body=body.id))
    return battle


def _body(battle: BattleNow, body: Body, plan: Plan) -> Body:
    """Return the body with its bonuses, and without the spared figures."""
    own = body.formation
    shoots = body.shoots_only or battle.kind == FLEET
    combat = plan.combat - (own.shot_combat if shoots else own.contact_combat) * (COMBAT in plan.spared)
    defense = plan.defense - max(own.defense, own.contact_defense) * (DEFENSE in plan.spared)
    adjusted = {name: value for name, value in ((COMBAT, combat), (DEFENSE, defense)) if value}
    body = replace(body, adjusted={**body.adjusted, **adjusted}, rallied=RALLY in plan.spared)
    if body.waiting and plan.commit:
        body = replace(body, status=FIGHTING)
    return replace(body, breaking=None, value=None) if BREAKING in plan.spared else body


def _order(battle: BattleNow, army: str, plan: Plan) -> Order:
    return Order(army, {body.key: _deed(battle, body, plan) for body in battle.of_army(army)})


def _deed(battle: BattleNow, body: Body, plan: Plan) -> BodyOrder:
    """Return the order of a body. Without a particular target it gets the first enemy in reach each round."""
    if body.shoots_only or battle.kind == FLEET:
        if plan.shooting == HOLDS:
            return BodyOrder(HOLDS)
        target = _shooters_of(battle, 1 - body.side) if plan.shooting == COUNTER else ""
        return BodyOrder(SHOOT, target)
    does = plan.contact or better_at(battle, body)
    return BodyOrder(does, pursue=plan.pursue)


def better_at(battle: BattleNow, body: Body) -> str:
    """Which is greater, the body's attack or its fire power."""
    figures = body_figures(list(battle.units(body)))
    return SHOOT if figures.fire_power > figures.power else ATTACK


def _shooters_of(battle: BattleNow, side: int) -> str:
    return next((body.id for body in battle.on_field(side) if body.formation.kind == SHOOTING), "")


def meetings(house: House, first: Host, others: Iterable[Host], marks: Sequence[FieldMark]) -> list[BattleNow]:
    """Return a battle of this army against each of the others, without plans."""
    return [begun(MatchUp(house, opening_of(first, other, marks))) for other in others]

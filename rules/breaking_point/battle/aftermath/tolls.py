"""Tolls of a battle: losses of bodies converted to men, machines and pieces (B-47 to B-49, B-66, B-68)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, assert_never

from rules.aftermath import Question, Remark
from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    BATTERED,
    DECIMATED,
    ENGAGED,
    FRESH,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
    Enrolled,
)
from rules.breaking_point.battle.state.carried_losses import fighting_unit
from rules.breaking_point.battle.state.field_figures import units_of
from rules.breaking_point.figures import of_pieces, served, unit_force
from rules.breaking_point.losses import Spoil, lasting, men_out, shared, toll_of
from rules.breaking_point.spec import Unit
from rules.core.dice import Dice
from rules.core.errors import demand
from rules.core.text import Said, _
from rules.law import Measure

# Sharing of a body's losses among its units after the battle, as somebody said or by force (B-78).


class UnitShare(NamedTuple):
    """Share of a unit in its body's losses: its army, its index there, its points, and the most it can bear."""

    army: str
    unit: int
    points: int
    most: int


def shares_of(battle: BattleNow, body: Body) -> list[UnitShare]:
    """Return each unit's share of a body's losses, as the player who runs its army assigned them, or in proportion to
    force.

    A victor has recovered half of them (B-47, B-48). Where a siege keeps the losses, only those of this battle count
    (B-55).
    """
    forces = [unit_force(unit) for unit in units_of(battle, body)]
    members = body.formation.members
    if _of_siege(battle, body):
        parts = shared(max(0, body.losses - body.brought), forces)
    else:
        winner = battle.result.winner if battle.result else None
        parts = lasting(body.losses, forces, victor=body.side == winner)
    rows = zip(members, parts, forces, strict=True)
    return [
        UnitShare(member.army, member.unit, _said(body, member.army, member.unit, part), force * body.factor)
        for member, part, force in rows
    ]


def _of_siege(battle: BattleNow, body: Body) -> list[str]:
    """Return the body's armies whose losses a siege keeps."""
    return [member.army for member in body.formation.members if member.army in battle.opening.besieged]


def _said(body: Body, army: str, unit: int, part: int) -> int:
    return body.shares[army].get(unit, part) if army in body.shares else part


def own_shares(battle: BattleNow, body: Body, army: str) -> list[UnitShare]:
    return [share for share in shares_of(battle, body) if share.army == army]


def may_share(battle: BattleNow, body: Body, army: str) -> bool:
    """Whether losses can be shared differently: several units, and fewer points than they can bear. In a body that
    mixes armies of a siege with others, shares are fixed by force.
    """
    if len(_of_siege(battle, body)) not in (0, len(body.formation.members)):
        return False
    own = own_shares(battle, body, army)
    total = sum(share.points for share in own)
    return len(own) > 1 and 0 < total < sum(share.most for share in own)


CREWS = {FRESH: 0, ENGAGED: 5, BATTERED: 25, DECIMATED: 50, ANNIHILATED: 100}
"""Losses of crews in machines that are not destroyed, in percent (B-66)."""


class UnitToll(NamedTuple):
    """Toll of a unit. `points` is its share of the losses, already reduced by what the victor recovers.

    `dead`, `wounded` and `prisoners` are heads (for machines: destroyed and captured ones). `pieces` are guns lost to
    the enemy. `crews` is the percentage of crews lost in remaining machines.
    """

    member: Enrolled
    points: int
    dead: int = 0
    wounded: int = 0
    prisoners: int = 0
    pieces: int = 0
    crews: int = 0

    @property
    def out(self) -> int:
        return self.dead + self.wounded + self.prisoners


def fought(body: Body) -> bool:
    """Whether the body took part in the battle. Reserves that never came did not (B-47)."""
    return body.status != WAITING and not (body.formation.reserve and body.status == WITHDRAWN and not body.came)


def tolls_of(battle: BattleNow, body: Body) -> Iterator[UnitToll]:
    """Yield the toll of every unit of this body, in order (B-47)."""
    winner = battle.result.winner if battle.result else None
    victor = body.side == winner
    units = [fighting_unit(battle.opening, unit) for unit in battle.units(body)]
    parts = _parts(battle, body, units, victor=victor)
    for member, unit, part in zip(body.formation.members, units, parts, strict=True):
        out = men_out(unit, part, body.factor)
        lost = _pieces_lost(body, unit, defeated=winner is not None and not victor)
        yield _toll(body, unit, out, victor=victor)._replace(member=member, points=part, pieces=lost)


def _parts(battle: BattleNow, body: Body, units: list[Unit], *, victor: bool) -> list[int]:
    """Return the points of each unit: as the player who runs its army assigned them (B-78), or in proportion to
    force. Where armies of a siege fight beside others, these bear nothing of its earlier losses (B-55).
    """
    if body.shares:
        return [share.points for share in shares_of(battle, body)]
    losses = max(0, body.losses - body.brought) if _of_siege(battle, body) else body.losses
    return list(lasting(losses, [unit.strength * unit.a_head for unit in units], victor=victor))


def _toll(body: Body, unit: Unit, out: int, *, victor: bool) -> UnitToll:
    dead, wounded, prisoners = toll_of(unit, out, victor=victor, status=body.status)
    crews = CREWS[body.state] if unit.machine is not None and out < unit.strength else 0
    return UnitToll(Enrolled("", 0), 0, dead, wounded, prisoners, crews=crews)


def _pieces_lost(body: Body, unit: Unit, *, defeated: bool) -> int:
    """Return the guns that the victor gets (B-49)."""
    if not defeated or unit.pieces is None or not of_pieces(unit):
        return 0
    match body.status:
        case "annihilated" | "surrendered":
            return unit.pieces
        case "withdrawn":
            return 0 if body.saved else unit.pieces
        case "fled":
            return -(-3 * unit.pieces // 4)
        case "fighting" | "waiting" | "routed":
            return 0
        case _:
            assert_never(body.status)


def pieces_left(unit: Unit, heads: int, lost: int) -> int | None:
    """Return the pieces that are still served. A piece needs its full crew (B-49)."""
    serving = served(unit, heads)
    return None if unit.pieces is None or serving is None else min(serving, unit.pieces - lost)


# Working state of an aftermath: its input and its results.

type ArmyDocument = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArmyInCampaign:
    """Army in the campaign: its stored document, and the figures of lists."""

    document: ArmyDocument
    status: str
    health: int
    health_max: int
    upkeep: int = 0


@dataclass(frozen=True, slots=True)
class World:
    """Campaign data that an aftermath reads. `measure`: function that computes status, health and upkeep of an army
    document. `besieged`: ids of armies whose losses are kept by their siege (B-55). `commanders`: status of each
    commander, by id.
    """

    armies: Mapping[str, ArmyInCampaign]
    measure: Callable[[ArmyDocument], Measure]
    besieged: frozenset[str] = frozenset()
    commanders: Mapping[str, str] = field(default_factory=dict)


class Consequence(NamedTuple):
    """Change of one figure of the world: before and after (JSON values), rule and reason."""

    subject_kind: str
    subject_id: str
    field: str
    before: object
    after: object
    rule: str
    label: Said


@dataclass
class Reckoning:
    battle: BattleNow
    world: World
    choices: dict[str, str]
    dice: Dice
    tolls: dict[str, list[UnitToll]] = field(default_factory=lambda: defaultdict(list))
    bodies: dict[str, list[Body]] = field(default_factory=lambda: defaultdict(list))
    learnt: dict[int, int] = field(default_factory=dict)
    spoils: dict[str, list[Spoil]] = field(default_factory=lambda: defaultdict(list))
    changes: list[Consequence] = field(default_factory=list)
    notes: list[Remark] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def ask(self, key: str, label: Said, options: Sequence[tuple[str, Said]], usual: str) -> str:
        """Ask a question. Returns the GM's choice, or the usual answer."""
        chosen = self.choices.pop(key, usual)
        known = ", ".join(slug for slug, _label in options)
        demand(chosen in dict(options), _("Choose one of: {choices}."), field=f"/choices/{key}", choices=known)
        self.questions.append(Question(key, label, tuple(options), chosen))
        return chosen

    def tell(self, text: Said, rule: str, about: str = "", **more: Any) -> None:
        self.notes.append(Remark(text, rule, about=about, **more))

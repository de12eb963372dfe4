"""Tolls of a battle: the losses of bodies in men, machines and pieces (B-47 to B-49, B-66, B-68)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, assert_never

from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    BATTERED,
    DECIMATED,
    ENGAGED,
    FRESH,
    SURRENDERED,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
    Enrolled,
)
from rules.breaking_point.battle.state.field_figures import units_of
from rules.breaking_point.battle.state.opening import fighting_unit
from rules.breaking_point.figures import of_pieces, served, unit_force
from rules.breaking_point.losses import Spoil, lasting, men_out, shared, toll
from rules.breaking_point.spec import Unit
from rules.core.dice import Dice
from rules.core.errors import demand
from rules.core.text import Said, _
from rules.law import Measure
from rules.sequels import Question, Remark

# Sharing: what each unit of a body bears of its losses once the battle is over, as it was said or by force (B-78).


class UnitShare(NamedTuple):
    """A unit of a body: whose it is, its number there, the points it bears, and the most it can bear."""

    army: str
    unit: int
    points: int
    most: int


def shares_of(battle: BattleNow, body: Body) -> list[UnitShare]:
    """What every unit of a body bears, as it was said, or else by force: of what it lost, half of a victor's having
    come back (B-47, B-48); of what the battle has added, where a siege keeps the losses (B-55).
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
    """Those of its armies whose losses a siege keeps."""
    return [member.army for member in body.formation.members if member.army in battle.opening.besieged]


def _said(body: Body, army: str, unit: int, part: int) -> int:
    return body.shares[army].get(unit, part) if army in body.shares else part


def own_shares(battle: BattleNow, body: Body, army: str) -> list[UnitShare]:
    return [share for share in shares_of(battle, body) if share.army == army]


def may_share(battle: BattleNow, body: Body, army: str) -> bool:
    """Whether there is anything to be shared otherwise: several units, and fewer points than they can bear. Armies of a
    siege and others in one body share as the law has it.
    """
    if len(_of_siege(battle, body)) not in (0, len(body.formation.members)):
        return False
    own = own_shares(battle, body, army)
    total = sum(share.points for share in own)
    return len(own) > 1 and 0 < total < sum(share.most for share in own)


CREWS = {FRESH: 0, ENGAGED: 5, BATTERED: 25, DECIMATED: 50, ANNIHILATED: 100}
"""What crews lose in machines that are not destroyed, in % (B-66)."""


class UnitToll(NamedTuple):
    """What a unit is left with. `points`: its share of the losses; `recovered` was taken off them before.

    `dead`, `wounded` and `prisoners` are heads (of machines, machines destroyed and taken); `pieces`: guns lost to the
    enemy. `crews`: % of the crews lost in machines that are left.
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
    """Whether it had a part in the battle: reserves that never came had none (B-47)."""
    return body.status != WAITING and not (body.formation.reserve and body.status == WITHDRAWN and not body.came)


def tolls_of(battle: BattleNow, body: Body) -> Iterator[UnitToll]:
    """Of every unit of this body, in order (B-47)."""
    winner = battle.result.winner if battle.result else None
    victor = body.side == winner
    units = [fighting_unit(battle.opening, unit) for unit in battle.units(body)]
    parts = _parts(battle, body, units, victor=victor)
    for member, unit, part in zip(body.formation.members, units, parts, strict=True):
        out = men_out(unit, part, body.factor)
        lost = _pieces_lost(body, unit, defeated=winner is not None and not victor)
        yield _toll(body, unit, out, victor=victor)._replace(member=member, points=part, pieces=lost)


def _parts(battle: BattleNow, body: Body, units: list[Unit], *, victor: bool) -> list[int]:
    """Points of each unit: as whoever runs its army has said (B-78), or else by force."""
    if body.shares:
        return [share.points for share in shares_of(battle, body)]
    return list(lasting(body.losses, [unit.strength * unit.a_head for unit in units], victor=victor))


def _toll(body: Body, unit: Unit, out: int, *, victor: bool) -> UnitToll:
    nobody = UnitToll(Enrolled("", 0), 0)
    if unit.machine is not None:
        left = unit.strength - out
        taken = left if body.status == SURRENDERED and not victor else 0
        return nobody._replace(dead=out, prisoners=taken, crews=CREWS[body.state] if left else 0)
    dead, wounded, prisoners = toll(out, victor=victor, status=body.status, standing=unit.strength - out)
    return nobody._replace(dead=dead, wounded=wounded, prisoners=prisoners)


def _pieces_lost(body: Body, unit: Unit, *, defeated: bool) -> int:
    """Guns that fall to the victor (B-49)."""
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
    """What still serves: a piece has its share of the crew (B-49)."""
    serving = served(unit, heads)
    return None if unit.pieces is None or serving is None else min(serving, unit.pieces - lost)


# Working state of an aftermath: its input, and what has been found so far.

type ArmyDocument = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArmyInCampaign:
    """An army as it stands in the world: its document as it is kept, and what lists know of it."""

    document: ArmyDocument
    status: str
    health: int
    health_max: int
    upkeep: int = 0


@dataclass(frozen=True, slots=True)
class World:
    """`measure`: what lists and weeks read of a document. `besieged`: armies whose losses their siege keeps (B-55).
    `commanders`: by id, their status.
    """

    armies: Mapping[str, ArmyInCampaign]
    measure: Callable[[ArmyDocument], Measure]
    besieged: frozenset[str] = frozenset()
    commanders: Mapping[str, str] = field(default_factory=dict)


class Consequence(NamedTuple):
    """One figure of the world, before and after (JSON values), with its rule and its reason."""

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
        """What the GM has chosen, or the usual answer."""
        chosen = self.choices.pop(key, usual)
        known = ", ".join(slug for slug, _label in options)
        demand(chosen in dict(options), _("Choose one of: {choices}."), field=f"/choices/{key}", choices=known)
        self.questions.append(Question(key, label, tuple(options), chosen))
        return chosen

    def tell(self, text: Said, rule: str, about: str = "", **more: Any) -> None:
        self.notes.append(Remark(text, rule, about=about, **more))

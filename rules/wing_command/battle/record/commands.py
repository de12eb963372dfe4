"""Commands of a battle (WC-11), beside those every hex battle has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from rules.core.shapes import OneOf, Slug, Text, UnitId
from rules.wing_command.spec import MELEE, MISSILE, WingSpec
from rules.wing_command.starter import ORDERS, POSTURES

HOW = (MELEE, MISSILE)
REASON_MOST = 300
ORDER_SLUGS, POSTURE_SLUGS = tuple(ORDERS), tuple(POSTURES)

type HexPath = tuple[Slug, ...]
type ReasonText = Annotated[str, Text(REASON_MOST)]


# Setup


class SetOption(NamedTuple):
    """The GM sets an option of this battle."""

    name: Slug
    value: object


class NameArmyLeader(NamedTuple):
    """The GM names the leader of a whole side."""

    unit: UnitId


class EditUnit(NamedTuple):
    """The GM sets figures of a unit before the battle."""

    unit: UnitId
    fields: Mapping[str, object]


class SetOrder(NamedTuple):
    """The standing order a wing begins with."""

    wing: Slug
    order: Annotated[str, OneOf(ORDER_SLUGS)]


class SetPosture(NamedTuple):
    """The posture a unit begins in."""

    unit: UnitId
    posture: Annotated[str, OneOf(POSTURE_SLUGS)]


class LineUp(NamedTuple):
    """Every unit of these wings that waits is placed, as the law proposes."""

    wings: tuple[Slug, ...]


# Initiative and command


class RollInitiative(NamedTuple):
    """Both sides throw for the initiative."""


class Distribute(NamedTuple):
    """A character rolls their order points."""

    character: UnitId


class GiveOrder(NamedTuple):
    """Who distributes gives this unit a special order."""

    unit: UnitId


class EndDistribution(NamedTuple):
    """Who distributes gives no more orders; the rest of the points is lost."""


class ChangeOrder(NamedTuple):
    """A leader tests to give their wing another standing order."""

    character: UnitId
    order: Annotated[str, OneOf(ORDER_SLUGS)]


class TakeCommand(NamedTuple):
    """A character tests to lead a wing that has no leader."""

    character: UnitId
    wing: Slug


class Resign(NamedTuple):
    """A leader tests to give up the command of their wing."""

    character: UnitId


class ChooseSpell(NamedTuple):
    """A caster prepares a spell, face down."""

    character: UnitId
    spell: Slug


class CastSpell(NamedTuple):
    """Called `cast`."""

    character: UnitId


class Aim(NamedTuple):
    """The target of a spell that succeeded: a unit's id or a hex."""

    target: Slug


class PassCommand(NamedTuple):
    """Called `pass`: a side is done with its command phase."""

    side: int


# Action and rout


class TakeWing(NamedTuple):
    """The wing that acts next."""

    wing: Slug


class Strike(NamedTuple):
    """The attack of an act."""

    target: UnitId
    how: Annotated[str, OneOf(HOW)] = MELEE


class UnitAct(NamedTuple):
    """Called `act`: a unit moves and attacks in one step. `to` stands for the cheapest path. `stay`: characters of its
    hex that don't go along. `exit`: it leaves the map at the end of its path.
    """

    unit: UnitId
    path: HexPath = ()
    to: Slug = ""
    posture: Annotated[str, OneOf(POSTURE_SLUGS)] = ""
    effort: bool = False
    attack: Strike | None = None
    charge: bool | None = None
    follow: bool | None = None
    stay: tuple[UnitId, ...] = ()
    exit: bool = False


class RallyUnit(NamedTuple):
    """Called `rally`: a routed unit with a special order tests to rally."""

    unit: UnitId


class FightDuel(NamedTuple):
    """Called `duel`."""

    character: UnitId
    target: UnitId
    how: Annotated[str, OneOf(HOW)] = MELEE
    charge: bool | None = None


class EndWing(NamedTuple):
    """The wing that acts is done."""


class ResolveRout(NamedTuple):
    """Routed units flee, and shaken and routed ones test to rally."""


# The GM


class ReportBlow(NamedTuple):
    """Called `report`: the GM says what came of a blow (option `gm`)."""

    result: Slug


class Reinforce(NamedTuple):
    """An army joins a side."""

    army: WingSpec
    side: int


class Override(NamedTuple):
    """The GM sets a state of a unit or wing by hand. `what`: the unit's or wing's id."""

    what: Slug
    field: Slug
    value: object
    reason: ReasonText


Command = (
    SetOption | NameArmyLeader | EditUnit | SetOrder | SetPosture | LineUp | RollInitiative | Distribute | GiveOrder
    | EndDistribution | ChangeOrder | TakeCommand | Resign | ChooseSpell | CastSpell | Aim | PassCommand | TakeWing
    | UnitAct | RallyUnit | FightDuel | EndWing | ResolveRout | ReportBlow | Reinforce | Override
)  # fmt: skip
CALLED: Mapping[type, str] = {
    SetOption: "option", CastSpell: "cast", PassCommand: "pass", UnitAct: "act", RallyUnit: "rally",
    FightDuel: "duel", ReportBlow: "report",
}  # fmt: skip

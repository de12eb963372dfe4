"""Commands of a battle (WC-11), in addition to those of every hex battle.

"Sent as" gives the command's `type` where it isn't its class's name.
"""

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
    """The GM sets an option of this battle. Sent as `option`."""

    name: Slug
    value: object


class NameArmyLeader(NamedTuple):
    """The GM names the army leader of a side."""

    unit: UnitId


class EditUnit(NamedTuple):
    """The GM sets figures of a unit before the battle."""

    unit: UnitId
    fields: Mapping[str, object]


class SetOrder(NamedTuple):
    """Set the standing order a wing begins with."""

    wing: Slug
    order: Annotated[str, OneOf(ORDER_SLUGS)]


class SetPosture(NamedTuple):
    """Set the posture a unit begins in."""

    unit: UnitId
    posture: Annotated[str, OneOf(POSTURE_SLUGS)]


class LineUp(NamedTuple):
    """Place all waiting units of these wings automatically."""

    wings: tuple[Slug, ...]


# Initiative and command


class RollInitiative(NamedTuple):
    """Roll for initiative, for both sides."""


class Distribute(NamedTuple):
    """Roll a character's order points."""

    character: UnitId


class GiveOrder(NamedTuple):
    """The character who distributes orders gives this unit a special order."""

    unit: UnitId


class EndDistribution(NamedTuple):
    """End giving special orders; unused points are lost."""


class ChangeOrder(NamedTuple):
    """A leader tests to give their wing another standing order."""

    character: UnitId
    order: Annotated[str, OneOf(ORDER_SLUGS)]


class TakeCommand(NamedTuple):
    """A character tests to take command of a wing without a leader."""

    character: UnitId
    wing: Slug


class Resign(NamedTuple):
    """A leader tests to give up command of their wing."""

    character: UnitId


class ChooseSpell(NamedTuple):
    """A caster prepares a spell face down."""

    character: UnitId
    spell: Slug


class CastSpell(NamedTuple):
    """A caster casts the prepared spell. Sent as `cast`."""

    character: UnitId


class Aim(NamedTuple):
    """Choose the target of a spell that succeeded: a unit's id or a hex."""

    target: Slug


class PassCommand(NamedTuple):
    """End a side's command phase. Sent as `pass`."""

    side: int


# Action and rout


class TakeWing(NamedTuple):
    """Choose the wing that acts next."""

    wing: Slug


class Strike(NamedTuple):
    """The attack of an action."""

    target: UnitId
    how: Annotated[str, OneOf(HOW)] = MELEE


class UnitAct(NamedTuple):
    """Move and attack with a unit in one step. `to`: take the cheapest path there. `stay`: characters of its hex that
    don't go along. `exit`: leave the map at the end of the path. Sent as `act`.
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
    """A routed unit with a special order tests to rally. Sent as `rally`."""

    unit: UnitId


class FightDuel(NamedTuple):
    """Fight a duel. Sent as `duel`."""

    character: UnitId
    target: UnitId
    how: Annotated[str, OneOf(HOW)] = MELEE
    charge: bool | None = None


class EndWing(NamedTuple):
    """End the activation of the acting wing."""


class ResolveRout(NamedTuple):
    """Resolve the rout phase: routed units flee, then shaken and routed units test to rally."""


# The GM


class ReportBlow(NamedTuple):
    """The GM reports the result of an attack (with option `gm`). Sent as `report`."""

    result: Slug


class Reinforce(NamedTuple):
    """Add an army to a side."""

    army: WingSpec
    side: int


class Override(NamedTuple):
    """The GM sets a state of a unit or wing. `what`: its id, or a hex."""

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

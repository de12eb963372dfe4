"""Commands of a battle (TF-9), in addition to those of every hex battle.

"Sent as" gives the command's `type` where it isn't its class's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from rules.core.shapes import Called, OneOf, Slug, Text, UnitId
from rules.thucidide_fantasy.battle.record.state import DREAMS
from rules.thucidide_fantasy.spec import ContingentSpec

REASON_MOST = 300

type ReasonText = Annotated[str, Text(REASON_MOST)]


# Setup


class SetOption(NamedTuple):
    """The GM sets an option of this battle. Sent as `option`."""

    name: Slug
    value: object


class EditUnit(NamedTuple):
    """The GM sets figures of a unit or character before the battle."""

    unit: UnitId
    fields: Mapping[str, object]


class GrantTrait(NamedTuple):
    """The GM gives a trait to a unit or character, or with `on` false takes it away. Sent as `grant`."""

    unit: UnitId
    trait: Slug
    likes: tuple[Slug, ...] = ()
    object: Annotated[str, Text(60)] = ""
    on: bool = True


class SetConsent(NamedTuple):
    """A side allows its enemy's appeals to a god (T-98). Sent as `consent`."""

    side: int
    on: bool = True


class RevealEnemy(NamedTuple):
    """A dream shows a side its enemy's cards and spell points ("list"), or where it is set up ("deployment"), until the
    battle begins (TF-7). Sent as `reveal`.
    """

    side: int
    what: Annotated[str, OneOf(DREAMS)]
    on: bool = True


class SealDeployment(NamedTuple):
    """A fog hides where a side is set up, until the battle begins (TF-7). Sent as `seal`."""

    side: int
    on: bool = True


class SetVictory(NamedTuple):
    """The number of enemy units a side has to destroy (T-41). Sent as `victory`."""

    side: int
    number: int


class NameGeneral(NamedTuple):
    """The GM names the army whose commander is the general of its side (T-84)."""

    army: Slug


class AttachCharacter(NamedTuple):
    """A character joins a unit, or returns to the reserve (None). Sent as `attach`."""

    character: UnitId
    unit: UnitId | None = None


class DeployArmies(NamedTuple):
    """Place all waiting units and characters of these armies. Sent as `line_up`."""

    armies: tuple[Slug, ...]


class ChooseCards(NamedTuple):
    """Choose the cards of a caster (T-35)."""

    caster: UnitId
    spells: tuple[Slug, ...]


# Command and movement


class GiveOrder(NamedTuple):
    """Give a manoeuvre order (TF-1.13). `hexes`: for a woodsman. Sent as `order`."""

    kind: Slug
    unit: UnitId = ""
    leader: UnitId = ""
    hexes: int = 1


class ActivateUnits(NamedTuple):
    """Activate units and characters. `leader`: None if free characters only or nobody leads. Sent as `activate`."""

    leader: UnitId | None = None
    units: tuple[UnitId, ...] = ()
    characters: tuple[UnitId, ...] = ()


class EndPhase(NamedTuple):
    """End the current phase of the player turn."""


class CarryLoad(NamedTuple):
    """Infantry that a flyer picks up beside its start and sets down beside its end (T-89)."""

    unit: UnitId
    down: Slug


class MovePiece(NamedTuple):
    """Move a unit, or a character alone or leaving their unit. `to`: take the cheapest path there. `stay`: characters
    of its hex that don't go along. Sent as `move`.
    """

    unit: UnitId
    path: tuple[Slug, ...] = ()
    to: Slug = ""
    carry: CarryLoad | None = None
    stay: tuple[UnitId, ...] = ()


class AnnounceSpell(NamedTuple):
    """A caster announces a spell instead of moving. Sent as `announce`."""

    caster: UnitId


# Combat


class OpenMelee(NamedTuple):
    """Start a melee. Sent as `attack`."""

    unit: UnitId
    target: UnitId


class OpenShot(NamedTuple):
    """Start a shot. Sent as `shoot`."""

    unit: UnitId
    target: UnitId


class PursueFoe(NamedTuple):
    """Pursue, or decline with `target` None. Sent as `pursue`."""

    unit: UnitId
    target: UnitId | None = None


class FleeTo(NamedTuple):
    """Choose where a character flees to. Sent as `flee`."""

    character: UnitId
    hex: Slug


# Spells


class CastSpell(NamedTuple):
    """Cast a spell. `targets`: ids, hexes and slugs (T-98). Sent as `cast`."""

    caster: UnitId
    spell: Slug
    targets: tuple[Slug, ...] = ()


class DeclineSpell(NamedTuple):
    """Cast no spell after announcing one. Sent as `decline`."""

    caster: UnitId


class TurnAttack(NamedTuple):
    """Attack with undead that the side has turned (T-33)."""

    unit: UnitId
    target: UnitId


# Answers


class RerollDie(NamedTuple):
    """Reroll a die of a throw, by its index, or None to keep all. `roll`: the throw's name. Sent as `reroll`."""

    roll: Slug
    die: Annotated[int | None, Called("index")] = None


class AnswerGod(NamedTuple):
    """Choose what a god gives (T-98): stands by unit, with hexes for units that return; or one unit and a hex."""

    stands: Mapping[str, int] = {}
    places: Mapping[str, str] = {}
    unit: UnitId = ""
    hex: Slug = ""


class ReportThrow(NamedTuple):
    """The GM reports the result of a throw at the table (T-40). Sent as `report`."""

    stands: int = 0
    flags: int = 0
    hexes: int = 0
    counters: int = 0


# The GM


class AppealByGm(NamedTuple):
    """The GM starts an appeal to a god that the scenario provides for (TF-7). Sent as `divine`."""

    character: UnitId


class Reinforce(NamedTuple):
    """Add an army to a side."""

    army: ContingentSpec
    side: int


class Override(NamedTuple):
    """The GM sets a state of a unit, character or side. `what`: its id, a hex, or the side's number."""

    what: Slug
    field: Slug
    value: object
    reason: ReasonText


Command = (
    SetOption | EditUnit | GrantTrait | SetConsent | RevealEnemy | SealDeployment | SetVictory
    | NameGeneral | AttachCharacter | DeployArmies
    | ChooseCards
    | GiveOrder | ActivateUnits | EndPhase | MovePiece | AnnounceSpell | OpenMelee | OpenShot | PursueFoe | FleeTo
    | CastSpell | DeclineSpell | TurnAttack | RerollDie | AnswerGod | ReportThrow | AppealByGm | Reinforce | Override
)  # fmt: skip
CALLED: Mapping[type, str] = {
    SetOption: "option", GrantTrait: "grant", SetConsent: "consent", SetVictory: "victory", AttachCharacter: "attach",
    DeployArmies: "line_up", RevealEnemy: "reveal", SealDeployment: "seal",
    GiveOrder: "order", ActivateUnits: "activate", MovePiece: "move", AnnounceSpell: "announce", OpenMelee: "attack",
    OpenShot: "shoot", PursueFoe: "pursue", FleeTo: "flee", CastSpell: "cast", DeclineSpell: "decline",
    RerollDie: "reroll", ReportThrow: "report", AppealByGm: "divine",
}  # fmt: skip

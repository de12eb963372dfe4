"""Commands of a battle (TF-9), beside those every hex battle has."""

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
    """Called `option`: the GM sets an option of this battle."""

    name: Slug
    value: object


class EditUnit(NamedTuple):
    """The GM sets figures of a unit or character before the battle."""

    unit: UnitId
    fields: Mapping[str, object]


class GrantTrait(NamedTuple):
    """Called `grant`: the GM gives a trait to a unit or character, or with `on` false takes one away."""

    unit: UnitId
    trait: Slug
    likes: tuple[Slug, ...] = ()
    object: Annotated[str, Text(60)] = ""
    on: bool = True


class SetConsent(NamedTuple):
    """Called `consent`: a side allows its enemy's appeals to a god (T-98)."""

    side: int
    on: bool = True


class RevealEnemy(NamedTuple):
    """Called `reveal`: a god shows a side in a dream its enemy's list (cards, points of spells) or deployment, until
    the battle begins (TF-7).
    """

    side: int
    what: Annotated[str, OneOf(DREAMS)]
    on: bool = True


class SealDeployment(NamedTuple):
    """Called `seal`: a fog hides where a side is set up, until the battle begins (TF-7)."""

    side: int
    on: bool = True


class SetVictory(NamedTuple):
    """Called `victory`: how many enemy units a side has to destroy (T-41)."""

    side: int
    number: int


class NameGeneral(NamedTuple):
    """The GM says which army's commander is the general of its side (T-84)."""

    army: Slug


class AttachCharacter(NamedTuple):
    """Called `attach`: a character joins a unit, or goes back to the reserve."""

    character: UnitId
    unit: UnitId | None = None


class DeployArmies(NamedTuple):
    """Called `line_up`: everybody of these armies who waits is placed."""

    armies: tuple[Slug, ...]


class ChooseCards(NamedTuple):
    """The cards of a caster (T-35)."""

    caster: UnitId
    spells: tuple[Slug, ...]


# Command and movement


class GiveOrder(NamedTuple):
    """Called `order`: a manoeuvre order (TF-1.13). `hexes`: of a woodsman."""

    kind: Slug
    unit: UnitId = ""
    leader: UnitId = ""
    hexes: int = 1


class ActivateUnits(NamedTuple):
    """Called `activate`. `leader`: None for free characters alone, or where nobody leads."""

    leader: UnitId | None = None
    units: tuple[UnitId, ...] = ()
    characters: tuple[UnitId, ...] = ()


class EndPhase(NamedTuple):
    pass


class CarryLoad(NamedTuple):
    """Foot that a flyer takes up beside its start and sets down beside its end (T-89)."""

    unit: UnitId
    down: Slug


class MovePiece(NamedTuple):
    """Called `move`: a unit, or a character alone or leaving its unit. `to` stands for the cheapest path. `stay`:
    characters of its hex that don't go along.
    """

    unit: UnitId
    path: tuple[Slug, ...] = ()
    to: Slug = ""
    carry: CarryLoad | None = None
    stay: tuple[UnitId, ...] = ()


class AnnounceSpell(NamedTuple):
    """Called `announce`: instead of moving a caster announces that they will cast."""

    caster: UnitId


# Combat


class OpenMelee(NamedTuple):
    """Called `attack`."""

    unit: UnitId
    target: UnitId


class OpenShot(NamedTuple):
    """Called `shoot`."""

    unit: UnitId
    target: UnitId


class PursueFoe(NamedTuple):
    """Called `pursue`: None declines."""

    unit: UnitId
    target: UnitId | None = None


class FleeTo(NamedTuple):
    """Called `flee`."""

    character: UnitId
    hex: Slug


# Spells


class CastSpell(NamedTuple):
    """Called `cast`. `targets`: ids, hexes and slugs (T-98)."""

    caster: UnitId
    spell: Slug
    targets: tuple[Slug, ...] = ()


class DeclineSpell(NamedTuple):
    """Called `decline`."""

    caster: UnitId


class TurnAttack(NamedTuple):
    """The attack of an undead that was turned (T-33)."""

    unit: UnitId
    target: UnitId


# Answers


class RerollDie(NamedTuple):
    """Called `reroll`: a die of the throw by its index, or None to let it lie. `roll`: the throw's name."""

    roll: Slug
    die: Annotated[int | None, Called("index")] = None


class AnswerGod(NamedTuple):
    """What a god leaves to choose (T-98): stands by unit and places of units that come back, or a unit and a hex."""

    stands: Mapping[str, int] = {}
    places: Mapping[str, str] = {}
    unit: UnitId = ""
    hex: Slug = ""


class ReportThrow(NamedTuple):
    """Called `report`: what came of a throw on the table (T-40)."""

    stands: int = 0
    flags: int = 0
    hexes: int = 0
    counters: int = 0


# The GM


class AppealByGm(NamedTuple):
    """Called `divine`: the scenario foresees an appeal to a god (TF-7)."""

    character: UnitId


class Reinforce(NamedTuple):
    """An army joins a side."""

    army: ContingentSpec
    side: int


class Override(NamedTuple):
    """The GM sets a state of a unit, a character or a side by hand. `what`: the id, or the side's number."""

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

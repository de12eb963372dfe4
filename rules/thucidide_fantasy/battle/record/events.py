"""Events of a battle (TF-9), beside those every hex battle has. Each says itself who saw it, where not all do.

`Moved`, `Revealed`, `Destroyed`, `Withdrawn`, `EffectBegan`, `EffectEnded`, `PhaseEnded` and the end are the events of
`rules.hexbattle.common`.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.hexbattle.common import ALL
from rules.hexbattle.tokens import Token
from rules.thucidide_fantasy.battle.record.state import Fight, Unit
from rules.thucidide_fantasy.spec import BorneTrait, CharacterFigures, ContingentSpec, UnitFigures

# Setup


class OptionSet(NamedTuple):
    name: str
    value: str | int | None


class UnitEdited(NamedTuple):
    """`figures`: of a unit, `person`: of a character."""

    unit: str
    figures: UnitFigures | None = None
    person: CharacterFigures | None = None
    seen: tuple[bool, ...] = ALL


class TraitGranted(NamedTuple):
    """A trait is given before the battle; `on` false: it is taken away."""

    unit: str
    borne: BorneTrait
    seen: tuple[bool, ...] = ALL
    on: bool = True


class ConsentSet(NamedTuple):
    side: int
    on: bool


class DreamSent(NamedTuple):
    """A side is shown something of its enemy, or no more. Only that side is told."""

    side: int
    what: str
    on: bool
    seen: tuple[bool, ...]


class CardsDreamt(NamedTuple):
    """The cards and points of an enemy caster as the battle begins. Only the side that dreamt of them is told."""

    caster: str
    spells: tuple[str, ...]
    points: int
    seen: tuple[bool, ...]


class DeploymentSealed(NamedTuple):
    side: int
    on: bool


class VictorySet(NamedTuple):
    side: int
    number: int


class GeneralNamed(NamedTuple):
    """`unit`: "" for none."""

    unit: str
    side: int


class CardsChosen(NamedTuple):
    """Only its side is told."""

    caster: str
    spells: tuple[str, ...]
    points: int
    seen: tuple[bool, ...]


# Turn


class LotDrawn(NamedTuple):
    """`rolls`: one die a side, ties thrown again. `first`: who begins."""

    rolls: tuple[Roll, ...]
    first: int


class TurnBegan(NamedTuple):
    """A player turn begins. `share`: units of an activation; `allowed`: activations."""

    side: int
    turn: int
    share: int
    allowed: int


class PhaseBegan(NamedTuple):
    side: int
    phase: str


class Activated(NamedTuple):
    """`leader`: "" where nobody leads. `free`: characters that take no unit's place. `hidden`: those the other side
    didn't see.
    """

    side: int
    leader: str
    units: tuple[str, ...]
    characters: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


class OrderGiven(NamedTuple):
    """A manoeuvre order. `units`: on whom it works. `number`: hexes, or units."""

    side: int
    kind: str
    cost: int
    units: tuple[str, ...] = ()
    leader: str = ""
    number: int = 0


class CountersChanged(NamedTuple):
    """`why`: "start", "letters", "reconnaissance", "report"."""

    side: int
    change: int
    why: str


class MoveEnded(NamedTuple):
    """A unit's move is over. `far`: as far as who doesn't fight goes. `left`: characters that leave their unit."""

    unit: str
    far: bool = False
    seen: tuple[bool, ...] = ALL


class Carried(NamedTuple):
    """A flyer took up foot and set it down."""

    unit: str
    load: str
    path: tuple[str, ...]


class SpellAnnounced(NamedTuple):
    caster: str


# Combat


class CombatOpened(NamedTuple):
    """A throw of a combat. `how`: "melee", "shot", "riposte", "pursuit", "duel", "turned", or a spell. `lines`: of the
    dice. `joined`: heroes whose dice are among them. `opens`: it is the combat of the attacker's turn.
    """

    attacker: str
    target: str
    how: str
    dice: int
    lines: tuple[Line, ...] = ()
    joined: tuple[str, ...] = ()
    opens: bool = False


class DiceThrown(NamedTuple):
    """`again`: which die was thrown again, −1 for none."""

    name: str
    by: str
    at: str
    rolls: tuple[Roll, ...]
    again: int = -1


class Confirmed(NamedTuple):
    """Losses put to the test. `kept`: those that stay."""

    by: str
    at: str
    rolls: tuple[Roll, ...]
    kept: int


class StandsLost(NamedTuple):
    """`by_gm`: reported. `why`: "combat", "fire", "retreat", "spell"."""

    unit: str
    stands: int
    why: str = "combat"
    by_gm: bool = False
    seen: tuple[bool, ...] = ALL


class FlagsCounted(NamedTuple):
    """`flags`: shown and added; `ignored`: of those; `left`: hexes of retreat are to be walked for them."""

    unit: str
    flags: int
    ignored: int
    left: int


class Retreated(NamedTuple):
    """A unit goes back along `path`, its characters with it."""

    unit: str
    path: tuple[str, ...]


class RetreatBlocked(NamedTuple):
    """A hex of retreat could not be taken: it costs a stand."""

    unit: str


class Pursued(NamedTuple):
    unit: str
    path: tuple[str, ...]


class CharacterFled(NamedTuple):
    """`path`: from where to where; one hex for who stays."""

    character: str
    path: tuple[str, ...]


class FightPaused(NamedTuple):
    """A combat, spell or god waits for somebody's answer."""

    fight: Fight


class FightResumed(NamedTuple):
    """`side`: who answered, −1 for the GM."""

    side: int


# Spells and gods


class SpellCast(NamedTuple):
    """`spell` and `targets` are "" and () for who may not know them: of a spell that is `secret`, the enemy."""

    caster: str
    spell: str
    targets: tuple[str, ...] = ()
    secret: bool = False


class SpellDeclined(NamedTuple):
    """`why`: "" for by choice, else what made it lapse."""

    caster: str
    why: str = ""


class Summoned(NamedTuple):
    """A unit appears. `grave`: the fallen unit it was."""

    token: Token
    unit: Unit
    grave: str = ""
    hero: CharacterFigures | None = None


class Rebounded(NamedTuple):
    """A blow, shot or spell at this unit turns against who sent it. `at`: "" where it is lost."""

    unit: str
    at: str


class PhantomVanished(NamedTuple):
    unit: str
    at: str


class Vanished(NamedTuple):
    """Undead are no more: their master is gone, or they stand too far away, or their time is over."""

    unit: str
    at: str
    why: str


class Turned(NamedTuple):
    """Undead attack their own side (904). `turner`: "" once it is over."""

    unit: str
    turner: str
    left: int


class Teleported(NamedTuple):
    """A unit is carried off to its base line (farewell)."""

    unit: str
    path: tuple[str, ...]


class StandsReturned(NamedTuple):
    """`at`: where a destroyed unit comes back."""

    unit: str
    stands: int
    at: str = ""
    seen: tuple[bool, ...] = ALL


class GodAnswered(NamedTuple):
    """`table`: "appeal" or "intervention". `answer`: the slug of its row."""

    caster: str
    table: str
    rolls: tuple[Roll, ...]
    answer: str


class RerollGained(NamedTuple):
    side: int


class RerollSpent(NamedTuple):
    side: int


class Carrying(NamedTuple):
    """A caster is carried home by the god."""

    caster: str
    at: str


class HexBurned(NamedTuple):
    """Who stands in a lit hex leaves it. `path`: one hex for who can't."""

    unit: str
    path: tuple[str, ...]


# The GM


class ArmyJoined(NamedTuple):
    army: ContingentSpec


class Overridden(NamedTuple):
    what: str
    field: str
    value: str | int | None
    reason: str
    seen: tuple[bool, ...] = ALL


BattleEvent = (
    OptionSet | UnitEdited | TraitGranted | ConsentSet | DreamSent | CardsDreamt | DeploymentSealed
    | VictorySet | GeneralNamed | CardsChosen | LotDrawn
    | TurnBegan | PhaseBegan | Activated | OrderGiven | CountersChanged | MoveEnded | Carried | SpellAnnounced
    | CombatOpened | DiceThrown | Confirmed | StandsLost | FlagsCounted | Retreated | RetreatBlocked | Pursued
    | CharacterFled | FightPaused | FightResumed | SpellCast | SpellDeclined | Summoned | Rebounded
    | PhantomVanished | Vanished | Turned | Teleported | StandsReturned | GodAnswered | RerollGained
    | RerollSpent | Carrying | HexBurned | ArmyJoined | Overridden
)  # fmt: skip

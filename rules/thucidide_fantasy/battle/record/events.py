"""Events of a battle (TF-9), in addition to those in `rules.hexbattle.common`.

An event not seen by everybody records who saw it in `seen`.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.hexbattle.common import ALL
from rules.hexbattle.field import Token
from rules.thucidide_fantasy.battle.record.state import Fight, Unit
from rules.thucidide_fantasy.spec import BorneTrait, CharacterFigures, ContingentSpec, UnitFigures

# Setup


class OptionSet(NamedTuple):
    name: str
    value: str | int | None


class UnitEdited(NamedTuple):
    """`figures`: of a unit. `person`: of a character."""

    unit: str
    figures: UnitFigures | None = None
    person: CharacterFigures | None = None
    seen: tuple[bool, ...] = ALL


class TraitGranted(NamedTuple):
    """A trait is given before the battle; with `on` false it is taken away."""

    unit: str
    borne: BorneTrait
    seen: tuple[bool, ...] = ALL
    on: bool = True


class ConsentSet(NamedTuple):
    side: int
    on: bool


class DreamSent(NamedTuple):
    """A side starts or stops seeing something of its enemy in a dream. Only that side is told."""

    side: int
    what: str
    on: bool
    seen: tuple[bool, ...]


class CardsDreamt(NamedTuple):
    """The cards and points of an enemy caster at the start. Only the side that dreamt of them is told."""

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
    """`unit`: the general's id, "" for none."""

    unit: str
    side: int


class CardsChosen(NamedTuple):
    """Only the caster's side is told."""

    caster: str
    spells: tuple[str, ...]
    points: int
    seen: tuple[bool, ...]


# Turn


class LotDrawn(NamedTuple):
    """`rolls`: one die per side, ties rolled again. `first`: the side that begins."""

    rolls: tuple[Roll, ...]
    first: int


class TurnBegan(NamedTuple):
    """A player turn begins. `share`: units per activation. `allowed`: number of activations."""

    side: int
    turn: int
    share: int
    allowed: int


class PhaseBegan(NamedTuple):
    side: int
    phase: str


class Activated(NamedTuple):
    """`leader`: "" if nobody leads. `free`: characters activated for free. `hidden`: unseen by the other side."""

    side: int
    leader: str
    units: tuple[str, ...]
    characters: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


class OrderGiven(NamedTuple):
    """A manoeuvre order. `units`: those it affects. `number`: hexes or units, depending on the order."""

    side: int
    kind: str
    cost: int
    units: tuple[str, ...] = ()
    leader: str = ""
    number: int = 0


class CountersChanged(NamedTuple):
    """`why`: "start", "letters", "reconnaissance" or "report"."""

    side: int
    change: int
    why: str


class MoveEnded(NamedTuple):
    """A unit's move is over. `far`: it moved too far to fight."""

    unit: str
    far: bool = False
    seen: tuple[bool, ...] = ALL


class Carried(NamedTuple):
    """A flyer picked up infantry and set it down."""

    unit: str
    load: str
    path: tuple[str, ...]


class SpellAnnounced(NamedTuple):
    caster: str


# Combat


class CombatOpened(NamedTuple):
    """A throw of a combat.

    `how`: "melee", "shot", "riposte", "pursuit", "duel", "turned", or a spell. `lines`: of the dice. `joined`: heroes
    whose dice are included. `opens`: it is the attacker's one combat of the turn.
    """

    attacker: str
    target: str
    how: str
    dice: int
    lines: tuple[Line, ...] = ()
    joined: tuple[str, ...] = ()
    opens: bool = False


class DiceThrown(NamedTuple):
    """`again`: index of the die that was rerolled, −1 for none."""

    name: str
    by: str
    at: str
    rolls: tuple[Roll, ...]
    again: int = -1


class Confirmed(NamedTuple):
    """Losses were tested for confirmation. `kept`: those confirmed."""

    by: str
    at: str
    rolls: tuple[Roll, ...]
    kept: int


class StandsLost(NamedTuple):
    """`by_gm`: it was reported by the GM. `why`: "combat", "fire", "retreat" or "spell"."""

    unit: str
    stands: int
    why: str = "combat"
    by_gm: bool = False
    seen: tuple[bool, ...] = ALL


class FlagsCounted(NamedTuple):
    """`flags`: shown and added. `ignored`: those ignored. `left`: flags that cause a retreat."""

    unit: str
    flags: int
    ignored: int
    left: int


class Retreated(NamedTuple):
    """A unit and its characters retreat along `path`."""

    unit: str
    path: tuple[str, ...]


class RetreatBlocked(NamedTuple):
    """A hex of a retreat was blocked, which costs a stand."""

    unit: str


class Pursued(NamedTuple):
    unit: str
    path: tuple[str, ...]


class CharacterFled(NamedTuple):
    """`path`: from the old to the new hex; just one hex if they stay."""

    character: str
    path: tuple[str, ...]


class FightPaused(NamedTuple):
    """A combat, spell or god's answer waits for somebody."""

    fight: Fight


class FightResumed(NamedTuple):
    """`side`: who answered, −1 for the GM."""

    side: int


# Spells and gods


class SpellCast(NamedTuple):
    """`spell` and `targets`: "" and () for viewers who may not know them, such as the enemy if it is `secret`."""

    caster: str
    spell: str
    targets: tuple[str, ...] = ()
    secret: bool = False


class SpellDeclined(NamedTuple):
    """`why`: "" if by choice, else why the announcement lapsed."""

    caster: str
    why: str = ""


class Summoned(NamedTuple):
    """A unit appears. `grave`: the fallen unit it is raised from."""

    token: Token
    unit: Unit
    grave: str = ""
    hero: CharacterFigures | None = None


class Rebounded(NamedTuple):
    """An attack, shot or spell on this unit turns against its sender. `at`: who is struck, "" if it is lost."""

    unit: str
    at: str


class PhantomVanished(NamedTuple):
    unit: str
    at: str


class Vanished(NamedTuple):
    """Undead are destroyed: their master is gone or too far away, or their time is over."""

    unit: str
    at: str
    why: str


class Turned(NamedTuple):
    """Undead attack their own side (904). `turner`: the caster's id, "" once it is over."""

    unit: str
    turner: str
    left: int


class Teleported(NamedTuple):
    """A unit is carried off to its base line (farewell)."""

    unit: str
    path: tuple[str, ...]


class StandsReturned(NamedTuple):
    """`at`: the hex where a destroyed unit returns."""

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
    """A god carries a caster home."""

    caster: str
    at: str


class HexBurned(NamedTuple):
    """A unit leaves a burning hex. `path`: just one hex if it can't."""

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

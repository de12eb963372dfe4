"""Aftermath of a battle under any law: the worth and the losses of armies that belong to other laws, the consequences
for the world, and the verdict of the last decision on each army.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.text import NO_WORDS, Message, Said, Term, _, say

# Law-neutral values of armies that fight under another law: an army's worth (`Muster`) and its losses
# (`BattleToll`).
#
# An army's own law describes it as a `Muster`. The battle's law converts that into an army of its own. After the battle
# it reports each army's losses, and the army's own law records them. So no law knows another.

SIZES: Mapping[str, int] = {
    "fine": 1, "diminutive": 10, "tiny": 25, "small": 50, "medium": 100, "large": 200, "huge": 500, "gargantuan": 1000,
    "colossal": 2000,
}  # fmt: skip
"""Army sizes, with the least number of heads of each."""

type TroopTag = Literal[
    "flies", "rides", "throws-rocks", "giant", "shoots", "armored", "beast", "animal", "undead", "mindless",
    "infiltrates", "chaotic", "dragon", "breathes-fire", "unseen", "magic-proof", "hard-to-hurt", "inspires",
    "frightens", "unnatural", "brave",
]  # fmt: skip
TAGS: frozenset[TroopTag] = frozenset(get_args(TroopTag.__value__))
"""Tags of troops. `armored`: better than usual for their kind. `beast`: animals and the like. `infiltrates`: they pass
unseen or where others cannot. `unseen`: invisible. `magic-proof`: magic does little to them. `hard-to-hurt`: ordinary
weapons do little to them. `unnatural`: animals shy away from them.
"""


class MusteredTroops(NamedTuple):
    """Troops of one kind. `worth` is their part of the army, in any unit that is the same for all its troops. `rating`
    is the challenge rating of one head; 1 is a trained soldier. `protection` is how much better they are guarded than
    usual for their strength; 4 or more is heavy.
    """

    name: str
    heads: int
    worth: int
    rating: Fraction = Fraction(1)
    tags: frozenset[TroopTag] = frozenset()
    protection: int = 0


class MusteredLeader(NamedTuple):
    """Leader of an army. `rank` is how well they lead: 6 is an officer, 15 a great general. `autonomous`: they need no
    permission to change their plans.
    """

    id: str
    name: str
    rank: int = 0
    autonomous: bool = False


class Muster(NamedTuple):
    """Army in law-neutral terms. `spirit` is from −4 to 4; 0 is usual. `caster` is the highest level of magic among its
    troops, 0 for none.
    """

    id: str
    name: str
    kingdom: str
    size: str
    troops: tuple[MusteredTroops, ...]
    health: int
    health_max: int
    spirit: int = 0
    caster: int = 0
    leader: MusteredLeader | None = None


STANDS: Final = "stands"
SCATTERED: Final = "scattered"
DESTROYED: Final = "destroyed"
type ArmyEnd = Literal["stands", "scattered", "destroyed"]


class BattleToll(NamedTuple):
    """Cost of a battle to an army. `lost` is the share of its health, `left` the state of the army as a whole, `spirit`
    the change of its spirit. `leader_lost`: its leader was struck down, their fate still open, or captured
    (`leader_captured`). `rule` and `told` give the reason, in the words of the battle's law.
    """

    lost: Fraction
    left: ArmyEnd = STANDS
    spirit: int = 0
    leader_lost: bool = False
    rule: str = ""
    told: Said = NO_WORDS
    leader_captured: bool = False


class MusteredSide(NamedTuple):
    """Side of a battle: its name and the ids of its armies."""

    name: str
    armies: tuple[str, ...]


class BattleTolls(NamedTuple):
    """Costs of a battle, by army id. `winner` is the index of the winning side, None for a draw; `reason` says how it
    ended.
    """

    sides: tuple[MusteredSide, ...]
    winner: int | None
    armies: Mapping[str, BattleToll]
    reason: Said = NO_WORDS

    def won(self, army: str) -> bool:
        """Whether this army's side has won and the army still stands."""
        return self.side_of(army) == self.winner and self.armies[army].left == STANDS

    def side_of(self, army: str) -> int:
        return next(at for at, side in enumerate(self.sides) if army in side.armies)


def size_of(heads: int) -> str:
    """Return the size of an army of this many heads: `size_of(150) == "medium"`."""
    return max((slug for slug, least in SIZES.items() if least <= max(1, heads)), key=SIZES.__getitem__)


# Consequences of a battle: changes of the world, remarks with their dice, questions to people, and fates of
# commanders.


class Band(NamedTuple):
    """Part of a scale: its name, the highest face on it, and its `tone` for whoever rolls ("good", "warn", "bad" or
    "").
    """

    name: Said
    most: int
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Remark beside the changes. `about` is the id of the army, commander or kingdom concerned, "" for the battle as a
    whole. `sum` is added to the dice. `moment`: a fate is decided here; `scale` gives the meaning of its first die's
    faces, from 1 up.
    """

    text: Said
    rule: str
    rolls: tuple[Roll, ...] = ()
    sum: Breakdown | None = None
    about: str = ""
    moment: bool = False
    scale: tuple[Band, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Question that the rules leave to a person. `chosen` is the answer given, or the default.
    `about`: as in `Remark`.
    """

    key: str
    label: Said
    options: tuple[tuple[str, Said], ...]
    chosen: str | None
    about: str = ""


class PlainSequel(NamedTuple):
    """Plain `Sequel`."""

    changes: Sequence[Any]
    notes: Sequence[Remark] = ()
    questions: Sequence[Question] = ()
    rolls: Sequence[Roll] = ()


class Sequel(Protocol):
    """Protocol of an aftermath: the battle's changes of the campaign, notes, open questions and the dice behind
    them.
    """

    @property
    def changes(self) -> Sequence[Any]: ...
    @property
    def notes(self) -> Sequence[Remark]: ...
    @property
    def questions(self) -> Sequence[Question]: ...
    @property
    def rolls(self) -> Sequence[Roll]: ...


# Fates of commanders lost in a battle, rolled on d100.


FATE_ROLL, FATE_DIE = "commander-fate", 100
FATES: Mapping[str, Term] = {
    "killed": _("{commander} is killed."),
    "captured": _("{commander} is captured."),
    "escapes": _("{commander} escapes."),
}
FATE_SCALE: Mapping[str, Band] = {
    "killed": Band(_("killed"), 20, "bad"),
    "captured": Band(_("captured"), 70, "warn"),
    "escapes": Band(_("escapes"), 100, "good"),
}


def fate_of(face: int) -> str:
    """Return the fate for this face of a d100: a slug of `FATES`."""
    return next(fate for fate, band in FATE_SCALE.items() if face <= band.most)


# Verdicts: what the last decision of a battle did to each army, under any law.

HELD, HURT = _("held"), _("hurt")
LEFT_OF = _("{left} of {max} left")


class Fate(NamedTuple):
    """Effect on one army. `lost` is the health it lost; healing in between is not counted.

    `word` stands beside a loss ("fled") or in place of one ("held"). `text` is the main fact, without the army's name;
    `own` is a sentence for whoever commands it. `gone`: it has left the field.
    """

    army: str
    lost: int
    word: Said
    text: Said
    own: Said
    gone: bool = False


class Verdict(NamedTuple):
    """Result of the last decision. `title` is its phase. `news` says what was decided; None for a whole phase ("Turn 2
    resolved"). `undo` is the label for undoing it; None for undoing the phase.
    """

    title: Said
    fates: tuple[Fate, ...]
    news: Said | None = None
    undo: Said | None = None


class ArmyThen(Protocol):
    """Protocol of an army, as verdicts read it (a `Combatant`)."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def status_word(self) -> Said: ...
    @property
    def health(self) -> int: ...
    @property
    def health_max(self) -> int: ...
    @property
    def fighting(self) -> bool: ...


class FieldThen(Protocol):
    """Protocol of a battle, as verdicts read it (a `Summary`)."""

    @property
    def stage(self) -> Any: ...
    @property
    def armies(self) -> Mapping[str, ArmyThen]: ...


def by_health(before: FieldThen, after: FieldThen) -> Verdict:
    """Return the verdict of any law: losses of health, and who has left the field."""
    fates = (
        _fate(army, before.armies.get(army.id, army)) for army in after.armies.values() if _was_there(before, army)
    )
    return Verdict(before.stage.label, tuple(fates))


def _was_there(before: FieldThen, army: ArmyThen) -> bool:
    known = before.armies.get(army.id)
    return known is None or known.fighting


def _fate(army: ArmyThen, before: ArmyThen) -> Fate:
    lost, gone = max(before.health - army.health, 0), not army.fighting
    left = say(LEFT_OF, left=army.health, max=army.health_max)
    return Fate(army.id, lost, army.status_word if gone else HELD, left, _own(army, lost, left), gone)


def _own(army: ArmyThen, lost: int, left: Said) -> Said:
    if not army.fighting:
        return say(_("{army}: {fate}."), army=army.name, fate=army.status_word)
    if lost:
        return say(_("{army} lost {lost}: {left}."), army=army.name, lost=lost, left=left)
    return say(_("{army} held: {left}."), army=army.name, left=left)


def holder(side: str | None) -> Said:
    """Say who holds the field at the end. `side` is None for nobody."""
    if side is None:
        return _("No side holds the field.")
    return say(_("Victory on the field: {side}."), side=side)


def told_end(side: str | None, reason: str) -> Message:
    """Say who holds the field at the end, for the log. `reason` is somebody's own words, or ""."""
    if side is None:
        return and_why(say(_("The battle ends without a victor.")), reason)
    return and_why(say(_("The field belongs to {side}."), side=side), reason)


def and_why(sentence: Message, reason: str) -> Message:
    """Add a reason in somebody's own words to a sentence, if there is one."""
    return say(_("{sentence} {reason}"), sentence=sentence, reason=reason) if reason else sentence

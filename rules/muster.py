"""Law-neutral values of armies that fight under another law: an army's worth (`Muster`) and its losses (`BattleToll`).

An army's own law describes it as a `Muster`. The battle's law converts that into an army of its own. After the battle
it reports each army's losses, and the army's own law records them. So no law knows another.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, Literal, NamedTuple, get_args

from rules.core.text import NO_WORDS, Said

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
    the change of its spirit. `leader_lost`: its leader was struck down, their fate still open. `rule` and `told` give
    the reason, in the words of the battle's law.
    """

    lost: Fraction
    left: ArmyEnd = STANDS
    spirit: int = 0
    leader_lost: bool = False
    rule: str = ""
    told: Said = NO_WORDS


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
    """Return the size of an army of so many heads: `size_of(150) == "medium"`."""
    return max((slug for slug, least in SIZES.items() if least <= max(1, heads)), key=SIZES.__getitem__)

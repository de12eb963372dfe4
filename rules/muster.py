"""Neutral values of armies that fight by another law than their own: what one is worth, and what it lost.

Its own law says what an army is (`Muster`). The law of the battle makes an army of its own of that. After the battle it
says what each army lost (`BattleToll`), and the army's own law writes that down as it counts losses. So no law knows
another.
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
"""Size classes of armies, with the heads from which on an army belongs to one."""

type TroopTag = Literal[
    "flies", "rides", "throws-rocks", "giant", "shoots", "armored", "beast", "animal", "undead", "mindless",
    "infiltrates", "chaotic", "dragon", "breathes-fire", "unseen", "magic-proof", "hard-to-hurt", "inspires",
    "frightens", "unnatural", "brave",
]  # fmt: skip
TAGS: frozenset[TroopTag] = frozenset(get_args(TroopTag.__value__))
"""What can be said of troops. `armored`: better than is usual among their like. `beast`: animals and what is like them.
`infiltrates`: they pass unseen or where others cannot. `unseen`: they can't be seen; `magic-proof`: magic does little
to them; `hard-to-hurt`: common weapons do; `unnatural`: animals shy away from them.
"""


class MusteredTroops(NamedTuple):
    """Troops of one kind. `worth`: how much of the army they are, in any measure, as long as it is one.

    `rating`: how strong one head is, as a challenge rating; 1 is a trained soldier. `protection`: how much better
    guarded they are than is usual for their strength; from 4 on they are heavy.
    """

    name: str
    heads: int
    worth: int
    rating: Fraction = Fraction(1)
    tags: frozenset[TroopTag] = frozenset()
    protection: int = 0


class MusteredLeader(NamedTuple):
    """Who leads an army. `rank`: how well they lead; 6 is an officer, 15 a great general. `autonomous`: they need no
    leave to change their plans.
    """

    id: str
    name: str
    rank: int = 0
    autonomous: bool = False


class Muster(NamedTuple):
    """An army as any law may understand it. `spirit`: from −4 to 4, 0 is usual. `caster`: the highest level of magic
    among its troops, 0 for none.
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
    """What a battle cost an army. `lost`: the share of its health. `left`: what has become of the army as a whole.

    `spirit`: by how much its spirit changes. `leader_lost`: its leader was struck down; what became of them is still
    open. `rule` and `told`: why, in the words of the battle's law.
    """

    lost: Fraction
    left: ArmyEnd = STANDS
    spirit: int = 0
    leader_lost: bool = False
    rule: str = ""
    told: Said = NO_WORDS


class MusteredSide(NamedTuple):
    """A side of the battle: its name, and its armies by id."""

    name: str
    armies: tuple[str, ...]


class BattleTolls(NamedTuple):
    """What a battle cost. `winner`: by index the side that won, None for a draw. `reason`: how it ended."""

    sides: tuple[MusteredSide, ...]
    winner: int | None
    armies: Mapping[str, BattleToll]
    reason: Said = NO_WORDS

    def won(self, army: str) -> bool:
        """Whether it stands on the field of a battle its side has won."""
        return self.side_of(army) == self.winner and self.armies[army].left == STANDS

    def side_of(self, army: str) -> int:
        return next(at for at, side in enumerate(self.sides) if army in side.armies)


def size_of(heads: int) -> str:
    """The size class of so many heads."""
    return max((slug for slug, least in SIZES.items() if least <= max(1, heads)), key=SIZES.__getitem__)

"""Viewers of a battle, and what is hidden from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Veil(NamedTuple):
    """What a campaign hides from players about enemy armies.

    `health`: health and losses are told in words (`rules.core.health`). `figures`: attack, defence and every sum or die
    that would reveal them are hidden; health is then in words too, because damage would reveal them. `corrections`: a
    GM's manual changes are told without figure and reason.
    """

    health: bool = False
    figures: bool = False
    corrections: bool = False


OPEN = Veil()

type Veiled = int | None
"""Figure of an event. It is None in the event as witnessed by somebody who may not know it, never
in the stored event.
"""


def whole(figure: Veiled) -> int:
    """Return the figure of a stored event, where no figure is hidden."""
    assert figure is not None
    return figure


@dataclass(frozen=True, slots=True)
class Viewer:
    """Viewer of a battle: the GM, or somebody who commands `armies` and may read the figures of `reads`.

    `user` is their id, or "" for an unknown person; a law may use it for those who command less than an army. `beside`
    are the armies on the sides where they command one. `veil` is what is hidden from them about all other armies.
    """

    gm: bool = False
    armies: frozenset[str] = field(default_factory=frozenset)
    reads: frozenset[str] = field(default_factory=frozenset)
    user: str = ""
    beside: frozenset[str] = field(default_factory=frozenset)
    veil: Veil = OPEN

    def commands(self, army: str) -> bool:
        return self.gm or army in self.armies

    def knows(self, army: str) -> bool:
        """Whether they may know the army's figures. Its commander may."""
        return army in self.reads or self.commands(army)

    def _beyond(self, army: str) -> bool:
        """Whether the veil hides this army from them."""
        return not (self.knows(army) or army in self.beside)

    def measures(self, army: str) -> bool:
        """Whether they see the army's health and losses as figures."""
        return not ((self.veil.health or self.veil.figures) and self._beyond(army))

    def weighs(self, army: str) -> bool:
        """Whether they see dice, sums and damage that reveal the army's attack and defence."""
        return not (self.veil.figures and self._beyond(army))

    def hears_why(self, army: str) -> bool:
        """Whether they see the figure and reason of a GM's manual change to the army."""
        return not (self.veil != OPEN and self._beyond(army))

    @property
    def knowledge(self) -> str:
        """Key of what they know: viewers with the same key are told the same. All GMs share one."""
        if self.gm:
            return "all"
        veiled = () if self.veil == OPEN else (tuple(self.veil), sorted(self.beside))
        return repr((self.user, sorted(self.armies), sorted(self.reads), *veiled))


ANYBODY = Viewer()  # knows only what everybody may know
OMNISCIENT = Viewer(gm=True)  # knows everything, and may command everything

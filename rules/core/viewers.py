"""Viewers of a battle, and what is kept from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Veil(NamedTuple):
    """What a campaign keeps from players of the enemies they meet.

    `health`: it is told in words (`rules.core.health`), losses with it. `figures`: what defends and attacks, every sum
    and die by which that could be reckoned; health is then told in words, too, for the harm of a blow would tell them.
    `corrections`: what the GM sets by hand is told without figure and reason.
    """

    health: bool = False
    figures: bool = False
    corrections: bool = False


OPEN = Veil()

type Veiled = int | None
"""A figure of an event: None as it is witnessed by whom it is kept from, never as it happened and is written down."""


def whole(figure: Veiled) -> int:
    """Of an event as it happened, in which no figure is kept from anybody."""
    assert figure is not None
    return figure


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks or commands: the GM, or somebody who commands `armies` and knows the figures of those they `reads`.

    `user` is their id, "" for somebody of whom nothing is known: by it a law may know who commands less than an army.
    `beside`: the armies that fight on a side where they command one. `veil`: what is kept from them of all others.
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
        """Whether its figures are known to them: who commands an army knows them."""
        return army in self.reads or self.commands(army)

    def _beyond(self, army: str) -> bool:
        """Whether the veil lies between them and this army."""
        return not (self.knows(army) or army in self.beside)

    def measures(self, army: str) -> bool:
        """Whether its health, and what it loses, is told them in figures."""
        return not ((self.veil.health or self.veil.figures) and self._beyond(army))

    def weighs(self, army: str) -> bool:
        """Whether they are told dice, sums and harm from which its attack and defence could be reckoned."""
        return not (self.veil.figures and self._beyond(army))

    def hears_why(self, army: str) -> bool:
        """Whether they are told what the GM set of it by hand, and why."""
        return not (self.veil != OPEN and self._beyond(army))

    @property
    def knowledge(self) -> str:
        """Names what they know: to whoever knows the same the same is told. Every GM knows all."""
        if self.gm:
            return "all"
        veiled = () if self.veil == OPEN else (tuple(self.veil), sorted(self.beside))
        return repr((self.user, sorted(self.armies), sorted(self.reads), *veiled))


ANYBODY = Viewer()  # what they may know is everybody's to know
OMNISCIENT = Viewer(gm=True)  # nothing is hidden from them, and nothing refused them for being somebody else's

"""Slots for cards on a campaign's page: what runs or waits for somebody. Other apps register theirs.

Every app registers what gives its cards. Those that wait for the reader come first; each has one act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kingdom.models import Campaign, Kingdom, User
from rules.core.text import Said


class Act(NamedTuple):
    """What a card's reader does next: a link to where it is done."""

    label: Said | str
    url: str
    icon: str = ""


@dataclass(frozen=True, slots=True)
class NowCard:
    """`id`: of its element; `yours`: it waits for the reader. `template` draws the sentence under the title from
    `told`. `bearers`: the kingdoms whose arms stand beside it, else its `icon`. Without an `act` the template has it.
    """

    id: str
    title: Said | str
    badge: Said | str
    template: str
    told: Mapping[str, Any] = field(default_factory=dict)
    yours: bool = False
    act: Act | None = None
    url: str = ""
    icon: str = ""
    bearers: tuple[Kingdom | None, ...] = ()


type CardProvider = Callable[[User, Campaign], Iterable[NowCard]]

_providers: list[tuple[int, CardProvider]] = []


def register(provider: CardProvider, order: int = 0) -> None:
    """Show what `provider` gives; lower orders come first. Registering twice counts once."""
    if all(known is not provider for _order, known in _providers):
        _providers.append((order, provider))
        _providers.sort(key=lambda pair: pair[0])


@dataclass(frozen=True, slots=True)
class Now:
    """The cards for one reader, in the order in which they are shown."""

    cards: tuple[NowCard, ...]

    @property
    def yours(self) -> int:
        """How many wait for the reader."""
        return sum(card.yours for card in self.cards)


def now_of(user: User, campaign: Campaign) -> Now:
    found = [card for _order, provider in _providers for card in provider(user, campaign)]
    return Now(tuple(sorted(found, key=lambda card: not card.yours)))

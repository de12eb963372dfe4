"""Cards on a campaign's page: running battles, pending requests and the like, each with one action.

Apps contribute them (`CardSlot`). Here are those of players without a kingdom and of waiting requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.urls import reverse

from kingdom.access.queries import is_gm
from kingdom.approvals.serializers import list_first_waiting
from kingdom.campaign.queries import load_board
from kingdom.contributions import contributed
from kingdom.members.unassigned_players import landless_names
from kingdom.models import Campaign, Kingdom, User
from rules.core.text import Said, _, by_number, say

REQUESTS = 5  # requests shown on the card

WITHOUT = by_number("{count} player without a kingdom", "{count} players without a kingdom")
ASKED = by_number("{count} request", "{count} requests")


class Act(NamedTuple):
    """The reader's next step: a link to its page."""

    label: Said | str
    url: str
    icon: str = ""


@dataclass(frozen=True, slots=True)
class NowCard:
    """A card.

    - `id`: of its element. `yours`: it waits for the reader.
    - `template`: renders the sentence below the title from `told`.
    - `bearers`: kingdoms whose arms it shows, else its `icon`.
    - `act`: its action; without one the template has it. `more`: further actions. `post`: what its button does at once.
    """

    id: str
    title: Said | str
    badge: Said | str
    template: str
    told: Mapping[str, Any] = field(default_factory=dict)
    yours: bool = False
    act: Act | None = None
    more: tuple[Act, ...] = ()
    post: Act | None = None
    url: str = ""
    icon: str = ""
    bearers: tuple[Kingdom | None, ...] = ()


type CardProvider = Callable[[User, Campaign], Iterable[NowCard]]


class CardSlot(NamedTuple):
    """The cards that `provider` returns."""

    provider: CardProvider
    order: int = 0


@dataclass(frozen=True, slots=True)
class Now:
    """The cards for one reader, in the order shown."""

    cards: tuple[NowCard, ...]

    @property
    def yours(self) -> int:
        """Number of cards that wait for the reader."""
        return sum(card.yours for card in self.cards)


def now_of(user: User, campaign: Campaign) -> Now:
    found = [card for slot in contributed().cards for card in slot.provider(user, campaign)]
    return Now(tuple(sorted(found, key=lambda card: not card.yours)))


def landless(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """Yield the GM's card of players without a kingdom and kingdoms without a player."""
    if not is_gm(user, campaign):
        return
    names = landless_names(campaign)
    if not names:
        return
    free = [kingdom for kingdom in load_board(campaign) if not kingdom.player_names]  # type: ignore[attr-defined]
    yield NowCard(
        id="landless-players",
        title=say(WITHOUT, count=len(names)),
        badge=_("yours"),
        template="kingdom/campaign/now/landless.html",
        told={"names": names, "free": free},
        yours=True,
        act=Act(_("Assign kingdoms"), reverse("kingdom:members", args=[campaign.pk]), "castle"),
        icon="members",
    )


def requests(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """Yield the card of requests that wait for the GM, as far as the reader may see them. The GM answers on the
    card.
    """
    lines, count = list_first_waiting(user, campaign, REQUESTS)
    if not lines:
        return
    gm, every = is_gm(user, campaign), reverse("kingdom:petitions", args=[campaign.pk])
    one = reverse("kingdom:petition", args=[lines[0].petition.pk]) if count == 1 else every
    own = count == 1 and lines[0].withdraws
    yield NowCard(
        id="requests",
        title=_("Your request") if own else say(ASKED, count=count),
        badge=_("yours") if gm else _("waiting for the GM"),
        template="kingdom/campaign/now/requests.html",
        told={"lines": lines, "every": every, "gm": gm, "count": count},
        yours=gm,
        act=None if gm else Act(_("See the request") if count == 1 else _("See the requests"), one),
        url=one,
        icon="scroll-unfurled",
    )

"""Kinds of share links: what each shows. Apps contribute theirs.

Whoever opens one reads what a player does who runs nothing (`onlooker`): they are nobody, signed in or not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse

from kingdom.access.queries import know_seat
from kingdom.contributions import contributed
from kingdom.models import Campaign, Role, ShareLink, User
from kingdom.models.heraldry import Arms
from rules.core.text import Said, Term


class LinkPreview(NamedTuple):
    """What is told of a link before it is opened: its title, a line, and the arms of those it is about. `left`: what
    is left of each of them, in hundredths; None: not told.
    """

    title: str
    text: str
    bearers: tuple[tuple[str, Arms | None], ...] = ()
    left: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Shared:
    """A link that was opened. `token`: as it came; only its hash is kept."""

    link: ShareLink
    token: str
    thing: Any
    onlooker: User

    @property
    def campaign(self) -> Campaign:
        found: Campaign = self.link.campaign
        return found

    @property
    def kind(self) -> ShareKind:
        return list_kinds()[self.link.kind]

    @property
    def url(self) -> str:
        return reverse("kingdom:shared", args=[self.token])


class Drawn(NamedTuple):
    """A template and what it wants; `piece`: the template of the part that is fetched anew."""

    template: str
    context: Mapping[str, Any]
    piece: str = ""


class ShareKind(NamedTuple):
    """`find(campaign, id)`: the thing (Http404). `things(user, campaign)`: those the user can make a link to, each
    with its name. `names(campaign, ids)`: of those of these that are there. `draw` the page; `preview` in words.
    `follows`: as what its page follows the thing (`kingdom.live.stream`). `of_kingdom`: who runs a kingdom may make one
    of it, where the GM lets players.
    """

    name: Term
    help: Said
    find: Callable[[Campaign, UUID], Any]
    things: Callable[[User, Campaign], Iterable[tuple[UUID, str]]]
    names: Callable[[Campaign, Collection[UUID]], Mapping[UUID, str]]
    draw: Callable[[HttpRequest, Shared], Drawn]
    preview: Callable[[Shared], LinkPreview]
    follows: str = ""
    of_kingdom: bool = False


def list_kinds() -> Mapping[str, ShareKind]:
    return contributed().share_kinds


def onlooker(campaign: Campaign) -> User:
    """A player of this campaign who runs nothing and is nobody: they are in no table, so no condition lets them in."""
    nobody = User(username="")
    know_seat(campaign, nobody, Role.PLAYER)
    return nobody

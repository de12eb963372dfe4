"""Share kinds: what each kind of share link shows. Apps contribute them.

A visitor reads what a player without a kingdom may read (`onlooker`), whether they are signed in or not.
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
    """Preview of a link: its title, a line of text, and the arms of those it is about. `left`: what is left of each, in
    percent; None if hidden.
    """

    title: str
    text: str
    bearers: tuple[tuple[str, Arms | None], ...] = ()
    left: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Shared:
    """An opened link. `token`: as received; only its hash is stored."""

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
    """A template and its context; `piece`: the template of the part that is refreshed."""

    template: str
    context: Mapping[str, Any]
    piece: str = ""


class ShareKind(NamedTuple):
    """A kind of share link.

    - `find(campaign, id)`: the object (raises Http404).
    - `things(user, campaign)`: the objects the user can share, with their names.
    - `names(campaign, ids)`: the names of existing objects among these.
    - `draw`: the page; `preview`: its preview.
    - `follows`: the kind under which its page follows the object (`kingdom.live.stream`), "" if it never changes.
    - `of_kingdom`: whoever runs the kingdom may share it, if the GM allows it.
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
    """Return an unsaved player of this campaign without a kingdom, whom no condition on rows lets in."""
    nobody = User(username="")
    know_seat(campaign, nobody, Role.PLAYER)
    return nobody

"""Event types of webhooks. Apps contribute theirs.

What is told is thin: ids, figures that count versions and days, and where to ask for more. `sentence` is for a channel
that every player may read: what stands in it each of them may know, or there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from django.utils.functional import Promise

from kingdom.contributions import contributed
from kingdom.models import Campaign, User
from kingdom.sharing.share_kinds import LinkPreview

About = Mapping[str, Any]
TEST = "webhook.test"
TAKEN_BACK = "taken_back"


class Letter(NamedTuple):
    """An event as a mail. `label`: what its readers tick; `to`: those it concerns; `text`: what it says to them, where
    that is not the `sentence`. `wait`: how long it is kept, so that whoever sees to it at once has no mail.
    """

    label: str | Promise
    to: Callable[[Campaign, About], Iterable[User]]
    text: Callable[[Campaign, About], str | None] | None = None
    wait: timedelta = timedelta()


@dataclass(frozen=True)
class HookEvent:
    """`api`, `page`: where to read of what it is about. `sentence(campaign, about)`: what it says in the language that
    is spoken; None: not every player may read it. `picture`: what is drawn beside the sentence, which whoever may read
    that may see; None for none. `letter`: who may have it as a mail.
    """

    name: str | Promise
    api: Callable[[Campaign, About], str]
    page: Callable[[Campaign, About], str]
    sentence: Callable[[Campaign, About], str | None]
    picture: Callable[[Campaign, About], LinkPreview | None] | None = None
    letter: Letter | None = None


def list_slugs() -> list[str]:
    """All that can be chosen."""
    return sorted(contributed().webhook_events.keys() - {TEST})


def get_event_type(slug: str) -> HookEvent:
    return contributed().webhook_events[slug]


def name_of(slug: str) -> str:
    """In the language that is spoken; of one that is known no more, its slug."""
    event = contributed().webhook_events.get(slug)
    return str(event.name) if event else slug


def choices() -> list[tuple[str, str]]:
    return [(slug, f"{name_of(slug)} ({slug})") for slug in list_slugs()]


def list_letters() -> list[tuple[str, str | Promise]]:
    """The events that people may have as mails, each with what they tick."""
    events = contributed().webhook_events
    return [(slug, event.letter.label) for slug, event in events.items() if event.letter]

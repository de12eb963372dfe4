"""Event types of webhooks. Apps contribute theirs.

Payloads are thin: ids, numbers of versions and days, and where to read more. `sentence` is for a channel that every
player may read: it says only what each of them may know, or is None.
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
    """An event as a mail. `label`: its choice in the settings; `to`: the users concerned; `text`: its text, if not the
    `sentence`. `wait`: delay, so that a user who acts at once gets no mail.
    """

    label: str | Promise
    to: Callable[[Campaign, About], Iterable[User]]
    text: Callable[[Campaign, About], str | None] | None = None
    wait: timedelta = timedelta()


@dataclass(frozen=True)
class HookEvent:
    """An event type.

    - `api`, `page`: addresses of what it is about.
    - `sentence(campaign, about)`: its text in the active language; None if not every player may read it.
    - `picture`: the image beside the sentence, visible to the same readers; None for none.
    - `letter`: the event as a mail.
    """

    name: str | Promise
    api: Callable[[Campaign, About], str]
    page: Callable[[Campaign, About], str]
    sentence: Callable[[Campaign, About], str | None]
    picture: Callable[[Campaign, About], LinkPreview | None] | None = None
    letter: Letter | None = None


def list_slugs() -> list[str]:
    """Return the slugs of all events that can be chosen."""
    return sorted(contributed().webhook_events.keys() - {TEST})


def get_event_type(slug: str) -> HookEvent:
    return contributed().webhook_events[slug]


def name_of(slug: str) -> str:
    """Return the name in the active language; the slug of an unknown event."""
    event = contributed().webhook_events.get(slug)
    return str(event.name) if event else slug


def choices() -> list[tuple[str, str]]:
    return [(slug, f"{name_of(slug)} ({slug})") for slug in list_slugs()]


def list_letters() -> list[tuple[str, str | Promise]]:
    """Return the events that can be mailed, with the labels of their choices."""
    events = contributed().webhook_events
    return [(slug, event.letter.label) for slug, event in events.items() if event.letter]

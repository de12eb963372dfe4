"""What a law shows of its armies on the pages of campaigns and kingdoms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any
from uuid import UUID

from armies.faces import Panel, all_faces
from kingdom import panels
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import leave_of, run_kingdom_ids
from rules.registry import family_of


def rosters(user: User, campaign: Campaign, template: str, lines: Mapping[UUID, Any], **more: Any) -> Panel:
    """The roster of each kingdom, drawn by this template, for the campaign's page."""
    own, may = run_kingdom_ids(user, campaign), leave_of(user, campaign)
    return template, {
        pk: {
            "lines": lines.get(pk, []),
            "rest": _rest(lines.get(pk, [])),
            "runs": pk in own,
            "kingdom_id": pk,
            "may": may,
            **more,
        }
        for pk in {*lines, *own}
    }


def _rest(lines: Sequence[Any]) -> int:
    """How many armies of this kingdom are not among these, the first of `armies.access.at_a_glance`."""
    return lines[0].army.among - len(lines) if lines else 0


def register() -> None:
    """Every face's panels, each shown where the campaign is played by a law of its family."""
    for face in all_faces():
        for place, provider, order in face.panels:
            panels.register(place, _by_law(face.family, provider), order)


def _by_law(family: str, provider: Callable[..., Panel]) -> Callable[..., Panel]:
    @wraps(provider)
    def shown(user: User, subject: Campaign | Kingdom, *more: Any) -> Panel:
        campaign = subject.campaign if isinstance(subject, Kingdom) else subject
        return provider(user, subject, *more) if family_of(campaign.ruleset) == family else None

    return shown

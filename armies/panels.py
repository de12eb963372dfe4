"""What a law shows of its armies on the pages of campaigns and kingdoms."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from armies.faces import Panel, all_faces
from kingdom import panels
from kingdom.models import Campaign, Kingdom, User
from rules.registry import family_of


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

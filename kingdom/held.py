"""Rights asked again once the campaign is held: whoever lost his seat while he waited has it no more."""

from __future__ import annotations

from kingdom import selectors, world
from kingdom.models import Campaign, User


def held_by_gm(by: User, campaign: Campaign) -> Campaign:
    """The campaign's row, locked by one of its GMs.

    Raises Http404 for strangers, `PermissionDenied` for members who are no GM, or no longer one.
    """
    selectors.require_gm(by, campaign)  # others hold nobody up
    held = world.lock(campaign)
    selectors.require_gm(by, held)
    return held

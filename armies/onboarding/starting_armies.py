"""Starting armies that a ruleset offers, with their commanders' figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from kingdom.models import Campaign, User
from rules.core.text import Said, Term, _

if TYPE_CHECKING:
    from armies.onboarding.building import Built
    from armies.onboarding.casts import CampaignCast


class Troop(NamedTuple):
    """A starting army: its name in a list, and its members in the body of POST armies/.

    `leader`: figures of its commander in a template that differ from the defaults.
    """

    name: Said
    body: dict[str, Any]
    leader: Mapping[str, Any] = {}


class Starts(Protocol):
    """Type of `ArmyUI.starts`."""

    templates: bool
    """Whether the campaign templates (`armies.onboarding.casts`) are offered. Then `troops` must have every kind that
    they name.
    """
    casts: Sequence[CampaignCast]
    """Templates of this ruleset only, which are listed first."""

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        """Starting armies by slug, in the reader's language; the first one is preselected."""

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        """A commander's figures in the shape of POST commanders/, without name and kingdom."""

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Hook after a template's armies are created: the ruleset places them and starts blockades."""


class PlainStarts:
    """Starting armies of a ruleset whose documents are numbers: one army, with the form's initial values."""

    templates = False
    casts: Sequence[CampaignCast] = ()

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        from kingdom.realms.figures import get_ruleset

        entries = get_ruleset(campaign).armies.entries
        if any(entry.start is None for entry in entries.values()):
            return {}
        return {"usual": Troop(USUAL, {"sheet": {slug: entry.start for slug, entry in entries.items()}})}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        return None


USUAL: Term = _("standard army")

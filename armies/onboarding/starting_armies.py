"""Starting armies that a ruleset has ready: armies of each kind, and a commander's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from kingdom.models import Campaign, User
from rules.core.text import Said, Term, _

if TYPE_CHECKING:
    from armies.onboarding.building import Built
    from armies.onboarding.casts import CampaignCast


class Troop(NamedTuple):
    """An army to begin with: what it is called in a list, and what of it stands in the body of POST armies/.

    `leader`: figures of its commander that are others than usual, where a template names one.
    """

    name: Said
    body: dict[str, Any]
    leader: Mapping[str, Any] = {}


class Starts(Protocol):
    """What `ArmyUI.starts` answers."""

    templates: bool
    """Whether the templates of campaigns (`armies.onboarding.casts`) may be had: then `troops` has every kind they
    name.
    """
    casts: Sequence[CampaignCast]
    """Templates that only this law has; they come first."""

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        """Armies to begin with, by slug and in the reader’s language; the first is what is offered at first."""

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        """A commander’s figures in the shape of POST commanders/, without name and kingdom."""

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """What the law does with a template’s campaign once its armies stand: who is where, who blockades whom."""


class PlainStarts:
    """Of a law whose documents are numbers: one army, as its form begins."""

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

"""A campaign's law changes: its ruleset or its house rules, and every figure that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kingdom import world
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.warrants import within
from rules.registry import ruleset as find_ruleset
from rules.text import _

Follower = Callable[[Campaign], Iterable[world.Change]]

_followers: list[Follower] = []


def follow_law(follower: Follower) -> None:
    """Ask `follower(campaign)`, which has its new law, what else changes: figures that are kept. Kingdoms keep none."""
    if follower not in _followers:
        _followers.append(follower)


@within
def change_law(*, by: User, campaign: Campaign, **law: object) -> None:
    """Give the campaign this `ruleset` or these `house_rules`, cleaned. The chronicle says what followed.

    In a transaction; no permission is asked. Raises `IllegalCommand` for a law an army cannot live by.
    """
    locked = world.lock(campaign)
    rule = find_ruleset(str(law.get("ruleset", locked.ruleset))).house_rules.rule
    changes = [
        world.Change("campaign", str(campaign.pk), field, getattr(locked, field), value, rule,
                     world.word_of("campaign", field), campaign.name)
        for field, value in law.items() if getattr(locked, field) != value
    ]  # fmt: skip
    for field, value in law.items():
        setattr(campaign, field, value)
    if changes:
        changes += [line for follower in _followers for line in follower(campaign)]
        text = _("The rules of the campaign changed.")
        world.apply(campaign=campaign, changes=changes, by=by, kind=ChronicleEntry.Kind.OTHER, text=text)

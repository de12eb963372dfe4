"""Services that change a campaign's ruleset or house rules, and every figure that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kingdom.access.decorators import internal
from kingdom.chronicle import changes as chronicle_changes
from kingdom.contributions import contributed
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import IllegalCommand
from rules.core.text import Said, _
from rules.law import Law
from rules.registry import RULESETS
from rules.registry import ruleset as find_ruleset

CHANGED = _("The rules of the campaign changed.")
FOLLOWED = _("Armies follow the rules that hold again.")
LAW = frozenset({"ruleset", "house_rules"})

LawFollower = Callable[[Campaign], Iterable[chronicle_changes.Change]]
"""Of a campaign that has its new law: what else changes, figures that are kept. Kingdoms keep none."""
LawGuard = Callable[[Campaign, Law], None]
"""Called before the campaign, which has its old law, is given this one; it may refuse."""


def refuse_law(campaign: Campaign, slug: str, house_rules: Mapping[str, Any]) -> None:
    """Raise what keeps the campaign from being played by this ruleset: as it is asked for, and undone."""
    law = find_ruleset(slug, house_rules)
    for guard in contributed().law_guards:
        guard(campaign, law)


@internal
def change_law(*, by: User, campaign: Campaign, said: Said = CHANGED, **law: Any) -> None:
    """Give the campaign this `ruleset` or these `house_rules`, cleaned. The chronicle says it, and what followed.

    In a transaction; no permission is asked. Raises `IllegalCommand` for a law an army cannot live by.
    """
    locked = chronicle_changes.lock(campaign)
    slug = str(law.get("ruleset", locked.ruleset))
    refuse_law(locked, slug, law.get("house_rules", locked.house_rules))
    rule = find_ruleset(slug).house_rules.rule
    changes = [
        chronicle_changes.Change("campaign", str(campaign.pk), field, getattr(locked, field), value, rule,
                     chronicle_changes.word_of("campaign", field), campaign.name)
        for field, value in law.items() if getattr(locked, field) != value
    ]  # fmt: skip
    for field, value in law.items():
        setattr(campaign, field, value)
    if changes:
        changes += _followed(campaign)
        chronicle_changes.apply(campaign=campaign, changes=changes, by=by, kind=ChronicleEntry.Kind.OTHER, text=said)


def _followed(campaign: Campaign) -> list[chronicle_changes.Change]:
    return [line for follower in contributed().law_followers for line in follower(campaign)]


@internal
def follow_back(entry: ChronicleEntry, by: User) -> None:
    """What came back (`kingdom.chronicle.undelete`) by the law that is undone with this entry follows the one that
    holds again, in an entry of its own: the lines of this one know nothing of it.
    """
    if not any(
        change.subject_kind == "campaign" and change.field in LAW for change in chronicle_changes.list_changes(entry)
    ):
        return
    campaign = Campaign.objects.get(pk=entry.campaign_id)
    try:
        changes = _followed(campaign)
    except IllegalCommand:  # an army that is none by these rules was none before
        return
    if changes:
        chronicle_changes.apply(
            campaign=campaign, changes=changes, by=by, kind=ChronicleEntry.Kind.OTHER, text=FOLLOWED
        )


def rests_on_law(entry: ChronicleEntry, later: ChronicleEntry) -> Said | None:
    """House rules are those of a family of laws: what was chosen under another one goes before it."""
    one, two = _law_lines(entry), _law_lines(later)
    other = one and two and (_leaves_its_family(one) or _leaves_its_family(two))
    return chronicle_changes.word_of("campaign", "ruleset") if other else None


def _law_lines(entry: ChronicleEntry) -> list[Mapping[str, Any]]:
    return [line for line in entry.changes if line["subject_kind"] == "campaign" and line["field"] in LAW]


def _leaves_its_family(lines: Iterable[Mapping[str, Any]]) -> bool:
    changed = [line for line in lines if line["field"] == "ruleset"]
    families = {str(slug): law.family for slug, law in RULESETS.items()}
    return any(families.get(str(line["before"])) != families.get(str(line["after"])) for line in changed)

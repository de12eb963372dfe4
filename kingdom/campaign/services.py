"""Services that open and change a campaign, its ruleset and its house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import transaction

from core.clean_input import clean_slug, clean_text
from core.live import notify_campaign
from kingdom.access.decorators import gm_only, internal, unrestricted
from kingdom.access.guests import require_account
from kingdom.access.permissions import clean_players_may
from kingdom.access.queries import require_gm
from kingdom.access.redaction import clean_secrecy
from kingdom.campaign.house_rules import clean_house_rules
from kingdom.chronicle import changes
from kingdom.chronicle import changes as chronicle_changes
from kingdom.contributions import contributed
from kingdom.models import Campaign, ChronicleEntry, Knowledge, Membership, Role, User
from kingdom.models.calendar import clean_calendar
from kingdom.onboarding import templates
from rules.core.errors import IllegalCommand, InvalidInput, demand
from rules.core.text import Said, _, say
from rules.house import OWN
from rules.law import Law
from rules.registry import RULESETS
from rules.registry import ruleset as find_ruleset

SETTINGS = ("name", "calendar", "players_may", "first_steps", "players_share", "others_known", "met_known", "secrecy")


@unrestricted("It is his own campaign.")
@transaction.atomic
def create_campaign(
    *,
    by: User,
    name: str,
    ruleset: str,
    house_rules: Mapping[str, object] | None = None,
    calendar: Mapping[str, object] | None = None,
    players_may: Mapping[str, str] | None = None,
    template: str = "",
    first_steps: bool = True,
    players_share: bool = False,
    others_known: int | None = None,
    met_known: int | None = None,
    secrecy: Mapping[str, str] | None = None,
) -> Campaign:
    """A new campaign on day 0; whoever opens it is its GM. `template`: what it begins with
    (`kingdom.onboarding.templates`).

    Raises `InvalidInput`, and `PermissionDenied` for a guest.
    """
    require_account(by)
    slug = clean_slug(ruleset, field="/ruleset", among=RULESETS)
    beginning = templates.find_template(template, slug) if template else None
    campaign = Campaign(
        name=clean_text(name, field="/name"),
        ruleset=slug,
        house_rules=clean_house_rules(house_rules, ruleset=slug),
        calendar=clean_calendar(calendar or {}),
        players_may=clean_players_may(players_may or {}, stored={}),
        first_steps=first_steps,
        players_share=players_share,
        secrecy=clean_secrecy(secrecy or {}, stored={}),
        created_by=by,
        owner=by,
    )
    _set_known(campaign, others_known, met_known)
    _open(campaign, gm=by)
    if beginning:
        beginning.fill(by=by, campaign=campaign)
    return campaign


def _open(campaign: Campaign, *, gm: User) -> None:
    campaign.save(force_insert=True)
    Membership.objects.create(campaign=campaign, user=gm, role=Role.GM)


@gm_only
@transaction.atomic
def update_campaign(
    *,
    by: User,
    campaign: Campaign,
    name: str | None = None,
    ruleset: str | None = None,
    house_rules: Mapping[str, object] | None = None,
    calendar: Mapping[str, object] | None = None,
    players_may: Mapping[str, str] | None = None,
    first_steps: bool | None = None,
    players_share: bool | None = None,
    others_known: int | None = None,
    met_known: int | None = None,
    secrecy: Mapping[str, str] | None = None,
) -> Campaign:
    """Change the name, the law, the calendar or what players may do themselves (GM). What is not given stays.

    `first_steps`: whether GMs are shown what comes first. `players_share`: whether players may make public links to
    their kingdoms’ pages; the links there are stay. `secrecy`: what players are not told of enemies in battle. Another
    law is a change of the world, with a chronicle entry. Raises `InvalidInput`, and `IllegalCommand` for a law an army
    cannot live by.
    """
    require_gm(by, campaign)
    changes.hold(campaign)
    if name is not None:
        campaign.name = clean_text(name, field="/name")
    law = _law(campaign, ruleset, house_rules)
    if calendar is not None:
        campaign.calendar = clean_calendar(calendar)
    if players_may is not None:
        campaign.players_may = clean_players_may(players_may, stored=campaign.players_may)
    if secrecy is not None:
        campaign.secrecy = clean_secrecy(secrecy, stored=campaign.secrecy)
    campaign.first_steps = campaign.first_steps if first_steps is None else first_steps
    campaign.players_share = campaign.players_share if players_share is None else players_share
    _set_known(campaign, others_known, met_known)
    change_law(by=by, campaign=campaign, **law)
    campaign.save(update_fields=[*SETTINGS])
    notify_campaign(campaign.pk)
    return campaign


def _set_known(campaign: Campaign, others: int | None, met: int | None) -> None:
    """What players know of armies that are not theirs, and of those among them they have met: at least a name."""
    for field, level, least in (("others_known", others, Knowledge.NOTHING), ("met_known", met, Knowledge.NAME)):
        if level is not None:
            demand(level in Knowledge.values and level >= least, _("Choose a level from the list."), field=f"/{field}")
            setattr(campaign, field, int(level))


def _law(campaign: Campaign, ruleset: str | None, house_rules: Mapping[str, object] | None) -> dict[str, Any]:
    """What was given of the law, cleaned. House rules that were not given hold under another ruleset, or refuse it."""
    law: dict[str, Any] = {}
    slug = campaign.ruleset
    if ruleset is not None:
        law["ruleset"] = slug = clean_slug(ruleset, field="/ruleset", among=RULESETS)
    if house_rules is not None:
        law["house_rules"] = clean_house_rules(_with_own(campaign, house_rules, slug), ruleset=slug)
    elif slug != campaign.ruleset:
        law["house_rules"] = _house_rules_under(slug, campaign)
    return law


def _with_own(campaign: Campaign, given: Mapping[str, object], slug: str) -> Mapping[str, object]:
    """What the campaign has of its own stays until it is given anew, or another ruleset is."""
    own = campaign.house_rules.get(OWN)
    if own is None or slug != campaign.ruleset or not isinstance(given, Mapping):
        return given
    return {OWN: own, **given}


def _house_rules_under(slug: str, campaign: Campaign) -> dict[str, object]:
    try:
        return clean_house_rules(campaign.house_rules, ruleset=slug)
    except InvalidInput as refusal:
        name = RULESETS[slug].name
        text = _("The campaign’s house rules don’t fit {ruleset}. Send house rules for {ruleset} in the same request.")
        raise InvalidInput(say(text, ruleset=name), "/house_rules") from refusal


# Services that change a campaign's ruleset or house rules, and every figure that follows.


CHANGED = _("The campaign’s rules changed.")
FOLLOWED = _("Armies follow the restored rules.")
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

"""Services that create and change a campaign, its ruleset and its house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import transaction

from core.clean_input import ORIGINS_MOST, clean_origin, clean_slug, clean_text
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
from kingdom.models.calendar_input import clean_calendar
from kingdom.onboarding import checklist
from rules.core.errors import IllegalCommand, InvalidInput, demand
from rules.core.text import Said, _, say
from rules.house import OWN
from rules.law import Law
from rules.registry import RULESETS, family_of
from rules.registry import ruleset as find_ruleset

SETTINGS = (
    "name", "calendar", "players_may", "first_steps", "players_share", "others_known", "met_known", "secrecy",
    "origins",
)  # fmt: skip


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
    """Create a campaign on day 0; the user becomes its GM and owner. `template`: its first contents
    (`kingdom.onboarding.checklist`).

    Raises `InvalidInput`, and `PermissionDenied` for a guest.
    """
    require_account(by)
    slug = clean_slug(ruleset, field="/ruleset", among=RULESETS)
    beginning = checklist.find_template(template, slug) if template else None
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
    origins: Iterable[object] | None = None,
) -> Campaign:
    """Change the campaign's settings (GM); None leaves one as it is.

    Existing share links stay. A change of ruleset or house rules is recorded in the chronicle. Raises `InvalidInput`,
    and `IllegalCommand` for rules that do not fit an army.
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
    campaign.origins = campaign.origins if origins is None else _clean_origins(origins)
    campaign.first_steps = campaign.first_steps if first_steps is None else first_steps
    campaign.players_share = campaign.players_share if players_share is None else players_share
    _set_known(campaign, others_known, met_known)
    change_law(by=by, campaign=campaign, **law)
    campaign.save(update_fields=[*SETTINGS])
    notify_campaign(campaign.pk)
    return campaign


def _clean_origins(origins: Iterable[object]) -> list[str]:
    """Return the web sites, each once. Raises `InvalidInput`."""
    found = list(dict.fromkeys(clean_origin(one, field="/origins") for one in origins))
    demand(len(found) <= ORIGINS_MOST, _("Enter at most {most} websites."), field="/origins", most=ORIGINS_MOST)
    return found


def _set_known(campaign: Campaign, others: int | None, met: int | None) -> None:
    """Set what players know of other armies, and of those they have met: at least the name. Raises `InvalidInput`."""
    for field, level, least in (("others_known", others, Knowledge.NOTHING), ("met_known", met, Knowledge.NAME)):
        if level is not None:
            demand(level in Knowledge.values and level >= least, _("Choose a level from the list."), field=f"/{field}")
            setattr(campaign, field, int(level))


def _law(campaign: Campaign, ruleset: str | None, house_rules: Mapping[str, object] | None) -> dict[str, Any]:
    """Return the given ruleset and house rules, validated. House rules that were not given must fit a new ruleset.
    Raises `InvalidInput`.
    """
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
    """Keep the campaign's own items unless new ones, or a ruleset of another family, are given."""
    own = campaign.house_rules.get(OWN)
    if own is None or family_of(slug) != family_of(campaign.ruleset) or not isinstance(given, Mapping):
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
"""`follower(campaign)` returns what else changes in a campaign with new rules: derived figures that are stored."""
LawGuard = Callable[[Campaign, Law], None]
"""`guard(campaign, law)` is called before the campaign gets new rules; it may refuse by raising."""


def refuse_law(campaign: Campaign, slug: str, house_rules: Mapping[str, Any]) -> None:
    """Raise whatever forbids these rules for the campaign, on a change and on undo."""
    law = find_ruleset(slug, house_rules)
    for guard in contributed().law_guards:
        guard(campaign, law)


@internal
def change_law(*, by: User, campaign: Campaign, said: Said = CHANGED, **law: Any) -> None:
    """Set the campaign's `ruleset` or `house_rules`, validated, with a chronicle entry that includes derived changes.

    Call it in a transaction, after checking permission. Raises `IllegalCommand` for rules that do not fit an army.
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
    """Adjust what the undo of this entry has restored under other rules (`kingdom.chronicle.undelete`) to the rules in
    force, in an entry of its own.
    """
    if not any(
        change.subject_kind == "campaign" and change.field in LAW for change in chronicle_changes.list_changes(entry)
    ):
        return
    campaign = Campaign.objects.get(pk=entry.campaign_id)
    try:
        changes = _followed(campaign)
    except IllegalCommand:  # an army that does not fit these rules did not fit them before
        return
    if changes:
        chronicle_changes.apply(
            campaign=campaign, changes=changes, by=by, kind=ChronicleEntry.Kind.OTHER, text=FOLLOWED
        )


def rests_on_law(entry: ChronicleEntry, later: ChronicleEntry) -> Said | None:
    """Return the shared field if one of these entries changed the family of rulesets: house rules chosen under another
    family must be undone before.
    """
    one, two = _law_lines(entry), _law_lines(later)
    other = one and two and (_leaves_its_family(one) or _leaves_its_family(two))
    return chronicle_changes.word_of("campaign", "ruleset") if other else None


def _law_lines(entry: ChronicleEntry) -> list[Mapping[str, Any]]:
    return [line for line in entry.changes if line["subject_kind"] == "campaign" and line["field"] in LAW]


def _leaves_its_family(lines: Iterable[Mapping[str, Any]]) -> bool:
    changed = [line for line in lines if line["field"] == "ruleset"]
    families = {str(slug): law.family for slug, law in RULESETS.items()}
    return any(families.get(str(line["before"])) != families.get(str(line["after"])) for line in changed)

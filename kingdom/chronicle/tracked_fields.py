"""Tracked fields of campaigns, kingdoms and settlements: what time, battles and people may change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from core.clean_input import DISTRICTS_MAX, clean_text, clean_whole
from core.text import render
from kingdom.access.queries import kingdoms_read_by, list_readable_kingdom_ids, seats_that_play
from kingdom.campaign.house_rules import house_rules_in_words
from kingdom.campaign.services import refuse_law
from kingdom.chronicle import changes, undelete
from kingdom.chronicle.changes import Occasion, RowsById
from kingdom.chronicle.field_change import OWN, UNREADABLE, TrackedModel
from kingdom.chronicle.transaction import Recording
from kingdom.models import Campaign, Kingdom, KingdomPlayer, Settlement, User
from kingdom.models.base import Natural
from kingdom.models.heraldry import Arms
from kingdom.realms import treasury_services
from kingdom.realms.figures import SWITCHES, get_realm_law
from kingdom.realms.planned_services import lines_in_words
from rules.core.errors import refuse, require
from rules.core.text import Said, Term, _
from rules.realm import counted
from rules.registry import RULESETS, family_of

TOWN_WORDS = {
    "name": _("Name"),
    "districts": _("Districts"),
    "buildings": _("Buildings"),
    "defense_override": _("Fixed Defense"),
    "hex": _("Hex of the map"),
    "revealed": _("Visible to everyone on the map"),
}


TOLD_TO_ALL = {"name", "arms"}


def kingdom_words() -> dict[str, Said]:
    """Return the names of a kingdom's fields, with those on the sheets of all rulesets."""
    figures = {slug: figure.name for law in RULESETS.values() for slug, figure in law.realm.sheet.items()}
    return {"name": _("Name"), "alignment": _("Alignment"), "arms": _("Arms"), **figures, "treasury": _("Treasury"),
            "planned": _("Planned income and costs"), **SWITCHES}  # fmt: skip


def list_tracked() -> Iterator[TrackedModel]:
    """Yield the tracked models of campaigns, kingdoms and settlements."""
    yield TrackedModel(
        "campaign",
        _campaigns,
        fields={
            "ruleset": changes.FieldAccess(read=lambda campaign: campaign.ruleset, write=_play_by),
            "house_rules": changes.FieldAccess(read=lambda campaign: campaign.house_rules, write=_house),
        },
        visible=_everybody,
        words={"day": _("Day")},
        names={"ruleset": _("Ruleset"), "house_rules": _("House rules")},
        shown=_shown_law,
    )
    yield TrackedModel(
        "kingdom",
        _kingdoms,
        fields=REALM_FIELDS,
        visible=_readers,
        words=kingdom_words(),
        names={"armies": _("Armies"), "exists": _("Exists")},
        shown=_shown_arms,
        parts=dict.fromkeys({*kingdom_words(), "armies"} - TOLD_TO_ALL, OWN),
        kingdom=lambda kingdom: kingdom.pk,
        listed=_listed,
    )
    yield TrackedModel(
        "settlement",
        _settlements,
        fields=TOWN_FIELDS,
        visible=_town_readers,
        words=TOWN_WORDS,
        names=dict.fromkeys(("exists", "created"), _("On the map")),
        shown=_shown,
        kingdom=lambda town: town.kingdom_id,
    )


def _campaigns(campaign: Campaign, ids: set[str]) -> RowsById:
    found = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk)
    return {str(row.pk): row for row in found if str(row.pk) in ids}


def _kingdoms(campaign: Campaign, ids: set[str]) -> RowsById:
    """Return the campaign's kingdoms by id, locked. A missing id gets an unsaved kingdom, about to be restored."""
    found = Kingdom.objects.select_for_update().filter(campaign=campaign, pk__in=ids).order_by("pk")
    return undelete.find_or_build(Kingdom, campaign, ids, {str(row.pk): row for row in found})


def _settlements(campaign: Campaign, ids: set[str]) -> RowsById:
    """Return the campaign's settlements by id, locked. A missing id gets an unsaved settlement, about to be
    restored.
    """
    found = Settlement.objects.select_for_update().filter(campaign=campaign, pk__in=ids).order_by("pk")
    return undelete.find_or_build(Settlement, campaign, ids, {str(row.pk): row for row in found})


def _play_by(campaign: Any, slug: Any, _occasion: Occasion) -> None:
    """Set the ruleset, also on undo. House rules are kept within a family of rulesets. Raises `IllegalCommand`."""
    same = family_of(slug) == family_of(campaign.ruleset)
    refuse_law(campaign, slug, campaign.house_rules if same else {})
    campaign.ruleset = slug
    campaign.save(update_fields=["ruleset"])


def _house(campaign: Any, rules: Any, _occasion: Occasion) -> None:
    """Set the house rules, also on undo. Raises `IllegalCommand`."""
    require(isinstance(rules, Mapping), UNREADABLE)
    refuse_law(campaign, campaign.ruleset, rules)
    campaign.house_rules = rules
    campaign.save(update_fields=["house_rules"])


def _fit_to_stand(town: Settlement, _kept: undelete.KeptColumns, _occasion: Occasion) -> None:
    town.name = clean_text(town.name, field="/name", kept=True)
    clean_whole(town.districts, field="/districts", least=1, most=DISTRICTS_MAX)
    undelete.require_same_kingdom(town)


TOWN_STANDS = undelete.build_existence(Settlement.delete, _fit_to_stand)
TOWN_FIELDS = {"exists": TOWN_STANDS, "created": undelete.was_told_before(TOWN_STANDS)}


def _stays(_kingdom: Kingdom) -> None:
    """Refuse to undo the founding of a kingdom: it has to be dissolved."""
    refuse(undelete.GONE)


def _fit_to_rule(kingdom: Kingdom, _kept: undelete.KeptColumns, _occasion: Occasion) -> None:
    kingdom.name = clean_text(kingdom.name, field="/name", kept=True)


def leave_towns(told: Recording, kingdoms: Sequence[Kingdom]) -> None:
    """Delete the settlements of these kingdoms before the kingdoms, each with its own line."""
    towns = Settlement.objects.select_for_update().filter(kingdom__in=kingdoms).order_by("pk")
    told.gone("settlement", *towns)
    towns.delete()


def may_play_again(seat: KingdomPlayer) -> bool:
    """Return whether the user is still a member who may run a kingdom."""
    return seats_that_play(seat.campaign_id).filter(user=seat.user_id).exists()


def _shown_law(campaign: Campaign, field: str, value: Any) -> Any:
    """Return a ruleset or house rules by their names."""
    if field == "ruleset" and value in RULESETS:
        return render(RULESETS[value].name)
    if field != "house_rules":
        return value
    return [render(line) for line in house_rules_in_words(value, campaign.ruleset)]


def _shown_arms(campaign: Campaign, field: str, value: Any) -> Any:
    """Return arms as a blazon, planned lines in words, and an alignment in the reader's language."""
    if field == "planned":
        return [render(line) for line in lines_in_words(value)]
    if field == "alignment" and value:
        return render(Term(value))
    return render(Arms(**value).blazon) if field == "arms" and value else value


def _shown(campaign: Campaign, field: str, value: Any) -> Any:
    """Return buildings by name with their number, and a settlement by its name."""
    if field == "created" and isinstance(value, dict):
        return value.get("name")
    if field != "buildings" or not isinstance(value, list):
        return value
    known = get_realm_law(campaign).buildings
    return [render(counted(known.get(slug, slug), count)) for slug, count in Counter(value).items()]


def _pay(kingdom: Any, value: Any, occasion: Occasion) -> None:
    """Set a treasury through its ledger, the only way it moves."""
    if amount := value - kingdom.treasury:
        treasury_services.append(
            kingdom=kingdom,
            amount=amount,
            reason=occasion.text,
            source=occasion.source,
            by=occasion.by,
            day=occasion.day,
        )


REALM_FIELDS = {
    "exists": undelete.build_existence(_stays, _fit_to_rule),
    "treasury": changes.FieldAccess(lambda kingdom: kingdom.treasury, _pay),
}


def _everybody(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return ids


def _readers(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return {str(pk) for pk in list_readable_kingdom_ids(user, campaign)} & ids


def _town_readers(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    towns = Settlement.objects.filter(
        campaign=campaign, kingdom__in=list_readable_kingdom_ids(user, campaign), pk__in=ids
    )
    return {str(pk) for pk in towns.values_list("pk", flat=True)}


def _listed(user: User, campaign: Campaign) -> QuerySet[Any, tuple[UUID, str]]:
    return kingdoms_read_by(user, campaign).order_by(Natural("name"), "id").values_list("pk", "name")

"""Access to armies: all of those whose kingdom the user reads, of others as much as was told them
(`kingdom.access.army_knowledge`).

`kind` is the model of one law's armies or commanders; rows of other laws are then not among them.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.http import Http404

from armies.models import Army, ArmyQuerySet, Commander, CommanderQuerySet, rows_of
from core.errors import NotInRuleset
from core.text_search import filter_by_words
from kingdom.access.army_knowledge import build_knowledge_condition, load_army_knowledge
from kingdom.access.queries import (
    get_campaign_for,
    get_one,
    parse_uuid_or_404,
    reads_kingdom,
    require_runs,
)
from kingdom.models import Campaign, Kingdom, Knowledge, Role, User
from kingdom.models.natural import Natural
from rules.registry import family_of


def campaign_of(user: User, campaign_id: UUID | str, family: str) -> Campaign:
    """A campaign of theirs that is played by a law of this family. Raises Http404, `NotInRuleset`."""
    campaign = get_campaign_for(user, campaign_id)
    if family_of(campaign.ruleset) != family:
        raise NotInRuleset(campaign.ruleset)
    return campaign


def filter_known[R: QuerySet[Any]](user: User, rows: R, least: int = Knowledge.NAME) -> R:
    """Those armies of which the user knows at least so much, each with its `knowledge`."""
    known = load_army_knowledge(user)
    levels = [level for level in (Knowledge.ALL, Knowledge.GLANCE) if level > least]
    steps = [When(known.build_condition(level), then=Value(int(level))) for level in levels]
    asked = Case(*steps, default=Value(int(least)), output_field=IntegerField())
    found: R = rows.filter(known.build_condition(least)).annotate(knowledge=asked)
    return found


def get_knowledge(army: Army) -> int:
    """How much its reader knows of an army that was read by `filter_known`; all, where it was read otherwise: for
    somebody who reads its kingdom.
    """
    return int(getattr(army, "knowledge", Knowledge.ALL))


def list_visible_armies[A: Army](user: User, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Armies whose sheet the user may read."""
    rows = rows_of(kind)
    return rows.filter(build_knowledge_condition(user)).complete() if user.is_authenticated else rows.none()


def list_armies[A: Army](user: User, campaign: Campaign, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The campaign's armies whose sheet the user may read."""
    return list_visible_armies(user, kind).filter(campaign=campaign)


def get_army_for[A: Army](
    user: User,
    army_id: UUID | str,
    kind: type[A] = Army,  # type: ignore[assignment]
) -> A:
    """The army, for whoever may read its sheet. Raises Http404; `NotInRuleset` where it is of another law.

    Whoever reads its kingdom reads it; what others were told is asked only for them, for that is a long question.
    """
    key = parse_uuid_or_404(army_id)
    if not user.is_authenticated:
        raise Http404
    army: A | None = rows_of(kind).filter(pk=key).complete().first()
    if army is None and kind is not Army:
        raise NotInRuleset(get_army_for(user, key).campaign.ruleset)
    if army is None:
        raise Http404
    army.campaign = army.kingdom.campaign  # one object: its law is read once, and who reads it
    if not (reads_kingdom(user, army.kingdom) or _is_known(user, key)):
        raise Http404
    return army


def _is_known(user: User, key: UUID) -> bool:
    return rows_of(Army).filter(build_knowledge_condition(user), pk=key).exists()


def get_army_run_by[A: Army](user: User, army_id: UUID | str, kind: type[A] = Army) -> A:  # type: ignore[assignment]
    """The army, for whoever runs it: 404 if hidden, `PermissionDenied` if only revealed."""
    army = get_army_for(user, army_id, kind)
    require_runs(user, army.kingdom)
    return army


def list_visible_commanders[C: Commander](user: User, kind: type[C] = Commander) -> CommanderQuerySet[C]:  # type: ignore[assignment]
    """Commanders of the kingdoms the user reads, and those who lead armies whose sheets they may read."""
    rows: CommanderQuerySet[C] = kind.objects.all()  # type: ignore[assignment]
    if not user.is_authenticated:
        return rows.none()
    seats, told = load_army_knowledge(user)
    reads, played = seats.build_reads_condition(), seats.list_campaigns((Role.PLAYER,))
    if not played:
        return rows.filter(reads).complete()
    leads = rows_of(Army).filter(told.build_condition(Knowledge.ALL), hidden=False, commander=OuterRef("pk"))
    return rows.filter(reads | Q(Exists(leads), campaign__in=played)).complete()


def list_commanders[C: Commander](user: User, campaign: Campaign, kind: type[C] = Commander) -> CommanderQuerySet[C]:  # type: ignore[assignment]
    return list_visible_commanders(user, kind).filter(campaign=campaign)


def get_commander_for[C: Commander](user: User, commander_id: UUID | str, kind: type[C] = Commander) -> C:  # type: ignore[assignment]
    """The commander, for whoever may read them. Raises Http404; `NotInRuleset` where they are of another law's kind."""
    try:
        return get_one(list_visible_commanders(user, kind), commander_id)
    except Http404:
        if kind is Commander:
            raise
        raise NotInRuleset(get_commander_for(user, commander_id).campaign.ruleset) from None


def get_commander_run_by[C: Commander](user: User, commander_id: UUID | str, kind: type[C] = Commander) -> C:  # type: ignore[assignment]
    commander = get_commander_for(user, commander_id, kind)
    require_runs(user, commander.kingdom)
    return commander


FALLEN_LAST = Case(When(status__in=Army.STANDING, then=Value(0)), default=Value(1))
GLANCE, FEWEST, ROWS = 10, 3, 24  # of a kingdom at most and at least, and of all of them together about so many


def list_first_armies[A: Army](user: User, kingdoms: list[UUID], most: int, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The first armies of each of these kingdoms of which the user knows, standing ones first.

    Each knows how many armies of its kingdom they know (`among`).
    """
    return first_of(kingdoms, most, filter_known(user, rows_of(kind)))


def count_shown_armies(kingdoms: int) -> int:
    """How many armies are shown of each of so many kingdoms."""
    return min(GLANCE, max(FEWEST, ROWS // max(kingdoms, 1)))


def first_of[A: Army](kingdoms: list[UUID], most: int, rows: ArmyQuerySet[A]) -> ArmyQuerySet[A]:
    """The first of these armies of each kingdom."""
    nth = Window(RowNumber(), partition_by="kingdom_id", order_by=[FALLEN_LAST, Natural("name"), "id"])
    among = Window(Count("id"), partition_by="kingdom_id")
    numbered: Any = rows.filter(kingdom__in=kingdoms).annotate(nth=nth, among=among)
    found: ArmyQuerySet[A] = numbered.filter(nth__lte=most)
    return found


def kingdom_armies[A: Army](kingdom: Kingdom, query: str = "", kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The kingdom's armies, for who reads its sheet, standing ones first; those with every word of the query in their
    or their leader's name.
    """
    return filter_by_words(all_of_kingdom(kingdom.pk, kind), query, "name", "commander__name")


def all_of_kingdom[A: Army](kingdom: UUID, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Every army of a kingdom, standing ones first."""
    return rows_of(kind).filter(kingdom=kingdom).order_by(FALLEN_LAST, Natural("name"), "id")


def revealed_of[A: Army](kingdom: Kingdom, kind: type[A] = Army) -> list[A]:  # type: ignore[assignment]
    """The kingdom's standing armies whose sheets everybody may read, whoever they are."""
    rows = rows_of(kind).filter(kingdom=kingdom, revealed=True, hidden=False, status__in=Army.STANDING)
    found = list(rows.complete().order_by(Natural("name"), "id"))
    for army in found:
        army.campaign = kingdom.campaign  # one object: its law is read once
    return found


def list_army_names(kingdom: Kingdom) -> list[str]:
    """What the kingdom's armies are called or were."""
    return list(rows_of(Army).filter(kingdom=kingdom).values_list("name", flat=True))


def list_named_armies(campaign: Campaign) -> ArmyQuerySet[Army]:
    """Every standing army of the campaign, by kingdom, for whoever wants no more than names."""
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING)
    return rows.order_by(Natural("kingdom__name"), Natural("name"), "id")


def battle_roster[A: Army](campaign: Campaign, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Every standing army of the campaign with what battles need, by kingdom."""
    rows = rows_of(kind).filter(campaign=campaign, status__in=Army.STANDING)
    return rows.complete().order_by(Natural("kingdom__name"), Natural("name"), "id")


def get_campaign_named(
    army_id: UUID | None = None,
    commander_id: UUID | None = None,
    kingdom_id: UUID | None = None,
    campaign_id: UUID | None = None,
) -> Campaign:
    """The campaign of what an address names, for whoever then asks whether they may see it. Raises Http404."""
    named = {"army": army_id, "commander": commander_id, "campaign": campaign_id, "kingdom": kingdom_id}
    kind, key = next(((kind, key) for kind, key in named.items() if key is not None), ("", None))
    found = _campaigns_of(kind, key).first() if key else None
    if found is None:
        raise Http404
    return found


def _campaigns_of(kind: str, key: UUID) -> QuerySet[Campaign]:
    """The campaign of one thing of this kind."""
    match kind:
        case "army":
            return Campaign.objects.filter(pk__in=Army.objects.filter(pk=key).values("campaign"))
        case "commander":
            return Campaign.objects.filter(pk__in=Commander.objects.filter(pk=key).values("campaign"))
        case "kingdom":
            return Campaign.objects.filter(kingdoms=key)
        case _:
            return Campaign.objects.filter(pk=key)

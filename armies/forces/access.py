"""Access queries for armies and commanders.

A user reads all armies of the kingdoms they read; of others as much as they were told
(`kingdom.access.redaction`). `kind`: a ruleset's own model of armies or commanders; rows of other rulesets are
then left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.http import Http404

from armies.models import Army, ArmyQuerySet, Commander, CommanderQuerySet, rows_of
from core.errors import NotInRuleset
from core.queries import find_one
from core.text_search import filter_by_words, find_alike
from kingdom.access.queries import (
    get_campaign_for,
    get_campaign_where,
    get_one,
    get_shared_campaign,
    parse_uuid_or_404,
    reads_kingdom,
    require_runs,
)
from kingdom.access.redaction import build_knowledge_condition, load_army_knowledge
from kingdom.models import Campaign, Kingdom, Knowledge, Role, User
from kingdom.models.base import Natural
from rules.registry import family_of


def campaign_of(user: User, campaign_id: UUID | str, family: str) -> Campaign:
    """The campaign, if the user is a member and it is played by this ruleset family. Raises `Http404`,
    `NotInRuleset`.
    """
    campaign = get_campaign_for(user, campaign_id)
    if family_of(campaign.ruleset) != family:
        raise NotInRuleset(campaign.ruleset)
    return campaign


def filter_known[R: QuerySet[Any]](user: User, rows: R, least: int = Knowledge.NAME) -> R:
    """Filter to armies that the user knows at level `least` or above, each annotated with its `knowledge`."""
    known = load_army_knowledge(user)
    levels = [level for level in (Knowledge.ALL, Knowledge.GLANCE) if level > least]
    steps = [When(known.build_condition(level), then=Value(int(level))) for level in levels]
    asked = Case(*steps, default=Value(int(least)), output_field=IntegerField())
    found: R = rows.filter(known.build_condition(least)).annotate(knowledge=asked)
    return found


def get_knowledge(army: Army) -> int:
    """The reader's knowledge of an army that `filter_known` loaded; `Knowledge.ALL` for an army loaded otherwise, whose
    kingdom they read.
    """
    return int(getattr(army, "knowledge", Knowledge.ALL))


def list_visible_armies[A: Army](user: User, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Armies whose sheets the user may read, with everything the sheets need."""
    rows = rows_of(kind)
    return rows.filter(build_knowledge_condition(user)).complete() if user.is_authenticated else rows.none()


def list_armies[A: Army](user: User, campaign: Campaign, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The campaign's armies whose sheets the user may read."""
    return list_visible_armies(user, kind).filter(campaign=campaign)


def get_army_for[A: Army](
    user: User,
    army_id: UUID | str,
    kind: type[A] = Army,  # type: ignore[assignment]
) -> A:
    """The army, if the user may read its sheet. Raises `Http404`, and `NotInRuleset` for an army of another ruleset's
    model.

    The kingdom is checked first: the query for what others were told is slow.
    """
    key = parse_uuid_or_404(army_id)
    if not user.is_authenticated:
        raise Http404
    army: A | None = find_one(rows_of(kind).filter(pk=key).without_campaign())
    if army is None and kind is not Army:
        raise NotInRuleset(get_army_for(user, key).campaign.ruleset)
    if army is None:
        raise Http404
    share_campaign(get_shared_campaign(user, army.campaign_id), [army])
    if not (reads_kingdom(user, army.kingdom) or _is_known(user, key)):
        raise Http404
    return army


def share_campaign(campaign: Campaign, armies: Iterable[Army]) -> None:
    """Makes the armies, their kingdoms and commanders share one campaign object, so that its rules and roles are loaded
    once.
    """
    kingdoms: dict[UUID, Kingdom] = {}
    for army in armies:
        army.campaign = campaign
        army.kingdom = kingdoms.setdefault(army.kingdom_id, army.kingdom)
        army.kingdom.campaign = campaign
        if army.commander is not None:
            army.commander.campaign = campaign


def _is_known(user: User, key: UUID) -> bool:
    return rows_of(Army).filter(build_knowledge_condition(user), pk=key).exists()


def get_army_run_by[A: Army](user: User, army_id: UUID | str, kind: type[A] = Army) -> A:  # type: ignore[assignment]
    """The army, if the user runs it. Raises `Http404` if they may not read it, `PermissionDenied` if they may only read
    it.
    """
    army = get_army_for(user, army_id, kind)
    require_runs(user, army.kingdom)
    return army


def list_visible_commanders[C: Commander](user: User, kind: type[C] = Commander) -> CommanderQuerySet[C]:  # type: ignore[assignment]
    """Commanders of the kingdoms the user reads, and those who lead armies whose sheets the user may read."""
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
    """The commander, if the user may read them. Raises `Http404`; `NotInRuleset` for one of another ruleset's model."""
    try:
        commander = get_one(list_visible_commanders(user, kind), commander_id)
    except Http404:
        if kind is Commander:
            raise
        raise NotInRuleset(get_commander_for(user, commander_id).campaign.ruleset) from None
    commander.campaign = commander.kingdom.campaign = get_shared_campaign(user, commander.campaign_id)
    return commander


def get_commander_run_by[C: Commander](user: User, commander_id: UUID | str, kind: type[C] = Commander) -> C:  # type: ignore[assignment]
    commander = get_commander_for(user, commander_id, kind)
    require_runs(user, commander.kingdom)
    return commander


FALLEN_LAST = Case(When(status__in=Army.STANDING, then=Value(0)), default=Value(1))
GLANCE, FEWEST, ROWS = 10, 3, 24  # most and fewest armies shown per kingdom, and about how many in all


def list_first_armies[A: Army](user: User, kingdoms: list[UUID], most: int, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The first `most` armies of each kingdom that the user knows of, standing ones first.

    Each is annotated with `among`, the number of the kingdom's armies that the user knows of.
    """
    return first_of(kingdoms, most, filter_known(user, rows_of(kind)))


def count_shown_armies(kingdoms: int) -> int:
    """Number of armies to show per kingdom, for this number of kingdoms: `FEWEST` to `GLANCE`."""
    return min(GLANCE, max(FEWEST, ROWS // max(kingdoms, 1)))


def first_of[A: Army](kingdoms: list[UUID], most: int, rows: ArmyQuerySet[A]) -> ArmyQuerySet[A]:
    """The first `most` of these armies of each kingdom, annotated with `nth` and `among`."""
    nth = Window(RowNumber(), partition_by="kingdom_id", order_by=[FALLEN_LAST, Natural("name"), "id"])
    among = Window(Count("id"), partition_by="kingdom_id")
    numbered: Any = rows.filter(kingdom__in=kingdoms).annotate(nth=nth, among=among)
    found: ArmyQuerySet[A] = numbered.filter(nth__lte=most)
    return found


def kingdom_armies[A: Army](kingdom: Kingdom, query: str = "", kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The kingdom's armies, standing ones first, that have every word of the query in their or their commander's name.
    The caller checks that the reader may read the kingdom.
    """
    return filter_by_words(all_of_kingdom(kingdom.pk, kind), query, "name", "commander__name")


def all_of_kingdom[A: Army](kingdom: UUID, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Every army of a kingdom, standing ones first."""
    return rows_of(kind).filter(kingdom=kingdom).order_by(FALLEN_LAST, Natural("name"), "id")


def revealed_of[A: Army](kingdom: Kingdom, kind: type[A] = Army) -> list[A]:  # type: ignore[assignment]
    """The kingdom's standing armies whose sheets are revealed to everybody."""
    rows = rows_of(kind).filter(kingdom=kingdom, revealed=True, hidden=False, status__in=Army.STANDING)
    found = list(rows.complete().order_by(Natural("name"), "id"))
    for army in found:
        army.campaign = kingdom.campaign  # One campaign object, so that its ruleset is loaded once.
    return found


def list_army_names(kingdom: Kingdom) -> list[str]:
    """Names of all the kingdom's armies, fallen ones included."""
    return list(rows_of(Army).filter(kingdom=kingdom).values_list("name", flat=True))


def find_names_taken(armies: Sequence[Army]) -> list[str]:
    """Names of these armies of one kingdom that another standing army there has, without regard to case and accents."""
    others = Army.objects.filter(kingdom=armies[0].kingdom_id, status__in=Army.STANDING)
    others = others.exclude(pk__in=[army.pk for army in armies])
    return find_alike([army.name for army in armies], others.values_list("name", flat=True))


def list_named_armies(campaign: Campaign) -> ArmyQuerySet[Army]:
    """Standing armies of the campaign, by kingdom and name, without what their sheets need."""
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING)
    return rows.order_by(Natural("kingdom__name"), Natural("name"), "id")


def battle_roster[A: Army](campaign: Campaign, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Standing armies of the campaign, by kingdom and name, with what their sheets need."""
    rows = rows_of(kind).filter(campaign=campaign, status__in=Army.STANDING)
    return rows.complete().order_by(Natural("kingdom__name"), Natural("name"), "id")


def get_campaign_named(
    user: User,
    army_id: UUID | None = None,
    commander_id: UUID | None = None,
    kingdom_id: UUID | None = None,
    campaign_id: UUID | None = None,
) -> Campaign:
    """The campaign of an army, commander or kingdom in an address, for a member. Raises `Http404`. The caller checks
    access to what is named.
    """
    named = {"army": army_id, "commander": commander_id, "campaign": campaign_id, "kingdom": kingdom_id}
    kind, key = next(((kind, key) for kind, key in named.items() if key is not None), ("", None))
    if key is None:
        raise Http404
    return get_campaign_where(user, _campaign_of(kind, key))


def _campaign_of(kind: str, key: UUID) -> Q:
    """The condition on the campaign of the row of this kind with this id."""
    match kind:
        case "army":
            return Q(pk__in=Army.objects.filter(pk=key).values("campaign"))
        case "commander":
            return Q(pk__in=Commander.objects.filter(pk=key).values("campaign"))
        case "kingdom":
            return Q(kingdoms=key)
        case _:
            return Q(pk=key)

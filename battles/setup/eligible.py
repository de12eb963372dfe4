"""Eligible armies for a new battle under any ruleset: their counts, and search among them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import CharField, Count, Q, QuerySet, Value
from django.db.models.functions import Concat

from armies.forces.access import battle_roster, list_named_armies
from armies.models import Army
from battles.models import Battle, BattleArmy
from battles.queries import get_battle_for
from core.clean_input import parse_uuid
from core.text_search import build_phrase, filter_by_words, fold_name
from kingdom.access.queries import is_gm
from kingdom.models import Campaign, User
from kingdom.models.natural import make_natural_key

FEW, MOST_FOUND = 24, 30  # most armies that are listed; most that a search shows


class EligibleArmy(NamedTuple):
    """A kingdom with the count of its standing armies. `free`: those in no open battle."""

    id: str
    name: str
    armies: int
    free: int


def count_eligible(campaign: Campaign) -> list[EligibleArmy]:
    """The campaign's kingdoms that have standing armies, by name. One query."""
    found = [EligibleArmy(str(key), *more) for key, *more in _counted(campaign)]
    return sorted(found, key=lambda one: (make_natural_key(one.name), one.id))


def _counted(campaign: Campaign) -> QuerySet[Army, Any]:
    free = Count("pk", filter=~Q(pk__in=BattleArmy.list_bound(campaign.pk)))
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING).order_by()
    return rows.values_list("kingdom", "kingdom__name").annotate(armies=Count("pk"), unheld=free)


def is_many(found: Collection[EligibleArmy]) -> bool:
    """Whether there are too many armies to list, so that they are searched."""
    return sum(one.armies for one in found) > FEW


def found_by(rows: QuerySet[Army], find: str, but: Collection[str]) -> tuple[list[UUID], int]:
    """The first `MOST_FOUND` armies whose name or kingdom has every word of `find`, and how many more there are. `but`:
    ids left out.
    """
    find = find.replace("\0", "").strip()
    if not find:
        return [], 0
    keys = filter_by_words(rows, find, "name", "kingdom__name").exclude(pk__in=but).values_list("pk", flat=True)
    first = list(keys[: MOST_FOUND + 1])
    return first[:MOST_FOUND], keys.count() - MOST_FOUND if len(first) > MOST_FOUND else 0


def free_armies(campaign: Campaign) -> QuerySet[Army]:
    """Standing armies in no open battle, by kingdom."""
    return list_named_armies(campaign).exclude(pk__in=BattleArmy.list_bound(campaign.pk))


# Reserves: armies that could join a battle. They are searched by name, for a campaign may have thousands.


OFFERED = 12


def reserves_of(battle: Battle) -> QuerySet[Army]:
    """Standing armies of the campaign in no open battle, each with a `label`: its name and its kingdom's."""
    label = Concat("name", Value(" ("), "kingdom__name", Value(")"), output_field=CharField())
    held = BattleArmy.list_bound(battle.campaign_id)
    return battle_roster(battle.campaign).exclude(pk__in=held).annotate(label=label)


def reserves_like(user: User, battle_id: UUID, text: str) -> list[str]:
    """Labels of a few reserves whose name or kingdom contains the text, for the GM. Raises `Http404`,
    `PermissionDenied`.
    """
    battle = get_battle_for(user, battle_id)
    if not is_gm(user, battle.campaign):
        raise PermissionDenied
    if "\0" in text:
        return []
    found: Any = reserves_of(battle)
    return [army.label for army in found.filter(label__plain__contains=build_phrase(text))[:OFFERED]]


def find_reserves(battle: Battle, text: str) -> list[str]:
    """Ids of the reserves with this id, name or label: two at most, so that the caller sees an ambiguity.

    Accents are ignored unless several names differ only by them.
    """
    key, rows = parse_uuid(text), reserves_of(battle)
    if key:
        return [str(pk) for pk in rows.filter(pk=key).values_list("pk", flat=True)]
    alike: Any = rows.filter(Q(name__plain=build_phrase(text)) | Q(label__plain=build_phrase(text)))
    found = list(alike.values_list("pk", "name", "label")[:OFFERED])
    so = [pk for pk, *names in found if fold_name(text) in map(fold_name, names)]
    return [str(pk) for pk in (so or [pk for pk, *_names in found])[:2]]

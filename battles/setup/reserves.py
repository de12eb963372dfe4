"""Reserves: armies that could join a battle, searched by name, for a campaign may have thousands."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Concat

from armies.forces.access import battle_roster
from armies.models import Army
from battles.models import Battle, BattleArmy
from battles.queries import get_battle_for
from core.clean_input import parse_uuid
from core.text_search import build_phrase, fold_name
from kingdom.access.queries import is_gm
from kingdom.models import User

OFFERED = 12


def reserves_of(battle: Battle) -> QuerySet[Army]:
    """Standing armies of the campaign that no battle holds, each with its `label`: its name and its kingdom's."""
    seats = BattleArmy.objects.filter(battle__campaign=battle.campaign_id, battle__status__in=Battle.OPEN)
    label = Concat("name", Value(" ("), "kingdom__name", Value(")"), output_field=CharField())
    return battle_roster(battle.campaign).exclude(pk__in=seats.values("army")).annotate(label=label)


def reserves_like(user: User, battle_id: UUID, text: str) -> list[str]:
    """A few of them with this in their name or their kingdom's, for the GM. Raises Http404, or `PermissionDenied`."""
    battle = get_battle_for(user, battle_id)
    if not is_gm(user, battle.campaign):
        raise PermissionDenied
    if "\0" in text:
        return []
    found: Any = reserves_of(battle)
    return [army.label for army in found.filter(label__plain__contains=build_phrase(text))[:OFFERED]]


def find_reserves(battle: Battle, text: str) -> list[str]:
    """The ids of those that are called so, with or without their kingdom, or have this id: two at most. Accents tell
    apart what is called alike but for them.
    """
    key, rows = parse_uuid(text), reserves_of(battle)
    if key:
        return [str(pk) for pk in rows.filter(pk=key).values_list("pk", flat=True)]
    alike: Any = rows.filter(Q(name__plain=build_phrase(text)) | Q(label__plain=build_phrase(text)))
    found = list(alike.values_list("pk", "name", "label")[:OFFERED])
    so = [pk for pk, *names in found if fold_name(text) in map(fold_name, names)]
    return [str(pk) for pk in (so or [pk for pk, *_names in found])[:2]]

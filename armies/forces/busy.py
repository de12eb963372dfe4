"""Busy armies: which may not be changed now, and why. Other apps register their reasons.

Armies do not know battles. Whoever keeps armies busy registers a predicate
`fn(armies) -> {army's id: Term | Message}`: why these of them may not be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from armies.models import Army
from kingdom.models import Campaign
from rules.core.errors import IllegalCommand
from rules.core.text import Said, _, say

BusyReasons = Callable[[Collection[Army]], Mapping[UUID, Said]]
Holder = Callable[[Campaign], QuerySet[Any, Any]]

_predicates: list[BusyReasons] = []
_holders: list[Holder] = []


def register(predicate: BusyReasons, held: Holder) -> None:
    """Ask `predicate` before every change to armies; `held(campaign)` are the ids of those it answers for.

    Registering twice counts once.
    """
    if predicate not in _predicates:
        _predicates.append(predicate)
        _holders.append(held)


def untouched(campaign: Campaign, rows: QuerySet[Army]) -> QuerySet[Army]:
    """Those of the campaign's armies that nobody keeps busy."""
    for held in _holders:
        rows = rows.exclude(pk__in=held(campaign))
    return rows


def holding(campaign: Campaign) -> list[Q]:
    """The conditions on the campaign's armies that somebody keeps busy."""
    return [Q(pk__in=held(campaign)) for held in _holders]


def explain_busy_armies(armies: Collection[Army], *, but: BusyReasons | None = None) -> dict[UUID, Said]:
    """The first reason why each of these may not be changed now; who may be is not among them. As many queries for one
    army as for hundreds. `but`: whoever asks because of their own.
    """
    found: dict[UUID, Said] = {}
    for predicate in reversed(_predicates):
        found |= predicate(armies) if predicate is not but else {}
    return found


def explain_busy(army: Army) -> Said | None:
    """The first reason why this army may not be changed now, or None."""
    return explain_busy_armies([army]).get(army.pk)


def refuse_if_busy(army: Army) -> None:
    """Raise `IllegalCommand` with the reason if the army may not be changed now."""
    if reason := explain_busy(army):
        raise IllegalCommand(reason)


def refuse_hidden(ids: Collection[UUID]) -> None:
    """Raise `IllegalCommand` if one of these is hidden: whatever the table watches it would be seen in."""
    hidden = Army.objects.filter(pk__in=ids, hidden=True).order_by("pk").first()
    if hidden:
        raise IllegalCommand(say(_("{army} is hidden from the players: show it before it takes the field."),
                                 army=hidden.name))  # fmt: skip

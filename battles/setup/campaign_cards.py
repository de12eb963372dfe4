"""Cards of battles for a campaign's page, and the count on the tab of battles: what waits for whom."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse

from battles.field.table import format_names
from battles.models import Battle
from battles.setup.open_battles import TAB, BattleAtHand, battles_now, is_awaited, own_kingdoms
from battles.setup.queries import open_now, state_told, winner_of
from kingdom.access.queries import is_gm
from kingdom.campaign import awaiting_counts, card_slots
from kingdom.campaign.card_slots import Act, NowCard
from kingdom.models import Campaign, KingdomPlayer, Role, User
from rules.core.text import Said, _, say

OWN_BADGES = {"gm": _("yours"), "turn": _("your turn"), "orders": _("orders open")}


def cards(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """A card for each battle that is not over, newest first."""
    return map(_card, battles_now(user, campaign))


def _card(told: BattleAtHand) -> NowCard:
    battle, orders = told.battle, told.state["orders"]
    url = reverse("battles:battle", args=[battle.pk])
    return NowCard(
        id=f"battle-{battle.pk}",
        title=battle.name,
        url=url,
        badge=_badge(told),
        template="battles/setup/now.html",
        told={
            "battle": battle,
            "gm": told.gm,
            "phase": told.stage.label,
            "orders": orders if orders["of"] and not told.turns else None,
            "acts": told.acts,
            "own": format_names(told.own_waiting) if told.acts and not told.gm else "",
            "waiting": format_names([army["name"] for army in told.waiting]),
            "winner": winner_of(battle),
        },
        yours=told.yours,
        act=_act(told, url),
        bearers=told.bearers,
    )


def _badge(told: BattleAtHand) -> Said | str:
    if told.yours:
        return OWN_BADGES["gm" if told.gm else "turn" if told.turns else "orders"]
    return told.battle.get_status_display()


def _act(told: BattleAtHand, url: str) -> Act:
    """The one thing to do with it."""
    if told.acts:
        return Act(_("Act") if told.turns else _("Give orders"), url, "crossed-swords" if told.turns else "quill-ink")
    if not told.yours:
        return Act(_("Watch"), url, "eye-shield")
    if told.battle.status == Battle.Status.AFTERMATH:
        return Act(_("Settle the aftermath"), reverse("battles:aftermath", args=[told.battle.pk]), "laurels")
    if told.running:
        return Act(say(_("Resolve {phase}"), phase=told.stage.label), url, "crossed-swords")
    return Act(_("Begin the battle"), url, "crossed-swords")


def _columns(campaign: str) -> dict[str, Combinable]:
    """Whom each open battle of the campaign awaits, as JSON; the kingdoms that players run."""
    battles = Battle.objects.filter(campaign=OuterRef(campaign), status__in=Battle.OPEN).order_by("id")
    told = battles.annotate(told=KeyTextTransform("awaited", "state")).values("told")
    seats = KingdomPlayer.objects.filter(
        campaign=OuterRef(campaign), user__memberships__campaign=OuterRef(campaign), user__memberships__role=Role.PLAYER
    )
    return {"open": ArraySubquery(told), "played": ArraySubquery(seats.order_by("kingdom").values("kingdom"))}


def _count(user: User, campaign: Campaign, read: Mapping[str, Any]) -> int:
    gm, own, played = is_gm(user, campaign), own_kingdoms(user, campaign), frozenset(map(str, read["played"]))
    if not gm and not own:
        return 0
    return sum(is_awaited(awaited, own, gm=gm, played=played) for awaited in _awaited(campaign, read["open"]))


def _awaited(campaign: Campaign, told: Iterable[str | None]) -> list[frozenset[str]]:
    """By open battle. One that has not changed since an earlier version tells nothing yet, and is folded."""
    if None in told:
        return [frozenset(state_told(battle)["awaited"]) for battle in open_now(campaign)]
    return [frozenset(json.loads(one)) for one in told if one]


def register() -> None:
    awaiting_counts.register(TAB, awaiting_counts.Counter(_columns, _count))
    card_slots.register(cards)

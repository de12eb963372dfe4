"""Cards that battles give to a campaign's page, and the count on the tab of battles: what waits for whom."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse

from battles import folding
from battles.faces import face_of
from battles.models import Battle
from battles.selectors.lists import open_now, state_told, winner_of
from battles.selectors.pages.table import listed
from kingdom import awaiting, now
from kingdom.models import Campaign, Kingdom, KingdomPlayer, Role, User
from kingdom.now import Act, NowCard
from kingdom.selectors import board_of, is_gm, role_of, run_kingdom_ids
from rules.law import Stage
from rules.text import Said, _, say

TAB = "battles"
SHIELDS = 3  # sides whose arms a card shows
OWN_BADGES = {"gm": _("yours"), "turn": _("your turn"), "orders": _("orders open")}


def cards(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """A card for each battle that is not over, newest first."""
    if role_of(user, campaign) is None:
        return
    found = open_now(campaign)
    if not found:
        return
    board: Any = {str(kingdom.pk): kingdom for kingdom in board_of(campaign)}
    gm, own = is_gm(user, campaign), _own(user, campaign)
    played = _played_by_players(campaign)
    for battle in found:
        battle.campaign = campaign
        yield _card(BattleNow(battle, gm, own, played, board))


class BattleNow:
    """An open battle as a card tells it to one reader. `board`: the campaign's kingdoms by id."""

    def __init__(
        self,
        battle: Battle,
        gm: bool,
        own: Collection[str],
        played: Collection[str],
        board: Mapping[str, Kingdom],
    ):
        self.battle, self.gm, self.own, self.board = battle, gm, own, board
        self.state = state_told(battle)
        self.awaited = frozenset(self.state["awaited"])
        self.yours = is_awaited(self.awaited, own, gm=gm, played=played)
        self.turns = bool(face_of(folding.law_of(battle)).turn_template)

    @property
    def running(self) -> bool:
        return self.battle.status == Battle.Status.RUNNING

    @property
    def acts(self) -> bool:
        """Whether the reader has orders to give; otherwise the battle waits for nobody but its GM."""
        return self.yours and bool(self.awaited)

    @property
    def stage(self) -> Stage:
        phase = self.state["phase"]
        return folding.engine_of(self.battle).stage(phase["kind"], phase["number"])

    @property
    def waiting(self) -> list[Mapping[str, Any]]:
        """The armies that are awaited."""
        called = set(self.state["waiting"])
        return [army for side in self.state["sides"] for army in side["armies"] if army["army"] in called]

    @property
    def own_waiting(self) -> list[str]:
        """Those of the reader's own kingdoms among them, by name."""
        return [army["name"] for army in self.waiting if army["kingdom"] in self.own]

    @property
    def bearers(self) -> tuple[Kingdom | None, ...]:
        """For each side its first kingdom."""
        sides = [[army["kingdom"] for army in side["armies"]] for side in self.state["sides"][:SHIELDS]]
        return tuple(next((self.board[key] for key in side if key in self.board), None) for side in sides)


def _card(told: BattleNow) -> NowCard:
    battle, orders = told.battle, told.state["orders"]
    url = reverse("battles:battle", args=[battle.pk])
    return NowCard(
        id=f"battle-{battle.pk}",
        title=battle.name,
        url=url,
        badge=_badge(told),
        template="battles/panels/now.html",
        told={
            "battle": battle,
            "gm": told.gm,
            "phase": told.stage.label,
            "orders": orders if orders["of"] and not told.turns else None,
            "acts": told.acts,
            "own": listed(told.own_waiting) if told.acts and not told.gm else "",
            "waiting": listed([army["name"] for army in told.waiting]),
            "winner": winner_of(battle),
        },
        yours=told.yours,
        act=_act(told, url),
        bearers=told.bearers,
    )


def _badge(told: BattleNow) -> Said | str:
    if told.yours:
        return OWN_BADGES["gm" if told.gm else "turn" if told.turns else "orders"]
    return told.battle.get_status_display()


def _act(told: BattleNow, url: str) -> Act:
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


def is_awaited(awaited: Collection[str], own: Collection[str], *, gm: bool, played: Collection[str]) -> bool:
    """Whether a battle waits for this reader: for a player where an army of their kingdoms is awaited; for the GM
    where nobody is, or an army that no player commands.
    """
    if gm:
        return not awaited or not set(awaited).issubset(played)
    return not set(own).isdisjoint(awaited)


def _own(user: User, campaign: Campaign) -> frozenset[str]:
    """The kingdoms a player runs; none for the GM, who is asked of those that no player runs."""
    if is_gm(user, campaign):
        return frozenset()
    return frozenset(map(str, run_kingdom_ids(user, campaign)))


def _played_by_players(campaign: Campaign) -> frozenset[str]:
    return frozenset(map(str, awaiting.read(campaign, TAB)["played"]))


def _columns(campaign: str) -> dict[str, Combinable]:
    """Whom each open battle of the campaign awaits, as JSON; the kingdoms that players run."""
    battles = Battle.objects.filter(campaign=OuterRef(campaign), status__in=Battle.OPEN).order_by("id")
    told = battles.annotate(told=KeyTextTransform("awaited", "state")).values("told")
    seats = KingdomPlayer.objects.filter(
        campaign=OuterRef(campaign), user__memberships__campaign=OuterRef(campaign), user__memberships__role=Role.PLAYER
    )
    return {"open": ArraySubquery(told), "played": ArraySubquery(seats.order_by("kingdom").values("kingdom"))}


def _count(user: User, campaign: Campaign, read: Mapping[str, Any]) -> int:
    gm, own, played = is_gm(user, campaign), _own(user, campaign), frozenset(map(str, read["played"]))
    if not gm and not own:
        return 0
    return sum(is_awaited(awaited, own, gm=gm, played=played) for awaited in _awaited(campaign, read["open"]))


def _awaited(campaign: Campaign, told: Iterable[str | None]) -> list[frozenset[str]]:
    """By open battle. One that has not changed since an earlier version tells nothing yet, and is folded."""
    if None in told:
        return [frozenset(state_told(battle)["awaited"]) for battle in open_now(campaign)]
    return [frozenset(json.loads(one)) for one in told if one]


def register() -> None:
    awaiting.register(TAB, awaiting.Counter(_columns, _count))
    now.register(cards)

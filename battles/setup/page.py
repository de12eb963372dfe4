"""Page objects of a campaign's list of battles, of its open battles, and of a new battle."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.core.paginator import Page
from django.db.models import OuterRef
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404
from django.urls import reverse

from armies.forces.busy import open_now
from battles.field.table import format_names
from battles.models import ENGINE, Battle, BattleArmy
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import BattleUI, get_battle_ui
from battles.setup.queries import is_by_another_law, list_battle_laws, state_told, winner_of
from core.text import render
from core.text_search import filter_by_words
from kingdom.access.queries import get_campaign_for, get_role, is_gm, require_gm, run_kingdom_ids
from kingdom.campaign import awaiting_counts
from kingdom.campaign.campaign_cards import Act, NowCard
from kingdom.campaign.queries import load_arms, load_board
from kingdom.models import Campaign, Kingdom, KingdomPlayer, Role, User
from kingdom.models.heraldry import Arms
from kingdom.rendering import EVERYTHING, ListLook, paginate
from rules.core.text import Said, _, say
from rules.law import Law, Legal, Pending, Stage, Summary, Viewer, is_turn

# Page objects of a campaign's list of battles, and of a new battle.

FOUGHT = 24  # finished battles on one page; open ones are always shown
SIDE_COLOURS = ("one", "two", "three", "four", "five", "six")


def pick_colour(side: int) -> str:
    return SIDE_COLOURS[side % len(SIDE_COLOURS)]


def names_in(summary: Summary) -> dict[str, str]:
    """Names of the armies and of whatever else rolls dice, by id, in the reader's language."""
    others = {key: render(name) for key, name in summary.names.items()}
    return {**{army.id: army.name for army in summary.armies.values()}, **others}


@dataclass(frozen=True)
class SideLine:
    """A side in the list. `arms`: those of its kingdoms, without repeats."""

    colour: str
    name: str
    armies: str
    won: bool
    arms: tuple[Arms, ...] = ()


@dataclass(frozen=True)
class BattleLine:
    """A battle in the list, with its phase and its sides. `other_rules`: name of its ruleset, where it is not the
    campaign's.
    """

    id: UUID
    name: str
    day: int
    status: str
    status_label: str
    phase: Said
    sides: tuple[SideLine, ...]
    other_rules: Said | None = None

    @property
    def open(self) -> bool:
        return self.status != Battle.Status.CLOSED


@dataclass(frozen=True)
class BattleListPage:
    """The list of battles. `finished`: one page (`fought`) of the finished battles that match `query`."""

    campaign: Campaign
    running: tuple[BattleLine, ...]
    finished: tuple[BattleLine, ...]
    fought: Page
    may_open: bool
    query: str


def battle_list_page(user: User, campaign_id: UUID, look: ListLook = EVERYTHING) -> BattleListPage:
    """The campaign's battles, newest first. Raises `Http404` for strangers."""
    campaign = get_campaign_for(user, campaign_id)
    rows = Battle.objects.filter(campaign=campaign).only(*_LISTED)
    running = list(rows.filter(status__in=Battle.OPEN))
    fought = paginate(filter_by_words(rows.exclude(status__in=Battle.OPEN), look.query, "name"), look.page, FOUGHT)
    borne = _borne(campaign, [*running, *fought])
    return BattleListPage(
        campaign,
        running=tuple(_line(battle, campaign, borne) for battle in running),
        finished=tuple(_line(battle, campaign, borne) for battle in fought),
        fought=fought,
        may_open=is_gm(user, campaign),
        query=look.query,
    )


_LISTED = ("id", "name", "day", "status", "state", "campaign_id", "ruleset", "house_rules")


def _borne(campaign: Campaign, battles: Sequence[Battle]) -> dict[tuple[UUID, int], tuple[Arms, ...]]:
    """Arms on each side of these battles, by battle and index of the side. Two queries."""
    seats = BattleArmy.objects.filter(battle__in=battles).order_by().values_list("battle", "side", "army__kingdom")
    found: dict[tuple[UUID, int], list[Arms]] = defaultdict(list)
    met = sorted(seats.distinct())
    known = load_arms(campaign, {kingdom for _battle, _side, kingdom in met})
    for battle, side, kingdom in met:
        found[battle, side].append(known[str(kingdom)])
    return {place: tuple(arms) for place, arms in found.items()}


def _line(battle: Battle, campaign: Campaign, borne: Mapping[tuple[UUID, int], tuple[Arms, ...]]) -> BattleLine:
    phase, result = battle.state["phase"], battle.state["result"]
    winner = result["winner"] if result else None
    sides = tuple(
        SideLine(
            pick_colour(index),
            side["name"],
            ", ".join(army["name"] for army in side["armies"]),
            index == winner,
            borne.get((battle.pk, index), ()),
        )
        for index, side in enumerate(battle.state["sides"])
    )
    return BattleLine(
        id=battle.pk,
        name=battle.name,
        day=battle.day,
        status=battle.status,
        status_label=battle.get_status_display(),
        phase=play_battle_state.get_engine(battle).stage(phase["kind"], phase["number"]).label,
        sides=sides,
        other_rules=play_battle_state.get_law(battle).name if is_by_another_law(battle, campaign) else None,
    )


@dataclass(frozen=True)
class NewBattle:
    """A battle to be set up: its campaign, its ruleset, and the rulesets it could be fought by, the campaign's own
    first.
    """

    campaign: Campaign
    law: Law
    laws: tuple[Law, ...]

    @property
    def ui(self) -> BattleUI:
        return get_battle_ui(self.law)

    @property
    def own(self) -> bool:
        """Whether it is fought by the campaign's own ruleset."""
        return self.law is self.laws[0]


def new_battle(user: User, campaign_id: UUID, ruleset: str) -> NewBattle:
    """Raises `PermissionDenied` unless the user is the GM; `Http404` for a ruleset the armies cannot fight by."""
    campaign = get_campaign_for(user, campaign_id)
    require_gm(user, campaign)
    laws = tuple(list_battle_laws(campaign))
    law = next((law for law in laws if law.slug == ruleset), laws[0] if not ruleset else None)
    if law is None:
        raise Http404
    return NewBattle(campaign, law, laws)


# Open battles of a campaign for one reader: whether they wait for them, and their cards on the campaign's page.

TAB = "battles"
SHIELDS = 3  # sides whose arms are shown


def battles_now(user: User, campaign: Campaign) -> Iterator[BattleAtHand]:
    """Every battle of the campaign that is not over, newest first. At most one query besides the campaign's board."""
    found = open_now(campaign) if get_role(user, campaign) is not None else []
    if not found:
        return
    board: Any = {str(kingdom.pk): kingdom for kingdom in load_board(campaign)}
    gm, own = is_gm(user, campaign), own_kingdoms(user, campaign)
    played = frozenset(map(str, awaiting_counts.read(campaign, TAB)["played"]))
    for battle in found:
        battle.campaign = campaign
        yield BattleAtHand(battle, gm, own, played, board)


def next_battle(user: User, campaign: Campaign) -> Battle | None:
    """The battle to go on with: one that waits for the reader, else any that is not over; None where there is none."""
    found = sorted(battles_now(user, campaign), key=lambda one: not one.yours)
    return found[0].battle if found else None


class BattleAtHand:
    """An open battle for one reader. `board`: the campaign's kingdoms by id."""

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
        self.awaited, self.played = frozenset(self.state["awaited"]), frozenset(played)
        self.yours = is_awaited(self.awaited, own, gm=gm, played=played)
        self.turns = get_battle_ui(play_battle_state.get_law(battle)).by_turns

    @property
    def running(self) -> bool:
        return self.battle.status == Battle.Status.RUNNING

    @property
    def acts(self) -> bool:
        """Whether the reader has orders to give."""
        return self.yours and bool(self.awaited)

    @property
    def stage(self) -> Stage:
        phase = self.state["phase"]
        return play_battle_state.get_engine(self.battle).stage(phase["kind"], phase["number"])

    @property
    def waiting(self) -> list[Mapping[str, Any]]:
        """The armies whose orders are awaited."""
        called = set(self.state["waiting"])
        return [army for side in self.state["sides"] for army in side["armies"] if army["army"] in called]

    @property
    def own_waiting(self) -> list[str]:
        """Names of the awaited armies of the reader's own kingdoms."""
        return [army["name"] for army in self.waiting if army["kingdom"] in self.own]

    @property
    def bearers(self) -> tuple[Kingdom | None, ...]:
        """The first kingdom of each side, for its arms."""
        sides = [[army["kingdom"] for army in side["armies"]] for side in self.state["sides"][:SHIELDS]]
        return tuple(next((self.board[key] for key in side if key in self.board), None) for side in sides)


def is_awaited(awaited: Collection[str], own: Collection[str], *, gm: bool, played: Collection[str]) -> bool:
    """Whether a battle waits for this reader.

    It waits for a player while an army of their kingdoms is awaited. It waits for the GM while nobody is awaited, or an
    army that no player commands; not during the computer's turn.
    """
    if not gm:
        return not set(own).isdisjoint(awaited)
    people = set(awaited) - {ENGINE}
    return not people.issubset(played) if people else not awaited


def own_kingdoms(user: User, campaign: Campaign) -> frozenset[str]:
    """Ids of the kingdoms a player runs; none for a GM, who answers for the kingdoms that no player runs."""
    if is_gm(user, campaign):
        return frozenset()
    return frozenset(map(str, run_kingdom_ids(user, campaign)))


# Turns: whether a battle waits for its reader.


def is_your_turn(battle: Battle, summary: Summary, legal: Legal, pending: Sequence[Pending], viewer: Viewer) -> bool:
    """Whether this reader has to act or to answer a question.

    A GM has to act when they can go on and nobody is awaited; where sides take turns, also for an army that no player
    commands.
    """
    if not viewer.gm:
        return bool(pending) or is_turn(legal, summary.waiting_for, viewer)
    ui = get_battle_ui(play_battle_state.get_law(battle))
    if ui.by_turns and summary.waiting_for:
        played = frozenset(map(str, awaiting_counts.read(battle.campaign, TAB)["played"]))
        return is_awaited(state_told(battle)["awaited"], (), gm=True, played=played)
    return any(kind in legal.commands for kind in ui.onward) and not summary.waiting_for


# Cards for a campaign's page, and the columns behind the count on the tab of battles.


OWN_BADGES = {"gm": _("yours"), "turn": _("your turn"), "orders": _("orders missing")}


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
            "engine": ENGINE in told.awaited,
            "winner": winner_of(battle),
        },
        yours=told.yours,
        act=_act(told, url),
        post=_remind(told),
        bearers=told.bearers,
    )


def _badge(told: BattleAtHand) -> Said | str:
    if told.yours:
        return OWN_BADGES["gm" if told.gm else "turn" if told.turns else "orders"]
    return told.battle.get_status_display()


def _remind(told: BattleAtHand) -> Act | None:
    """The GM's button that reminds the awaited players; None where there is nobody to remind."""
    if not (told.gm and told.running and told.awaited & told.played):
        return None
    return Act(_("Remind players"), reverse("battles:remind", args=[told.battle.pk]), "mail")


def _act(told: BattleAtHand, url: str) -> Act:
    """Button of the card: the next thing the reader can do in the battle."""
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
    """Subqueries of the tab's count: the parties each open battle waits for, as JSON, and the kingdoms that players
    run.
    """
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
    """The parties that each open battle waits for. The battles are folded where an earlier version stored no such
    summary.
    """
    if None in told:
        return [frozenset(state_told(battle)["awaited"]) for battle in open_now(campaign)]
    return [frozenset(json.loads(one)) for one in told if one]


COUNTER = awaiting_counts.Counter(_columns, _count)

"""Page objects of a campaign's list of battles, and of a new battle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.paginator import Page
from django.http import Http404

from battles.models import Battle, BattleArmy
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import BattleUI, get_battle_ui
from battles.setup.other_laws import is_by_another_law, list_battle_laws
from core.text import render
from core.text_search import filter_by_words
from kingdom.access.queries import get_campaign_for, is_gm, require_gm
from kingdom.campaign.queries import load_arms
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from kingdom.rendering import EVERYTHING, ListLook, paginate
from rules.core.text import Said
from rules.law import Law, Summary

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
    borne = _borne([*running, *fought])
    return BattleListPage(
        campaign,
        running=tuple(_line(battle, campaign, borne) for battle in running),
        finished=tuple(_line(battle, campaign, borne) for battle in fought),
        fought=fought,
        may_open=is_gm(user, campaign),
        query=look.query,
    )


_LISTED = ("id", "name", "day", "status", "state", "campaign_id", "ruleset", "house_rules")


def _borne(battles: Sequence[Battle]) -> dict[tuple[UUID, int], tuple[Arms, ...]]:
    """Arms on each side of these battles, by battle and index of the side. Two queries."""
    seats = BattleArmy.objects.filter(battle__in=battles).order_by().values_list("battle", "side", "army__kingdom")
    found: dict[tuple[UUID, int], list[Arms]] = defaultdict(list)
    met = sorted(seats.distinct())
    known = load_arms({kingdom for _battle, _side, kingdom in met})
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

"""The battles of a campaign, and what the setup of a new one needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from armies.models import Army
from armies.selectors import battle_roster
from armies.spec import army_spec
from battles.models import Battle, BattleArmy
from battles.selectors.pages.ground import NO_WORDS, phase_name
from kingdom.models import Campaign, User
from kingdom.selectors import campaign_for, is_gm, require_gm, ruleset_of, settlement_defense, settlements_of
from kingdom.text import render
from rules.errors import Refusal
from rules.pathfinder.battle.state import Phase
from rules.pathfinder.ruleset import Ruleset
from rules.text import Said, _, say

SIDE_COLOURS = ("one", "two", "three", "four", "five", "six")


def colour_of(side: int) -> str:
    return SIDE_COLOURS[side % len(SIDE_COLOURS)]


@dataclass(frozen=True)
class SideLine:
    colour: str
    name: str
    armies: str
    won: bool


@dataclass(frozen=True)
class BattleLine:
    """A battle in the list, with its phase and its sides."""

    id: UUID
    name: str
    day: int
    status: str
    status_label: str
    phase: Said
    sides: tuple[SideLine, ...]

    @property
    def open(self) -> bool:
        return self.status != Battle.Status.CLOSED


@dataclass(frozen=True)
class BattleListPage:
    campaign: Campaign
    running: tuple[BattleLine, ...]
    finished: tuple[BattleLine, ...]
    may_open: bool


def battle_list_page(user: User, campaign_id: UUID) -> BattleListPage:
    """The campaign's battles, newest first. Raises Http404 for strangers."""
    campaign = campaign_for(user, campaign_id)
    lines = [_line(battle) for battle in Battle.objects.filter(campaign=campaign).only(*_LISTED)]
    return BattleListPage(
        campaign,
        running=tuple(line for line in lines if line.open),
        finished=tuple(line for line in lines if not line.open),
        may_open=is_gm(user, campaign),
    )


_LISTED = ("id", "name", "day", "status", "state", "campaign_id")


def _line(battle: Battle) -> BattleLine:
    phase, result = battle.state["phase"], battle.state["result"]
    winner = result["winner"] if result else None
    sides = tuple(
        SideLine(colour_of(index), side["name"], ", ".join(army["name"] for army in side["armies"]), index == winner)
        for index, side in enumerate(battle.state["sides"])
    )
    return BattleLine(
        id=battle.pk,
        name=battle.name,
        day=battle.day,
        status=battle.status,
        status_label=battle.get_status_display(),
        phase=phase_name(Phase(phase["kind"], phase["number"])),
        sides=sides,
    )


@dataclass(frozen=True)
class Candidate:
    """An army that might fight. `why`: why it cannot, or None."""

    id: str
    name: str
    kingdom: str
    about: Said
    hp: int
    hp_max: int
    routed: bool
    has_engines: bool
    resists: bool
    why: Said | None


@dataclass(frozen=True)
class Place:
    """A settlement an army can stand in, with its Defense (PF-8.3)."""

    id: str
    name: str
    defense: int


@dataclass(frozen=True)
class SetupPage:
    campaign: Campaign
    law: Ruleset
    candidates: tuple[Candidate, ...]
    places: tuple[Place, ...]

    @property
    def available(self) -> tuple[Candidate, ...]:
        return tuple(candidate for candidate in self.candidates if candidate.why is None)


def setup_page(user: User, campaign_id: UUID) -> SetupPage:
    """What a new battle can be made of. Raises `PermissionDenied` unless the user is the GM."""
    campaign = campaign_for(user, campaign_id)
    require_gm(user, campaign)
    law = ruleset_of(campaign)
    return SetupPage(campaign, law, tuple(_candidates(campaign, law)), tuple(_places(user, campaign)))


def _candidates(campaign: Campaign, law: Ruleset) -> Iterable[Candidate]:
    busy = _busy(campaign)
    for army in battle_roster(campaign):
        army.campaign = campaign
        yield _candidate(army, law, busy.get(army.pk))


def _busy(campaign: Campaign) -> dict[UUID, str]:
    """Armies bound to a battle that is not over, with its name."""
    seats = BattleArmy.objects.filter(battle__campaign=campaign, battle__status__in=Battle.OPEN)
    return dict(seats.values_list("army_id", "battle__name"))


def _candidate(army: Army, law: Ruleset, busy: str | None) -> Candidate:
    why: Said | None = say(_("fights in “{battle}”"), battle=busy) if busy else None
    sheet: Any = None
    resists = False
    try:
        spec = army_spec(army)
        sheet = law.sheet(spec)
        resists = any(law.abilities[c.ability].key == "significant-defense" for c in spec.unit.abilities)
    except Refusal as refusal:
        why = refusal.message
    return Candidate(
        id=str(army.pk),
        name=army.name,
        kingdom=army.kingdom.name,
        about=say(_("{size} · ACR {acr}"), size=sheet.size.name, acr=str(sheet.acr)) if sheet else NO_WORDS,
        hp=army.hp,
        hp_max=army.hp_max,
        routed=army.routed,
        has_engines=any(row.resource == "siege-engines" for row in army.resources.all()),
        resists=resists,
        why=why,
    )


def _places(user: User, campaign: Campaign) -> Iterable[Place]:
    for settlement in settlements_of(user).filter(campaign=campaign).order_by("kingdom__name", "name"):
        label = render(say(_("{place} ({kingdom})"), place=settlement.name, kingdom=settlement.kingdom.name))
        yield Place(str(settlement.pk), label, settlement_defense(settlement).total)

"""Page object of the setup of a battle."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import QueryDict

from armies.forces.access import list_named_armies
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import PathfinderArmyQuerySet
from battles.models import Battle, BattleArmy
from battles.pathfinder.field.chips import NO_WORDS
from battles.setup import eligible
from battles.setup.eligible import free_armies
from core.clean_input import NAME_MAX, parse_uuid, parse_whole
from core.text import render
from kingdom.access.queries import reads_all
from kingdom.models import Campaign, Settlement, User
from kingdom.models.natural import Natural
from kingdom.realms.figures import compute_defense, get_ruleset
from rules.core.errors import Refusal
from rules.core.text import Said, _, say
from rules.pathfinder.ruleset import Ruleset


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
class TownDefense:
    """A settlement an army can stand in, with its Defense (PF-8.3)."""

    id: str
    name: str
    defense: int


@dataclass(frozen=True)
class SetupPage:
    """`musters`: the kingdoms with standing armies; `candidates`: those the form lists, all of them where they are few.

    `picked`: those on a side already, where they are many; `find`: what was searched for; `more`: how many of those
    found are not listed.
    """

    campaign: Campaign
    law: Ruleset
    places: tuple[TownDefense, ...]
    musters: tuple[eligible.EligibleArmy, ...]
    candidates: tuple[Candidate, ...] = ()
    picked: Collection[str] = ()
    find: str = ""
    more: int = 0

    @property
    def available(self) -> tuple[Candidate, ...]:
        return tuple(candidate for candidate in self.candidates if candidate.why is None)

    @property
    def coming(self) -> tuple[Candidate, ...]:
        """Those of whom more can be said than their side: any that is available, of many only those on a side."""
        return tuple(army for army in self.available if not self.large or army.id in self.picked)

    @property
    def large(self) -> bool:
        return eligible.is_many(self.musters)

    @property
    def enough(self) -> bool:
        """Whether two armies could meet."""
        return len(self.available) > 1 or (self.large and sum(one.free for one in self.musters) > 1)

    @property
    def kingdoms(self) -> list[tuple[str, str, int]]:
        """Those with armies that are free: id, name, how many."""
        return [(one.id, one.name, one.free) for one in self.musters if one.free]

    def showing(self, picked: Collection[str], find: str = "") -> SetupPage:
        """About the armies picked and, of those searched for by their own name or their kingdom's, the first."""
        found, more = eligible.found_by(list_named_armies(self.campaign), find, picked)
        candidates = tuple(_candidates(self.campaign, self.law, {*picked, *map(str, found)}))
        return replace(self, candidates=candidates, picked=picked, find=find, more=more)


def setup_page(user: User, campaign: Campaign) -> SetupPage:
    """What a new battle can be made of."""
    law = get_ruleset(campaign)
    page = SetupPage(campaign, law, tuple(_places(user, campaign)), tuple(eligible.count_eligible(campaign)))
    return page if page.large else replace(page, candidates=tuple(_candidates(campaign, law)))


def _candidates(campaign: Campaign, law: Ruleset, ids: Collection[str] | None = None) -> Iterable[Candidate]:
    if ids is not None and not ids:
        return
    busy: dict[UUID, str] = dict(_busy(campaign))
    armies = _roster(campaign) if ids is None else _roster(campaign).filter(pk__in=ids)
    for army in armies:
        army.campaign = campaign
        yield _candidate(army, law, busy.get(army.pk))


def _roster(campaign: Campaign) -> PathfinderArmyQuerySet:
    """Every standing army with what battles need, by kingdom."""
    rows = PathfinderArmy.objects.filter(campaign=campaign, status__in=PathfinderArmy.STANDING)
    return rows.listed().select_related("kingdom").order_by(Natural("kingdom__name"), Natural("name"), "id")


def _busy(campaign: Campaign) -> QuerySet[BattleArmy, tuple[UUID, str]]:
    """Armies bound to a battle that is not over, with its name."""
    seats = BattleArmy.objects.filter(battle__campaign=campaign, battle__status__in=Battle.OPEN)
    return seats.values_list("army_id", "battle__name")


def _candidate(army: PathfinderArmy, law: Ruleset, busy: str | None) -> Candidate:
    why: Said | None = say(_("fights in “{battle}”"), battle=busy) if busy else None
    sheet: Any = None
    resists = False
    try:
        spec = build_army_spec(army)
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


def _places(user: User, campaign: Campaign) -> Iterable[TownDefense]:
    for settlement in _settlements(campaign) if reads_all(user, campaign) else ():
        settlement.kingdom.campaign = campaign
        label = render(say(_("{place} ({kingdom})"), place=settlement.name, kingdom=settlement.kingdom.name))
        defense = compute_defense(settlement)
        yield TownDefense(str(settlement.pk), label, defense.total if defense else 0)


def _settlements(campaign: Campaign) -> QuerySet[Settlement]:
    rows = Settlement.objects.filter(campaign=campaign).select_related("kingdom")
    return rows.order_by(Natural("kingdom__name"), Natural("name"))


# Army picker of the setup form: all armies where they are few, else those picked and those searched for.

ALL, FIELD = "all", "army-"


def mustered(page: SetupPage, data: QueryDict) -> tuple[SetupPage, QueryDict]:
    """The page with the armies the form shows, and what was sent with every army of a kingdom put on a side."""
    if data.get("add") == ALL:
        data = _all_on_a_side(page, data)
    if not page.large:
        return page, data
    sent = {name.removeprefix(FIELD) for name, side in data.items() if name.startswith(FIELD) and side}
    picked = {key for key in sent if parse_uuid(key)}
    return page.showing(picked, data.get("find", "").strip()[:NAME_MAX]), data


def _all_on_a_side(page: SetupPage, data: QueryDict) -> QueryDict:
    """Every free army of the kingdom that is on no side yet."""
    side, sent = parse_whole(data.get("all-on"), most=9) or 1, data.copy()
    kingdom = parse_uuid(data.get("all-of", ""))
    if kingdom is None:
        return sent
    for key in free_armies(page.campaign).filter(kingdom=kingdom).values_list("pk", flat=True):
        if not data.get(f"{FIELD}{key}"):
            sent[f"{FIELD}{key}"] = str(side)
    return sent

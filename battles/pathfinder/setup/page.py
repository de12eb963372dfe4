"""Page object of a battle's set-up."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import PathfinderArmyQuerySet
from battles.models import Battle, BattleArmy
from battles.pathfinder.field.chips import NO_WORDS
from battles.setup import eligible
from battles.setup.seating import ArmyMark
from core.text import render
from kingdom.access.queries import reads_all
from kingdom.models import Campaign, Settlement, User
from kingdom.models.natural import Natural
from kingdom.realms.figures import compute_defense, get_ruleset
from rules.core.errors import Refusal
from rules.core.text import Said, _, say
from rules.pathfinder.paper import device_of
from rules.pathfinder.ruleset import Ruleset


@dataclass(frozen=True)
class Candidate:
    """Army that might fight. `why` says why it cannot, or None."""

    id: str
    name: str
    about: Said
    crest: str
    has_engines: bool
    resists: bool
    why: Said | None

    @property
    def mark(self) -> ArmyMark:
        return ArmyMark(self.about, self.crest, self.why)


@dataclass(frozen=True)
class TownDefense:
    """Settlement in which an army can stand, with its Defense (PF-8.3)."""

    id: str
    name: str
    defense: int


@dataclass(frozen=True)
class SetupPage:
    """Page of the set-up. `musters` are kingdoms with standing armies. `candidates` are all armies if they are few,
    otherwise those on a side. `picked` are those on a side.
    """

    campaign: Campaign
    law: Ruleset
    places: tuple[TownDefense, ...]
    musters: tuple[eligible.EligibleArmy, ...]
    candidates: tuple[Candidate, ...] = ()
    picked: Collection[str] = ()

    @property
    def available(self) -> tuple[Candidate, ...]:
        return tuple(candidate for candidate in self.candidates if candidate.why is None)

    @property
    def coming(self) -> tuple[Candidate, ...]:
        """Armies on a side, for which there are more settings."""
        return tuple(army for army in self.available if army.id in self.picked)

    @property
    def large(self) -> bool:
        return eligible.is_many(self.musters)

    @property
    def enough(self) -> bool:
        """Whether at least two armies could fight."""
        return len(self.available) > 1 or (self.large and sum(one.free for one in self.musters) > 1)

    def showing(self, picked: Collection[str]) -> SetupPage:
        """Return the page with these armies on a side."""
        if not self.large:
            return replace(self, picked=picked)
        return replace(self, candidates=tuple(_candidates(self.campaign, self.law, picked)), picked=picked)


def setup_page(user: User, campaign: Campaign) -> SetupPage:
    """Return the page of a new battle."""
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
    """Return every standing army with what battles need, by kingdom."""
    rows = PathfinderArmy.objects.filter(campaign=campaign, status__in=PathfinderArmy.STANDING)
    return rows.listed().select_related("kingdom").order_by(Natural("kingdom__name"), Natural("name"), "id")


def _busy(campaign: Campaign) -> QuerySet[BattleArmy, tuple[UUID, str]]:
    """Return armies bound to an unfinished battle, with its name."""
    seats = BattleArmy.objects.filter(battle__campaign=campaign, battle__status__in=Battle.OPEN)
    return seats.values_list("army_id", "battle__name")


def _candidate(army: PathfinderArmy, law: Ruleset, busy: str | None) -> Candidate:
    why: Said | None = say(_("fights in “{battle}”"), battle=busy) if busy else None
    spec: Any = None
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
        about=say(_("{size} · ACR {acr}"), size=sheet.size.name, acr=str(sheet.acr)) if sheet else NO_WORDS,
        crest=device_of(spec) if spec else "army",
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

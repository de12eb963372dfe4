"""What the setup of a new battle needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from armies.pathfinder.access import battle_roster
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.spec import army_spec
from battles.models import Battle, BattleArmy
from battles.pathfinder.pages.ground import NO_WORDS
from kingdom.models import Campaign, User
from kingdom.models.natural import Natural
from kingdom.selectors import ruleset_of, settlement_defense, settlements_of
from kingdom.text import render
from rules.errors import Refusal
from rules.pathfinder.ruleset import Ruleset
from rules.text import Said, _, say


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


def setup_page(user: User, campaign: Campaign) -> SetupPage:
    """What a new battle can be made of."""
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


def _candidate(army: PathfinderArmy, law: Ruleset, busy: str | None) -> Candidate:
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
    for settlement in (
        settlements_of(user).filter(campaign=campaign).order_by(Natural("kingdom__name"), Natural("name"))
    ):
        label = render(say(_("{place} ({kingdom})"), place=settlement.name, kingdom=settlement.kingdom.name))
        defense = settlement_defense(settlement)
        yield Place(str(settlement.pk), label, defense.total if defense else 0)

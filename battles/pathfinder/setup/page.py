"""Page object of a battle's set-up, and the set-up form as the API's body, with refusals mapped back to its fields."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from armies.pathfinder.armies.reform_queries import explain_reserve
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import PathfinderArmyQuerySet
from battles.models import Battle, BattleArmy
from battles.pathfinder.words import NO_WORDS
from battles.setup import queries
from battles.setup.seating import ArmyMark
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.queries import reads_all
from kingdom.models import Campaign, Settlement, User
from kingdom.models.base import Natural
from kingdom.realms.figures import compute_defense, get_ruleset
from rules.core.errors import Refusal
from rules.core.text import Said, _, say
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.sheet import device_of

# Page object of a battle's set-up.


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
    musters: tuple[queries.EligibleArmy, ...]
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
        return queries.is_many(self.musters)

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
    page = SetupPage(campaign, law, tuple(_places(user, campaign)), tuple(queries.count_eligible(campaign)))
    return page if page.large else replace(page, candidates=tuple(_candidates(campaign, law)))


def _candidates(campaign: Campaign, law: Ruleset, ids: Collection[str] | None = None) -> Iterable[Candidate]:
    if ids is not None and not ids:
        return
    busy: dict[UUID, str] = dict(_busy(campaign))
    armies = _roster(campaign) if ids is None else _roster(campaign).filter(pk__in=ids)
    for army in armies:
        army.campaign = campaign
        absent = explain_reserve(army) if army.in_reserve else None
        yield _candidate(army, law, busy.get(army.pk), absent)


def _roster(campaign: Campaign) -> PathfinderArmyQuerySet:
    """Return every standing army with what battles need, by kingdom."""
    rows = PathfinderArmy.objects.filter(campaign=campaign, status__in=PathfinderArmy.STANDING)
    return rows.listed().select_related("kingdom").order_by(Natural("kingdom__name"), Natural("name"), "id")


def _busy(campaign: Campaign) -> QuerySet[BattleArmy, tuple[UUID, str]]:
    """Return armies bound to an unfinished battle, with its name."""
    seats = BattleArmy.objects.filter(battle__campaign=campaign, battle__status__in=Battle.OPEN)
    return seats.values_list("army_id", "battle__name")


def _candidate(army: PathfinderArmy, law: Ruleset, busy: str | None, absent: Said | None) -> Candidate:
    why: Said | None = say(_("fights in “{battle}”"), battle=busy) if busy else absent
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


# Set-up form converted to the API's body, and refusals mapped back to its fields.

PARTS = 3  # most parts of one fortification
GROUND = ("advantageous-terrain", "battlefield-advantage", "on-water")
FLAGS = ("sees_invisible", "cannot_leave", "engines_shoot", "magical")


class OpeningBody:
    """Mixin that converts the set-up form to the body of POST battles/. `sources` records the field of each list
    member, for refusals.
    """

    page: SetupPage
    counts: dict[str, int]
    cleaned_data: dict[str, Any]
    fields: dict[str, Any]
    add_error: Any
    sources: dict[str, list[str]]

    def over_the_field(self) -> list[str]:
        """Return the conditions of the whole field that need only a checkbox."""
        conditions = self.page.law.conditions.values()
        return [item.slug for item in conditions if item.scope == "field" and not item.value]

    def to_json(self) -> dict[str, Any]:
        """Return the body of POST battles/, without the campaign. The form must be valid."""
        self.sources = {"conditions": [], "ambush": [], "overcomes": []}
        data = self.cleaned_data
        return {
            "name": data["name"],
            "sides": list(self._sides()),
            "conditions": list(self._conditions()),
            "overcomes": list(self._overcomes()),
            "ambush": list(self._ambushes()),
            "ammunition": data["ammunition"],
            **{flag: self._flagged(flag) for flag in FLAGS},
        }

    def _on_side(self, number: int) -> list[Candidate]:
        return [army for army in self.page.available if self.cleaned_data[f"army-{army.id}"] == str(number)]

    def _sides(self) -> Iterator[dict[str, Any]]:
        """Yield the sides. Sides without a name are named at opening. Empty sides at the end are left out."""
        for number in range(1, self.counts["sides"] + 1):
            armies = self._on_side(number)
            if armies or self.cleaned_data[f"side-{number}"] or number <= 2:
                yield {"name": self.cleaned_data[f"side-{number}"], "armies": [army.id for army in armies]}

    def _here(self) -> list[Candidate]:
        return [army for army in self.page.available if self.cleaned_data[f"army-{army.id}"]]

    def _flagged(self, flag: str) -> list[str]:
        return [army.id for army in self._here() if self.cleaned_data.get(f"{flag}-{army.id}")]

    def _conditions(self) -> Iterator[dict[str, Any]]:
        for source, condition in self._all_conditions():
            self.sources["conditions"].append(source)
            yield condition

    def _all_conditions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        data, here = self.cleaned_data, {army.id for army in self._here()}
        for slug in self.over_the_field():
            if data[slug]:
                yield slug, {"condition": slug, "except": [a for a in data[f"except-{slug}"] if a in here]}
        if data["wind"]:
            exempt = [a for a in data["except-wind"] if a in here]
            yield "wind", {"condition": "wind", "value": data["wind"], "except": exempt}
        for slug in GROUND:
            if armies := [army for army in self._flagged(slug) if army in here]:
                yield f"{slug}-{armies[0]}", {"condition": slug, "armies": armies}
        for army in self._here():
            if value := data[f"heroes-{army.id}"]:
                yield f"heroes-{army.id}", {"condition": "heroes", "army": army.id, "value": int(value)}
        yield from self._forts()

    def _forts(self) -> Iterator[tuple[str, dict[str, Any]]]:
        defense = {place.id: place.defense for place in self.page.places}
        for number in range(self.counts["forts"]):
            stem, data = f"fort-{number}", self.cleaned_data
            if not data[f"{stem}-armies"]:
                continue
            fort: dict[str, Any] = {"condition": "fortification", "armies": data[f"{stem}-armies"]}
            value = data[f"{stem}-value"]
            if parts := list(self._parts(stem)):
                fort["parts"] = parts
            elif value is None and data[f"{stem}-place"]:
                value = defense[data[f"{stem}-place"]]
            if value is not None:
                fort["value"] = value
            yield f"{stem}-armies", fort

    def _parts(self, stem: str) -> Iterator[dict[str, Any]]:
        for part in range(PARTS):
            values = {w: self.cleaned_data[f"{stem}-part-{part}-{w}"] for w in ("kind", "material", "value")}
            if values["value"]:
                yield values

    def _overcomes(self) -> Iterator[dict[str, str]]:
        for army in self._here():
            for attacker in self.cleaned_data.get(f"overcome-{army.id}", ()):
                self.sources["overcomes"].append(f"overcome-{army.id}")
                yield {"attacker": attacker, "defender": army.id}

    def _ambushes(self) -> Iterator[dict[str, str]]:
        for number in range(self.counts["ambushes"]):
            by, target = self.cleaned_data[f"ambush-{number}-by"], self.cleaned_data[f"ambush-{number}-target"]
            if by or target:
                self.sources["ambush"].append(f"ambush-{number}-by")
                yield {"by": by, "target": target}

    def refused(self, refusal: Refusal) -> None:
        """Add every problem to its field, else to the form."""
        for pointer, message in refusal.errors:
            self.add_error(self._field_of(pointer), render(message))

    def _field_of(self, pointer: str) -> str | None:
        first, *rest = pointer.strip("/").split("/")
        number = parse_whole(rest[0]) if rest else None
        match first:
            case "sides" if number is not None and "armies" in rest:
                return self._army_field(number, rest)
            case "sides" if number is not None:
                return f"side-{number + 1}"
            case "conditions" | "ambush" | "overcomes" if number is not None:
                return self._source(first, number, rest[1:])
            case "ambush" if self.sources["ambush"]:
                return self.sources["ambush"][0]
        return first if first in self.fields else None

    def _source(self, kind: str, number: int, rest: list[str]) -> str | None:
        """Return the field from which a condition, an ambush or an "overcomes" pair came."""
        names = self.sources[kind]
        name = names[number] if number < len(names) else None
        if name and name.startswith("fort-") and rest[:1] in (["value"], ["parts"]):
            return name.replace("-armies", "-value")
        return name

    def _army_field(self, side: int, rest: list[str]) -> str:
        """Return the select of the wrong army, else the name of its side."""
        armies = self._on_side(side + 1)
        place = parse_whole(rest[2]) if len(rest) > 2 else None
        return f"army-{armies[place].id}" if place is not None and place < len(armies) else f"side-{side + 1}"

"""An army as the module's actor, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from armies.pathfinder.foundry.shapes import (
    ALIGNMENTS,
    ARMY,
    ENGINES,
    ENGINES_HELD,
    FLAG,
    HIT_DICE,
    RESOURCES,
    SPECIAL,
    TACTIC,
    Actor,
    at,
    flag,
    items_of,
    mapping,
    number,
    ours,
    put,
    slug_of_item,
    text,
    whole,
)
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.spec import army_spec
from kingdom.selectors import ruleset_of
from rules.errors import InvalidInput, Refusal
from rules.pathfinder.morale import LEAST_MORALE, MOST_MORALE
from rules.pathfinder.parse import unit_from_json
from rules.pathfinder.size import BY_RANK, LOW, Acr, army_rating, parse_cr, size_of
from rules.text import Said, _, say

SIDES = {ours: theirs for theirs, ours in ALIGNMENTS.items()}
UNIT = {"name": "New army", "cr": "1"}
NEAR = 0.02  # how far a fraction may be rounded: 0.33 is 1/3
PARTS = ("unit", "count", "mount")


@dataclass(frozen=True, slots=True)
class ArmyFound:
    """What an actor says of an army. `warnings`: what it says that is not taken over."""

    name: str
    kingdom: str
    what: dict[str, Any]
    hp: int | None
    morale: int
    tactics: tuple[str, ...]
    resources: dict[str, int]
    warnings: tuple[Said, ...]


# out


def army_actor(army: PathfinderArmy, kept: Mapping[str, Any] | None) -> Actor:
    """The army for Foundry's "Import Data". `kept`: the actor it was brought in from, of which nothing is lost."""
    law, spec = ruleset_of(army.campaign), army_spec(army)
    actor: Actor = deepcopy(dict(kept or {}))
    sheet = law.sheet(spec)
    actor |= {"name": army.name, "type": ARMY}
    for path, value in _figures(army, sheet):
        put(actor, f"system/{path}", value)
    held = dict(spec.resources)
    for theirs, slug in RESOURCES.items():
        put(actor, f"system/resources/{theirs}", bool(held.get(slug)))
    put(actor, f"system/resources/{ENGINES}", held.get(ENGINES_HELD, 0))
    actor["items"] = [*_items(army, law, actor)]
    actor.setdefault("effects", [])
    put(actor, f"flags/{FLAG}", _beside(army))
    return actor


def _figures(army: PathfinderArmy, sheet: Any) -> Iterator[tuple[str, Any]]:
    unit = army.unit
    yield "acr", _told(sheet.acr)
    yield "type", unit["name"]
    yield "alignment", SIDES[unit["alignment"]]
    yield "size", str(sheet.size.rank)
    if unit["hit_die"] in HIT_DICE:
        yield "hd", unit["hit_die"]
    yield "hp/current", army.hp
    yield "speed/base", sheet.speed.total
    yield "morale/base", army.morale


def _told(acr: Acr) -> float | int:
    return acr.floor if acr.exact.denominator == 1 else round(float(acr.exact), 4)


def _beside(army: PathfinderArmy) -> dict[str, Any]:
    """What the module has no place for."""
    document = {name: army.sheet.get(name) for name in PARTS}
    return {"version": 1, "id": str(army.pk), "kingdom": army.kingdom.name, **deepcopy(document)}


def _items(army: PathfinderArmy, law: Any, actor: Actor) -> Iterator[Actor]:
    """Those that are there, without what the army no longer has, and what is missing."""
    tactics = {row.tactic for row in army.tactics.all()}
    abilities = {choice["ability"]: choice for choice in army.unit["abilities"]}
    there: set[tuple[str, str]] = set()
    for item in actor.get("items") or []:
        kind = item.get("type")
        known, has = {TACTIC: (law.tactics, tactics), SPECIAL: (law.abilities, abilities)}.get(kind, ({}, ()))
        slug = slug_of_item(item, known)
        gone = slug in known and slug not in has and (kind != TACTIC or not law.tactics[slug].always_known)
        if not gone or not _taken(item, kind, law):
            there.add((kind, slug))
            yield item
    for slug in sorted(tactics):
        if (TACTIC, slug) not in there:
            yield {"name": str(law.tactics[slug].name), "type": TACTIC, "system": {}}
    for slug, choice in abilities.items():
        if (SPECIAL, slug) not in there:
            yield {"name": str(law.abilities[slug].name), "type": SPECIAL, "system": {}, "flags": {FLAG: dict(choice)}}


def _taken(item: Mapping[str, Any], kind: str | None, law: Any) -> bool:
    """Whether it was taken over when it came: what was not stays."""
    return kind == TACTIC or _choice(item, law) is not None


# in


def army_found(actor: Mapping[str, Any], law: Any, there: PathfinderArmy | None) -> ArmyFound:
    """What the actor says. Raises `InvalidInput` with pointers into it."""
    warnings: list[Said] = []
    name = at(actor, "name", text, "")
    if not name.strip():
        raise InvalidInput(_("An actor has a name."), "/name")
    base = _base(actor, there)
    what = _what(actor, base, law, warnings)
    return ArmyFound(
        name=name,
        kingdom=str(ours(actor).get("kingdom") or ""),
        what=what,
        hp=at(actor, "system/hp/current", whole),
        morale=_morale(actor, warnings),
        tactics=tuple(_tactics(actor, law, warnings)),
        resources=_resources(actor),
        warnings=(*warnings, *_not_taken(actor)),
    )


def _base(actor: Mapping[str, Any], there: PathfinderArmy | None) -> dict[str, Any]:
    """What the army is, before the actor's own fields have their say: as we wrote it beside them, else as it is."""
    beside = {name: value for name, value in ours(actor).items() if name in PARTS}
    kept = {name: there.sheet.get(name) for name in PARTS} if there else {}
    found = deepcopy(beside if isinstance(beside.get("unit"), Mapping) and whole(beside.get("count")) else kept)
    return found or {"unit": dict(UNIT), "count": 100, "mount": None}


def _what(actor: Mapping[str, Any], base: dict[str, Any], law: Any, warnings: list[Said]) -> dict[str, Any]:
    unit = {**dict(base["unit"])}
    unit["name"] = at(actor, "system/type", text, "").strip() or unit.get("name") or at(actor, "name", text)
    unit["hit_die"] = _one(actor, "system/hd", {die: die for die in HIT_DICE}, unit.get("hit_die", "d8"))
    unit["alignment"] = _one(actor, "system/alignment", ALIGNMENTS, unit.get("alignment", "N"))
    unit["abilities"] = _abilities(actor, law, warnings)
    count, unit["cr"] = _measured(actor, base)
    return {"unit": unit, "count": count, "mount": base.get("mount")}


def _one(actor: Mapping[str, Any], path: str, known: Mapping[str, str], otherwise: str) -> str:
    """One of the module's choices; what is empty there says nothing."""
    said = at(actor, path, text, "")
    if said and said not in known:
        raise InvalidInput(say(_("Choose one of: {choices}."), choices=", ".join(known)), f"/{path}")
    if otherwise not in known.values() and not said:
        return otherwise
    return known.get(said, otherwise)


def _measured(actor: Mapping[str, Any], base: Mapping[str, Any]) -> tuple[int, str]:
    """Head count and CR. The module has size and ACR: they say so many, and what such an army must be of."""
    cr, size = parse_cr(base["unit"].get("cr", "1")), size_of(base["count"])
    rank = at(actor, "system/size", text, str(size.rank))
    if rank not in {str(one.rank) for one in BY_RANK}:
        raise InvalidInput(_("The module knows the sizes 0 to 8."), "/system/size")
    told = at(actor, "system/acr", number)
    acr = _rated(told) if told is not None else None
    if int(rank) == size.rank and (acr is None or acr == _rating(cr, size)):
        return base["count"], str(cr)
    now = BY_RANK[int(rank)]
    count = base["count"] if now.rank == size.rank else now.units
    if acr is None:
        return count, str(cr)
    if acr.step < now.step:
        raise InvalidInput(_("No army of this size has so low an ACR."), "/system/acr")
    return count, str(Acr(acr.step - now.step))


def _rating(cr: Acr, size: Any) -> Acr | None:
    try:
        return army_rating(cr, size)
    except Refusal:
        return None


def _rated(told: float) -> Acr:
    """The step of the ladder this number stands for."""
    for place, name in enumerate(LOW):
        if abs(told - float(Acr(place).exact)) < NEAR:
            return parse_cr(name, "/system/acr")
    return parse_cr(str(int(told)) if float(told).is_integer() else str(told), "/system/acr")


def _abilities(actor: Mapping[str, Any], law: Any, warnings: list[Said]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for _place, item in items_of(actor, SPECIAL):
        choice = _choice(item, law)
        if choice is None:
            said = _(
                "The special ability “{name}” is not taken over: it is none of ours, or needs a number or choices."
            )
            warnings.append(say(said, name=str(item.get("name", ""))[:60]))
        else:
            found.setdefault(choice["ability"], choice)
    return list(found.values())


def _choice(item: Mapping[str, Any], law: Any) -> dict[str, Any] | None:
    """The ability an item stands for, with what we wrote beside it; None where the law cannot take it so."""
    slug = slug_of_item(item, law.abilities)
    beside = item.get("flags", {})
    beside = beside.get(FLAG, {}) if isinstance(beside, Mapping) else {}
    choice = {**beside, "ability": slug} if isinstance(beside, Mapping) else {"ability": slug}
    try:
        unit_from_json({**UNIT, "abilities": [choice]}, law)
    except Refusal:
        return None
    return choice


def _tactics(actor: Mapping[str, Any], law: Any, warnings: list[Said]) -> Iterator[str]:
    for _place, item in items_of(actor, TACTIC):
        slug = slug_of_item(item, law.tactics)
        if slug not in law.tactics:
            warnings.append(say(_("The tactic “{name}” is not taken over."), name=str(item.get("name", ""))[:60]))
        elif not law.tactics[slug].always_known:
            yield slug


def _morale(actor: Mapping[str, Any], warnings: list[Said]) -> int:
    told: int = at(actor, "system/morale/base", whole, 0)
    morale = max(LEAST_MORALE, min(MOST_MORALE, told))
    if morale != told:
        warnings.append(say(_("Morale {told} is {morale} here."), told=told, morale=morale))
    return morale


def _resources(actor: Mapping[str, Any]) -> dict[str, int]:
    held = {slug: 1 for theirs, slug in RESOURCES.items() if at(actor, f"system/resources/{theirs}", flag)}
    engines = at(actor, f"system/resources/{ENGINES}", whole, 0)
    return {**held, **({ENGINES_HELD: engines} if engines > 0 else {})}


def _not_taken(actor: Mapping[str, Any]) -> Iterator[Said]:
    if at(actor, "system/commander/actor", lambda value: True):
        yield _("Its commander is another actor: give the army a commander here.")
    if at(actor, "system/kingdom/actor", lambda value: True) and not ours(actor).get("kingdom"):
        yield _("Its kingdom is another actor: it goes to the kingdom you have chosen.")
    if at(actor, "system/notes/value", text):
        yield _("Its notes are kept for Foundry and not shown here.")
    assert mapping(actor)

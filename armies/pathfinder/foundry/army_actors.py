"""Conversion of an army to an actor of Foundry's module, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from armies.adjustments.services import MEMBERS, as_lasting
from armies.pathfinder.armies.resource_services import MOST as HELD_MOST
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.foundry.abilities import (
    PLAIN_UNIT,
    abilities_found,
    abilities_kept,
    agrees,
    choice_of,
    find_ability,
    item_name,
)
from armies.pathfinder.foundry.actor_shapes import (
    ALIGNMENTS,
    ARMY,
    ENGINES,
    ENGINES_HELD,
    FLAG,
    HIT_DICE,
    OURS,
    RESOURCES,
    SPECIAL,
    TACTIC,
    VERSION,
    Actor,
    Lasting,
    drop,
    find_slug,
    flag,
    format_acr,
    hexes_of,
    is_mapping,
    is_number,
    is_text,
    is_whole,
    items_of,
    measure,
    pace,
    peek_at,
    put,
    rated,
    read_at,
    read_name,
    read_own_adjustments,
    read_own_flags,
    read_whole_number,
    remainder,
)
from armies.pathfinder.models import PathfinderArmy
from core.clean_input import clean_text, make_readable
from kingdom.realms.figures import get_ruleset
from rules.adjustments import adjusted_by
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, _, say
from rules.pathfinder.sheet import Sheet
from rules.pathfinder.spec import LEAST_MORALE, MOST_MORALE

SIDES = {ours: theirs for theirs, ours in ALIGNMENTS.items()}
LEAST_THERE = -5  # lowest Morale in the module
COUNT = 100  # units of a medium army
PARTS = ("unit", "count", "mount")
OWNED = (
    "system/acr", "system/type", "system/alignment", "system/size", "system/hd", "system/hp/current",
    "system/speed/base", "system/morale/base",
    *(f"system/resources/{name}" for name in (*RESOURCES, ENGINES)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArmyFound:
    """An army in an actor; None stands for what the actor does not say.

    `warnings`: what is not imported. `places`: pointers in the actor for pointers of the services.
    """

    name: str
    kingdom: str
    what: dict[str, Any]
    hp: int | None
    morale: int | None
    tactics: tuple[str, ...] | None
    granted: frozenset[str]
    resources: dict[str, int]
    adjustments: list[dict[str, Any]] | None
    warnings: tuple[Said, ...]
    places: Mapping[str, str]

    def place(self, pointer: str) -> str:
        """The pointer into the actor."""
        return _placed(pointer, self.places)


def _placed(pointer: str, places: Mapping[str, str]) -> str:
    head = max((own for own in places if f"{pointer}/".startswith(f"{own}/")), key=len, default=None)
    return pointer if head is None else places[head] + pointer[len(head) :]


# Export.


def build_army_actor(army: PathfinderArmy, kept: Mapping[str, Any] | None) -> Actor:
    """The army for Foundry's "Import Data". `kept`: the actor from which it was imported; its other data is exported
    again.
    """
    law, spec = get_ruleset(army.campaign), build_army_spec(army)
    actor: Actor = make_readable(dict(kept or {}))
    sheet = law.sheet(spec)
    actor |= {"name": army.name, "type": ARMY}
    for path, value in _figures(army, sheet, actor):
        put(actor, f"system/{path}", value)
    if army.unit["hit_die"] not in HIT_DICE:
        drop(actor, "system/hd")
    held = dict(spec.resources)
    for theirs, slug in RESOURCES.items():
        put(actor, f"system/resources/{theirs}", bool(held.get(slug)))
    put(actor, f"system/resources/{ENGINES}", held.get(ENGINES_HELD, 0))
    actor["items"] = [*_items(army, law, actor)]
    if actor.get("effects") is None:
        actor["effects"] = []
    put(actor, OURS, _beside(army))
    return actor


def _figures(army: PathfinderArmy, sheet: Sheet, actor: Actor) -> Iterator[tuple[str, Any]]:
    """Paths and values of the figures. A stored value that means the same keeps its spelling (0.33 for 1/3)."""
    unit, acr, speed = army.unit, peek_at(actor, "system/acr"), peek_at(actor, "system/speed/base")
    yield "acr", acr if is_number(acr) and rated(acr) == sheet.acr else format_acr(sheet.acr)
    yield "type", unit["name"]
    yield "alignment", SIDES[unit["alignment"]]
    yield "size", str(sheet.size.rank)
    if unit["hit_die"] in HIT_DICE:
        yield "hd", unit["hit_die"]
    yield "hp/current", army.hp
    yield "speed/base", speed if is_number(speed) and hexes_of(speed) == sheet.speed.total else sheet.speed.total
    yield "morale/base", army.morale


def _beside(army: PathfinderArmy) -> dict[str, Any]:
    """Flags with our data that the module has no field for."""
    document = {name: army.sheet.get(name) for name in PARTS}
    granted = sorted(row.tactic for row in army.tactics.all() if row.granted)
    beside = {"version": VERSION, "id": str(army.pk), "kingdom": army.kingdom.name, **deepcopy(document)}
    given = [{name: one[name] for name in (*MEMBERS, "until")} for one in army.adjustments]
    return beside | ({"granted": granted} if granted else {}) | ({"adjustments": given} if given else {})


def _items(army: PathfinderArmy, law: Any, actor: Actor) -> Iterator[Any]:
    """Stored items, without those of what the army no longer has, and new items for what is missing."""
    tactics = {row.tactic for row in army.tactics.all()}
    abilities = {choice["ability"]: choice for choice in army.unit["abilities"]}
    kept = peek_at(actor, "items")
    before = abilities_kept(peek_at(actor, f"{OURS}/unit/abilities"))
    there: set[tuple[str, str]] = set()
    for item in kept if isinstance(kept, list) else ():
        kind = item.get("type") if isinstance(item, Mapping) else None
        if kind == TACTIC:
            slug = find_slug(read_name(item), law.tactics)
            gone = slug in law.tactics and slug not in tactics and not law.tactics[slug].always_known
        elif kind == SPECIAL:
            slug, gone = _ability_gone(item, law, before, abilities, there)
            if not gone and peek_at(item, OURS) and slug in abilities:
                put(item, OURS, dict(abilities[slug]))
        else:
            slug, gone = "", False
        if not gone:
            there.add((str(kind), slug))
            yield item
    for slug in sorted(tactics):
        if (TACTIC, slug) not in there:
            yield {"name": str(law.tactics[slug].name), "type": TACTIC, "system": {}}
    for slug, choice in abilities.items():
        if (SPECIAL, slug) not in there:
            flags = {FLAG: dict(choice)}
            yield {"name": item_name(law.abilities[slug], choice), "type": SPECIAL, "system": {}, "flags": flags}


def _ability_gone(
    item: Mapping[str, Any], law: Any, before: Mapping[str, Any], has: Mapping[str, Any], there: set[tuple[str, str]]
) -> tuple[str, bool]:  # fmt: skip
    """Slug of the item's ability, and whether the army no longer has it. An item that was not imported stays."""
    named = find_ability(item, law)
    if named is None:
        return "", False
    slug = named["ability"]
    if slug in has and agrees(named, has[slug]):
        return slug, False
    if (SPECIAL, slug) in there:  # Another item stands for the ability, and this one never did.
        return slug, False
    return slug, slug in has or choice_of(item, named, before, law)[0] is not None


def keep_army_rest(actor: Mapping[str, Any], law: Any) -> Actor:
    """Data kept only for exports to Foundry: the rest of the actor, and items that say more than a known name."""
    rest = remainder(actor, OWNED)
    if not isinstance(rest.get("items"), list):
        return rest
    rest["items"] = [_without_ours(item) for item in rest["items"] if not _plain(item, law)]
    return rest if rest["items"] else {name: value for name, value in rest.items() if name != "items"}


def _without_ours(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    drop(item, OURS)
    return item if item.get("flags") else {name: value for name, value in item.items() if name != "flags"}


def _plain(item: Any, law: Any) -> bool:
    if not isinstance(item, Mapping) or item.get("system") or item.keys() - {"name", "type", "system", "flags"}:
        return False
    flags = item.get("flags") or {}
    if not isinstance(flags, Mapping) or flags.keys() - {FLAG}:
        return False
    if item.get("type") == TACTIC:
        return find_slug(read_name(item), law.tactics) in law.tactics
    return item.get("type") == SPECIAL and find_ability(item, law) is not None


# Import.


def read_army(actor: Mapping[str, Any], law: Any, there: PathfinderArmy | None, day: int = 0) -> ArmyFound:
    """The army in the actor, as it is on this day. Raises `InvalidInput` with pointers into it."""
    warnings: list[Said] = []
    name = clean_text(read_at(actor, "name", is_text, ""), field="/name")
    base, places = _base(actor, law, there, name)
    adjustments = read_own_adjustments(actor, law, day)
    given = as_lasting((there.adjustments if there else ()) if adjustments is None else adjustments, law.adjustable)
    try:
        what = _what(actor, base, law, warnings, places, given)
        hp_most = max(1, law.armies.measure(what).health + adjusted_by(given, "hp"))
    except InvalidInput as refusal:
        raise refusal.repointed(lambda pointer: _placed(pointer, places)) from None
    return ArmyFound(
        name=name,
        kingdom=read_at(actor, f"{OURS}/kingdom", is_text, ""),
        what=what,
        hp=_hp(actor, hp_most, warnings),
        morale=_morale(actor, warnings),
        tactics=_tactics(actor, law, warnings),
        granted=_granted(actor, law),
        resources=_resources(actor, law, there, warnings),
        adjustments=adjustments,
        warnings=(*warnings, *_not_taken(actor)),
        places=places,
    )


def _granted(actor: Mapping[str, Any], law: Any) -> frozenset[str]:
    """Tactics that take none of the army's room. Raises `InvalidInput`."""
    found = read_at(actor, f"{OURS}/granted", _slugs, ())
    for place, slug in enumerate(found):
        demand(slug in law.tactics, _("Unknown tactic. Choose one from the list."), field=f"/{OURS}/granted/{place}")
    return frozenset(found)


def _slugs(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _base(
    actor: Mapping[str, Any], law: Any, there: PathfinderArmy | None, name: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """The army before the actor's own fields apply: by our flags, else the existing army. With the pointers of its
    parts in the actor.

    Raises `InvalidInput` with pointers into the actor.
    """
    read_own_flags(actor)
    called = read_at(actor, "system/type", is_text, "").strip() or name
    beside = read_at(actor, f"{OURS}/unit", is_mapping)
    count, mount = read_at(actor, f"{OURS}/count", is_whole), read_at(actor, f"{OURS}/mount", is_mapping)
    places = {
        "/unit": f"/{OURS}/unit", "/count": f"/{OURS}/count", "/mount": f"/{OURS}/mount", "/hp": "/system/hp/current",
        "/morale": "/system/morale/base", "/unit/name": "/system/type" if peek_at(actor, "system/type") else "/name",
    }  # fmt: skip
    if peek_at(beside, "name") is not None:
        places["/unit/name"] = f"/{OURS}/unit/name"
    if beside is not None:
        base = {
            "unit": {**PLAIN_UNIT, "name": called, **beside},
            "count": COUNT if count is None else count,
            "mount": mount,
        }
    elif there is not None:
        base = {part: there.sheet.get(part) for part in PARTS}
    else:
        base, places["/count"] = {"unit": {**PLAIN_UNIT, "name": called}, "count": COUNT, "mount": None}, "/system/size"
    try:
        base = law.armies.read(deepcopy(base))
        law.armies.measure(base)
    except InvalidInput as refusal:
        raise refusal.repointed(lambda pointer: _placed(pointer, places)) from None
    return base, places


def _what(
    actor: Mapping[str, Any], base: dict[str, Any], law: Any, warnings: list[Said], places: dict[str, str],
    given: Lasting,
) -> dict[str, Any]:  # fmt: skip
    unit, mount = dict(base["unit"]), dict(base["mount"]) if base["mount"] else None
    if called := read_at(actor, "system/type", is_text, "").strip():
        unit["name"], places["/unit/name"] = clean_text(called, field="/system/type"), "/system/type"
    unit["hit_die"] = _one(actor, "system/hd", {die: die for die in HIT_DICE}) or unit["hit_die"]
    unit["alignment"] = _one(actor, "system/alignment", ALIGNMENTS) or unit["alignment"]
    unit["abilities"] = abilities_found(actor, base["unit"]["abilities"], law, warnings)
    what = {"unit": unit, "count": base["count"], "mount": mount}
    measure(actor, what, places)
    pace(actor, what, base, law, warnings, given)
    read: dict[str, Any] = law.armies.read(what)
    return read


def _one(actor: Mapping[str, Any], path: str, known: Mapping[str, str]) -> str:
    """Our word for a choice of the module; "" where it is missing. Raises `InvalidInput`."""
    said = read_at(actor, path, is_text, "")
    if said and said not in known:
        raise InvalidInput(say(_("Choose one of: {choices}."), choices=", ".join(known)), f"/{path}")
    return known.get(said, "")


def _tactics(actor: Mapping[str, Any], law: Any, warnings: list[Said]) -> tuple[str, ...] | None:
    if actor.get("items") is None:
        return None
    found: dict[str, None] = {}
    for item in items_of(actor, TACTIC):
        slug = find_slug(read_name(item), law.tactics)
        if slug not in law.tactics:
            warnings.append(say(_("The tactic “{name}” was not imported."), name=read_name(item)[:60]))
        elif not law.tactics[slug].always_known:
            found[slug] = None
    return tuple(found)


def _hp(actor: Mapping[str, Any], most: int, warnings: list[Said]) -> int | None:
    told: int | None = read_at(actor, "system/hp/current", is_whole)
    if told is None:
        return None
    if told < 0:
        raise InvalidInput(say(_("Use a number from {least} to {most}."), least=0, most=most), "/system/hp/current")
    if told > most:
        said = _("Hit points reduced from {told} to {most}, the army’s maximum.")
        warnings.append(say(said, told=told, most=most))
    return min(told, most)


def _morale(actor: Mapping[str, Any], warnings: list[Said]) -> int | None:
    told = read_whole_number(actor, "system/morale/base", LEAST_THERE, MOST_MORALE)
    if told is None:
        return None
    morale = max(LEAST_MORALE, told)
    if morale != told:
        warnings.append(say(_("Morale changed from {told} to {morale}."), told=told, morale=morale))
    return morale


def _resources(
    actor: Mapping[str, Any], law: Any, there: PathfinderArmy | None, warnings: list[Said]
) -> dict[str, int]:  # fmt: skip
    """Resources after the import; those the actor does not mention stay."""
    held = {row.resource: row.quantity for row in there.resources.all()} if there else {}
    for theirs, slug in RESOURCES.items():
        told = read_at(actor, f"system/resources/{theirs}", flag)
        if told:
            held.setdefault(slug, 1)
        elif told is False:
            held.pop(slug, None)
    engines = read_whole_number(actor, f"system/resources/{ENGINES}", 0, max(HELD_MOST, held.get(ENGINES_HELD, 0)))
    if engines is not None:
        held[ENGINES_HELD] = engines
    for slug in [slug for slug in held if law.resources[slug].replaces in held]:
        less = law.resources[slug].replaces
        said = _("{resource} was not imported because {better} replaces it.")
        warnings.append(say(said, resource=law.resources[less].name, better=law.resources[slug].name))
        del held[less]
    return {slug: quantity for slug, quantity in held.items() if quantity}


def place_of_resource(slug: str) -> str:
    """Pointer to this resource in the actor."""
    theirs = {own: name for name, own in RESOURCES.items()}.get(slug, ENGINES)
    return f"/system/resources/{theirs}"


def _not_taken(actor: Mapping[str, Any]) -> Iterator[Said]:
    if peek_at(actor, "system/commander/actor"):
        yield _("The commander is a separate actor and was not imported. Assign one here.")
    if peek_at(actor, "system/kingdom/actor") and not read_own_flags(actor).get("kingdom"):
        yield _("The kingdom is a separate actor, so the army goes to the kingdom you chose.")
    if peek_at(actor, "system/notes/value"):
        yield _("The notes are kept for export to Foundry but not shown here.")

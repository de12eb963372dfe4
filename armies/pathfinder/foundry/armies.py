"""An army as the module's actor, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
    OURS,
    RESOURCES,
    SPECIAL,
    TACTIC,
    VERSION,
    Actor,
    ability_named,
    at,
    drop,
    flag,
    items_of,
    mapping,
    name_of,
    number,
    ours,
    put,
    remainder,
    seen,
    slug_of,
    text,
    whole,
    within,
    writable,
)
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.services.holdings import MOST as HELD_MOST
from armies.pathfinder.spec import army_spec
from kingdom.inputs import clean_text
from kingdom.selectors import ruleset_of
from rules.errors import InvalidInput, Refusal, demand
from rules.pathfinder.morale import LEAST_MORALE, MOST_MORALE
from rules.pathfinder.parse import MOST_SPEED, mount_from_json, unit_from_json, unit_to_json
from rules.pathfinder.sheet import Sheet
from rules.pathfinder.size import (
    BY_RANK,
    HIGHEST_CR,
    LOW,
    Acr,
    Size,
    army_rating,
    hexes_per_day,
    parse_cr,
    size_of,
)
from rules.pathfinder.spec import ArmySpec
from rules.text import Said, Term, _, say

SIDES = {ours: theirs for theirs, ours in ALIGNMENTS.items()}
UNIT = {"name": "New army", "cr": "1"}
NEAR = 0.02  # how far a fraction may be rounded: 0.33 is 1/3
HIGHEST_ACR = HIGHEST_CR + BY_RANK[-1].step
LEAST_THERE = -5  # Morale in the module
HEXES_MOST = hexes_per_day(MOST_SPEED)
METRES = 4.5  # a round, for each hex a day (PF-1.8)
PARTS = ("unit", "count", "mount")
OWNED = (
    "system/acr", "system/type", "system/alignment", "system/size", "system/hd", "system/hp/current",
    "system/speed/base", "system/morale/base",
    *(f"system/resources/{name}" for name in (*RESOURCES, ENGINES)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArmyFound:
    """What an actor says of an army; None is what it says nothing of. `warnings`: what it says that is not taken over.
    `places`: where in the actor stands what we know under another pointer.
    """

    name: str
    kingdom: str
    what: dict[str, Any]
    hp: int | None
    morale: int | None
    tactics: tuple[str, ...] | None
    granted: frozenset[str]
    resources: dict[str, int]
    warnings: tuple[Said, ...]
    places: Mapping[str, str]

    def place(self, pointer: str) -> str:
        """The pointer into the actor."""
        return _placed(pointer, self.places)


def _placed(pointer: str, places: Mapping[str, str]) -> str:
    head = max((own for own in places if f"{pointer}/".startswith(f"{own}/")), key=len, default=None)
    return pointer if head is None else places[head] + pointer[len(head) :]


# out


def army_actor(army: PathfinderArmy, kept: Mapping[str, Any] | None) -> Actor:
    """The army for Foundry's "Import Data". `kept`: the actor it was brought in from, of which nothing is lost."""
    law, spec = ruleset_of(army.campaign), army_spec(army)
    actor: Actor = writable(dict(kept or {}))
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
    """What is kept stays as it is written where it says the same (0.33 for 1/3)."""
    unit, acr, speed = army.unit, seen(actor, "system/acr"), seen(actor, "system/speed/base")
    yield "acr", acr if number(acr) and _rated(acr) == sheet.acr else _told(sheet.acr)
    yield "type", unit["name"]
    yield "alignment", SIDES[unit["alignment"]]
    yield "size", str(sheet.size.rank)
    if unit["hit_die"] in HIT_DICE:
        yield "hd", unit["hit_die"]
    yield "hp/current", army.hp
    yield "speed/base", speed if number(speed) and _hexes(speed) == sheet.speed.total else sheet.speed.total
    yield "morale/base", army.morale


def _told(acr: Acr) -> float | int:
    return acr.floor if acr.exact.denominator == 1 else round(float(acr.exact), 4)


def _beside(army: PathfinderArmy) -> dict[str, Any]:
    """What the module has no place for."""
    document = {name: army.sheet.get(name) for name in PARTS}
    granted = sorted(row.tactic for row in army.tactics.all() if row.granted)
    beside = {"version": VERSION, "id": str(army.pk), "kingdom": army.kingdom.name, **deepcopy(document)}
    return {**beside, "granted": granted} if granted else beside


def _items(army: PathfinderArmy, law: Any, actor: Actor) -> Iterator[Any]:
    """Those that are there, without what the army no longer has, and what is missing."""
    tactics = {row.tactic for row in army.tactics.all()}
    abilities = {choice["ability"]: choice for choice in army.unit["abilities"]}
    kept = seen(actor, "items")
    before = _abilities_kept(seen(actor, f"{OURS}/unit/abilities"))
    there: set[tuple[str, str]] = set()
    for item in kept if isinstance(kept, list) else ():
        kind = item.get("type") if isinstance(item, Mapping) else None
        if kind == TACTIC:
            slug = slug_of(name_of(item), law.tactics)
            gone = slug in law.tactics and slug not in tactics and not law.tactics[slug].always_known
        elif kind == SPECIAL:
            slug, gone = _ability_gone(item, law, before, abilities, there)
            if not gone and seen(item, OURS) and slug in abilities:
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
            yield {"name": _item_name(law.abilities[slug], choice), "type": SPECIAL, "system": {}, "flags": flags}


def _ability_gone(
    item: Mapping[str, Any], law: Any, before: Mapping[str, Any], has: Mapping[str, Any], there: set[tuple[str, str]]
) -> tuple[str, bool]:  # fmt: skip
    """Its slug, and whether the army has no longer what it stands for. What was not taken over when it came stays."""
    named = _stands_for(item, law)
    if named is None:
        return "", False
    slug = named["ability"]
    if slug in has and _agrees(named, has[slug]):
        return slug, False
    if (SPECIAL, slug) in there:  # another one stands for it, and this one never did
        return slug, False
    return slug, slug in has or _choice(item, named, before, law)[0] is not None


def _stands_for(item: Mapping[str, Any], law: Any) -> dict[str, Any] | None:
    """The ability its name says, else the one we wrote beside it; None where it is none of ours."""
    if (named := ability_named(name_of(item), law)) is not None:
        return named
    beside = seen(item, f"{OURS}/ability")
    return {"ability": beside} if isinstance(beside, str) and beside in law.abilities else None


def _agrees(named: Mapping[str, Any], choice: Mapping[str, Any]) -> bool:
    """Whether what is said by the name is so."""
    options = choice.get("options") or {}
    said = named.get("options", {}).items()
    return named.get("value") in (None, choice.get("value")) and all(options.get(name) == value for name, value in said)


def _item_name(ability: Any, choice: Mapping[str, Any]) -> str:
    """As the module calls it: a choice of two stands in its name."""
    options = choice.get("options") or {}
    chosen = next((options[one.slug] for one in ability.options if one.kind == "choice" and one.slug in options), "")
    return f"{ability.name} ({str(chosen).title()})" if chosen else str(ability.name)


def rest_of_army(actor: Mapping[str, Any], law: Any) -> Actor:
    """What is kept for Foundry alone: of items, those that say more than a name that we know."""
    rest = remainder(actor, OWNED)
    items = [item for item in rest.get("items", ()) if not _plain(item, law)]
    return {**rest, "items": items} if items else {name: value for name, value in rest.items() if name != "items"}


def _plain(item: Any, law: Any) -> bool:
    if not isinstance(item, Mapping) or item.get("system") or item.keys() - {"name", "type", "system", "flags"}:
        return False
    flags = item.get("flags") or {}
    if not isinstance(flags, Mapping) or flags.keys() - {FLAG}:
        return False
    if item.get("type") == TACTIC:
        return slug_of(name_of(item), law.tactics) in law.tactics
    return item.get("type") == SPECIAL and _stands_for(item, law) is not None


# in


def army_found(actor: Mapping[str, Any], law: Any, there: PathfinderArmy | None) -> ArmyFound:
    """What the actor says. Raises `InvalidInput` with pointers into it."""
    warnings: list[Said] = []
    name = clean_text(at(actor, "name", text, ""), field="/name")
    base, places = _base(actor, law, there, name)
    try:
        what = _what(actor, base, law, warnings, places)
        hp_most = law.armies.measure(what).health
    except InvalidInput as refusal:
        raise refusal.repointed(lambda pointer: _placed(pointer, places)) from None
    return ArmyFound(
        name=name,
        kingdom=at(actor, f"{OURS}/kingdom", text, ""),
        what=what,
        hp=_hp(actor, hp_most, warnings),
        morale=_morale(actor, warnings),
        tactics=_tactics(actor, law, warnings),
        granted=_granted(actor, law),
        resources=_resources(actor, law, there, warnings),
        warnings=(*warnings, *_not_taken(actor)),
        places=places,
    )


def _granted(actor: Mapping[str, Any], law: Any) -> frozenset[str]:
    """The tactics that do not count against its room. Raises `InvalidInput`."""
    found = at(actor, f"{OURS}/granted", _slugs, ())
    for place, slug in enumerate(found):
        demand(slug in law.tactics, _("There is no such tactic."), field=f"/{OURS}/granted/{place}")
    return frozenset(found)


def _slugs(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _base(
    actor: Mapping[str, Any], law: Any, there: PathfinderArmy | None, name: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """What the army is, before the actor's own fields have their say: as we wrote it beside them, else as it is.

    And where in the actor it stands. Raises `InvalidInput` with pointers into it.
    """
    ours(actor)
    called = at(actor, "system/type", text, "").strip() or name
    beside = at(actor, f"{OURS}/unit", mapping)
    count, mount = at(actor, f"{OURS}/count", whole), at(actor, f"{OURS}/mount", mapping)
    places = {
        "/unit": f"/{OURS}/unit", "/count": f"/{OURS}/count", "/mount": f"/{OURS}/mount", "/hp": "/system/hp/current",
        "/morale": "/system/morale/base", "/unit/name": "/system/type" if seen(actor, "system/type") else "/name",
    }  # fmt: skip
    if seen(beside, "name") is not None:
        places["/unit/name"] = f"/{OURS}/unit/name"
    if beside is not None:
        base = {"unit": {**UNIT, "name": called, **beside}, "count": 100 if count is None else count, "mount": mount}
    elif there is not None:
        base = {part: there.sheet.get(part) for part in PARTS}
    else:
        base, places["/count"] = {"unit": {**UNIT, "name": called}, "count": 100, "mount": None}, "/system/size"
    try:
        base = law.armies.read(deepcopy(base))
        law.armies.measure(base)
    except InvalidInput as refusal:
        raise refusal.repointed(lambda pointer: _placed(pointer, places)) from None
    return base, places


def _what(
    actor: Mapping[str, Any], base: dict[str, Any], law: Any, warnings: list[Said], places: dict[str, str]
) -> dict[str, Any]:  # fmt: skip
    unit, mount = dict(base["unit"]), dict(base["mount"]) if base["mount"] else None
    if called := at(actor, "system/type", text, "").strip():
        unit["name"], places["/unit/name"] = clean_text(called, field="/system/type"), "/system/type"
    unit["hit_die"] = _one(actor, "system/hd", {die: die for die in HIT_DICE}) or unit["hit_die"]
    unit["alignment"] = _one(actor, "system/alignment", ALIGNMENTS) or unit["alignment"]
    unit["abilities"] = _abilities(actor, base["unit"]["abilities"], law, warnings)
    what = {"unit": unit, "count": base["count"], "mount": mount}
    _measure(actor, what, places)
    _pace(actor, what, base, law, warnings)
    read: dict[str, Any] = law.armies.read(what)
    return read


def _one(actor: Mapping[str, Any], path: str, known: Mapping[str, str]) -> str:
    """One of the module's choices; "" where nothing is said. Raises `InvalidInput`."""
    said = at(actor, path, text, "")
    if said and said not in known:
        raise InvalidInput(say(_("Choose one of: {choices}."), choices=", ".join(known)), f"/{path}")
    return known.get(said, "")


def _measure(actor: Mapping[str, Any], what: dict[str, Any], places: dict[str, str]) -> None:
    """Head count and CR. The module has size and ACR: they say so many, and what such an army must be of."""
    size, best = size_of(what["count"]), _best(what)
    now = _size(actor) or size
    acr = _acr(actor)
    if now is not size:
        what["count"], places["/count"] = now.units, "/system/size"
    if acr is None or (now is size and acr == army_rating(best, size)):
        return
    if acr.step < now.step:
        raise InvalidInput(_("No army of this size has so low an ACR."), "/system/acr")
    wanted = Acr(acr.step - now.step)
    if wanted.exact > HIGHEST_CR:
        raise InvalidInput(_("No army of this size has so high an ACR."), "/system/acr")
    if wanted != best:
        places["/unit/cr"] = "/system/acr"
        _set_best(what, wanted)


def _best(what: Mapping[str, Any]) -> Acr:
    """The CR that counts: the higher one of rider and mount (PF-1.3)."""
    unit, mount = what["unit"], what["mount"] or {}
    return max(parse_cr(cr) for cr in (unit["cr"], mount.get("cr")) if cr is not None)


def _set_best(what: Mapping[str, Any], wanted: Acr) -> None:
    """The one that counts has this CR, the other at most this."""
    best = _best(what)
    for part in (what["unit"], what["mount"] or {}):
        if part.get("cr") is not None and (parse_cr(part["cr"]) == best or parse_cr(part["cr"]) > wanted):
            part["cr"] = str(wanted)


def _size(actor: Mapping[str, Any]) -> Size | None:
    rank = at(actor, "system/size", text, "")
    known = {str(one.rank): one for one in BY_RANK}
    if rank and rank not in known:
        raise InvalidInput(_("The module knows the sizes 0 to 8."), "/system/size")
    return known.get(rank)


def _acr(actor: Mapping[str, Any]) -> Acr | None:
    told = at(actor, "system/acr", number)
    acr = None if told is None else _rated(told)
    if told is not None and acr is None:
        said = _("“{acr}” is no ACR: write 1/8, 1/6, 1/4, 1/3 or 1/2 as a number, or a whole number up to {most}.")
        raise InvalidInput(say(said, acr=str(told)[:20], most=HIGHEST_ACR), "/system/acr")
    return acr


def _rated(told: float) -> Acr | None:
    """The step of the ladder this number stands for; None where it is none."""
    for place in range(len(LOW)):
        if abs(told - float(Acr(place).exact)) < NEAR:
            return Acr(place)
    whole_number = 1 <= told <= HIGHEST_ACR and float(told).is_integer()
    return Acr(int(told) + len(LOW) - 1) if whole_number else None


def _pace(
    actor: Mapping[str, Any], what: dict[str, Any], base: Mapping[str, Any], law: Any, warnings: list[Said]
) -> None:
    """How fast it is. The module has hexes a day: who changes none keeps his own metres."""
    told = at(actor, "system/speed/base", number)
    if told is None:
        return
    if not 0 <= told < HEXES_MOST + 1:
        raise InvalidInput(say(_("From {least} to {most}, please."), least=0, most=HEXES_MOST), "/system/speed/base")
    hexes = _hexes(told)
    if hexes != told:
        warnings.append(say(_("Speed {told} is {speed} here."), told=told, speed=hexes))
    if hexes in (_speed(base, law), _speed(what, law)):
        return
    mover = what["mount"] if what["mount"] and what["mount"].get("speed_m") else what["unit"]
    for metres in (METRES * hexes, METRES * hexes + 1.5):  # armor training makes more of some
        mover["speed_m"] = metres
        if _speed(what, law) == hexes:
            return


def _hexes(told: float) -> int:
    return max(1, int(told)) if 0 <= told <= HEXES_MOST + 1 else 0


def _speed(what: Mapping[str, Any], law: Any) -> int:
    unit, mount = unit_from_json(what["unit"], law), mount_from_json(what["mount"], law)
    hexes: int = law.sheet(ArmySpec("", "", unit, what["count"], mount)).speed.total
    return hexes


def _abilities(
    actor: Mapping[str, Any], base: Iterable[Mapping[str, Any]], law: Any, warnings: list[Said]
) -> list[dict[str, Any]]:
    """By the items; their numbers and choices as we wrote them, where their names say no others."""
    if actor.get("items") is None:
        return [dict(choice) for choice in base]
    before, found = _abilities_kept(base), dict[str, dict[str, Any]]()
    for item in items_of(actor, SPECIAL):
        name = name_of(item)
        named = _stands_for(item, law)
        if named is None:
            warnings.append(_named(_("The special ability “{name}” is not taken over: it is none of ours."), name))
            continue
        choice, problem = _choice(item, named, before, law)
        if problem is not None:
            said = _("The special ability “{name}” is not taken over: {problem}")
            if choice is not None:
                said = _("What was written beside the special ability “{name}” is not taken over: {problem}")
            warnings.append(say(said, name=name[:60], problem=problem))
        if choice is not None and found.setdefault(choice["ability"], choice) != choice:
            warnings.append(_named(_("“{name}” stands there twice: only the first is taken over."), name))
    return list(found.values())


def _named(said: Term, name: str) -> Said:
    return say(said, name=name[:60])


def _abilities_kept(told: Any) -> dict[str, Mapping[str, Any]]:
    """By their slugs."""
    choices = [one for one in told if isinstance(one, Mapping)] if isinstance(told, list) else []
    return {choice["ability"]: choice for choice in choices if isinstance(choice.get("ability"), str)}


def _choice(
    item: Mapping[str, Any], named: Mapping[str, Any], before: Mapping[str, Any], law: Any
) -> tuple[dict[str, Any] | None, Said | None]:
    """The ability an item stands for, with what we wrote beside it or beside the army; None where the law cannot take
    it so. And what is wrong with what is not taken over.
    """
    beside = seen(item, OURS)
    problem: Said | None = None
    for given in (beside, before.get(named["ability"]), {}):
        if given is None:
            continue
        try:
            return _checked(given, named, law), problem
        except Refusal as refusal:
            problem = problem or refusal.message
    return None, problem


def _checked(given: Any, named: Mapping[str, Any], law: Any) -> dict[str, Any]:
    """In its one shape. Raises `InvalidInput`."""
    own = given if isinstance(given, Mapping) else {"options": given}
    options = own.get("options") or {}
    if isinstance(options, Mapping):
        options = {**options, **named.get("options", {})}
    value = named.get("value", own.get("value"))
    choice = {"ability": named["ability"], "value": value, "options": options}
    read = unit_to_json(unit_from_json({**UNIT, "abilities": [choice]}, law))
    checked: dict[str, Any] = read["abilities"][0]
    return checked


def _tactics(actor: Mapping[str, Any], law: Any, warnings: list[Said]) -> tuple[str, ...] | None:
    if actor.get("items") is None:
        return None
    found: dict[str, None] = {}
    for item in items_of(actor, TACTIC):
        slug = slug_of(name_of(item), law.tactics)
        if slug not in law.tactics:
            warnings.append(_named(_("The tactic “{name}” is not taken over."), name_of(item)))
        elif not law.tactics[slug].always_known:
            found[slug] = None
    return tuple(found)


def _hp(actor: Mapping[str, Any], most: int, warnings: list[Said]) -> int | None:
    told: int | None = at(actor, "system/hp/current", whole)
    if told is None:
        return None
    if told < 0:
        raise InvalidInput(say(_("From {least} to {most}, please."), least=0, most=most), "/system/hp/current")
    if told > most:
        warnings.append(say(_("Of {told} hit points it has {most} here: that is all of them."), told=told, most=most))
    return min(told, most)


def _morale(actor: Mapping[str, Any], warnings: list[Said]) -> int | None:
    told = within(actor, "system/morale/base", LEAST_THERE, MOST_MORALE)
    if told is None:
        return None
    morale = max(LEAST_MORALE, told)
    if morale != told:
        warnings.append(say(_("Morale {told} is {morale} here."), told=told, morale=morale))
    return morale


def _resources(
    actor: Mapping[str, Any], law: Any, there: PathfinderArmy | None, warnings: list[Said]
) -> dict[str, int]:  # fmt: skip
    """What it holds then: what is not said stays."""
    held = {row.resource: row.quantity for row in there.resources.all()} if there else {}
    for theirs, slug in RESOURCES.items():
        told = at(actor, f"system/resources/{theirs}", flag)
        if told:
            held.setdefault(slug, 1)
        elif told is False:
            held.pop(slug, None)
    engines = within(actor, f"system/resources/{ENGINES}", 0, HELD_MOST)
    if engines is not None:
        held[ENGINES_HELD] = engines
    for slug in [slug for slug in held if law.resources[slug].replaces in held]:
        less = law.resources[slug].replaces
        said = _("{resource} is not taken over: {better} takes its place.")
        warnings.append(say(said, resource=law.resources[less].name, better=law.resources[slug].name))
        del held[less]
    return {slug: quantity for slug, quantity in held.items() if quantity}


def place_of_resource(slug: str) -> str:
    """Where in the actor it stands."""
    theirs = {own: name for name, own in RESOURCES.items()}.get(slug, ENGINES)
    return f"/system/resources/{theirs}"


def _not_taken(actor: Mapping[str, Any]) -> Iterator[Said]:
    if seen(actor, "system/commander/actor"):
        yield _("Its commander is another actor: give the army a commander here.")
    if seen(actor, "system/kingdom/actor") and not ours(actor).get("kingdom"):
        yield _("Its kingdom is another actor: it goes to the kingdom you have chosen.")
    if seen(actor, "system/notes/value"):
        yield _("Its notes are kept for Foundry and not shown here.")

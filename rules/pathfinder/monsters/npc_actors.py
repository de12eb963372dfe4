"""NPC actors of Foundry's system for Pathfinder 1, read as unit types (PF-1.11, PF-9).

The shape is that of an actor's "Export Data": figures in `system`, whatever else a creature has in `items`. Figures
that the system derives are in no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.errors import demand
from rules.core.text import Term, _
from rules.pathfinder.monsters.creature import CreatureReading, Monster, feet_to_metres
from rules.pathfinder.monsters.vocabulary import (
    ALIGNMENTS,
    FAR_SPELLS,
    fold,
)
from rules.pathfinder.rulebook import Rulebook

CREATURES = ("npc", "character")
ITEMS_MOST = 1_000
NO_CREATURE = _(
    "This isn’t a creature of Foundry’s Pathfinder 1 system. Export an NPC with “Export Data” and send that file."
)
SPEEDS = {"land": "land", "fly": "flight", "climb": "climb", "burrow": "burrow", "swim": "swim"}
SENSES = {"dv": "darkvision", "ll": "low-light-vision", "bs": "blindsight", "bse": "blindsense", "ts": "tremorsense",
          "sc": "scent", "sid": "darkvision"}  # fmt: skip
IMMUNE = {
    "bleed": "bleed", "disease": "disease", "energyDrain": "energy-drain", "fear": "fear", "mindAffecting": "fear",
    "paralyze": "paralysis", "petrified": "petrification", "poison": "poison", "fire": "burn",
}  # fmt: skip
HEALING = {"regen": "regeneration", "fastHealing": "fast-healing"}
GIFTS = ("classFeat", "racial", "misc", "trait", "template")
"""Kinds of features that are special abilities. Feats have names of abilities and are none."""
SHOTS = ("rwak", "twak", "rcman")
FAR = ("close", "medium", "long", "ft", "mi", "unlimited")


def read_npc_actor(actor: object, law: Rulebook) -> Monster:
    """Read an actor. Raises `InvalidInput` if it is no creature."""
    demand(isinstance(actor, Mapping) and actor.get("type") in CREATURES, NO_CREATURE)
    assert isinstance(actor, Mapping)
    demand(isinstance(actor.get("system"), Mapping), NO_CREATURE)
    items = actor.get("items")
    demand(not isinstance(items, list) or len(items) <= ITEMS_MOST, NO_CREATURE)
    creature = _Actor(actor, law)
    creature.read_system()
    creature.read_items()
    return creature.reading.finish()


def peek_at(value: Any, path: str) -> Any:
    """The value at this path; None if it is missing or malformed."""
    for name in path.split("/"):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def read_number(value: Any) -> float:
    """A number, written as one or at the start of a text, or under `value`; else 0."""
    if isinstance(value, Mapping):
        value = value.get("value", value.get("total"))
    if isinstance(value, bool) or value is None:
        return 0
    found = re.match(r"\s*(\d{1,9}(?:\.\d{1,9})?)", str(value)[:40])
    return float(found[1]) if found else 0


def _words(value: Any) -> list[str]:
    """Words of a list, or under `value` and `custom`."""
    if isinstance(value, str):
        return [one.strip() for one in re.split(r"[,;]", value) if one.strip()]
    if isinstance(value, list):
        return [one for one in value if isinstance(one, str) and one]
    if isinstance(value, Mapping):
        return [*_words(value.get("value")), *_words(value.get("custom"))]
    return []


class _Actor:
    def __init__(self, actor: Mapping[str, Any], law: Rulebook):
        self.actor, self.law, self.reading = actor, law, CreatureReading(law)
        items = actor.get("items")
        self.items = [one for one in items if isinstance(one, Mapping)] if isinstance(items, list) else []

    def at(self, path: str) -> Any:
        return peek_at(self.actor, f"system/{path}")

    # Figures.

    def read_system(self) -> None:
        name = self.actor.get("name")
        if isinstance(name, str) and name.strip():
            self.reading.begin(name.strip())
            self.reading.put("name", name.strip(), _("Name"))
        base = self.at("details/cr/base")
        self.reading.begin(f"cr: {base if base is not None else 1}")
        self.reading.put_cr(str(base if base is not None else 1))
        self._alignment()
        self._speeds()
        self._senses()
        self._defenses()
        scores = self.at("abilities/int")
        if isinstance(scores, Mapping) and "value" in scores and scores["value"] is None:
            self.reading.begin("int: –")
            self.reading.add("mindless")

    def _alignment(self) -> None:
        told = self.at("details/alignment")
        if isinstance(told, str) and (slug := ALIGNMENTS.get(told.upper(), "")):
            self.reading.begin(f"alignment: {told}")
            self.reading.put("alignment", slug, Term(slug))

    def _speeds(self) -> None:
        for theirs, mode in SPEEDS.items():
            if feet := read_number(peek_at(self.at("attributes/speed"), f"{theirs}/base")):
                self.reading.begin(f"speed: {theirs} {feet:g} ft.")
                self.reading.put_speed(mode, feet_to_metres(feet))
                if mode == "swim":
                    self.reading.leave(f"swim {feet:g} ft.")

    def _senses(self) -> None:
        for theirs, slug in SENSES.items():
            told = peek_at(self.at("traits/senses"), theirs)
            if told is True or read_number(told) or peek_at(told, "enabled") is True:
                self.reading.begin(f"senses: {theirs}")
                self.reading.add(slug)

    def _defenses(self) -> None:
        for theirs, slug in (("dr", "damage-reduction"), ("eres", "resistance")):
            told = self.at(f"traits/{theirs}")
            if _words(told) or peek_at(told, "value"):
                self.reading.begin(theirs)
                self.reading.add(slug)
        for theirs, slug in HEALING.items():
            if number := read_number(self.at(f"traits/{theirs}")):
                self.reading.begin(f"{theirs}: {number:g}")
                self.reading.add(slug, f"{number:g}")
        if read_number(self.at("attributes/sr/formula")) or read_number(self.at("attributes/sr/total")):
            self.reading.begin("sr")
            self.reading.add("spell-resistance")

    def _immunities(self) -> None:
        """Read the immunities. The creature type must be read first, because its immunities are not listed again."""
        for one in (*_words(self.at("traits/ci")), *_words(self.at("traits/di"))):
            self.reading.begin(f"immune: {one[:80]}")
            if found := [IMMUNE[one]] if one in IMMUNE else self.reading.names.find_immunities(fold(one[:80])):
                self.reading.add_immunities(found)
            else:
                self.reading.leave(one)

    # Items.

    def read_items(self) -> None:
        for kind in ("race", "class"):
            for item in self._of(kind):
                self._kind(item)
        self._dice()
        self._immunities()
        for item in self._of("feat"):
            self._gift(item)
        for kind in ("weapon", "attack"):
            for item in self._of(kind):
                self._attack(item)
        for item in self._of("spell"):
            self._spell(item)

    def _of(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Items of a kind, each as a line of its own."""
        for item in self.items:
            if item.get("type") == kind:
                self.reading.begin(_name(item) or kind)
                yield item

    def _kind(self, item: Mapping[str, Any]) -> None:
        """The creature type, from the race or the racial class. Newer races leave out humanoid, their default."""
        if item.get("type") == "class" and peek_at(item, "system/subType") != "racial":
            return
        told = _words(peek_at(item, "system/creatureTypes")) or _words(peek_at(item, "system/creatureType"))
        subtypes = _words(peek_at(item, "system/creatureSubtypes")) or _words(peek_at(item, "system/subTypes"))
        spelt = " ".join(re.sub(r"([A-Z])", r" \1", one) for one in told)
        default = "humanoid" if item.get("type") == "race" else _name(item)
        if not self.reading.put_type(spelt or default, subtypes):
            self.reading.put_type(_name(item), subtypes)

    def _dice(self) -> None:
        found = []
        for item in self.items:
            if item.get("type") == "class":
                level = peek_at(item, "system/level")
                found.append((int(read_number(1 if level is None else level)), int(read_number(_die(item)))))
        self.reading.begin(f"{sum(count for count, _sides in found)} HD")
        self.reading.put_dice(found)

    def _gift(self, item: Mapping[str, Any]) -> None:
        kind, name = peek_at(item, "system/subType"), _name(item)
        if kind in GIFTS and not self.reading.add_named(name):
            self.reading.leave(name)

    def _attack(self, item: Mapping[str, Any]) -> None:
        actions = list(_actions(item))
        shoots = any(one.get("actionType") in SHOTS for one in actions)
        if (shoots or peek_at(item, "system/weaponSubtype") == "ranged") and "rock" not in fold(_name(item)):
            self.reading.put("ranged", True, _("Ranged weapons"))
        for note in (*_words(peek_at(item, "system/attackNotes")), *_words(peek_at(item, "system/effectNotes"))):
            self.reading.add_rider(note[:200])

    def _spell(self, item: Mapping[str, Any]) -> None:
        level = peek_at(item, "system/level")
        hurts = any(one.get("actionType") == "rsak" or peek_at(one, "damage/parts") for one in _actions(item))
        reaches = any(peek_at(one, "range/units") in FAR for one in _actions(item))
        far = fold(_name(item)) in FAR_SPELLS or (hurts and reaches)
        self.reading.add_spells(min(9, int(read_number(1 if level is None else level))), far=far)


def _die(item: Mapping[str, Any]) -> Any:
    return peek_at(item, "system/hd") or 8


def _name(item: Mapping[str, Any]) -> str:
    name = item.get("name")
    return name.strip()[:120] if isinstance(name, str) else ""


def _actions(item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    actions = peek_at(item, "system/actions")
    return (one for one in actions if isinstance(one, Mapping)) if isinstance(actions, list) else iter(())

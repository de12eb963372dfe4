"""Reading of a creature: the unit type it becomes, with what was used of each line and what was not (PF-1.11)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rules.core.text import Said, Term, _, say
from rules.pathfinder.catalogue.items import Ability
from rules.pathfinder.documents import MOST_NAME, MOST_SPEED, MOST_VALUE, unit_from_json, unit_to_json
from rules.pathfinder.monsters.vocabulary import (
    BEHIND,
    BY_MAGIC,
    FAMILY_OF,
    FAMILY_OF_SUBTYPE,
    HIT_DICE_OF,
    RIDERS,
    SUBTYPE_ABILITIES,
    TYPE_ABILITIES,
    AbilityNames,
    fold,
    type_named,
)
from rules.pathfinder.own_abilities import names_of
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import HIGHEST_CR, HIT_DICE, LOW

NEAR = 0.02  # most rounding of a fraction: 0.33 is 1/3, and so is 0.3375
UNUSED_SHOWN = 120
SIGNS = {"⅛": "1/8", "⅙": "1/6", "¼": "1/4", "⅓": "1/3", "½": "1/2"}
SPEED_OF_TYPE = 9
NUMBER = re.compile(r"^\s*[+(]?\s*(\d{1,3})")
CHOICES = {"healing": "healing", "guerison": "healing", "cauldron": "cauldron", "chaudron": "cauldron",
           "companions": "companions", "compagnons": "companions", "animal": "animal"}  # fmt: skip
STRONG_DEFENSES = {"damage-reduction", "resistance"}


@dataclass(frozen=True, slots=True)
class LineRead:
    """A line of the source. `used`: the parts adopted by the unit type; `unused`: the other parts."""

    text: str
    used: tuple[Said, ...]
    unused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Monster:
    """A proposed unit type in the API's format. `notes`: what the GM should check."""

    unit: dict[str, Any]
    family: str
    lines: tuple[LineRead, ...]
    notes: tuple[Said, ...]

    @property
    def unused(self) -> tuple[str, ...]:
        return tuple(part for line in self.lines for part in line.unused)


@dataclass(slots=True)
class OpenLine:
    text: str
    used: list[Said] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)


class CreatureReading:
    """Builder of a unit type from a source. If the source gives a value twice, the first one counts."""

    def __init__(self, law: Rulebook):
        self.law = law
        self.names = AbilityNames(names_of(law.house.own))
        self.facts: dict[str, Any] = {}
        self.abilities: dict[str, dict[str, Any]] = {}
        self.subtypes: list[str] = []
        self.lines: list[OpenLine] = []
        self.notes: list[Said] = []
        self.dice: list[tuple[int, int]] = []
        self.speeds: dict[str, float] = {}

    # Lines.

    def begin(self, text: str) -> None:
        """Opens a line of the source. What is used and unused from now on belongs to it."""
        self.lines.append(OpenLine(text))

    def use(self, said: Said) -> None:
        if said not in self.lines[-1].used:
            self.lines[-1].used.append(said)

    def leave(self, part: str) -> None:
        """Notes a part that no figure of an army follows from."""
        if part := part.strip(" ,;"):
            self.lines[-1].unused.append(part[:UNUSED_SHOWN])

    # Facts.

    def put(self, name: str, value: Any, said: Said) -> None:
        if name not in self.facts:
            self.facts[name] = value
            self.use(said)

    def put_cr(self, text: str) -> bool:
        """Takes a CR as written: "1/3", "½", "9", or a decimal number. Whether it is one."""
        cr = read_cr(text)
        if cr:
            self.put("cr", cr, say(_("CR {cr}"), cr=cr))
        return bool(cr)

    def put_type(self, text: str, subtypes: Iterable[str] = ()) -> bool:
        """Takes a creature type with its subtypes. Whether the text names one."""
        slug = type_named(fold(text))
        if not slug:
            return False
        self.put("creature_type", slug, self.law.creature_types[slug].name)
        self.subtypes += map(fold, subtypes)
        for ability in (TYPE_ABILITIES.get(slug), *(SUBTYPE_ABILITIES.get(one) for one in self.subtypes)):
            if ability:
                self.add(ability)
        return True

    def put_dice(self, dice: Iterable[tuple[int, int]]) -> None:
        """Takes hit dice as (number, sides): their sum is the level, the most frequent die the hit die."""
        found = [(count, sides) for count, sides in dice if count and f"d{sides}" in HIT_DICE]
        if not found or "level" in self.facts:
            return
        level = min(sum(count for count, _sides in found), MOST_VALUE)
        die = f"d{max(found)[1]}"
        self.put("level", level, say(_("{level} HD"), level=level))
        self.put("hit_die", die, say(_("Hit die {die}"), die=die))

    def put_speed(self, mode: str, metres: float) -> None:
        """Takes a speed of one kind of movement: "land", or the slug of an ability, or "swim"."""
        if 0 < metres <= MOST_SPEED:
            self.speeds.setdefault(mode, metres)
            if mode == "land":
                self.use(_("Speed"))
            elif mode in self.law.abilities:
                self.add(mode)

    # Abilities.

    def add(self, slug: str, behind: str = "") -> bool:
        """Add an ability. `behind`: the text after its name. Returns whether the ability is complete."""
        ability = self.law.abilities[slug]
        choice: dict[str, Any] = {"ability": slug}
        if ability.value == "required":
            number = NUMBER.match(behind)
            if number is None or not 1 <= int(number[1]) <= MOST_VALUE:
                return False
            choice["value"] = int(number[1])
        for option in ability.options:
            chosen = self._chosen(option.kind, behind)
            if chosen is None and option.required:
                return False
            if chosen is not None:
                choice.setdefault("options", {})[option.slug] = chosen
        self.abilities.setdefault(slug, choice)
        self.use(_ability_said(ability, choice))
        if slug in STRONG_DEFENSES:
            self.note(_("Damage reduction and resistance each give DV +10 against armies that can’t overcome them. "
                        "Keep them only where they would decide a battle."))  # fmt: skip
        return True

    def _chosen(self, kind: str, behind: str) -> str | None:
        """The option that the text behind an ability's name says; None for none."""
        if kind == "creature_type":
            return type_named(behind) or None
        if kind == "tactic":
            return next((slug for slug in self.law.tactics if slug.replace("-", " ") in behind), None)
        return next((slug for word, slug in CHOICES.items() if word in behind), None) if kind == "choice" else None

    def add_immunities(self, effects: Iterable[str]) -> None:
        """Adds an immunity to these abilities, without those that the creature type gives already."""
        given = {one for slug in self.abilities for one in self.law.abilities[slug].immune}
        there = self.abilities.get("immunity", {"ability": "immunity", "options": {"to": []}})
        wanted = [*there["options"]["to"], *effects]
        if to := [one for one in dict.fromkeys(wanted) if one not in given]:
            self.abilities["immunity"] = {"ability": "immunity", "options": {"to": to}}
            for one in effects:
                self.use(say(_("Immunity: {ability}"), ability=self.law.abilities[one].name))
        else:
            for one in effects:
                self.use(self.law.abilities[one].name)

    def add_named(self, part: str, among: Iterable[str] | None = None) -> bool:
        """Adds the abilities that a part of a line names. Whether it names one."""
        text, allowed = fold(part), None if among is None else set(among)
        outside, _bracket, inside = text.partition("(")
        wanted = [one for one in self.names.find(outside) if allowed is None or one[0] in allowed]
        if wanted:
            wanted = [(slug, f"{behind} {inside[:BEHIND]}") for slug, behind in wanted]
        else:
            wanted = [one for one in self.names.find(inside) if allowed is None or one[0] in allowed]
        done = [self.add(slug, behind.lstrip()) for slug, behind in wanted]
        return any(done)

    def add_magic(self, part: str) -> bool:
        """Add the abilities that a spell-like ability gives. Returns whether it gives any."""
        return self.add_named(part, {*BY_MAGIC, *self.names.own})

    def add_rider(self, part: str) -> bool:
        """Add the abilities that come with an attack. Returns whether there are any."""
        return self.add_named(part, {*RIDERS, *self.names.own})

    def add_spells(self, level: int, *, far: bool) -> None:
        """Adds Spellcasting with the highest spell level so far (PF-9)."""
        there = self.abilities.get("spellcasting", {})
        value, far = max(level, there.get("value", 0)), far or bool(there.get("options"))
        if value:
            options = {"options": {"ranged": True}} if far else {}
            self.abilities["spellcasting"] = {"ability": "spellcasting", "value": value, **options}
            self.use(say(_("Spellcasting {level}"), level=value))

    def note(self, said: Said) -> None:
        if said not in self.notes:
            self.notes.append(said)

    # The result.

    def finish(self) -> Monster:
        """The unit type, with defaults for whatever the source did not say. Each default is noted."""
        creature = self.facts.get("creature_type", "humanoid")
        unit = {
            "name": self.facts.get("name", "–")[:MOST_NAME],
            "cr": self._or_default("cr", "1", _("No CR found: CR 1 is assumed.")),
            "hit_die": self.facts.get("hit_die", HIT_DICE_OF.get(creature, "d8")),
            "speed_m": self._speed(),
            "creature_type": self._or_default("creature_type", "humanoid", _("No creature type found.")),
            "alignment": self._or_default("alignment", "N", _("No alignment found.")),
            "level": self._or_default("level", 1, _("No Hit Dice found.")),
            "ranged": bool(self.facts.get("ranged")),
            "abilities": list(self.abilities.values()),
        }
        if "name" not in self.facts:
            self.note(_("No name found."))
        if "spellcasting" in self.abilities and "options" not in self.abilities["spellcasting"]:
            self.note(_("Check whether an offensive spell has a range beyond touch."))
        lines = tuple(LineRead(one.text, tuple(one.used), tuple(one.unused)) for one in self.lines)
        family = next((FAMILY_OF_SUBTYPE[one] for one in self.subtypes if one in FAMILY_OF_SUBTYPE),
                      FAMILY_OF.get(creature, "monsters"))  # fmt: skip
        return Monster(unit_to_json(unit_from_json(unit, self.law)), family, lines, tuple(self.notes))

    def _or_default(self, name: str, default: Any, missing: Said) -> Any:
        if name not in self.facts:
            self.note(missing)
        return self.facts.get(name, default)

    def _speed(self) -> float:
        """The land speed; without one, the fastest other movement."""
        if not self.speeds:
            self.note(_("No speed found: that of a human is assumed."))
            return SPEED_OF_TYPE
        return self.speeds.get("land") or max(self.speeds.values())

    @property
    def empty(self) -> bool:
        return not self.facts.keys() & {"cr", "creature_type", "level"}


def _ability_said(ability: Ability, choice: dict[str, Any]) -> Said:
    value = choice.get("value")
    return ability.name if value is None else say(Term("{ability} {value}"), ability=ability.name, value=value)


def read_cr(text: str) -> str:
    """The CR in a text or decimal number; "" for none."""
    text = SIGNS.get(text.strip(), text.strip().replace("⁄", "/"))
    if text in LOW or (text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= HIGHEST_CR):
        return text.lstrip("0") or ""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return ""
    if number.is_integer() and 1 <= number <= HIGHEST_CR:
        return str(int(number))
    return next((cr for cr in LOW if abs(float(Fraction(cr)) - number) < NEAR), "")


def feet_to_metres(feet: float) -> float:
    """Metres as the French rules count them: 1.5 m for 5 ft."""
    return round(feet * 0.3, 2)

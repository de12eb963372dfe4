"""Stat blocks of Pathfinder 1 in English or French, pasted as text, read as unit types (PF-1.11, PF-9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from rules.core.errors import demand
from rules.core.text import Term, _
from rules.pathfinder.monsters.creature import CreatureReading, Monster, feet_to_metres
from rules.pathfinder.monsters.vocabulary import (
    FAR_SPELLS,
    alignment_named,
    fold,
    names_size,
    split_label,
    type_named,
)
from rules.pathfinder.rulebook import Rulebook

CHARACTERS_MOST = 50_000
LINES_MOST = 1_000
NO_BLOCK = _(
    "This isn’t a stat block. Paste the whole block of one creature, from its name and CR on, in English or French."
)
NUMBER = r"(\d+\s*[/⁄]\s*\d+|\d+[.,]\d+|\d+|[⅛⅙¼⅓½])"
RATED = re.compile(rf"\(?\b(?:CR|FP|cr|fp|Cr|Fp)\s*[:.]?\s*{NUMBER}(?!\w)(?!/\s*\d)[^)]*\)?")
DICE = re.compile(r"(\d{1,3})\s*d\s*(4|6|8|10|12)\b")
MINDLESS = re.compile(r"\bint\s*:?\s*(?:-|0\b)(?!\d)")
SPELL_LINE = re.compile(r"^\s*(\d)(?:st|nd|rd|th|er|re|eme|e)?\b[^-]{0,40}-")
SPEED = re.compile(r"(\d+(?:[.,]\d+)?)\s*(m\b|ft\b|feet\b|foot\b|'|c\b|cases?\b|squares?\b)")
MODES = {
    "fly": "flight", "vol": "flight", "climb": "climb", "escalade": "climb", "burrow": "burrow",
    "creusement": "burrow", "fouissement": "burrow", "swim": "swim", "nage": "swim",
}  # fmt: skip
PERCEIVED = re.compile(r"perception\s*[+-]?\s*\d")
SPECIAL = re.compile(r"^([^():]{2,60}?)\s*\((?:ex|su|sp|ext|sur|mag|sm)\b", re.IGNORECASE)
PER_SQUARE = 1.5  # metres


def read_stat_block(text: str, law: Rulebook) -> Monster:
    """Read a stat block. Raises `InvalidInput` if the text is none."""
    demand(len(text) <= CHARACTERS_MOST, _("This text is too long. Paste the stat block of one creature."))
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    demand(lines and len(lines) <= LINES_MOST, NO_BLOCK)
    block = _Block(law)
    for line in lines:
        block.read_line(line)
    demand(not block.reading.empty, NO_BLOCK)
    return block.reading.finish()


def split_parts(text: str, separators: str = ",") -> list[str]:
    """Split at separators outside brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]" and depth > 0)
        if sign in separators and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


class _Block:
    """A stat block on its way through the lines. `label`: the heading that the present line continues."""

    def __init__(self, law: Rulebook):
        self.reading = CreatureReading(law)
        self.label = ""
        self.readers: Mapping[str, Callable[[str], None]] = {
            "cr": self._cr, "senses": self._list, "aura": self._list, "hp": self._hp, "defenses": self._list,
            "dr": self._dr, "immune": self._immune, "resist": self._resist, "sr": self._sr, "weaknesses": self._list,
            "speed": self._speed, "melee": self._melee, "ranged": self._ranged, "attacks": self._list,
            "magic": self._magic, "spells": self._spells, "qualities": self._list, "scores": self._scores,
        }  # fmt: skip

    def read_line(self, line: str) -> None:
        first = not self.reading.lines
        self.reading.begin(line)
        if first and not split_label(fold(line))[0]:
            self._header(line)
        elif found := SPECIAL.match(line):
            if not self.reading.add_named(found[1]):
                self.reading.leave(found[1])
            self.label = "special"
        elif not self._rated(line) and not self._type(line):
            for label, part in self._labelled(line):
                self.label = label
                if reader := self.readers.get(label):
                    reader(part)

    def _labelled(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield the pieces of a line, each with its heading. Pieces without one go on under the one before."""
        label = self.label
        for piece in split_parts(line, ";"):
            found, length = split_label(fold(piece))
            own = self.reading.names.measure_own(fold(piece))
            if found and length >= own and (label != "special" or not piece[:1].islower()):
                label, piece = found, _behind(piece, length)
            yield label, piece

    # The head of the block.

    def _header(self, line: str) -> None:
        name = line
        if found := RATED.search(line):
            self.reading.put_cr(found[1].replace(" ", ""))
            name = line[: found.start()]
        name = name.strip(" ,;:-–—")
        if name:
            name = name.capitalize() if name.isupper() else name
            self.reading.put("name", name, _("Name"))

    def _rated(self, line: str) -> bool:
        """Whether the line has the CR on it, where the header had none."""
        if "cr" in self.reading.facts or (found := RATED.search(line)) is None or found.start() > len("XP 1,600 "):
            return False
        return self.reading.put_cr(found[1].replace(" ", ""))

    def _cr(self, part: str) -> None:
        if "cr" not in self.reading.facts:
            self.reading.put_cr(part)

    def _type(self, line: str) -> bool:
        """Whether the line has creature type, size and alignment on it."""
        text, alignment = fold(line), alignment_named(line.partition("(")[0] + line.rpartition(")")[2])
        if "creature_type" in self.reading.facts or not type_named(text) or not (alignment or names_size(text)):
            return False
        if split_label(text)[0]:
            return False
        _type, _bracket, inside = line.partition("(")
        self.reading.put_type(line.partition("(")[0], split_parts(inside.partition(")")[0]))
        if alignment:
            self.reading.put("alignment", alignment, Term(alignment))
        return True

    # Lines with a heading.

    def _list(self, part: str) -> None:
        """Read a list of abilities. Entries that are no known ability are reported as unused."""
        for one in split_parts(part):
            if not PERCEIVED.match(fold(one)) and not self.reading.add_named(one):
                self.reading.leave(one)

    def _hp(self, part: str) -> None:
        text = fold(part)
        if found := DICE.findall(text):
            self.reading.put_dice((int(count), int(sides)) for count, sides in found)
        else:
            self.reading.add_named(part, ("fast-healing", "regeneration"))

    def _dr(self, part: str) -> None:
        if re.search(r"\d", part):
            self.reading.add("damage-reduction")

    def _resist(self, part: str) -> None:
        if re.search(r"\d", part):
            self.reading.add("resistance")

    def _sr(self, part: str) -> None:
        if re.search(r"\d", part):
            self.reading.add("spell-resistance")

    def _immune(self, part: str) -> None:
        for one in split_parts(part):
            text = fold(one)
            if found := self.reading.names.find_immunities(text):
                self.reading.add_immunities(found)
            elif not self.reading.add_named(one, ("undead", "construct", "plant")):
                self.reading.leave(one)

    def _speed(self, part: str) -> None:
        for one in split_parts(part):
            text = fold(one)
            if (found := SPEED.search(text)) is None:
                if not self.reading.add_named(one, ("earth-glide",)):
                    self.reading.leave(one)
                continue
            mode = next((slug for word, slug in MODES.items() if re.match(rf"{word}\b", text)), "land")
            self.reading.put_speed(mode, _metres(found[1], found[2]))
            if mode == "swim":
                self.reading.leave(one)
            self.reading.add_named(text[found.end() :], ("earth-glide",))

    def _melee(self, part: str) -> None:
        for one in split_parts(part, "+/,") if "(" not in part else [part]:
            self._riders(one)

    def _riders(self, part: str) -> None:
        """Abilities behind an attack, also those in its brackets."""
        for inside in re.findall(r"\(([^)]*)\)", part):
            self.reading.add_rider(inside)
        self.reading.add_rider(re.sub(r"\([^)]*\)", " ", part))

    def _ranged(self, part: str) -> None:
        if part:
            self.reading.put("ranged", True, _("Ranged weapons"))
            self._riders(part)

    def _magic(self, part: str) -> None:
        for one in split_parts(re.sub(r"^[^—–]*[—–]", "", part)):
            if fold(one) and not one.startswith("(") and not self.reading.add_magic(one):
                self.reading.leave(one)

    def _spells(self, part: str) -> None:
        text = fold(part)
        if found := SPELL_LINE.match(text):
            names = {re.sub(r"\(.*", "", one).strip() for one in split_parts(text.partition("-")[2])}
            self.reading.add_spells(int(found[1]), far=bool(names & FAR_SPELLS))

    def _scores(self, part: str) -> None:
        if MINDLESS.search(fold(part)):
            self.reading.add("mindless")


def _behind(piece: str, length: int) -> str:
    """Return the text after the heading, whose length is `length` folded characters."""
    end = next((place for place in range(len(piece) + 1) if len(fold(piece[:place])) >= length), len(piece))
    return piece[end:].strip(" :")


def _metres(number: str, unit: str) -> float:
    value = float(number.replace(",", "."))
    if unit == "m":
        return value
    return value * PER_SQUARE if unit.startswith(("c", "s")) else feet_to_metres(value)

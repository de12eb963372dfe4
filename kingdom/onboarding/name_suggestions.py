"""Name suggestions in the reader's language: for new objects, and numbered for several of a kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from django.utils.translation import get_language

from core.clean_input import NAME_MAX
from core.text import render
from core.text_search import fold_name
from rules.core.text import _, say

CAMPAIGNS = (_("The amber road"), _("A winter of crowns"), _("Ash and iron"), _("The war of two rivers"))
KINGDOMS = (
    _("Crown of Estmere"), _("Duchy of Aldren"), _("March of Thornwald"), _("League of Free Towns"),
    _("County of Orlen"), _("Principality of Kessel"), _("Bishopric of Varn"), _("Clans of the North"),
)  # fmt: skip
ENEMIES = (_("Horde of the Ashen Hills"), _("Black Company of Morgath"), _("Host of the Pale King"))
SETTLEMENTS = ("Valmont", "Castelmar", "Brenn", "Orsenne", "Havreval", "Kardun", "Lisière", "Tarnwick")
COMMANDERS = (
    "Isaut Verrane", "Tancred Holm", "Maelys d’Orsenne", "Gauvin Thorne", "Yvain Carrec", "Brida Kessel",
    "Odo Marchant", "Sigrun Vaal", "Aldous Ferrant", "Roxane Tyr",
)  # fmt: skip
ARMIES = (_("Iron Guard"), _("Company of the Ford"), _("Host of the Marches"), _("Watch of the Gate"),
          _("Red Banners"), _("Riders of Dawn"))  # fmt: skip
BATTLES = (_("The battle of the ford"), _("The battle of the mill"), _("The battle of the old bridge"))

ORDINAL = re.compile(r"^(\d{1,4})(st|nd|rd|th|re|er|ère|e|ème)\s+(\S.*)$", re.IGNORECASE)
NUMBER = re.compile(r"^(.*\S)\s+(\d{1,4})$")
ENGLISH = {"st", "nd", "rd", "th"}
TEENS = (11, 12, 13)


def suggest_name(names: Sequence[str], taken: Iterable[str]) -> str:
    """Return the first of these names that is free, in the reader's language; if none is, the last one numbered."""
    said = [render(name) for name in names]
    borne = {fold_name(name) for name in taken}
    return next((name for name in said if fold_name(name) not in borne), None) or number_names(said[-1], 1, borne)[0]


def several(names: Sequence[str], taken: Collection[str], many: int) -> list[str]:
    """Return `many` different free names."""
    found: list[str] = []
    for _turn in range(many):
        found.append(suggest_name(names, [*taken, *found]))
    return found


def number_names(name: str, many: int, taken: Iterable[str] = ()) -> list[str]:
    """Return `many` free names that continue this one: 2nd company, 3rd company; Raiders 4, Raiders 5.

    A name without a number is the first of its kind; if it is taken, numbering starts at 2.
    """
    borne = {fold_name(one) for one in taken}
    start, called = _counted(name, borne)
    names: Iterator[str] = (one for one in map(called, count(start)) if fold_name(one) not in borne)
    return [next(names) for _turn in range(many)]


def _counted(name: str, borne: Collection[str]) -> tuple[int, Callable[[int], str]]:
    """Return the first number, and the function that makes a name of each number."""
    if found := ORDINAL.match(name):
        suffix, rest = found[2], found[3]
        return int(found[1]), lambda number: _short(f"{number}{_suffix(number, suffix)}", rest, "{mark} {name}")
    if found := NUMBER.match(name):
        stem = found[1]
        return int(found[2]), lambda number: _short(str(number), stem, "{name} {mark}")
    first = 2 if fold_name(name) in borne else 1
    return first, lambda number: _short(_ordinal(number), name, render(_("{mark} {name}")))


def _ordinal(number: int) -> str:
    """Return an ordinal in English (2nd); elsewhere the plain number, which agrees with any noun."""
    english = (get_language() or "en").startswith("en")
    return f"{number}{_suffix(number, 'th')}" if english else str(number)


def _suffix(number: int, like: str) -> str:
    """Return the suffix of an ordinal, in the language of the one that was typed."""
    if like.casefold() in ENGLISH:
        return "th" if number % 100 in TEENS else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    if number == 1:
        return "er" if like.casefold() == "er" else "re"
    return "e"


def _short(mark: str, name: str, pattern: str) -> str:
    room = NAME_MAX - len(pattern.format(mark=mark, name=""))
    return pattern.format(mark=mark, name=name[:room].strip())


def words_for(names: Sequence[Any]) -> Any:
    """Return the names of objects created together, for the chronicle: all of a few, the first and the last of many."""
    few = 6
    if len(names) <= few:
        return [str(name) for name in names]
    return say(_("{first} to {last}"), first=names[0], last=names[-1])

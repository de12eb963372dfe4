"""Spoils that an army has taken and brings along: guns without crews, baggage, the stores of a place (B-49, B-59)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, assert_never

from rules.breaking_point.reading import Fields, Problems
from rules.core.text import Said, _, say

type What = Literal["pieces", "baggage", "stores"]
PIECES, BAGGAGE, STORES = "pieces", "baggage", "stores"
KINDS = (PIECES, BAGGAGE, STORES)
MEMBERS = ("what", "of", "name", "count", "share")
SPOILS_MOST, COUNT_MOST, ALL, HALF = 60, 100_000, 100, 50

type Spoil = dict[str, Any]


def guns(of: str, name: str, count: int) -> Spoil:
    """So many guns of the army `of`, of its unit `name`."""
    return {"what": PIECES, "of": of, "name": name, "count": count}


def baggage(of: str, share: int = ALL) -> Spoil:
    """So many hundredths of the baggage of an army."""
    return {"what": BAGGAGE, "of": of, "share": share}


def stores(place: str) -> Spoil:
    """All that lay in a place."""
    return {"what": STORES, "of": place, "share": ALL}


def added(held: Iterable[Spoil], more: Iterable[Spoil]) -> list[Spoil]:
    """All of it, each thing once: guns of one unit are counted together, of a share the greater stands."""
    found: dict[tuple[str, str, str], Spoil] = {}
    for spoil in (*held, *more):
        key = spoil["what"], spoil["of"], spoil.get("name", "")
        before = found.get(key, {})
        told = {"count": before.get("count", 0) + spoil["count"]} if "count" in spoil else {}
        told |= {"share": max(before.get("share", 0), spoil["share"])} if "share" in spoil else {}
        found[key] = {**spoil, **told}
    return list(found.values())


def clean_spoils(value: object, at: str, problems: Problems) -> list[Spoil]:
    """As they are kept. What is wrong with them is noted."""
    if not isinstance(value, list | tuple) or len(value) > SPOILS_MOST:
        Fields({}, at, problems, ()).wrong("", _("Give a list of at most {most} things."), most=SPOILS_MOST)
        return []
    return [_cleaned(Fields(one, f"{at}/{place}", problems, MEMBERS)) for place, one in enumerate(value)]


def _cleaned(fields: Fields) -> Spoil:
    what, of = fields.one_of("what", KINDS), fields.text("of")
    if what == PIECES:
        return guns(of, fields.text("name"), fields.whole("count", 1, COUNT_MOST))
    return {"what": what, "of": of, "share": fields.whole("share", 1, ALL, ALL)}


def in_words(spoil: Mapping[str, Any]) -> Said:
    """One thing in a few words."""
    what: What = spoil["what"]
    match what:
        case "pieces":
            template = _("guns taken: {count} of {unit} ({army})")
            return say(template, count=spoil["count"], unit=spoil["name"], army=spoil["of"])
        case "stores":
            return say(_("the stores of {place}"), place=spoil["of"])
        case "baggage":
            whole = spoil["share"] >= ALL
            return say(_("all the baggage of {army}") if whole else _("half the baggage of {army}"), army=spoil["of"])
        case _:
            assert_never(what)

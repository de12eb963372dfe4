"""Input cleaning: values are made safe to store, or refused with the field they came from."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from rules.core.errors import (
    TURNING,
    UNSHOWN,
    UNSHOWN_NAME,
    InvalidInput,
    demand,
    demand_fit,
    has_visible_text,
    pointer,
    unfit_in,
)
from rules.core.text import Said, _, say

NAME_MAX = 120
REASON_MAX = 200
ORIGIN_MAX, ORIGINS_MOST = 120, 10
ATTRIBUTE_MAX = 10_000
DISTRICTS_MAX = 1_000
BP_MAX = 10_000_000
WHOLE_MAX = 999_999_999  # greatest number in a URL, a header or a row of a document
TOTAL_MAX = 10**15  # greatest sum over years
DAY_MAX = 1_000_000  # day of a campaign
LAST_DAY = 10_000_000  # greatest day in any date
LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
ORIGIN = re.compile(rf"(https://{LABEL}(\.{LABEL})+|http://(localhost|127\.0\.0\.1))(:[0-9]{{1,5}})?")
"""A web site by HTTPS, or a page under development on the reader's own machine."""
_NOT_TURNING = dict.fromkeys(map(ord, TURNING), "")


def clean_text(value: object, *, field: str, most: int = NAME_MAX, kept: bool = False) -> str:
    """Return one line of text: trimmed, visible, at most `most` characters, without control characters. Raises
    `InvalidInput`.

    `kept`: the text was stored before visibility was checked, and may be invisible.
    """
    demand(isinstance(value, str), _("Enter text here."), field=field)
    text = " ".join(str(value).split())
    demand(text and (kept or has_visible_text(text) or unfit_in(text)), _("This can’t be empty."), field=field)
    demand(
        len(text) <= most,
        _("Use at most {most} characters; this has {count}."),
        field=field,
        most=most,
        count=len(text),
    )
    written = str(value).translate(_NOT_TURNING) if kept else str(value)
    demand_fit(written, field=field)
    return text


def parse_whole(text: object, most: int = WHOLE_MAX) -> int | None:
    """Parse a whole number from 0 to `most` in plain digits, else return None. For query parameters and field names."""
    plain = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= len(str(most))
    return number if plain and (number := int(str(text))) <= most else None


def parse_uuid(text: object) -> UUID | None:
    """Parse a UUID in any spelling; None if it is none."""
    try:
        return UUID(str(text))
    except ValueError:
        return None


def parse_moment(text: str) -> datetime | None:
    """Return a time with its zone in UTC, since PostgreSQL takes no zone more than 16 hours away; None for anything
    else.
    """
    try:
        moment = parse_datetime(text)
        return moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError):  # the latter at the edges of the calendar
        return None


def clean_whole(value: object, *, field: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`. Raises `InvalidInput`."""
    demand(isinstance(value, int) and not isinstance(value, bool), _("Enter a whole number."), field=field)
    demand(least <= value <= most, _("Use a number from {least} to {most}."), field=field, least=least, most=most)  # type: ignore[operator]
    return int(value)  # type: ignore[call-overload]


def clean_optional_whole(value: object, *, field: str, least: int, most: int) -> int | None:
    return None if value is None else clean_whole(value, field=field, least=least, most=most)


def clean_choices(
    given: object, *, field: str, stored: Mapping[str, str], among: Mapping[str, Collection[str]],
    ordinary: Mapping[str, str],
) -> dict[str, str]:  # fmt: skip
    """Return choices by name in their stored form: `given` over `stored` ones, without those that equal the `ordinary`
    ones. Raises `InvalidInput`.
    """
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), field)
    chosen = dict(stored)
    for name, choice in given.items():
        place = f"{field}/{str(name)[:NAME_MAX]}"
        known = among[clean_slug(name, field=place, among=among)]
        chosen[name] = clean_slug(choice, field=place, among=known)
    return {name: choice for name, choice in chosen.items() if choice != ordinary[name]}


def clean_slug(value: object, *, field: str, among: Collection[str]) -> str:
    """Return one of the known slugs. Raises `InvalidInput`."""
    demand(
        isinstance(value, str) and value in among,
        _("“{slug}” isn’t allowed here. Use one of: {known}."),
        field=field,
        slug=str(value)[:60],
        known=", ".join(among),
    )
    return str(value)


def clean_origin(value: object, *, field: str) -> str:
    """Return a web site as browsers name it in `Origin`: scheme, host and port. Raises `InvalidInput`."""
    text = str(value).strip().lower().removesuffix("/")
    demand(
        isinstance(value, str) and len(text) <= ORIGIN_MAX and ORIGIN.fullmatch(text),
        _("“{site}” isn’t the address of a website. Use one like https://tools.example.org, without a path."),
        field=field,
        site=str(value)[:60],
    )
    return text.removesuffix(":443") if text.startswith("https:") else text.removesuffix(":80")


# Values as people type them, for a document's reader. Nothing is checked here.


def read_typed_whole(text: str) -> Any:
    """Convert a typed whole number to an int and "" to None. Other text is returned unchanged, for
    the law to refuse.
    """
    text = text.strip().replace("−", "-")
    number = parse_whole(text.removeprefix("-").removeprefix("+"))
    return text or None if number is None else -number if text.startswith("-") else number


# Strict JSON parser. Ambiguous values and values that cannot be stored are refused with a JSON pointer.

DEPTH_MAX = 40
DIGITS_MAX = 18  # fits 64 bits; the game's figures are far smaller
NAME_SHOWN = 60

type Location = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class _Fault:
    """Placeholder for an unusable value, until the walk over the document finds its place."""

    said: Said


def read_json(sent: str | bytes) -> Any:
    """Parse JSON. Raises `InvalidInput`, with a JSON pointer where there is a place to point at."""
    try:
        text = sent if isinstance(sent, str) else sent.decode()
        value = DECODER.decode(text.removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise InvalidInput(_("This isn’t UTF-8 text. Send it as UTF-8.")) from None
    except json.JSONDecodeError as error:
        said = say(_("Invalid JSON at line {line}, column {column}."), line=error.lineno, column=error.colno)
        raise InvalidInput(said) from None
    except RecursionError:
        raise InvalidInput(_("This data is nested too deeply.")) from None
    demand_usable(value)
    return value


def _whole(text: str) -> int | _Fault:
    return int(text) if len(text.lstrip("-")) <= DIGITS_MAX else _Fault(_("This number is too large."))


def _fraction(text: str) -> float | _Fault:
    number = float(text)
    return number if math.isfinite(number) else _Fault(_("This number is too large."))


def _constant(text: str) -> _Fault:
    return _Fault(say(_("“{text}” isn’t a valid JSON number."), text=text))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Fault:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    [(twice, _count)] = Counter(name for name, _value in pairs).most_common(1)
    return _Fault(say(_("“{name}” appears twice."), name=twice[:NAME_SHOWN]))


DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_object)
"""Decoder that is as strict as it can be while reading. It marks faults for `demand_usable`."""


def demand_usable(value: Any, at: str = "") -> None:
    """Raise `InvalidInput` at the first fault of a value that `DECODER` read. `at` is the JSON pointer to the value."""
    if not _is_usable(value):
        _point_at_fault(value, at)


def _is_usable(value: Any) -> bool:
    """Whether a value has no fault. Checks it level by level, without pointers: five times as fast as with them."""
    level, depth = [value], 0
    while level:
        words: list[str] = []
        below: list[Any] = []
        for item in level:
            if isinstance(item, str):
                words.append(item)
            elif isinstance(item, dict | list):
                if depth > DEPTH_MAX:
                    return False
                words += item if isinstance(item, dict) else ()
                below += item.values() if isinstance(item, dict) else item
            elif isinstance(item, _Fault):
                return False
        if unfit_in("".join(words)):
            return False
        level, depth = below, depth + 1
    return True


def _point_at_fault(value: Any, at: str) -> None:
    """Raise `InvalidInput` at the first fault of a value, with its JSON pointer. Works without recursion."""
    ahead: list[tuple[str, Any, int]] = [(at, value, 0)]
    while ahead:
        at, item, depth = ahead.pop()
        if said := _wrong_with(item, depth):
            raise InvalidInput(said, at)
        ahead += [(place, inner, depth + 1) for place, inner in _inside(item, at)]


def _wrong_with(item: Any, depth: int) -> Said | None:
    match item:
        case _Fault():
            return item.said
        case str() if unfit_in(item):
            return UNSHOWN
        case dict() if any(map(unfit_in, item)):
            return UNSHOWN_NAME
        case dict() | list() if depth > DEPTH_MAX:
            return _("This data is nested too deeply.")
    return None


def _inside(item: Any, at: str) -> Iterator[Location]:
    """Yield the members of an object or list, except numbers, booleans and null, which are always usable."""
    if isinstance(item, dict):
        yield from ((pointer(at, name[:NAME_SHOWN]), inner) for name, inner in item.items() if _may_be_wrong(inner))
    elif isinstance(item, list):
        yield from ((f"{at}/{place}", inner) for place, inner in enumerate(item) if _may_be_wrong(inner))


def _may_be_wrong(item: Any) -> bool:
    return isinstance(item, str | dict | list | _Fault)


def make_readable(value: Any) -> Any:
    """Return a copy of a stored value with every number as `read_json` accepts it. PostgreSQL writes 1e20 out in
    digits.
    """
    if isinstance(value, dict):
        return {name: make_readable(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [make_readable(inner) for inner in value]
    large = isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**DIGITS_MAX
    return float(value) if large else value

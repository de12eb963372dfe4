"""Input cleaning: values are made safe to store, or refused with the field they came from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from rules.core.characters import TURNING, demand_fit, has_visible_text, unfit_in
from rules.core.errors import InvalidInput, demand
from rules.core.text import _

NAME_MAX = 120
REASON_MAX = 200
ATTRIBUTE_MAX = 10_000
DISTRICTS_MAX = 1_000
BP_MAX = 10_000_000
WHOLE_MAX = 999_999_999  # of any number in a URL, a header or a row of a document
TOTAL_MAX = 10**15  # of sums over years
DAY_MAX = 1_000_000  # day of a campaign
LAST_DAY = 10_000_000  # greatest day in any date
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
    """Return choices by name as they are stored: `given` over `stored` ones, without those that equal the `ordinary`
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


# Values as people type them, for a document's reader. Nothing is checked here.


def read_typed_whole(text: str) -> Any:
    """Convert a typed whole number to an int and "" to None. Other text is returned unchanged, for
    the law to refuse.
    """
    text = text.strip().replace("−", "-")
    number = parse_whole(text.removeprefix("-").removeprefix("+"))
    return text or None if number is None else -number if text.startswith("-") else number

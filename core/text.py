"""Text of the rules in the reader's language, and as JSON for storage."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import TZPATH, ZoneInfo, available_timezones

from django.conf import settings
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext

from rules.core.errors import demand
from rules.core.text import BY_NUMBER, MINUS, Message, Term, _


def render(said: object) -> str:
    """Return `said` in the active language, with its parameters (terms, messages or lists of them)."""
    if isinstance(said, Message):
        template = _template(said)
        shown = {key: _shown(value) for key, value in said.params.items()}
        shown |= {key: _quoted_within(template, str(shown[key]))
                  for key in _quoted(template) if isinstance(said.params.get(key), Message)}  # fmt: skip
        return _elided(template, shown).format(**shown)
    if isinstance(said, Term):
        return translate_text(said) if said else ""
    return "" if said is None else str(said)


def _template(said: Message) -> str:
    """Return the template in the active language, in its singular or plural form."""
    one, by = BY_NUMBER.get(said.template, ("", ""))
    number = said.params.get(by)
    return ngettext(one, said.template, number) if isinstance(number, int) else translate_text(said.template)


def translate[Told](told: Told) -> Told:
    """Return a copy with all terms and messages translated to strings of the active language. They are then names like
    any other.
    """
    match told:
        case Term():
            return render(told)  # type: ignore[return-value]
        case dict():
            return {key: translate(value) for key, value in told.items()}  # type: ignore[return-value]
        case list() | tuple():
            return type(told)(translate(value) for value in told)
        case _:
            return told


def translate_text(text: str) -> str:
    """`gettext` with a cache, because it searches every catalogue and pages repeat the same few hundred sentences."""
    return _in_words(get_language(), text)


@lru_cache(maxsize=16_384, typed=True)  # `gettext` answers safe text with safe text
def _in_words(language: str | None, text: str) -> str:
    return gettext(text)


def _elided(template: str, shown: Mapping[str, object]) -> str:
    """Elide “de” and “que” before a vowel in French: d’Ost, qu’Émeline. The catalogue cannot do it, because it does not
    know the name.
    """
    for whole, key, short in _to_elide(template):
        if ELIDES.match(str(shown.get(key, ""))):
            template = template.replace(whole, short)
    return template


@lru_cache(maxsize=4_096)
def _to_elide(template: str) -> tuple[tuple[str, str, str], ...]:
    """Return (text in the template, parameter, elided text) of each place to elide."""
    return tuple((found[0], found[3], f"{found[1]}’{found[2]}") for found in BEFORE_A_NAME.finditer(template))


@lru_cache(maxsize=4_096)
def _quoted(template: str) -> tuple[str, ...]:
    """Return the parameters inside quotation marks of the template."""
    return tuple(found[1] or found[2] for found in IN_QUOTES.finditer(template))


def _quoted_within(template: str, sentence: str) -> str:
    """Convert quotation marks within a quoted sentence to those of the second level."""
    if "«" in template:
        return re.sub(r"\s?»", "”", re.sub(r"«\s?", "“", sentence))
    return sentence.replace("“", "‘").replace("”", "’")


IN_QUOTES = re.compile(r"«\s?\{(\w+)\}\s?»|“\{(\w+)\}”")
BEFORE_A_NAME = re.compile(r"\b([Dd]|[Qq]u)e (\{(\w+)\})")
ELIDES = re.compile(r"[aeiouàâäéèêëîïôöùûüœæ]|y(?![aeiouéè])", re.IGNORECASE)

GROUPED = 10_000  # numbers from here on are grouped by thousands


def group_digits(number: float) -> str:
    """Format a number grouped as in the reader's language: 9999, 10,000 in English, 10 000 in French."""
    if abs(number) < GROUPED or not isinstance(number, int):
        return str(number)
    return str(number_format(number, force_grouping=True))


class _InASentence(int):
    """Number in a sentence: grouped, with a typographic minus, unless the template specifies its own format."""

    def __format__(self, how: str) -> str:
        if how not in ("", "+"):
            return int.__format__(self, how)
        return ("+" if how and self >= 0 else "") + group_digits(int(self)).replace("-", MINUS)


def _shown(value: object) -> object:
    """Convert a parameter for `.format`. Numbers stay numbers, so that templates may format them."""
    if isinstance(value, int) and not isinstance(value, bool) and not 0 <= value < GROUPED:
        return _InASentence(value)
    if isinstance(value, Message | Term | Promise):
        return render(value)
    if isinstance(value, list | tuple):
        return ", ".join(str(_shown(item)) for item in value)
    return value


def dump_said(value: object) -> Any:
    """Convert a term, a message or a plain value to JSON. `load_said` reads it back as an equal value."""
    match value:
        case Message():
            return {"say": str(value.template), "with": {key: dump_said(item) for key, item in value.params.items()}}
        case Term():
            return {"say": str(value)}
        case list() | tuple():
            return [dump_said(item) for item in value]
        case None | bool() | int() | float():
            return value
        case _:
            return str(value)


@cache
def _reworded() -> dict[str, str]:
    """Current templates by the ones they replaced. Sentences stored in old words are shown in current words, and in
    French.
    """
    found: dict[str, str] = json.loads((settings.BASE_DIR / "locale/reworded.json").read_text(encoding="utf-8"))
    return found


def load_said(data: Any) -> Any:
    """Read what `dump_said` wrote. A reworded template is returned in its current words."""
    if isinstance(data, list):
        return tuple(load_said(item) for item in data)
    if not isinstance(data, Mapping) or "say" not in data:
        return data
    template = Term(_reworded().get(data["say"], data["say"]))
    if "with" not in data:
        return template
    return Message(template, {key: load_said(item) for key, item in data["with"].items()})


# Time zones in which readers see times. The database and the API use only UTC.

DEVICE = "zone"
"""Cookie in which a browser tells its time zone (static/js/warhost.js)."""
REGIONS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
)  # fmt: skip


@cache
def list_known() -> frozenset[str]:
    """Return all zone names that this machine knows. Old names are included, because some browsers use them."""
    return frozenset(available_timezones())


@cache
def list_offered() -> tuple[str, ...]:
    """Return the zones to choose from: current names of places if this machine lists them, and UTC."""
    places = _places_of_today() & list_known() or list_known()
    return (*sorted(name for name in places if name.startswith(tuple(f"{one}/" for one in REGIONS))), "UTC")


def _places_of_today() -> frozenset[str]:
    """Return the current names from zone.tab: Asia/Kolkata, but not Asia/Calcutta."""
    found = next((path for path in (Path(root, "zone.tab") for root in TZPATH) if path.is_file()), None)
    lines = found.read_text(encoding="utf-8").splitlines() if found else []
    return frozenset(line.split("\t")[2] for line in lines if line.count("\t") > 1 and not line.startswith("#"))


def zone_of(*names: str) -> ZoneInfo | None:
    """Return the first known zone of these names, or None."""
    return next((ZoneInfo(name) for name in names if name in list_known()), None)


def clean_zone(value: object, *, field: str) -> str:
    """Return the name of a known zone, or "". Raises `InvalidInput`."""
    demand(
        isinstance(value, str) and (not value or value in list_known()),
        _("Unknown time zone. Choose one from the list."),
        field=field,
    )
    return str(value)


# Address of the site, for links that leave it.


def get_origin(request: HttpRequest) -> str:
    """Return the site's configured origin, for invitations, links, mails and webhooks. Default: the origin that the
    client used.
    """
    return settings.SITE_URL or reached_at(request)


def reached_at(request: HttpRequest) -> str:
    """Return the origin that the client used."""
    return request.build_absolute_uri("/").rstrip("/")


def build_absolute_url(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of a page of the site."""
    return get_origin(request) + path

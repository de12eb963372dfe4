"""The rules' words in the reader's language, and as JSON for what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext

from rules.text import Message, Term


def render(said: object) -> str:
    """`said` in the active language; parameters that are terms, messages or lists of them as well."""
    if isinstance(said, Message):
        return in_words(said.template).format(**{key: _shown(value) for key, value in said.params.items()})
    if isinstance(said, Term):
        return in_words(said) if said else ""
    return "" if said is None else str(said)


def in_words(text: str) -> str:
    """`gettext`, which looks through every catalogue: a page says the same few hundred sentences over and over."""
    return _in_words(get_language(), text)


@lru_cache(maxsize=16_384, typed=True)  # `gettext` answers safe text with safe text
def _in_words(language: str | None, text: str) -> str:
    return gettext(text)


def _shown(value: object) -> object:
    """A parameter as `.format` takes it: numbers stay numbers, so a template may format them."""
    if isinstance(value, Message | Term | Promise):
        return render(value)
    if isinstance(value, list | tuple):
        return ", ".join(str(_shown(item)) for item in value)
    return value


def to_json(value: object) -> Any:
    """A term or message (or a plain value) as JSON that `from_json` reads back as equal."""
    match value:
        case Message():
            return {"say": str(value.template), "with": {key: to_json(item) for key, item in value.params.items()}}
        case Term():
            return {"say": str(value)}
        case list() | tuple():
            return [to_json(item) for item in value]
        case None | bool() | int() | float():
            return value
        case _:
            return str(value)


def from_json(data: Any) -> Any:
    """What `to_json` wrote, back."""
    if isinstance(data, list):
        return tuple(from_json(item) for item in data)
    if not isinstance(data, Mapping) or "say" not in data:
        return data
    template = Term(data["say"])
    if "with" not in data:
        return template
    return Message(template, {key: from_json(item) for key, item in data["with"].items()})

"""Text for people, independent of the language. Rules use English message ids; pages, the API and
tests translate them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache


class Term(str):
    """Translatable English string: a name, a sentence or a template."""

    __slots__ = ()


@cache
def _(english: str) -> Term:
    """Mark a string for translation. The translations are in the message catalogue."""
    return Term(english)


BY_NUMBER: dict[str, tuple[str, str]] = {}
"""Plural templates, each with its singular and the parameter that holds the number."""


def by_number(one: str, many: str, by: str = "count") -> Term:
    """Mark a template with a singular and a plural form, chosen by the parameter `by`.

    The plural is the template that is stored; whoever shows it looks up the form. Call it at module level, because
    stored text is also shown after a restart.
    """
    BY_NUMBER[many] = one, by
    return Term(many)


@dataclass(frozen=True, slots=True)
class Message:
    """Template with its parameters. Parameters that are terms or messages are translated too."""

    template: Term
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**{name: _plainly(value) for name, value in self.params.items()})

    def __hash__(self) -> int:
        return hash((self.template, frozenset(self.params)))  # a parameter may be an unhashable list


def _plainly(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


Said = Message | Term
type UnitName = Said | str
"""Name of a unit: plain text that somebody wrote and nobody translates, or words that every reader sees in their own
language. Sort and compare it by `str`, which depends on no reader.
"""
NO_WORDS = Term("")
MINUS = "−"


def say(template: Term, **params: object) -> Message:
    return Message(template, params)


def extend_name(template: Term, name: UnitName, **params: object) -> UnitName:
    """Fill a template around a name, such as its number. Plain text stays plain text."""
    told = say(template, name=name, **params)
    return told if isinstance(name, Message | Term) else str(told)


def verbatim(written: str) -> Message:
    """Wrap text that somebody wrote, such as a name. It is never translated, even if it equals a term."""
    return Message(Term("{written}"), {"written": written})


def closed(sentence: Said | str) -> Said | str:
    """Add a full stop to a sentence that lacks its end. People often leave it out."""
    ends = str(sentence).rstrip()[-1:]
    return sentence if ends in (*".!?…", "") else say(Term("{sentence}."), sentence=sentence)


def signed(number: int) -> str:
    """Format a number with its sign: "+2", "−3"."""
    return f"{number:+d}".replace("-", MINUS)


PERCENT = _("{percent}%")


def in_percent(number: object) -> Message:
    """Add the percent sign, as each language writes it: "47%", in French "47 %"."""
    return say(PERCENT, percent=number)


def minus(number: int) -> str:
    """Format a number with a typographic minus sign: "−3"."""
    return str(number).replace("-", MINUS)

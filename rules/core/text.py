"""Text for people, kept apart from the language it will be read in.

Rules speak English message ids; whoever shows them (page, API, test) translates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache


class Term(str):
    """A translatable English string: a name, a sentence, a template."""

    __slots__ = ()


type Namer = Callable[[Term], str]
"""Writes a term as a name for good: `str` in English, an app in a reader's language."""


@cache
def _(english: str) -> Term:
    """Mark a string for translation. The French lives in the message catalogue."""
    return Term(english)


BY_NUMBER: dict[str, tuple[str, str]] = {}
"""By the template of many: that of one, and the parameter that says how many there are."""


def by_number(one: str, many: str, by: str = "count") -> Term:
    """Mark a template whose words go by a number. It is that of many, and is kept as such: whoever shows it looks up
    which one the number asks for. Stands in a module, not in a function, for what was kept is shown after a restart.
    """
    BY_NUMBER[many] = one, by
    return Term(many)


@dataclass(frozen=True, slots=True)
class Message:
    """A template and what fills it. Parameters that are terms or messages are translated too."""

    template: Term
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.params)

    def __hash__(self) -> int:
        return hash((self.template, frozenset(self.params)))  # what fills it may be a list


Said = Message | Term
NO_WORDS = Term("")
MINUS = "−"


def say(template: Term, **params: object) -> Message:
    return Message(template, params)


def verbatim(written: str) -> Message:
    """What somebody wrote, a name of theirs: it reads alike in every language, whatever else is called so."""
    return Message(Term("{written}"), {"written": written})


def closed(sentence: Said | str) -> Said | str:
    """A sentence with its full stop, which people who type one often leave out."""
    ends = str(sentence).rstrip()[-1:]
    return sentence if ends in (*".!?…", "") else say(Term("{sentence}."), sentence=sentence)


def signed(number: int) -> str:
    """+2, −3: with the sign a reader expects."""
    return f"{number:+d}".replace("-", MINUS)


def minus(number: int) -> str:
    """A number with the sign of typography: −3."""
    return str(number).replace("-", MINUS)

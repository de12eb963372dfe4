"""Refusals, with messages for the player, and the characters for which any text is refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn, Self

from rules.core.text import Message, Said, Term, _, say

# Refusals, with messages for the player.

type Fault = tuple[str, Said]
"""Problem of an input: the JSON pointer to it, and the message."""


def pointer(at: str, member: object) -> str:
    """Return the JSON pointer to a member of the value at `at` (RFC 6901): `pointer("/a", "b") == "/a/b"`."""
    return f"{at}/{str(member).replace('~', '~0').replace('/', '~1')}"


def _is_within(at: str, fields: Iterable[str]) -> bool:
    return any(at == field or at.startswith(f"{field}/") for field in fields)


class Refusal(Exception):
    """Base of refusals: what was asked for is impossible, and nothing has changed.

    `field` is a JSON pointer to the wrong input ("/unit/cr"), or "" for the whole. `errors` lists every (pointer,
    message) if several inputs are wrong.
    """

    def __init__(self, message: Said, field: str = "", errors: tuple[Fault, ...] = ()):
        super().__init__(message)
        self.message = message
        self.field = field
        self.errors = errors or ((field, message),)

    def __str__(self) -> str:
        return str(self.message)

    def at(self, *fields: str) -> list[Said]:
        """Return the messages about the inputs at these pointers, or below."""
        return [message for at, message in self.errors if _is_within(at, fields)]

    def beside(self, *fields: str) -> list[Said]:
        """Return the other messages."""
        return [message for at, message in self.errors if not _is_within(at, fields)]

    def below(self, at: str) -> Self:
        """Return the refusal with its pointers below `at`, for input that is part of something larger."""
        return self.repointed(lambda field: at + field)

    def repointed(self, where: Callable[[str], str]) -> Self:
        """Return the refusal with each pointer mapped by `where`; itself if nothing changes."""
        errors = tuple((where(field), message) for field, message in self.errors)
        return self if errors == self.errors else type(self)(self.message, where(self.field), errors)


class InvalidInput(Refusal):
    """The input is wrong (HTTP 400). A page shows the message beside the field."""


class Unlisted(Message):
    """Problem of an input that names an item which is not in its list. A campaign may have deleted it since."""

    __slots__ = ()


def only_unlisted(refusal: InvalidInput) -> bool:
    """Return whether the input would be valid if the lists had the items that it names."""
    return all(isinstance(what, Unlisted) for _at, what in refusal.errors)


class IllegalCommand(Refusal):
    """The input is well formed but not legal in this state (HTTP 409)."""


class StaleProposal(IllegalCommand):
    """The confirmed proposal differs from the one that would be made now (HTTP 412)."""


class NotYet(IllegalCommand):
    """Too early (HTTP 429): legal in about `wait` seconds."""

    def __init__(self, message: Said, field: str = "", errors: tuple[Fault, ...] = (), *, wait: float = 5):
        super().__init__(message, field, errors)
        self.wait = wait


def require(condition: object, template: Term, *, field: str = "", **params: object) -> None:
    """Raise `IllegalCommand` unless the condition on the state holds."""
    if not condition:
        raise IllegalCommand(say(template, **params) if params else template, field)


def demand(condition: object, template: Term, *, field: str = "", **params: object) -> None:
    """Raise `InvalidInput` unless the condition on the input holds."""
    if not condition:
        raise InvalidInput(say(template, **params) if params else template, field)


def refuse(template: Term, *, field: str = "", **params: object) -> NoReturn:
    raise IllegalCommand(Message(template, params), field)


# Characters that no text may contain: control characters, surrogates, noncharacters, and marks that change the
# direction of the text after them.
#
# Tabs and line ends are allowed in text of several lines.

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional controls that would also reverse the sentences, dates and names around them. Marks without such reach
are allowed.
"""
ENDS = "\t\n\r"
DEPTH_MOST = 40
MARGIN_MOST = 4_096  # bytes of a file within which its object begins
_ASCII = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
_BEYOND = "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
_ALL = f"{_ASCII}\x80-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef{_BEYOND}"
UNFIT = re.compile(f"[{_ALL}]")
UNFIT_IN_LINE = re.compile(f"[{_ALL}{ENDS}]")
_UNFIT_ASCII = re.compile(f"[{_ASCII}]")
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that are drawn as nothing
UNSEEN = ("Cc", "Cf", "Cs", "Mn", "Me", "Zs", "Zl", "Zp")  # categories without a glyph of their own
UNSHOWN = _("This text contains characters that can’t be displayed. Remove them.")
UNSHOWN_NAME = _("A field name contains characters that can’t be displayed. Remove them.")
TOO_DEEP = _("This data is nested too deeply.")


def has_visible_text(text: str) -> bool:
    """Whether the text has a visible character. Text without one can neither be read nor clicked."""
    return any(sign not in BLANK and unicodedata.category(sign) not in UNSEEN for sign in text)


def unfit_in(text: str) -> re.Match[str] | None:
    """Return the first forbidden character of a text of several lines, or None."""
    return (_UNFIT_ASCII if text.isascii() else UNFIT).search(text)


def demand_fit(text: str, *, field: str = "", line: bool = False) -> None:
    """Raise `InvalidInput` for a text with a forbidden character. `line`: line ends and tabs are forbidden too."""
    if (UNFIT_IN_LINE.search(text)) if line else unfit_in(text):
        raise InvalidInput(UNSHOWN, field)


def demand_object_file(sent: str | bytes, otherwise: Said, *, field: str = "") -> None:
    """Raise `InvalidInput` with the sentence `otherwise` for a file that can't hold a JSON object: a picture, a list,
    nothing. Faults within the object are left to its parser.
    """
    text = sent if isinstance(sent, str) else sent[:MARGIN_MOST].decode("utf-8-sig", "replace")
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        raise InvalidInput(otherwise, field)


def fit(text: str) -> str:
    """Return the text without forbidden characters, for text stored before they were checked."""
    return UNFIT.sub("", text) if unfit_in(text) else text


def fit_within(value: object) -> object:
    """Return a JSON value with `fit` applied to all its texts and member names."""
    match value:
        case str():
            return fit(value)
        case dict():
            return {fit(name): fit_within(inner) for name, inner in value.items()}
        case list():
            return [fit_within(inner) for inner in value]
    return value


def demand_shallow(value: object, *, field: str = "") -> None:
    """Raise `InvalidInput` for a JSON value nested deeper than `DEPTH_MOST`: even its text would be too much."""
    level = [value]
    for _depth in range(DEPTH_MOST + 1):
        members = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [inner for those in members for inner in those if isinstance(inner, dict | list)]
        if not level:
            return
    raise InvalidInput(TOO_DEEP, field)


def unfit_within(value: object) -> Iterator[tuple[str, Term]]:
    """Yield a JSON pointer and a message for each forbidden character, and for nesting deeper than `DEPTH_MOST`."""
    ahead: list[tuple[str, object, int]] = [("", value, 0)]
    while ahead:
        at, item, depth = ahead.pop()
        match item:
            case str() if unfit_in(item):
                yield at, UNSHOWN
            case dict() | list() if depth > DEPTH_MOST:
                yield at, TOO_DEEP
            case dict():
                if any(unfit_in(str(name)) for name in item):
                    yield at, UNSHOWN_NAME
                ahead += [(f"{at}/{name}", inner, depth + 1) for name, inner in item.items()]
            case list():
                ahead += [(f"{at}/{place}", inner, depth + 1) for place, inner in enumerate(item)]

"""Characters that no text may contain: control characters, surrogates, noncharacters, and marks that change the
direction of the text after them.

Tabs and line ends are allowed in text of several lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rules.core.errors import InvalidInput
from rules.core.text import Term, _

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional controls that would also reverse the sentences, dates and names around them. Marks without such reach
are allowed.
"""
ENDS = "\t\n\r"
DEPTH_MOST = 40
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


def unfit_within(value: object) -> Iterator[tuple[str, Term]]:
    """Yield a JSON pointer and a message for each forbidden character, and for nesting deeper than `DEPTH_MOST`."""
    ahead: list[tuple[str, object, int]] = [("", value, 0)]
    while ahead:
        at, item, depth = ahead.pop()
        match item:
            case str() if unfit_in(item):
                yield at, UNSHOWN
            case dict() | list() if depth > DEPTH_MOST:
                yield at, _("This data is nested too deeply.")
            case dict():
                if any(unfit_in(str(name)) for name in item):
                    yield at, UNSHOWN_NAME
                ahead += [(f"{at}/{name}", inner, depth + 1) for name, inner in item.items()]
            case list():
                ahead += [(f"{at}/{place}", inner, depth + 1) for place, inner in enumerate(item)]

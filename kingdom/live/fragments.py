"""Fragment cache: parts of an open page are drawn only if they would be drawn from something else.

A change touches few of what stands on a page. A part is made of what the page is made of: its request, its reader, the
rows that were read before it and those it reads itself. Where all of these are as they were it is neither asked for nor
drawn; nothing has to be named that it depends on. What is read later than a part changes nothing in it, so what a part
shows is asked for when it is drawn (`defer`). Kept is a part for one session, cookies, language and address, as a page.

Most pages bear the campaign's name above their parts: a part that does not tell it is as it was whatever campaigns are
called.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from html import unescape
from time import monotonic
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject, empty
from django.utils.safestring import SafeString

from core.lru_cache import LRUCache
from kingdom.live.fingerprints import QueryRead, Recorder

KEPT, HEAVIEST = 4096, 24_000_000  # parts, and characters of all of them: two bytes each, as they are spelt
BODY = 400_000  # characters of one that are kept: a great map is one
TRUST = 300  # seconds after which it is drawn anyway, as a page is
ESCAPED = re.compile("[&<>\"']")


@dataclass(frozen=True, slots=True)
class Fragment:
    """What was drawn, and what it read itself. `at`: when the oldest of what it is made of was (`monotonic`)."""

    html: SafeString
    reads: tuple[QueryRead, ...]
    at: float


_drawn: LRUCache[bytes, Fragment] = LRUCache(KEPT, heaviest=HEAVIEST, weight=lambda part: len(part.html))


def clear_fragments() -> None:
    """All that this process has kept of parts."""
    _drawn.clear()


class Parts:
    """The parts of one answer. `page`: all of its request that it may be drawn from; `again`: it looks again, and may
    be given what was kept. `at`: when the oldest of them was drawn.
    """

    def __init__(self, page: bytes, recorder: Recorder, *, again: bool):
        self._page, self._recorder, self._again = page, recorder, again
        self.at = monotonic()

    def drawn(self, name: str, draw: Callable[[], SafeString]) -> SafeString:
        if not self._recorder.tellable:
            return draw()
        before = len(self._recorder.asked())
        nameless, named = (self._place(name, nameless=nameless) for nameless in (True, False))
        if self._again and (kept := self._as_kept(nameless, named)) is not None:
            return kept
        html, asked = draw(), self._recorder.asked()
        if self._recorder.tellable and len(html) <= BODY:
            place = named if self._tells_a_name(html) else nameless
            _drawn.keep(place, Fragment(html, tuple(asked[before:]), self.at))
        return html

    def _place(self, name: str, *, nameless: bool) -> bytes:
        """What it is called among all, and what was read before it."""
        known = b"|".join(
            (self._page, name.encode(), b"-" if nameless else b"+", self._recorder.state(nameless=nameless))
        )
        return blake2b(known, digest_size=16).digest()

    def _as_kept(self, *places: bytes) -> SafeString | None:
        for nameless, place in zip((True, False), places, strict=True):
            kept = _drawn.get(place)
            if kept is None or monotonic() - kept.at > TRUST:
                continue
            reads = self._recorder.again(kept.reads, nameless=nameless)
            if reads is not None:
                self._recorder.take(*reads)
                self.at = min(self.at, kept.at)
                return kept.html
        return None

    def _tells_a_name(self, html: str) -> bool:
        told = unescape(html) if any(map(ESCAPED.search, self._recorder.names)) else html
        return any(name in told for name in self._recorder.names)


def draw_fragment(request: HttpRequest | None, name: str, draw: Callable[[], SafeString]) -> SafeString:
    """The part of this name, which stands once on its page."""
    parts: Parts | None = getattr(request, "parts", None)
    return parts.drawn(name, draw) if parts else draw()


def draw_page_fragment(request: HttpRequest | None, name: str, draw: Callable[[], SafeString]) -> SafeString:
    """The same as a template names it: of a page that follows nothing, no part is kept."""
    return draw_fragment(request, name, draw) if getattr(request, "followed", None) else draw()


def defer(ask: Callable[[], Any], **known: Any) -> Any:
    """What is asked for once something of it is shown that is not `known`, and not at all where all that shows it is as
    it was.
    """

    def found() -> Any:
        try:
            return ask()
        except (AttributeError, LookupError, TypeError, ValueError) as error:  # templates take these for "not there"
            raise RuntimeError(f"What a page shows later could not be asked for: {error}") from error

    asked = _Later(found)
    asked.__dict__.update(known)
    return asked


class _Later(SimpleLazyObject):
    def __getitem__(self, name: Any) -> Any:
        """Templates look here first, for what has no items, too."""
        if name in self.__dict__:
            return self.__dict__[name]
        if self._wrapped is empty:
            self._setup()
        asked: Any = self._wrapped
        return asked[name] if hasattr(type(asked), "__getitem__") else _attribute(asked, name)


def _attribute(asked: Any, name: str) -> Any:
    try:
        return getattr(asked, name)
    except AttributeError as error:
        raise KeyError(name) from error

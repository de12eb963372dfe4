"""Legal commands of a viewer, who is awaited, and whether it is the viewer's turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from rules.core.text import Said
from rules.core.viewers import Viewer


class Awaited(NamedTuple):
    """Who is waited for, and what they may say. `name`: whose turn it is where that is no whole army."""

    army: str
    what: tuple[str, ...]
    name: Said | None = None


class Legal(Protocol):
    """What a viewer may do now. `commands` are slugs of the API; what stands in them is the law's own.

    A law's own answer may have a member `turn` besides: whether it is this viewer's turn, None for what `is_turn` makes
    of it.
    """

    @property
    def commands(self) -> tuple[str, ...]: ...


class PlainLegal(NamedTuple):
    """`Legal` where only armies are commanded: which."""

    commands: tuple[str, ...]
    armies: frozenset[str] = frozenset()
    turn: bool | None = None


def is_turn(legal: Legal, waiting_for: Iterable[Awaited], viewer: Viewer) -> bool:
    """Whether it is this viewer's turn: what the law says (`turn`), else an army of theirs is awaited and they may give
    a command. (Here every army is the GM's own: whom the GM acts for, only the table knows.)
    """
    told: bool | None = getattr(legal, "turn", None)
    if told is not None:
        return told
    return bool(legal.commands) and any(viewer.commands(awaited.army) for awaited in waiting_for)

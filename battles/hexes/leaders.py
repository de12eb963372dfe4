"""Fates of leaders and characters after a hex battle: whether they still stand, how they left, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from battles.result.leaders import FALLEN, FATE_OPEN, UNHURT, LeaderFate
from battles.result.page import BattleResult
from battles.setup.page import pick_colour
from rules.core.text import Said, Term, _, say
from rules.hexbattle.common import DESTROYED, Destroyed, Withdrawn
from rules.hexbattle.tokens import Token
from rules.law import AFTERMATH

LEFT_THE_MAP = _("left the map")


class LastSeen(NamedTuple):
    """Where a unit left the battle: the turn (0 for setup), and its last hex ("" if unknown)."""

    turn: int
    hex: str


class LeadersOnBoard:
    """Leaders and characters of a finished battle.

    `gone_words`: the law's texts for characters who left the battle. `throws_every_fate`: whether the aftermath rolls
    for all characters, not only commanders.
    """

    def __init__(self, result: BattleResult, gone_words: Mapping[str, Term], *, throws_every_fate: bool):
        self.result, self.summary = result, result.summary
        self.gone_words, self.throws_every_fate = gone_words, throws_every_fate

    def listed(self) -> tuple[LeaderFate, ...]:
        """The characters who are gone, then the army leaders still standing."""
        field = getattr(self.result.asked.state, "field", None)
        tokens = [token for token in field.tokens.values() if token.character] if field else []
        found = [token for token in tokens if token.gone or self._leads(token)]
        left = dict(_departures(self.result)) if any(token.gone for token in found) else {}
        return tuple(self._leader(token, left) for token in sorted(found, key=lambda token: not token.gone))

    def _leads(self, token: Token) -> bool:
        army = self.summary.armies.get(token.army)
        return bool(army and army.leader and army.leader_name == token.name)

    def _leader(self, token: Token, left: Mapping[str, LastSeen]) -> LeaderFate:
        """The fate of one character. For one who fell it stays open until the aftermath has rolled for it."""
        army = self.summary.armies.get(token.army)
        leads = self._leads(token)
        led = _("led {army}") if token.gone else _("leads {army}")
        about: list[Said | str] = [say(led, army=army.name) if leads else army.name] if army else []
        if token.gone:
            about.extend(_where(left.get(token.id)))
        return LeaderFate(token.name, pick_colour(token.side), *self._fate(token.gone, leads=leads), tuple(about))

    def _fate(self, gone: str, *, leads: bool) -> tuple[str, Said, str]:
        if not gone:
            return "crested-helmet", UNHURT, "quiet"
        if gone != DESTROYED:
            return "crested-helmet", self.gone_words.get(gone, LEFT_THE_MAP), "quiet"
        if (leads or self.throws_every_fate) and self.summary.status == AFTERMATH:
            return "hourglass", FATE_OPEN, "warn"
        return "tombstone", FALLEN, "bad"


def _where(left: LastSeen | None) -> Iterator[Said]:
    """The turn in which they left the battle, and their last hex, in words."""
    if left and left.turn and left.hex:
        yield say(_("turn {number}, {hex}"), number=left.turn, hex=left.hex)
    elif left and left.turn:
        yield say(_("turn {number}"), number=left.turn)


def _departures(result: BattleResult) -> Iterator[tuple[str, LastSeen]]:
    """The last known place of each unit: where it left the battle, or else its last event."""
    latest: dict[str, object] = {}
    lines = {}
    for line in result.story.lines:
        unit = getattr(line.event, "unit", "")
        if unit and not isinstance(latest.get(unit), Destroyed | Withdrawn):
            latest[unit], lines[unit] = line.event, line
    for unit, line in lines.items():
        yield unit, LastSeen(result.course.turn_of(line.seq), getattr(line.event, "at", ""))

"""Campaign data that the aftermath of a hex law reads, its changes in words, and the fates of leaders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from armies.models import Army
from armies.models.army import rows_of
from battles.default.ui import PlainChange
from battles.models import Battle
from battles.result.page import FALLEN, FATE_OPEN, UNHURT, BattleResult, LeaderFate
from battles.setup.page import pick_colour
from core.text import render
from kingdom.chronicle.changes import Change, word_of
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, Term, _, say
from rules.hexbattle.common import DESTROYED, Destroyed, Withdrawn
from rules.hexbattle.field import Token
from rules.law import AFTERMATH, FIGHTING

# Campaign data that the aftermath of a hex law reads, and conversion of its changes.


class HexWorldNow(NamedTuple):
    """The armies of a battle and their commanders, as the campaign stores them. `names`: of both, by id."""

    world: Any
    names: Mapping[str, str]

    def changes_of(self, state: Any, found: Iterable[Any]) -> tuple[Change, ...]:
        return tuple(
            Change(
                one.subject_kind,
                one.subject_id,
                one.field,
                one.before,
                one.after,
                one.rule,
                one.label,
                self.names[one.subject_id],
            )
            for one in found
        )


def read_world(battle: Battle, army_in_world: Callable[..., Any], world_of: Callable[..., Any]) -> HexWorldNow:
    """The campaign data for a battle's aftermath.

    `army_in_world`: makes an army's value from its document, status, health, full health and upkeep. `world_of`: makes
    the whole from the armies by id, the measure of a document, and the commanders' status by id.
    """
    armies = list(rows_of(Army).filter(seats__battle=battle).select_related("commander"))
    leaders = {str(army.commander.pk): army.commander for army in armies if army.commander}
    found = {
        str(army.pk): army_in_world(army.sheet, army.status, army.health, army.health_max, army.upkeep)
        for army in armies
    }
    measure = get_ruleset(battle.campaign).armies.measure
    names = {str(army.pk): army.name for army in armies} | {key: leader.name for key, leader in leaders.items()}
    return HexWorldNow(world_of(found, measure, {key: leader.status for key, leader in leaders.items()}), names)


# Texts of the aftermath's changes after a battle on hexes: one line per change, documents by their parts.

type Part = tuple[Said, Any, Any]
"""A part of a document that changes: its name, its value before, and after."""

STATUSES: Mapping[str, Term] = {
    "ready": _("ready"), "routed": _("routed"), "defeated": _("defeated"), "disbanded": _("disbanded"),
    "free": _("free"), "captured": _("captured"), "killed": _("killed"),
}  # fmt: skip


def in_words(
    changes: Iterable[Change], fields: Mapping[str, Term], parts: Callable[[Change], Iterable[Part]]
) -> list[PlainChange]:
    """One line for each change. `fields`: names of figures. `parts`: what differs in a change of a document."""
    return [_of_document(one, list(parts(one))) if one.field == "sheet" else _plain(one, fields) for one in changes]


def list_character_changes(change: Change) -> Iterator[Part]:
    """The characters of a document before and after by name, if they differ."""
    before, after = ([str(one["name"]) for one in document.get("characters", ())]
                     for document in (change.before, change.after))  # fmt: skip
    if before != after:
        yield _("characters"), before, after


def _plain(change: Change, fields: Mapping[str, Term]) -> PlainChange:
    field: Said = fields.get(change.field) or word_of(change.subject_kind, change.field)
    return _told(change, field, *(_value(change.field, value) for value in (change.before, change.after)))


def _of_document(change: Change, parts: Sequence[Part]) -> PlainChange:
    """The line for a document's change: its single part, or several parts combined."""
    if len(parts) == 1:
        return _told(change, *parts[0])
    before, after = ([one for part in parts for one in _listed(part[0], part[side])] for side in (1, 2))
    return _told(change, _("composition"), before, after)


def _listed(name: Said, value: Any) -> list[Any]:
    """A list as it is; a single value with its name ("points 7")."""
    return list(value) if isinstance(value, list) else [render(say(Term("{name} {value}"), name=name, value=value))]


def _told(change: Change, field: Said, before: Any, after: Any) -> PlainChange:
    return PlainChange(change.subject, field, before, after, change.rule, change.label)


def _value(field: str, value: Any) -> Any:
    return render(STATUSES.get(value, Term(value))) if field == "status" and isinstance(value, str) else value


# Fates of leaders and characters after a hex battle: whether they still stand, how they left, and where.

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
        """The characters who are gone, then those still standing."""
        field = getattr(self.result.asked.state, "field", None)
        tokens = [token for token in field.tokens.values() if token.character] if field else []
        left = dict(_departures(self.result)) if any(token.gone for token in tokens) else {}
        return tuple(self._leader(token, left) for token in sorted(tokens, key=lambda token: not token.gone))

    def _leads(self, token: Token) -> bool:
        army = self.summary.armies.get(token.army)
        return bool(army and army.leader and army.leader_name == token.name)

    def _leader(self, token: Token, left: Mapping[str, LastSeen]) -> LeaderFate:
        """The fate of one character. For one who fell it stays open until the aftermath has rolled for it."""
        army = self.summary.armies.get(token.army)
        leads = self._leads(token)
        led = _("led {army}") if token.gone else _("leads {army}")
        about: list[Said | str] = [say(led, army=army.name) if leads else army.name] if army else []
        if army and not token.gone and army.status != FIGHTING:
            about.append(army.status_word)  # of the army: the leader's own word stands beside
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

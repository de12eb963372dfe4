"""Words of breaking points on battle pages, and the chips above the field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from battles.ruleset_ui import Onward
from rules.breaking_point.battle.state.battle_state import QUIET_MOST, ROUND, BattleNow, FieldMark
from rules.breaking_point.battle.state.conditions import CIRCUMSTANCES, CONDITIONS, OF_BODY, RADIO
from rules.breaking_point.battle.telling.summary import seconds_of_a_round
from rules.breaking_point.battle.telling.words import body_name
from rules.core.text import NO_WORDS, Said, Term, _, say, signed

# Words of breaking points on battle pages.

ONWARD: Mapping[str, Onward] = {
    "next": Onward(_("To the command test"), "play"),
    "resolve": Onward(_("Resolve {phase}"), "battle"),
}
WAITING = _("No orders yet: {names}. They will hold.")
HEALTH_UNIT = _("force")
HEADS = _("fighters")
LUCK = _("How far the ten-sided dice of each side fell above or below average in total.")
ROLL_NAMES: Mapping[str, Term] = {
    "command": _("command test"),
    "withdraw": _("withdrawal"),
    "shot": _("shoots"),
    "contact": _("attacks at contact"),
    "pursuit": _("pursues"),
    "riposte": _("turns on its pursuers"),
    "rally": _("rallies"),
    "terms": _("terms of surrender"),
    "wounds": _("wounds of the character"),
}
OVERRIDES: Mapping[str, Term] = {
    "losses": _("losses, in points of force"),
    "status": _("fate"),
    "combat": _("combat: add or subtract"),
    "defense": _("defense: add or subtract"),
    "power": _("power: add or subtract"),
    "fire-power": _("fire power: add or subtract"),
    "force": _("force"),
    "breaking": _("breaking point in %"),
    "penalty": _("penalty for a failed withdrawal"),
    "target": _("target of its order"),
    "do": _("order for this round"),
}
"""Figures of a body that the GM may set."""
DISTANT: Mapping[str, Term] = {
    "short": _("short distance"),
    "medium": _("medium distance"),
    "long": _("long distance"),
    "very-long": _("very long distance"),
}


# Chips above the field: its conditions.

MINUTE, HOUR = 60, 3600
ICONS = {"ground": "mountains", "weather": "fog", "word": "gm"}


@dataclass(frozen=True)
class FieldChip:
    """Short fact. `index` is its place among the conditions that can be lifted, None for permanent ones."""

    text: Said
    icon: str
    index: int | None = None
    tone: str = ""
    more: Said = NO_WORDS
    entry: tuple[str, str] | None = None


def chips_of(battle: BattleNow) -> Iterator[FieldChip]:
    yield FieldChip(DISTANT[battle.distance], "ranged",
                    entry=("rules", "BP-4.4"))  # fmt: skip
    text = _("rounds of about {time}") if battle.masked else _("rounds of {time}")
    time = lasting(seconds_of_a_round(battle), roughly=bool(battle.masked))
    yield FieldChip(say(text, time=time), "hourglass", entry=("rules", "BP-1"))
    if battle.phase.kind == ROUND and battle.quiet == QUIET_MOST - 1:
        yield FieldChip(
            _("no attack last round: another round without one is a draw"), "hourglass", entry=("rules", "B-45")
        )
    yield from _place(battle)
    for side in battle.sides:
        if side.circumstances:
            circumstances = say(_("circumstances {value} ({side})"), side=side.name, value=signed(side.circumstances))
            yield FieldChip(circumstances, "gm", entry=("rules", CONDITIONS[CIRCUMSTANCES].rule))
        if side.radio:
            yield FieldChip(say(_("radio ({side})"), side=side.name), "gm", entry=("rules", CONDITIONS[RADIO].rule))
    for index, mark in enumerate(battle.conditions):
        more = say(_("{reason}"), reason=mark.reason) if mark.reason else NO_WORDS
        entry = ("rules", CONDITIONS[mark.kind].rule)
        yield FieldChip(_named(battle, mark), _icon(mark), index, more=more, entry=entry)


def _place(battle: BattleNow) -> Iterator[FieldChip]:
    """Yield the chip of the place of an assault."""
    place = battle.opening.place
    if place is not None:
        kind = place.kind
        shots = _("{kind}: force × {factor}, defense +{bonus} against shots")
        more = shots if kind.against_shots else _("{kind}: force × {factor}, defense +{bonus}")
        yield FieldChip(say(_("{place}"), place=place.name), "castle", entry=("rules", "BP-8"),
                        more=say(more, kind=kind.name, factor=kind.factor, bonus=kind.defense))  # fmt: skip


def _icon(mark: FieldMark) -> str:
    return ICONS[CONDITIONS[mark.kind].family]


def _named(battle: BattleNow, mark: FieldMark) -> Said:
    kind = CONDITIONS[mark.kind]
    text: Said = kind.name
    if mark.value is not None:
        value = signed(mark.value) if kind.reasoned and isinstance(mark.value, int) else mark.value
        text = say(_("{condition} {value}"), condition=kind.name, value=value)
    if mark.side is not None:
        text = say(_("{condition} ({side})"), side=battle.sides[mark.side].name, condition=text)
    if kind.of == OF_BODY and mark.body in battle.bodies:
        text = say(_("{condition} ({body})"), condition=text, body=body_name(battle, battle.bodies[mark.body]))
    return text


def lasting(seconds: int, *, roughly: bool = False) -> Said:
    """Format a round's length in hours, minutes and seconds (BP-1). `roughly`: without seconds from a minute on."""
    if seconds >= HOUR:
        return say(_("{hours} h {minutes:02d}"), hours=seconds // HOUR, minutes=seconds % HOUR // MINUTE)
    if seconds >= MINUTE and roughly:
        return say(_("{minutes} min"), minutes=seconds // MINUTE)
    if seconds >= MINUTE:
        return say(_("{minutes} min {seconds:02d} s"), minutes=seconds // MINUTE, seconds=seconds % MINUTE)
    return say(_("{seconds} s"), seconds=seconds)

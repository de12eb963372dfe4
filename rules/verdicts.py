"""Verdicts: what was decided last in a battle, for each army, whatever the law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from rules.core.text import Message, Said, _, say

HELD, HURT = _("held"), _("hurt")
LEFT_OF = _("{left} of {max} left")


class Fate(NamedTuple):
    """What one army went through. `lost`: of its health; what it won back meanwhile does not count.

    `word`: what stands in place of a loss ("held"), or beside it ("fled"); `text`: the one thing to know of it,
    without its name; `own`: a sentence for whoever commands it. `gone`: it has left the field.
    """

    army: str
    lost: int
    word: Said
    text: Said
    own: Said
    gone: bool = False


class Verdict(NamedTuple):
    """`title`: the phase in which it was decided.

    `news`: what was decided, in a few words; None where the phase as a whole was ("Turn 2 resolved"). `undo`: what
    taking it back is called, None for that of the phase.
    """

    title: Said
    fates: tuple[Fate, ...]
    news: Said | None = None
    undo: Said | None = None


class ArmyThen(Protocol):
    """What is to be known of one (a `Combatant`)."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def status_word(self) -> Said: ...
    @property
    def health(self) -> int: ...
    @property
    def health_max(self) -> int: ...
    @property
    def fighting(self) -> bool: ...


class FieldThen(Protocol):
    """What is to be known of the battle (a `Summary`)."""

    @property
    def stage(self) -> Any: ...
    @property
    def armies(self) -> Mapping[str, ArmyThen]: ...


def by_health(before: FieldThen, after: FieldThen) -> Verdict:
    """What can be said of any law's armies: by their health, and by who is not on the field any more."""
    fates = (
        _fate(army, before.armies.get(army.id, army)) for army in after.armies.values() if _was_there(before, army)
    )
    return Verdict(before.stage.label, tuple(fates))


def _was_there(before: FieldThen, army: ArmyThen) -> bool:
    known = before.armies.get(army.id)
    return known is None or known.fighting


def _fate(army: ArmyThen, before: ArmyThen) -> Fate:
    lost, gone = max(before.health - army.health, 0), not army.fighting
    left = say(LEFT_OF, left=army.health, max=army.health_max)
    return Fate(army.id, lost, army.status_word if gone else HELD, left, _own(army, lost, left), gone)


def _own(army: ArmyThen, lost: int, left: Said) -> Said:
    if not army.fighting:
        return say(_("{army}: {fate}."), army=army.name, fate=army.status_word)
    if lost:
        return say(_("{army} lost {lost}: {left}."), army=army.name, lost=lost, left=left)
    return say(_("{army} held: {left}."), army=army.name, left=left)


def holder(side: str | None) -> Said:
    """How a battle ended, at a glance: who holds the field, None for nobody."""
    if side is None:
        return _("No side holds the field.")
    return say(_("{side} holds the field."), side=side)


def told_end(side: str | None, reason: str) -> Message:
    """The same as the log tells it. `reason`: in somebody's own words, "" where it needs none."""
    if side is None:
        return and_why(say(_("The battle ends without a victor.")), reason)
    return and_why(say(_("The field belongs to {side}."), side=side), reason)


def and_why(sentence: Message, reason: str) -> Message:
    """The sentence, and why in somebody's own words, if they gave any."""
    return say(_("{sentence} {reason}"), sentence=sentence, reason=reason) if reason else sentence

"""Verdicts: what the last decision of a battle did to each army, under any law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from rules.core.text import Message, Said, _, say

HELD, HURT = _("held"), _("hurt")
LEFT_OF = _("{left} of {max} left")


class Fate(NamedTuple):
    """Effect on one army. `lost` is the health it lost; healing in between is not counted.

    `word` stands beside a loss ("fled") or in place of one ("held"). `text` is the main fact, without the army's name;
    `own` is a sentence for whoever commands it. `gone`: it has left the field.
    """

    army: str
    lost: int
    word: Said
    text: Said
    own: Said
    gone: bool = False


class Verdict(NamedTuple):
    """Result of the last decision. `title` is its phase. `news` says what was decided; None for a whole phase ("Turn 2
    resolved"). `undo` is the label for undoing it; None for undoing the phase.
    """

    title: Said
    fates: tuple[Fate, ...]
    news: Said | None = None
    undo: Said | None = None


class ArmyThen(Protocol):
    """Protocol of an army, as verdicts read it (a `Combatant`)."""

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
    """Protocol of a battle, as verdicts read it (a `Summary`)."""

    @property
    def stage(self) -> Any: ...
    @property
    def armies(self) -> Mapping[str, ArmyThen]: ...


def by_health(before: FieldThen, after: FieldThen) -> Verdict:
    """Return the verdict of any law: losses of health, and who has left the field."""
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
    """Say who holds the field at the end. `side` is None for nobody."""
    if side is None:
        return _("No side holds the field.")
    return say(_("{side} holds the field."), side=side)


def told_end(side: str | None, reason: str) -> Message:
    """Say who holds the field at the end, for the log. `reason` is somebody's own words, or ""."""
    if side is None:
        return and_why(say(_("The battle ends without a victor.")), reason)
    return and_why(say(_("The field belongs to {side}."), side=side), reason)


def and_why(sentence: Message, reason: str) -> Message:
    """Add a reason in somebody's own words to a sentence, if there is one."""
    return say(_("{sentence} {reason}"), sentence=sentence, reason=reason) if reason else sentence

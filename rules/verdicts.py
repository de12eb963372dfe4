"""What was decided last in a battle, an army each: every page tells it at once, whatever the law."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rules.text import Said, _, say

if TYPE_CHECKING:
    from rules.battles import Combatant, Summary

HELD = _("held")
LEFT_OF = _("{left} of {max} left")


class Fate(NamedTuple):
    """What one army went through. `lost`: of its health; what it won back meanwhile does not count.

    `word`: what stands in place of a loss ("held"), or beside it ("routed"); `text`: the one thing to know of it,
    without its name; `own`: a sentence for whoever commands it. `gone`: it has left the field.
    """

    army: str
    lost: int
    word: Said
    text: Said
    own: Said
    gone: bool = False


class Verdict(NamedTuple):
    """`title`: the phase in which it was decided."""

    title: Said
    fates: tuple[Fate, ...]


def by_health(before: Summary, after: Summary) -> Verdict:
    """What can be said of any law's armies: by their health, and by who is not on the field any more."""
    fates = (
        _fate(army, before.armies.get(army.id, army)) for army in after.armies.values() if _was_there(before, army)
    )
    return Verdict(before.stage.label, tuple(fates))


def _was_there(before: Summary, army: Combatant) -> bool:
    known = before.armies.get(army.id)
    return known is None or known.fighting


def _fate(army: Combatant, before: Combatant) -> Fate:
    lost, gone = max(before.health - army.health, 0), not army.fighting
    left = say(LEFT_OF, left=army.health, max=army.health_max)
    return Fate(army.id, lost, army.status_word if gone else HELD, left, _own(army, lost, left), gone)


def _own(army: Combatant, lost: int, left: Said) -> Said:
    if not army.fighting:
        return say(_("{army}: {fate}."), army=army.name, fate=army.status_word)
    if lost:
        return say(_("{army} lost {lost}: {left}."), army=army.name, lost=lost, left=left)
    return say(_("{army} held: {left}."), army=army.name, left=left)

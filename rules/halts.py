"""Reasons why a battle that advances by itself stops, under any law."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from rules.core.text import Said, _, say
from rules.core.viewers import Viewer
from rules.house import HouseRule

OVER, ARMY, LEADER, ORDER, CHOICE = "over", "army", "leader", "order", "choice"
DICE, LONG = "dice", "long"
KINDS = (OVER, ARMY, LEADER, ORDER, CHOICE, DICE, LONG)

NEW_ORDERS = _("New orders can be given: {phase}.")
NEW_CHOICES = _("{army}: new orders to choose from.")


class Halt(NamedTuple):
    """Reason to stop. `kind` is one of `KINDS`; `army` is the id of the army concerned, or ""."""

    kind: str
    text: Said
    army: str = ""


class CombatantThen(Protocol):
    """Protocol of an army, as halts read it (a `Combatant`)."""

    @property
    def name(self) -> str: ...
    @property
    def status_word(self) -> Said: ...
    @property
    def fighting(self) -> bool: ...


class BattleThen(Protocol):
    """Protocol of a battle, as halts read it (a `Summary`)."""

    @property
    def armies(self) -> Mapping[str, Any]: ...
    @property
    def outcome(self) -> Any: ...


def find_halts(before: BattleThen, after: BattleThen) -> Iterator[Halt]:
    """Yield the halts of every law: an army leaves or joins the field, or the battle ends."""
    for key, army in after.armies.items():
        known = before.armies.get(key)
        if known is None and army.fighting:
            yield Halt(ARMY, say(_("{army}: joins the battle."), army=army.name), key)
        elif known is not None and known.fighting and not army.fighting:
            yield Halt(ARMY, say(_("{army}: {fate}."), army=army.name, fate=army.status_word), key)
    if after.outcome and not before.outcome:
        yield Halt(OVER, after.outcome.text)


class OnwardLaw(Protocol):
    """Part of a battle law that advances a battle without orders. States are the law's own."""

    @abstractmethod
    def summary(self, state: Any) -> Any: ...

    def onward(self, state: Any) -> Any | None:
        """Return the command that resolves the current phase with the orders given so far. None if somebody has to act
        first.
        """
        return None

    def repeated(self, before: Any, after: Any) -> Sequence[Any]:
        """Return commands that repeat each army's orders of the phase that began with `before`. Empty where orders last
        until they are changed.
        """
        return ()

    def empty(self, state: Any) -> bool:
        """Whether the current phase passes by itself (`onward`): nobody has a decision and a house rule allows it."""
        return False

    def halts(self, before: Any, events: Sequence[Any], after: Any, viewer: Viewer) -> Sequence[Halt]:
        """Return why the table should look before the battle advances: what these events of one command changed. States
        and events are as this viewer sees them.
        """
        return tuple(find_halts(self.summary(before), self.summary(after)))


def empty_phases(rule: str, what: Any) -> HouseRule:
    """House rule that lets phases without a decision pass by themselves. `rule` is its id, `what` says which phases
    these are.
    """
    return HouseRule(
        _("Empty phases"), True, rule=rule, help=what,
        choices={
            True: _("A phase in which nobody has anything to decide passes by itself"),
            False: _("The GM resolves every phase"),
        },
    )  # fmt: skip

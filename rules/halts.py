"""Halts: why a battle that goes on by itself stops, whatever the law."""

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
    """`kind` is one of `KINDS`; `army`: which one it is about, "" for none."""

    kind: str
    text: Said
    army: str = ""


class CombatantThen(Protocol):
    """What is to be known of an army (a `Combatant`)."""

    @property
    def name(self) -> str: ...
    @property
    def status_word(self) -> Said: ...
    @property
    def fighting(self) -> bool: ...


class BattleThen(Protocol):
    """What is to be known of the battle (a `Summary`)."""

    @property
    def armies(self) -> Mapping[str, Any]: ...
    @property
    def outcome(self) -> Any: ...


def find_halts(before: BattleThen, after: BattleThen) -> Iterator[Halt]:
    """What stops a battle under every law: its end, an army that leaves the field, one that comes."""
    for key, army in after.armies.items():
        known = before.armies.get(key)
        if known is None and army.fighting:
            yield Halt(ARMY, say(_("{army}: joins the battle."), army=army.name), key)
        elif known is not None and known.fighting and not army.fighting:
            yield Halt(ARMY, say(_("{army}: {fate}."), army=army.name, fate=army.status_word), key)
    if after.outcome and not before.outcome:
        yield Halt(OVER, after.outcome.text)


class OnwardLaw(Protocol):
    """The part of a battle's law by which a battle goes on without anybody's orders. States are the law's own."""

    @abstractmethod
    def summary(self, state: Any) -> Any: ...

    def onward(self, state: Any) -> Any | None:
        """The command that carries out the phase at hand with the orders given so far; None where somebody has to act
        before the battle goes on.
        """
        return None

    def repeated(self, before: Any, after: Any) -> Sequence[Any]:
        """The orders by which armies go on in `after` as they did in the phase that began with `before`, as commands.
        None where orders last until others are given.
        """
        return ()

    def empty(self, state: Any) -> bool:
        """Whether the phase at hand passes by itself (`onward`): nobody has anything to decide in it, and the house
        rules say so.
        """
        return False

    def halts(self, before: Any, events: Sequence[Any], after: Any, viewer: Viewer) -> Sequence[Halt]:
        """Why the table should look before the battle goes on: what these events of one command changed, as far as this
        viewer knows. States and events are those they see.
        """
        return tuple(find_halts(self.summary(before), self.summary(after)))


def empty_phases(rule: str, what: Any) -> HouseRule:
    """The house rule of laws that know phases without a decision. `rule`: their id; `what`: which phases these are."""
    return HouseRule(
        _("Empty phases"), True, rule=rule, help=what,
        choices={
            True: _("A phase in which nobody has anything to decide passes by itself"),
            False: _("The GM resolves every phase"),
        },
    )  # fmt: skip

"""Pending questions of a battle: their fields, their answers, and who has to act next. Also the reasons why a battle
that advances by itself stops (halts).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeGuard

from rules.core.dice import Roll
from rules.core.errors import IllegalCommand, InvalidInput, Refusal
from rules.core.text import Message, Said, _, say, verbatim
from rules.core.viewers import Viewer
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.house import HouseRule

# Questions that a command leaves open, their answers, and who has to act next.


class Awaited(NamedTuple):
    """Army that has to act, and the commands it may give. `name` says whose turn it is where that
    is not a whole army.
    """

    army: str
    what: tuple[str, ...]
    name: Said | None = None


class Legal(Protocol):
    """Legal commands of a viewer. `commands` are the API's slugs; their contents are the law's own.

    A law's own answer may also have a member `turn`: whether it is this viewer's turn, or None for the default of
    `is_turn`.
    """

    @property
    def commands(self) -> tuple[str, ...]: ...


class PlainLegal(NamedTuple):
    """Plain `Legal`, for laws in which only armies are commanded."""

    commands: tuple[str, ...]
    armies: frozenset[str] = frozenset()
    turn: bool | None = None


def is_turn(legal: Legal, waiting_for: Iterable[Awaited], viewer: Viewer) -> bool:
    """Whether it is this viewer's turn: the law's `turn` if it has one, else they may give a command and one of their
    armies is awaited.

    The GM counts as the commander of every army here. Only the table knows whom the GM acts for.
    """
    told: bool | None = getattr(legal, "turn", None)
    if told is not None:
        return told
    return bool(legal.commands) and any(viewer.commands(awaited.army) for awaited in waiting_for)


type AskedKind = Literal["choice", "hex", "number", "die"]
CHOICE: AskedKind = "choice"
HEX: AskedKind = "hex"
NUMBER: AskedKind = "number"
DIE: AskedKind = "die"

type AskedOption = tuple[str, Said]
type Given = str | int | None
NAMED_MOST = 12  # most options that a refusal lists
NOTHING_ASKED = _("It isn’t your turn to answer. You can give these commands: {commands}.")
NOTHING_TO_DO = _("Nothing for you to do at the moment.")
ASKED_NOW = _("This question is no longer open. Open now: {questions}.")
ASKED_SO = _("“{key}” ({text})")


class AskedField(NamedTuple):
    """Field of an answer: its key, kind and label.

    `options` are the possible values of a choice (by slug) or of a hex (by name, "C7"). `low` and `high` bound a
    number. `dice` are the dice on the table of which one may be rolled again: the answer is its index from 0, or None
    to keep all.
    """

    key: str
    kind: AskedKind
    label: Said
    options: tuple[AskedOption, ...] = ()
    low: int = 0
    high: int = 0
    dice: tuple[Roll, ...] = ()

    def read(self, given: Given) -> Given:
        """Return the answer given, in the form the law takes. Raises `InvalidInput` that lists the possible ones."""
        match self.kind:
            case "choice":
                return self._option(given, say(_("Choose one of: {known}."), known=self._known))
            case "hex":
                return self._option(_hex_name(given), say(_("Choose one of these hexes: {known}."), known=self._known))
            case "number":
                return self._number(given)
            case "die":
                return self._die(given)

    @property
    def _known(self) -> str:
        slugs = [slug for slug, _label in self.options]
        return ", ".join([*slugs[:NAMED_MOST], *(["…"] if len(slugs) > NAMED_MOST else [])])

    def _option(self, given: Given, refusal: Message) -> str:
        if not isinstance(given, str) or given not in [slug for slug, _label in self.options]:
            raise InvalidInput(refusal)
        return given

    def _number(self, given: Given) -> int:
        if not _is_whole(given) or not self.low <= given <= self.high:
            said = _("Enter a whole number from {low} to {high}.")
            raise InvalidInput(say(said, low=self.low, high=self.high))
        return given

    def _die(self, given: Given) -> int | None:
        if given is None or (_is_whole(given) and 0 <= given < len(self.dice)):
            return given
        said = _("Enter the index of a die from 0 to {high}, or null to keep them all.")
        raise InvalidInput(say(said, high=len(self.dice) - 1))


class Pending(NamedTuple):
    """Question that has to be answered before anything else: a command has stopped halfway, often for the enemy's
    choice.

    `options` are answers by slug (the answer's `choice`); empty if there is nothing to choose. `asks` are further
    fields of the answer. The question is part of the state, so it survives a reload and disappears when the command is
    undone. `AnswerCommand` answers it. Dice that a person types are not asked here but before the command is decided
    (`DiceNeeded`).
    """

    key: str
    army: str
    text: Said
    options: tuple[AskedOption, ...] = ()
    asks: tuple[AskedField, ...] = ()
    button: Said | str = ""
    """Label of the button that sends the fields; "" for *Answer*."""


class AnswerCommand(NamedTuple):
    """Command that answers a pending question. `answers` are by the key of the asked field."""

    key: str
    choice: str = ""
    answers: Mapping[str, Given] = {}


def ask_choice(key: str, label: Said, options: Iterable[AskedOption]) -> AskedField:
    return AskedField(key, CHOICE, label, tuple(options))


def ask_hex(key: str, label: Said, hexes: Iterable[Hex]) -> AskedField:
    names = (label_of(at) for at in hexes)
    return AskedField(key, HEX, label, tuple((name, verbatim(name)) for name in names))


def ask_number(key: str, label: Said, low: int, high: int) -> AskedField:
    return AskedField(key, NUMBER, label, low=low, high=high)


def ask_die(key: str, label: Said, dice: Iterable[Roll]) -> AskedField:
    """Field that asks which one of these dice is rolled again, if any."""
    return AskedField(key, DIE, label, dice=tuple(dice))


def check_answer(
    answer: AnswerCommand, pending: Sequence[Pending], commands: Callable[[], Sequence[str]]
) -> AnswerCommand:
    """Return the answer as the law takes it, with every field.

    `pending` are the open questions of whoever answers, `commands` what else they may do. Raises `IllegalCommand` if
    nobody asks this, `InvalidInput` with a JSON pointer for each wrong field.
    """
    asked = next((one for one in pending if one.key == answer.key), None)
    if asked is None:
        raise IllegalCommand(_instead(pending, commands), "/key")
    faults = [*_choice_faults(asked, answer.choice), *_unknown(asked, answer)]
    given: dict[str, Given] = {}
    for field in asked.asks:
        try:
            given[field.key] = field.read(answer.answers.get(field.key))
        except Refusal as refusal:
            faults.append((f"/answers/{field.key}", refusal.message))
    if faults:
        pointer, message = faults[0]
        raise InvalidInput(message, pointer, tuple(faults))
    return AnswerCommand(answer.key, answer.choice, given)


def _choice_faults(asked: Pending, choice: str) -> list[tuple[str, Said]]:
    known = [slug for slug, _label in asked.options]
    if not known:
        return [("/choice", _("This question has no options. Leave out this field."))] if choice else []
    return [] if choice in known else [("/choice", say(_("Choose one of: {known}."), known=", ".join(known)))]


def _unknown(asked: Pending, answer: AnswerCommand) -> list[tuple[str, Said]]:
    known = [field.key for field in asked.asks]
    said = (
        _("Unknown question. Open now: {known}.")
        if known
        else _("This question only takes a choice. Leave out the rest.")
    )
    return [(f"/answers/{key}", say(said, known=", ".join(known))) for key in answer.answers if key not in known]


def _instead(pending: Sequence[Pending], commands: Callable[[], Sequence[str]]) -> Said:
    """Return the possible alternatives in words: the open questions, or the other commands."""
    if pending:
        questions = [say(ASKED_SO, key=one.key, text=one.text) for one in pending]
        return say(ASKED_NOW, questions=tuple(questions))
    others = [command for command in commands() if command != "answer"]
    return say(NOTHING_ASKED, commands=", ".join(others)) if others else NOTHING_TO_DO


def _is_whole(given: Given) -> TypeGuard[int]:
    return isinstance(given, int) and not isinstance(given, bool)


def _hex_name(given: Given) -> Given:
    """Return the hex's name in its one spelling ("c7" as "C7"). A string that names no hex is returned unchanged."""
    try:
        return label_of(hex_at(given)) if isinstance(given, str) else None
    except InvalidInput:
        return given


# Reasons why a battle that advances by itself stops, under any law.

OVER, ARMY, LEADER, ORDER, NEW_CHOICE = "over", "army", "leader", "order", "choice"
DICE, LONG = "dice", "long"
KINDS = (OVER, ARMY, LEADER, ORDER, NEW_CHOICE, DICE, LONG)

NEW_ORDERS = _("New orders can be given: {phase}.")
NEW_CHOICES = _("{army}: new orders to choose from.")


class Halt(NamedTuple):
    """Reason to stop. `kind` is one of `KINDS`; `army` is the id of the army concerned, or ""."""

    kind: str
    text: Said
    army: str = ""


class CombatantThen(Protocol):
    """Protocol of the part of a `Combatant` that halts depend on."""

    @property
    def name(self) -> str: ...
    @property
    def status_word(self) -> Said: ...
    @property
    def fighting(self) -> bool: ...


class BattleThen(Protocol):
    """Protocol of the part of a `Summary` that halts depend on."""

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


def find_weakened(before: BattleThen, after: BattleThen) -> Iterator[str]:
    """Yield the ids of kingdoms whose armies together fall below half their health and fight on."""
    for kingdom in {army.kingdom for army in after.armies.values() if army.fighting and army.kingdom}:
        if _has_half(before, kingdom) and not _has_half(after, kingdom):
            yield kingdom


def _has_half(battle: BattleThen, kingdom: str) -> bool:
    own = [army for army in battle.armies.values() if army.kingdom == kingdom]
    left, most = sum(army.health for army in own if army.fighting), sum(army.health_max for army in own)
    return bool(2 * left >= most)


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
        """Return commands that repeat the orders of the phase that began with `before`, for armies without new ones.
        Empty where orders last until they are changed.
        """
        return ()

    def why_wait(self, state: Any) -> Said | None:
        """Return why a battle that advances by itself stops before this phase, whose orders are all given; None if it
        may go on.
        """
        return None

    def empty(self, state: Any) -> bool:
        """Whether the current phase passes by itself (`onward`): nobody has a decision and a house rule allows it."""
        return False

    def halts(self, before: Any, events: Sequence[Any], after: Any, viewer: Viewer) -> Sequence[Halt]:
        """Return the reasons to stop an automatic advance and let people look, from the changes by these events of one
        command. States and events are as this viewer sees them.
        """
        return tuple(find_halts(self.summary(before), self.summary(after)))


def empty_phases(rule: str, what: Any) -> HouseRule:
    """House rule that lets phases without a decision pass by themselves. `rule` is its id, `what` says which phases
    these are.
    """
    return HouseRule(
        _("Empty phases"), True, rule=rule, help=what,
        choices={
            True: _("Phases in which nobody has anything to decide end automatically"),
            False: _("The GM resolves every phase"),
        },
    )  # fmt: skip

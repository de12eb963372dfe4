"""Questions a command leaves open, answers to them, and who is awaited with what they may say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, TypeGuard

from rules.core.dice import Roll
from rules.core.errors import IllegalCommand, InvalidInput, Refusal
from rules.core.text import Message, Said, _, say, verbatim
from rules.core.viewers import Viewer
from rules.hexes.geometry import Hex, hex_at, label_of


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


type AskedKind = Literal["choice", "hex", "number", "die"]
CHOICE: AskedKind = "choice"
HEX: AskedKind = "hex"
NUMBER: AskedKind = "number"
DIE: AskedKind = "die"

type AskedOption = tuple[str, Said]
type Given = str | int | None
NAMED_MOST = 12  # options that a refusal lists
NOTHING_ASKED = _("Nothing is being asked of you. You can give: {commands}.")
NOTHING_TO_DO = _("Nothing is being asked of you, and there is nothing you can do now.")
ASKED_NOW = _("This is not being asked any more. Asked now: {questions}.")
ASKED_SO = _("“{key}” ({text})")


class AskedField(NamedTuple):
    """One field of an answer: its name there, its kind and its label.

    `options`: what can be picked, by slug, of a choice; by the hex's name ("C7") of a hex. `low` and `high` bound a
    number. `dice`: those that lie there, of which one may be thrown again: the answer is its index from 0, or None to
    let all of them lie.
    """

    key: str
    kind: AskedKind
    label: Said
    options: tuple[AskedOption, ...] = ()
    low: int = 0
    high: int = 0
    dice: tuple[Roll, ...] = ()

    def read(self, given: Given) -> Given:
        """The answer as the law takes it. Raises `InvalidInput` that says what would do."""
        match self.kind:
            case "choice":
                return self._option(given, say(_("Choose one of: {known}."), known=self._known))
            case "hex":
                return self._option(_hex_name(given), say(_("Pick one of these hexes: {known}."), known=self._known))
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
            said = _("Give a whole number from {low} to {high}.")
            raise InvalidInput(say(said, low=self.low, high=self.high))
        return given

    def _die(self, given: Given) -> int | None:
        if given is None or (_is_whole(given) and 0 <= given < len(self.dice)):
            return given
        said = _("Give the index of a die from 0 to {high}, or null to let them lie.")
        raise InvalidInput(say(said, high=len(self.dice) - 1))


class Pending(NamedTuple):
    """What has to be answered before anything else is done: a command stopped in its middle and asks, often the foe.

    `options`: what can be answered at once, by slug (the answer's `choice`); empty where there is nothing to choose.
    `asks`: the fields of the answer besides. It lies in the state, so it survives a reload and goes when the command
    that asked is taken back. The command `AnswerCommand` answers it. Dice that a person types are asked for before
    anything is decided (`DiceNeeded`), so nothing of them has to be kept.
    """

    key: str
    army: str
    text: Said
    options: tuple[AskedOption, ...] = ()
    asks: tuple[AskedField, ...] = ()


class AnswerCommand(NamedTuple):
    """Command of laws that ask: the answer to what is pending. `answers`: by the key of what is asked."""

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
    """Whether one of these dice is thrown again."""
    return AskedField(key, DIE, label, dice=tuple(dice))


def check_answer(
    answer: AnswerCommand, pending: Sequence[Pending], commands: Callable[[], Sequence[str]]
) -> AnswerCommand:
    """The answer as the law takes it, every field there. `pending`: what is asked of whoever answers; `commands` tells
    what they may do otherwise.

    Raises `IllegalCommand` for what nobody asks, `InvalidInput` with a pointer for each field that does not fit.
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
        return [("/choice", _("Nothing is chosen here: leave this out."))] if choice else []
    return [] if choice in known else [("/choice", say(_("Choose one of: {known}."), known=", ".join(known)))]


def _unknown(asked: Pending, answer: AnswerCommand) -> list[tuple[str, Said]]:
    known = [field.key for field in asked.asks]
    said = _("This is not asked. Asked: {known}.") if known else _("Nothing is asked here but a choice.")
    return [(f"/answers/{key}", say(said, known=", ".join(known))) for key in answer.answers if key not in known]


def _instead(pending: Sequence[Pending], commands: Callable[[], Sequence[str]]) -> Said:
    """What would do."""
    if pending:
        questions = [say(ASKED_SO, key=one.key, text=one.text) for one in pending]
        return say(ASKED_NOW, questions=tuple(questions))
    others = [command for command in commands() if command != "answer"]
    return say(NOTHING_ASKED, commands=", ".join(others)) if others else NOTHING_TO_DO


def _is_whole(given: Given) -> TypeGuard[int]:
    return isinstance(given, int) and not isinstance(given, bool)


def _hex_name(given: Given) -> Given:
    """ "c7" as "C7"; what is no name as it is."""
    try:
        return label_of(hex_at(given)) if isinstance(given, str) else None
    except InvalidInput:
        return given

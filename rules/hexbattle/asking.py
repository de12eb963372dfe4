"""Board choices for pending questions that are answered by picking a hex."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.text import Term, _, say
from rules.hexbattle.board import BoardLegal, Confirm, Step, picks_of
from rules.hexbattle.field import Field
from rules.pending import HEX, AnswerCommand, Pending

CHOOSE = _("Choose {hex}")


def legal(
    pending: Sequence[Pending],
    field: Field,
    selection: Sequence[str],
    commands: tuple[str, ...] = (),
    button: Term = CHOOSE,
) -> BoardLegal:
    """What the viewer may do on the board while questions are pending.

    Only the first question counts. If it asks for exactly one hex and nothing else, the result offers each possible hex
    as a step and, once one is picked, the finished answer as `confirm`. Where the question's key is a unit's id, that
    unit is shown as picked.

    `selection`: the reader's picks. `commands`: slugs of other commands the viewer may give. `button`: the text of the
    confirming button, with `{hex}` in it.
    """
    if not pending:
        return BoardLegal(commands)
    asked, hexes = pending[0], _hexes(pending[0])
    unit = asked.key if asked.key in field.tokens else ""
    to = picks_of(selection).to
    to = to if to in hexes else ""
    steps = tuple(Step(at, 0, "answer") for at in hexes)
    confirm = None
    if to:
        answer = AnswerCommand(asked.key, "", {asked.asks[0].key: to})
        text = say(_("{question} {hex}"), question=asked.text, hex=to)
        confirm = Confirm(answer, text, say(button, hex=to))
    return BoardLegal(
        ("answer", *commands), (unit, to) if to else (unit,), steps=steps, must=asked.text, confirm=confirm, turn=True
    )


def _hexes(asked: Pending) -> tuple[str, ...]:
    """The hexes to choose from if one hex answers the whole question; () otherwise."""
    if asked.options or len(asked.asks) != 1 or asked.asks[0].kind != HEX:
        return ()
    return tuple(at for at, _label in asked.asks[0].options)

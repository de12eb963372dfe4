"""Questions that are answered with a hex: what of the board they make, so that a tap on it answers them."""

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
    """What a viewer may do while something is asked: of the first question, if it asks for one hex and nothing else,
    the hexes that can be picked and the answer that is ready. `commands`: what else they may give. `button`: what the
    button that answers does with the hex.

    The unit it is about is picked where the question's key is its id.
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
    """Those of which one is the whole answer."""
    if asked.options or len(asked.asks) != 1 or asked.asks[0].kind != HEX:
        return ()
    return tuple(at for at, _label in asked.asks[0].options)

"""Questions of a battle (`Pending`), and conversion of the generic `AnswerCommand` to this law's commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.dice import Roll
from rules.core.text import Said, Term, _, say, verbatim
from rules.hexbattle.common import army_of, name_of
from rules.hexbattle.ground import hex_of
from rules.pending import AnswerCommand, AskedField, Pending, ask_choice, ask_die, ask_hex, ask_number
from rules.thucidide_fantasy.battle.combat.stops import FLEE, GOD, OF_GM, PURSUE, REPORT, REROLL
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState, Fight
from rules.thucidide_fantasy.battle.spells.appeals import STANDS, free_near
from rules.thucidide_fantasy.gods import RETURNED_STANDS

LET_GO = "none"
PLACE = "place:"


def question(state: FantasyState) -> Pending | None:
    """The question the battle waits for; None if it waits for none."""
    fight = state.fight
    if fight is None:
        return None
    text, asks = ASKING[fight.asks](state, fight)
    return Pending(fight.asks, _army(state, fight), text, asks=asks, button=BUTTONS[fight.asks])


def _army(state: FantasyState, fight: Fight) -> str:
    """The army that answers: the one whose unit it concerns, or the first of the side."""
    if fight.side == OF_GM:
        return next(iter(state.field.armies))
    piece = fight.todo[0].unit
    if piece in state.field.tokens and state.side_of(piece) == fight.side:
        return army_of(piece)
    return next(army for army, side in state.field.armies.items() if side == fight.side)


def _named(state: FantasyState, unit: str) -> Said | str:
    return name_of(state.field, unit)


def _flee(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    text = say(_("{unit} has to flee."), unit=_named(state, fight.todo[0].unit))
    return text, (ask_hex("hex", _("Flee to"), map(hex_of, fight.options)),)


def _pursue(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    options = [(unit, verbatim(str(_named(state, unit)))) for unit in fight.options]
    options.append((LET_GO, say(_("No pursuit"))))
    text = say(_("{unit} may pursue and fight once more."), unit=_named(state, fight.todo[0].unit))
    return text, (ask_choice("target", _("Target"), options),)


def _reroll(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    rolls: tuple[Roll, ...] = fight.todo[0].rolls
    return _("You can reroll one of these dice."), (ask_die("index", _("Die to throw again"), rolls),)


def _report(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    made = fight.todo[0].throw
    dice = made.dice if made else 0
    text = say(_(
        "{unit} rolls against {foe}: waiting for the GM to enter the result."
    ), unit=_named(state, fight.todo[0].unit),
               foe=_named(state, fight.todo[0].foe))  # fmt: skip
    return text, (
        ask_number("stands", _("Stands lost"), 0, dice),
        ask_number("flags", _("Flags"), 0, dice),
        ask_number("hexes", _("Hexes of retreat"), 0, 4 * (dice + 1)),
        ask_number("counters", _("Counters won"), 0, dice),
    )


def _god(state: FantasyState, fight: Fight) -> tuple[Said, tuple[AskedField, ...]]:
    caster, what = fight.todo[0].unit, fight.todo[0].what
    if what != STANDS:
        options = [(unit, verbatim(str(_named(state, unit)))) for unit in fight.options]
        hexes = list(dict.fromkeys(at for unit in fight.options for at in free_near(state, caster, unit)))
        asks = (ask_choice("unit", _("Unit"), options), ask_hex("hex", _("Hex"), map(hex_of, hexes)))
        return _("Choose a unit and a free hex."), asks
    found: list[AskedField] = []
    for unit in fight.options:
        own = state.units[unit]
        there = state.standing(unit)
        most = min(RETURNED_STANDS, own.start - (own.stands if there else 0))
        label = say(_("Stands for {unit}"), unit=_named(state, unit))
        found.append(ask_number(unit, label, 0, most))
        if not there:
            options = [
                (LET_GO, say(_("Doesn’t return"))),
                *((at, verbatim(at)) for at in free_near(state, caster, unit)),
            ]
            found.append(ask_choice(f"{PLACE}{unit}", say(_("Hex for {unit}"), unit=_named(state, unit)), options))
    return say(_("Up to {count} stands return."), count=RETURNED_STANDS), tuple(found)


BUTTONS: Mapping[str, Term] = {
    FLEE: _("Flee"), PURSUE: _("Confirm"), REROLL: _("Confirm"), REPORT: _("Report the result"), GOD: _("Confirm"),
}  # fmt: skip
ASKING = {FLEE: _flee, PURSUE: _pursue, REROLL: _reroll, REPORT: _report, GOD: _god}


# From the generic answer to the law's command


def plain(state: FantasyState, answer: AnswerCommand) -> Any:
    """The command an answer stands for. The answer has been checked against the question already."""
    fight, given = state.fight, answer.answers
    assert fight is not None
    if fight.asks == FLEE:
        return c.FleeTo(fight.todo[0].unit, str(given["hex"]))
    if fight.asks == PURSUE:
        target = str(given["target"])
        return c.PursueFoe(fight.todo[0].unit, None if target == LET_GO else target)
    if fight.asks == REROLL:
        return c.RerollDie(fight.todo[0].rolls[0].name, _number(given["index"]))
    if fight.asks == REPORT:
        return c.ReportThrow(*(_number(given[name]) or 0 for name in ("stands", "flags", "hexes", "counters")))
    if fight.todo[0].what != STANDS:
        return c.AnswerGod(unit=str(given["unit"]), hex=str(given["hex"]))
    stands = {unit: number for unit in fight.options if (number := _number(given.get(unit)))}
    named = {unit: str(given.get(f"{PLACE}{unit}", LET_GO)) for unit in stands}
    places = {unit: at for unit, at in named.items() if at != LET_GO}
    return c.AnswerGod(stands, places)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None

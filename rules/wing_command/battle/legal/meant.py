"""The command a selection stands for, legal or not, so that a refusal can be explained."""

from __future__ import annotations

from typing import Any

from rules.battle_law import Selection
from rules.wing_command.battle.legal.selection import EXIT, RALLY, STAND, TAKE, deed_of, first_of, read_picks
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import ACTION, COMMAND, HostState
from rules.wing_command.spec import MELEE
from rules.wing_command.starter import ORDERS

DUEL = "duel-"


def command_meant(state: HostState, selection: Selection) -> Any:
    """The command the picks stand for; None if they don't make one yet."""
    if state.phase == COMMAND:
        return _commanded(state, selection)
    if state.phase == ACTION:
        return _acted(state, selection)
    return None


def _commanded(state: HostState, selection: Selection) -> Any:
    if state.aiming:
        return c.Aim(first_of(selection))
    if state.distribution:
        return c.GiveOrder(first_of(selection))
    character, (kind, _colon, what) = selection[0], deed_of(selection).partition(":")
    if character not in state.units:
        return None
    if kind == "change_order" and what in ORDERS:
        return c.ChangeOrder(character, what)
    if kind == "take_command" and what in state.wings:
        return c.TakeCommand(character, what)
    if kind == "choose_spell":
        return c.ChooseSpell(character, what)
    plain = {"distribute": c.Distribute, "resign": c.Resign, "cast": c.CastSpell}
    return plain[kind](character) if kind in plain else None


def _acted(state: HostState, selection: Selection) -> Any:
    unit = selection[0]
    if not state.wing:
        kind, _colon, wing = first_of(selection).partition(":")
        return c.TakeWing(wing) if kind == TAKE else None
    if unit not in state.units:
        return None
    picked = read_picks(state, selection)
    if picked.act == RALLY:
        return c.RallyUnit(unit)
    if picked.how.startswith(DUEL):
        return c.FightDuel(unit, picked.target, picked.how.removeprefix(DUEL), picked.charge)
    if not (picked.hex or picked.target or picked.posture or picked.act in (STAND, EXIT)):
        return None
    attack = c.Strike(picked.target, picked.how or MELEE) if picked.target else None
    path = picked.way or ()
    return c.UnitAct(
        unit, path, "" if path else picked.hex, posture=picked.posture, attack=attack, charge=picked.charge,
        follow=picked.follow, stay=picked.stay, exit=picked.act == EXIT,
    )  # fmt: skip

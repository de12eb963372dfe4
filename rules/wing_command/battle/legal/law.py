"""Legal commands of a whole battle: setup, the phases, the GM's report, and the command that a selection stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.battle_law import Selection
from rules.core.text import Term, _, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm
from rules.hexbattle.field import Token, commands
from rules.wing_command.battle.combat import RESULT_WORDS, RESULTS
from rules.wing_command.battle.legal.action import legal_action
from rules.wing_command.battle.legal.command_phase import legal_command
from rules.wing_command.battle.legal.pieces import (
    EXIT,
    POSTURE_GLYPHS,
    RALLY,
    STAND,
    TAKE,
    confirm,
    deed_of,
    first_of,
    read_picks,
    standing,
)
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import ACTION, COMMAND, INITIATIVE, HostState
from rules.wing_command.battle.setup import opening_postures
from rules.wing_command.spec import MELEE
from rules.wing_command.starter import ORDERS, POSTURES

# Legal commands of a whole battle: setup, the phases, the GM's report.

GM_COMMANDS = ("reinforce", "override", "paint", "end")


def legal_now(state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Legal commands of a viewer in play, given their picks."""
    member = any(viewer.commands(wing) for wing in state.wings)
    if state.blow is not None:
        return _reporting(state, viewer, selection)
    if not member:
        return BoardLegal(())
    if state.phase == COMMAND:
        found = legal_command(state, viewer, selection)
    elif state.phase == ACTION:
        found = legal_action(state, viewer, selection)
    elif state.phase == INITIATIVE:
        act = confirm(c.RollInitiative(), say(_("Roll initiative")), throws=True)
        found = BoardLegal(("roll_initiative",), confirm=act, turn=True)
    else:
        act = confirm(c.ResolveRout(), say(_("Resolve routs and rallies")), throws=True)
        found = BoardLegal(("resolve_rout",), confirm=act, turn=True)
    return found._replace(commands=(*found.commands, *GM_COMMANDS)) if viewer.gm else found


def _reporting(state: HostState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """The choices of the GM who reports the result of an attack; others only see that it is waited for."""
    blow = state.blow
    assert blow is not None
    told = {"unit": state.told_name(blow.attacker), "foe": state.told_name(blow.target)} if _known(state) else {}
    must = say(_("Attack of {unit} on {foe}: waiting for the GM to enter the result."), **told) if told else None
    if not viewer.gm:
        return BoardLegal((), must=must)
    acts = tuple(Act(slug, RESULT_WORDS[slug]) for slug in RESULTS[blow.how])
    chosen = first_of(selection) if first_of(selection) in RESULTS[blow.how] else ""
    act = confirm(c.ReportBlow(chosen), say(_("Enter: {result}"), result=RESULT_WORDS[chosen])) if chosen else None
    return BoardLegal(("report", *GM_COMMANDS), standing(more=(chosen,)), acts=acts, must=must, confirm=act, turn=True)


def _known(state: HostState) -> bool:
    blow = state.blow
    return blow is not None and {blow.attacker, blow.target} <= state.field.tokens.keys()


# Setup


def legal_of_setup(state: HostState, viewer: Viewer, selection: Selection, found: BoardLegal) -> BoardLegal:
    """The choices of setup: placing, and postures of the picked unit.

    Orders are set per wing. With nothing picked, the confirming button is the same for all hex laws.
    """
    own = [token for token in state.field.tokens.values() if commands(viewer, token)]
    slugs = found.commands
    if own:
        slugs = (*slugs, "set_order", "set_posture")
    if any(token.waiting and token.side not in state.field.ready for token in own):
        slugs = (*slugs, "line_up")
    if viewer.gm:
        slugs = (*slugs, "option", "name_army_leader", "edit_unit")
    found = found._replace(commands=slugs)
    token = next((token for token in own if selection and token.id == selection[0]), None)
    if token is None:
        return found
    postures = tuple(_postures(state, token))
    chosen = next((act.slug for act in postures if act.slug in selection[1:]), "")
    acts = (*found.acts, *postures)
    if not chosen:
        return found._replace(acts=acts)
    return found._replace(acts=acts, picked=standing(token.id, more=(chosen,)), confirm=_taken(state, token, chosen))


def _postures(state: HostState, token: Token) -> Iterator[Act]:
    """The postures it can begin in, other than its current one."""
    own = state.units[token.id]
    if token.side in state.field.ready:
        return
    for slug in opening_postures(state, token.id):
        if slug != own.posture:
            yield Act(f"posture:{slug}", POSTURES[slug].name, POSTURE_GLYPHS[slug])


def _taken(state: HostState, token: Token, chosen: str) -> Confirm:
    slug = chosen.partition(":")[2]
    title = say(Term("{unit}: {posture}"), unit=state.name_in_side(token.id), posture=POSTURES[slug].name)
    return confirm(c.SetPosture(token.id, slug), title)


# The command a selection stands for, legal or not, so that a refusal can be explained.

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

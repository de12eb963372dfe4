"""Legal commands of a whole battle: setup, questions, and the phases of a player turn."""

from __future__ import annotations

from rules.battle_law import Selection
from rules.core.text import _, say
from rules.core.viewers import Viewer
from rules.hexbattle import asking
from rules.hexbattle.board import Act, BoardLegal
from rules.hexbattle.seeing import sides_of
from rules.hexbattle.tokens import commands
from rules.thucidide_fantasy.battle import permission
from rules.thucidide_fantasy.battle.answers import question
from rules.thucidide_fantasy.battle.combat.stops import FLEE
from rules.thucidide_fantasy.battle.legal.command_phase import legal_command
from rules.thucidide_fantasy.battle.legal.fighting import legal_combat
from rules.thucidide_fantasy.battle.legal.magic import legal_spells
from rules.thucidide_fantasy.battle.legal.movement_phase import legal_movement
from rules.thucidide_fantasy.battle.legal.pieces import confirm
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import COMMANDING, FIGHTING_PHASE, MOVING, FantasyState

GM_COMMANDS = ("override", "reinforce", "divine", "paint", "end")
OF_PHASES = {COMMANDING: legal_command, MOVING: legal_movement, FIGHTING_PHASE: legal_combat}


def legal_now(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """What a viewer may do in play, given their picks."""
    more = GM_COMMANDS if viewer.gm else ()
    if state.fight is not None:
        return _answering(state, viewer, selection, more)
    if state.side not in sides_of(state.field, viewer):
        return BoardLegal(more)
    found = OF_PHASES.get(state.phase, legal_spells)(state, viewer, selection)
    return found._replace(commands=(*found.commands, *more)) if more else found


def _answering(state: FantasyState, viewer: Viewer, selection: Selection, more: tuple[str, ...]) -> BoardLegal:
    asked = question(state)
    assert asked is not None
    assert state.fight is not None
    if not permission.answers(state, viewer):
        return BoardLegal(more, must=asked.text)
    if state.fight.asks != FLEE:
        return BoardLegal(("answer", state.fight.asks, *more), must=asked.text, turn=True)
    person = state.fight.todo[0].unit
    found = asking.legal((asked,), state.field, selection, ("flee", *more), _("Flee to {hex}"))
    picked = (person, *found.picked[1:])
    if found.confirm is None:
        return found._replace(picked=(person,))
    title = say(_("{unit} flees to {hex}"), unit=state.name_in_side(person), hex=picked[1])
    confirm = found.confirm._replace(command=c.FleeTo(person, picked[1]), title=title)
    return found._replace(picked=picked, confirm=confirm)


# Setup


def legal_of_setup(state: FantasyState, viewer: Viewer, selection: Selection, found: BoardLegal) -> BoardLegal:
    """The choices of setup: placing, units a character can join, and what the GM may set."""
    own = [token for token in state.field.tokens.values() if commands(viewer, token)]
    slugs = found.commands
    if own:
        slugs = (*slugs, "attach", "choose_cards")
        if any(token.waiting and token.side not in state.field.ready for token in own):
            slugs = (*slugs, "line_up")
    if viewer.gm:
        slugs = (*slugs, "option", "edit_unit", "grant", "consent", "reveal", "seal", "victory", "name_general")
    found = found._replace(commands=slugs)
    token = next((token for token in own if selection and token.id == selection[0]), None)
    if token is None:
        return found
    if not token.character or token.side in state.field.ready:
        return found
    units = [unit for unit in state.field.of_side(token.side) if not unit.character and unit.at and unit.at != token.at]
    acts = tuple(
        Act(f"attach:{unit.id}", say(_("Join {unit}"), unit=state.name_in_side(unit.id)), "g-banner") for unit in units
    )
    chosen = next((act for act in acts if act.slug in selection[1:]), None)
    acts = (*found.acts, *acts)
    if chosen is None:
        return found._replace(acts=acts)
    command = c.AttachCharacter(token.id, chosen.slug.removeprefix("attach:"))
    return found._replace(acts=acts, picked=(token.id, "", "", chosen.slug), confirm=confirm(command, chosen.label))

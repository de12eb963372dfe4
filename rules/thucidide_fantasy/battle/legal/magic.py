"""Legal commands of the spell phase: who casts what at whom, turned undead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.battle_law import Selection
from rules.core.text import Said, Term, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Target
from rules.hexbattle.common import army_of
from rules.hexbattle.tokens import by_name, commands
from rules.thucidide_fantasy.battle.legal.pieces import confirm
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.spells.aiming import choices
from rules.thucidide_fantasy.battle.spells.casting import known_spells, why_not_cast
from rules.thucidide_fantasy.battle.telling.names import spell_name
from rules.thucidide_fantasy.battle.turn import forced
from rules.thucidide_fantasy.battle.undead import prey_of, turned_of
from rules.thucidide_fantasy.spec import POINTS

SLUGS = ("cast", "decline", "turn_attack", "end_phase")
SPELL, DECLINE, AIM = "spell:", "decline", "+"
COSTS = by_number("{count} point", "{count} points")


def legal_spells(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """Of a caster that is picked their spells, of a spell its targets; a target of several parts joins them by `+`."""
    own = [token for token in by_name(state.field.of_side(state.side)) if token.standing]
    casters = [token.id for token in own if commands(viewer, token) and token.id in state.people]
    able = tuple(one for one in casters if why_not_cast(state, one) is None)
    undead = tuple(unit for unit in turned_of(state, state.side) if _attacks(state, viewer, unit))
    found = BoardLegal(SLUGS, able=(*able, *undead), turn=True)
    first = selection[0] if selection else ""
    if first in able:
        return _caster(state, first, selection, found)
    if first in undead:
        return _turned(state, first, selection, found)
    waiting = [state.name(unit) for unit in forced(state)]
    must = say(_("Still to attack: {names}"), names=waiting) if waiting else None
    done = None if waiting else confirm(c.EndPhase(), _("End the spell phase"))
    return found._replace(must=must, confirm=done)


def _attacks(state: FantasyState, viewer: Viewer, unit: str) -> bool:
    own = viewer.commands(army_of(state.units[unit].turner))
    return own and not state.doing(unit).fought and bool(prey_of(state, unit, state.side))


def _caster(state: FantasyState, caster: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    acts = tuple(_acts(state, caster))
    picks = selection[1:]
    slug = next((pick.removeprefix(SPELL) for pick in picks if pick.startswith(SPELL)), "")
    if DECLINE in picks:
        done = confirm(c.DeclineSpell(caster), say(_("{unit} casts no spell"), unit=state.name(caster)))
        return found._replace(picked=(caster, DECLINE), acts=acts, confirm=done)
    if slug not in known_spells(state, caster):
        return found._replace(picked=(caster,), acts=acts)
    options = list(choices(state, caster, slug))
    targets = tuple(_target(state, one) for one in options if one)
    named = next(
        (one for one in options if AIM.join(one) in picks or (one and one[0] in picks and len(one) == 1)), None
    )
    if not targets and () in options:
        named = ()
    spell = f"{SPELL}{slug}"
    picked = (caster, "", AIM.join(named), spell) if named else (caster, spell)
    cast = _cast(state, caster, slug, named) if named is not None else None
    return found._replace(picked=picked, acts=acts, targets=targets, confirm=cast)


def _named_by(parts: tuple[str, ...], picks: Sequence[str]) -> bool:
    return bool(parts) and (AIM.join(parts) in picks or (len(parts) == 1 and parts[0] in picks))


def _acts(state: FantasyState, caster: str) -> Iterator[Act]:
    for slug in known_spells(state, caster):
        note: Said | str = say(COSTS, count=state.options.spells[slug].cost) if state.options.supply == POINTS else ""
        yield Act(f"{SPELL}{slug}", spell_name(state, slug), "spell", note)
    yield Act(DECLINE, _("Cast no spell"), "spell")


def _target(state: FantasyState, parts: tuple[str, ...]) -> Target:
    first = parts[0]
    at = state.at(first) if first in state.field.tokens else first
    names = [state.name(one) if one in state.field.tokens else one for one in parts]
    return Target(AIM.join(parts), at, say(Term("{names}"), names=names), "spell")


def _cast(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Confirm:
    title = say(_("{unit} casts {spell}"), unit=state.name(caster), spell=spell_name(state, slug))
    return confirm(c.CastSpell(caster, slug, targets), title, throws=True)


def _turned(state: FantasyState, unit: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    prey = prey_of(state, unit, state.side)
    targets = tuple(Target(foe, state.at(foe), state.name(foe), "turned") for foe in prey)
    chosen = next((foe for foe in prey if foe in selection[1:] or state.at(foe) in selection[1:]), "")
    done = None
    if chosen:
        title = say(_("{unit} attacks {foe}"), unit=state.name(unit), foe=state.name(chosen))
        done = confirm(c.TurnAttack(unit, chosen), title, throws=True)
    return found._replace(picked=(unit, "", chosen) if chosen else (unit,), targets=targets, confirm=done)

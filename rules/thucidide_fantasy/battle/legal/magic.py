"""Legal commands of the spell phase: spells, their targets, and attacks of turned undead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.battle_law import Selection
from rules.core.text import Said, Term, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Act, BoardLegal, Confirm, Ring, Target
from rules.hexbattle.common import army_of
from rules.hexbattle.field import by_name, commands
from rules.thucidide_fantasy.battle.legal.pieces import confirm, ending
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.spells.aiming import (
    CHAIN_LENGTH,
    ELEMENT_MOST,
    SEVERAL,
    beside_chosen,
    choices,
    filled_up,
    in_a_row,
    why_not_aim,
)
from rules.thucidide_fantasy.battle.spells.spell_effects import known_spells, why_not_cast
from rules.thucidide_fantasy.battle.telling.summary import glyph_of_spell, spell_name
from rules.thucidide_fantasy.battle.turn import forced
from rules.thucidide_fantasy.battle.undead import prey_of, turned_of
from rules.thucidide_fantasy.spec import CHAIN, POINTS
from rules.thucidide_fantasy.starter import TROOPS

SLUGS = ("cast", "decline", "turn_attack", "end_phase")
SPELL, DECLINE, AIM, PLUS, FILL = "spell:", "decline", "aim:", "+", "fill"
NO_TARGET = _("Nothing in range is a valid target for this spell.")
COSTS = by_number("{count} point", "{count} points")
CARDS_LEFT = by_number("{count} card", "{count} cards")
HEXES_LEFT = by_number("Choose {count} more adjacent hex.", "Choose {count} more adjacent hexes.")
MORE_HEXES = by_number("You can add {count} more adjacent hex.", "You can add {count} more adjacent hexes.")


def legal_spells(state: FantasyState, viewer: Viewer, selection: Selection) -> BoardLegal:
    """The spells of the picked caster, and the targets of the picked spell."""
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
    waiting = [state.name_in_side(unit) for unit in forced(state)]
    must = say(_("Still to attack: {names}"), names=waiting) if waiting else None
    done = None if waiting else ending(state, viewer, _("End the spell phase"), found.able)
    return found._replace(must=must, confirm=done)


def _attacks(state: FantasyState, viewer: Viewer, unit: str) -> bool:
    own = viewer.commands(army_of(state.units[unit].turner))
    return own and not state.doing(unit).fought and bool(prey_of(state, unit, state.side))


def _caster(state: FantasyState, caster: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    acts = tuple(_acts(state, caster))
    picks = selection[1:]
    slug = next((pick.removeprefix(SPELL) for pick in picks if pick.startswith(SPELL)), "")
    if DECLINE in picks:
        done = confirm(c.DeclineSpell(caster), say(_("{unit}: no spell"), unit=state.name_in_side(caster)))
        return found._replace(picked=(caster, "", "", DECLINE), acts=acts, confirm=done)
    if slug not in known_spells(state, caster):
        must = _("Choose a spell, or cast none.")
        return found._replace(picked=(caster,), acts=acts, must=must)
    return _aiming(state, caster, slug, picks, found._replace(acts=acts))


def _aiming(state: FantasyState, caster: str, slug: str, picks: Selection, found: BoardLegal) -> BoardLegal:
    """The targets of a chosen spell, and then, where a target allows several ways, which one (`aim:<parts>`)."""
    spell = state.options.spells[slug]
    within = state.field.ground.within(state.at(caster), spell.range)
    rings: tuple[Ring, ...] = (Ring("spell", _("Range of the spell"), within),)
    if spell.on in SEVERAL:
        return _patching(state, caster, slug, picks, found._replace(rings=rings))
    options = list(choices(state, caster, slug))
    firsts = list(dict.fromkeys(option[0] for option in options if option))
    first = next((one for one in firsts if one in picks), "")
    first = first or next((one for one in firsts if _at(state, one) in picks), "")
    fitting = [option for option in options if option and option[0] == first]
    named = next((option for option in fitting if f"{AIM}{PLUS.join(option[1:])}" in picks), None)
    named = named or (fitting[0] if fitting else None)
    if not firsts and () in options:
        named = ()
    targets = tuple(_target(state, one, f"{SPELL}{slug}") for one in firsts)
    parts = tuple(_part(state, option, slug) for option in fitting) if len(fitting) > 1 else ()
    picked = [f"{SPELL}{slug}"]
    if named and len(fitting) > 1:
        picked.append(f"{AIM}{PLUS.join(named[1:])}")
    must = None if named is not None else _("Choose the target of the spell.") if firsts else NO_TARGET
    return found._replace(
        picked=(caster, "", first, *picked), acts=(*parts, *found.acts), targets=targets, rings=rings, must=must,
        confirm=None if named is None else _cast(state, caster, slug, named),
    )  # fmt: skip


def _acts(state: FantasyState, caster: str) -> Iterator[Act]:
    """The cards in hand with their number, or the spells that can be paid for; and the choice to cast none."""
    person = state.people[caster]
    for slug in known_spells(state, caster):
        cost = say(COSTS, count=state.options.spells[slug].cost)
        cards = person.cards.count(slug)
        note = cost if state.options.supply == POINTS else say(CARDS_LEFT, count=cards)
        yield Act(f"{SPELL}{slug}", spell_name(state, slug), glyph_of_spell(slug), note)
    yield Act(DECLINE, _("Cast no spell"), "g-hood")


def _at(state: FantasyState, what: str) -> str:
    return state.at(what) if what in state.field.tokens else what


def _part(state: FantasyState, option: tuple[str, ...], spell: str) -> Act:
    """One of several ways to cast a spell on the same target: a phantom's type, a spell to end, a prey."""
    label = say(Term("{names}"), names=_names(state, option[1:]))
    return Act(f"{AIM}{PLUS.join(option[1:])}", label, "g-aim", along=(f"{SPELL}{spell}",))


# Spells on several hexes (T-98)


def _patching(state: FantasyState, caster: str, slug: str, picks: Selection, found: BoardLegal) -> BoardLegal:
    """The choices for a spell on several hexes: each pick adds or removes one; `fill` adds the rest."""
    spell, ground = f"{SPELL}{slug}", state.field.ground
    chosen = tuple(one for one in dict.fromkeys(picks) if one in ground)
    full = filled_up(state, caster, slug, chosen)
    fills = FILL in picks
    chosen = full if fills else chosen
    chain = state.options.spells[slug].on == CHAIN
    chosen = (chain and in_a_row(chosen)) or chosen
    more = beside_chosen(state, caster, slug, chosen)
    targets = tuple(
        Target(at, at, at, "spell", label=say(Term("{name}"), name=at), pick=at, icon="g-swirl", adds=True,
               along=(spell,)) for at in (*chosen, *more)
    )  # fmt: skip
    able = len(full) > len(chosen) and why_not_aim(state, caster, slug, full) is None
    rest = (Act(FILL, _("Choose the rest for me"), "g-aim", along=(spell, *chosen)),) if able else ()
    rings = (*found.rings, Ring("aim", _("Hexes of the spell"), frozenset(chosen))) if chosen else found.rings
    return found._replace(
        picked=(caster, "", "", spell, *chosen, *((FILL,) if fills else ())), acts=(*rest, *found.acts),
        targets=targets, rings=rings, must=_hexes_asked(chosen, more, chain=chain),
        confirm=_cast_on_hexes(state, caster, slug, chosen) if chosen else None,
    )  # fmt: skip


def _hexes_asked(chosen: Sequence[str], more: Sequence[str], *, chain: bool) -> Said | None:
    if not chosen:
        if not more:
            return NO_TARGET
        return (
            _("Choose four empty hexes in a row.") if chain else _("Choose up to 7 adjacent hexes of the same terrain.")
        )
    if chain:
        left = CHAIN_LENGTH - len(chosen)
        return say(HEXES_LEFT, count=left) if left > 0 else None
    return say(MORE_HEXES, count=ELEMENT_MOST - len(chosen)) if more else None


def _cast_on_hexes(state: FantasyState, caster: str, slug: str, chosen: tuple[str, ...]) -> Confirm:
    """The confirming button, disabled with the reason until the chosen hexes are a valid target."""
    return _cast(state, caster, slug, chosen)._replace(why_not=why_not_aim(state, caster, slug, chosen))


def _names(state: FantasyState, parts: Sequence[str]) -> list[Said | str]:
    return [_named(state, one) for one in parts]


def _named(state: FantasyState, what: str) -> Said | str:
    if what in state.field.tokens:
        return state.told_name(what)
    if what in TROOPS:
        return TROOPS[what].name
    return spell_name(state, what) if what in state.options.spells else what


def _target(state: FantasyState, first: str, spell: str) -> Target:
    name = _named(state, first)
    at, label = _at(state, first), say(Term("{name}"), name=name)
    return Target(first, at, name, "spell", label=label, pick=spell, icon="g-swirl")


def _cast(state: FantasyState, caster: str, slug: str, targets: tuple[str, ...]) -> Confirm:
    told = {"unit": state.name_in_side(caster), "spell": spell_name(state, slug)}
    title = say(_("Spell of {unit}: {spell}"), **told)
    if targets:
        title = say(_("Spell of {unit}: {spell} ({names})"), names=_names(state, targets), **told)
    button = say(_("Cast {spell}"), spell=told["spell"])
    return Confirm(c.CastSpell(caster, slug, targets), title, button, throws=True, icon="g-swirl")


def _turned(state: FantasyState, unit: str, selection: Selection, found: BoardLegal) -> BoardLegal:
    prey = prey_of(state, unit, state.side)
    targets = tuple(Target(foe, state.at(foe), state.name_in_side(foe), "turned") for foe in prey)
    chosen = next((foe for foe in prey if foe in selection[1:] or state.at(foe) in selection[1:]), "")
    done = None
    if chosen:
        title = say(_("Attack of {unit} on {foe}"), unit=state.name_in_side(unit), foe=state.name_in_side(chosen))
        done = confirm(c.TurnAttack(unit, chosen), title, throws=True)
    return found._replace(picked=(unit, "", chosen) if chosen else (unit,), targets=targets, confirm=done)

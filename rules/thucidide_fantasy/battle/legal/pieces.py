"""Parts of the legal choices: targets with dice lines and exact chances, dangers on the board, and confirming
buttons.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

from rules.core.breakdown import Line
from rules.core.text import Said, _, by_number, say, signed, verbatim
from rules.core.viewers import Viewer
from rules.hexbattle.board import Confirm, Facts, Piece, Target, Threat, Threats, name_side
from rules.hexbattle.choosing import threats
from rules.hexbattle.field import Token
from rules.hexbattle.moving import Mover
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.combat.engagement import range_of, shot_of, why_not_melee
from rules.thucidide_fantasy.battle.combat.melee import fires
from rules.thucidide_fantasy.battle.factors import (
    MELEE,
    RIPOSTE,
    SHOT,
    AimedBlow,
    adjusted_dice,
    dice_of,
    heroes_with,
    is_assault,
    throw_at,
)
from rules.thucidide_fantasy.battle.legal.stand_losses import chances_of, stands_of
from rules.thucidide_fantasy.battle.paces import mover_of, pace_of
from rules.thucidide_fantasy.battle.record.commands import EndPhase
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import backed, flies, foes, is_hero, threatens
from rules.thucidide_fantasy.battle.throws import Throw
from rules.thucidide_fantasy.starter import EXPERIENCES, KINDS, WEIGHTS

# Parts of the legal choices: targets with dice lines and exact chances, and confirming buttons.

CHOOSE = _("Choose a unit, or end the phase")
DIES = _("destroyed")
LOSES = by_number("loses {count} stand", "loses {count} stands")
ONE_OR_MORE = _("at least 1 loss")
NAME = "attack"
FLEES = _("flees")


def strike_blow(state: FantasyState, piece: str, foe: Token, source: str) -> AimedBlow:
    """The melee attack as it would be rolled from a hex, without heroes who would fight a duel first."""
    fighters = () if piece in state.people else heroes_with(state, piece)
    against = (foe.id,) if is_hero(state, foe.id) else tuple(heroes_with(state, foe.id))
    left = tuple(fighters[len(against) :])
    return AimedBlow(piece, foe.id, MELEE, source, foe.at, is_assault(state, piece, source, foe.at), left)


def throw_of(state: FantasyState, piece: str, foe: Token, source: str, how: str) -> tuple[Throw, tuple[Line, ...]]:
    """The throw of a melee or shot from a hex, with the lines of its dice."""
    if how == SHOT:
        return throw_at(state, shot_of(state, piece, foe), "shot", fire=fires(state, piece))
    return throw_at(state, strike_blow(state, piece, foe, source), NAME)


def pieces(state: FantasyState, made: Throw, target: str) -> tuple[Piece, ...]:
    """The chance of each number of losses; losing all stands means destruction."""
    stands, chances = stands_of(state, target), chances_of(state, made, target)
    top = len(chances) - 1
    found = []
    for number, chance in enumerate(chances):
        dead = number >= stands
        label = DIES if dead else say(LOSES, count=number) if number else _("no loss")
        tone = 1 if not number else 5 if dead else min(4, 1 + number)
        if chance or number < top:
            found.append(Piece("destroyed" if dead else f"lost-{number}", label, chance, tone))
    return tuple(found)


def target_of(state: FantasyState, piece: str, foe: Token, source: str, how: str) -> Target:
    """An enemy as a target, with the dice and chances of the attack."""
    name = state.name_in_side(foe.id)
    label = say(_("Shoot at {foe}") if how == SHOT else _("Attack {foe}"), foe=name)
    if foe.id in state.people and not is_hero(state, foe.id):
        sure = (Piece("flees", FLEES, Fraction(1), 3),)
        return Target(foe.id, foe.at, name, how, source, Fraction(1), FLEES, sure, label=label)
    made, lines = throw_of(state, piece, foe, source, how)
    bar = pieces(state, made, foe.id)
    harm = 1 - bar[0].chance
    if how == MELEE and is_assault(state, piece, source, foe.at):
        label = say(_("Assault {foe}"), foe=name)
    throw = say(DICE, count=made.dice)
    told = (*sum_lines(lines), *_then(state, piece, foe, source, how))
    icon = "g-aim" if how == SHOT else "g-swords"
    return Target(foe.id, foe.at, name, how, source, harm, ONE_OR_MORE, bar, told, throw, label, pick=how, icon=icon)


DICE = by_number("{count} die", "{count} dice")
BACK = by_number("then {foe} will strike back with {count} die", "then {foe} will strike back with {count} dice")
FIRST = _("{hero} and {foe} fight each other first")


def _then(state: FantasyState, piece: str, foe: Token, source: str, how: str) -> Iterator[Said]:
    """The combats that accompany an attack: duels of heroes, a riposte."""
    if how == SHOT:
        return
    own = (piece,) if is_hero(state, piece) else tuple(heroes_with(state, piece))
    others = (foe.id,) if is_hero(state, foe.id) else tuple(heroes_with(state, foe.id))
    if piece in state.units or foe.id in state.units:
        for one, other in zip(own, others, strict=False):
            yield say(FIRST, hero=state.told_name(one), foe=state.told_name(other))
    if backed(state, foe.id) or (flies(state, piece) and not flies(state, foe.id)):
        left = () if foe.id in state.people else tuple(others[len(own) :])
        count = dice_of(state, AimedBlow(foe.id, piece, RIPOSTE, foe.at, source, heroes=left))
        yield say(BACK, foe=state.name_in_side(foe.id), count=count)


def sum_lines(lines: tuple[Line, ...]) -> tuple[Said, ...]:
    return tuple(say(_("{label}: {value}"), label=line.label, value=signed(line.value)) for line in lines)


def ending(state: FantasyState, viewer: Viewer, button: Said, able: Collection[str], choose: Said = CHOOSE) -> Confirm:
    """The button that ends a phase; its title says whether anything is left to do."""
    title = choose if able else _("Nothing left to do in this phase")
    return Confirm(EndPhase(), title, name_side(button, state.opening.sides[state.side], viewer))


def confirm(command: Any, title: Said, *, throws: bool = False, note: Said | str = "") -> Confirm:
    """A confirming button whose label is its title."""
    return Confirm(command, title, title, note, throws)


# Threats and facts on the board: what visible enemies could do to a unit on a hex, and the unit's figures.


def dangers(state: FantasyState, piece: str, at: str) -> Sequence[Threat]:
    """The worst melee of each visible enemy that could reach a unit or character on a hex in its next turn."""
    return Threats(lambda: _list_dangers(state, piece, at)) if threatens(state, piece) else ()


def _list_dangers(state: FantasyState, piece: str, at: str) -> tuple[Threat, ...]:
    now = state.but(field=state.field.put(piece, at=at)) if at != state.at(piece) else state
    target = now.token(piece)

    def mover(enemy: Token) -> Mover:
        return mover_of(now, enemy.id, pace_of(now, enemy.id).fighting)

    def blow(enemy: Token, source: str) -> Threat | None:
        if source not in near or why_not_melee(now, enemy.id, target, source) is not None:
            return None
        assault = source != enemy.at and enemy.at not in near
        made, _lines = throw_at(now, AimedBlow(enemy.id, piece, MELEE, source, at, assault), "attack")
        there = now if enemy.at == source else now.but(field=now.field.put(enemy.id, at=source))
        return Threat(enemy.id, now.name_in_side(enemy.id), "", say(DICE, count=made.dice), pieces(there, made, piece))

    near = frozenset(now.field.ground.around(at))
    return threats(now.field, foes(now, target.side), mover, blow)


# Facts


def facts_of(state: FantasyState, piece: str) -> Facts:
    """The public figures of a unit or character."""
    lines = _unit(state, piece) if piece in state.units else _person(state, piece)
    return Facts(piece, lines)


def _unit(state: FantasyState, piece: str) -> tuple[tuple[Said, Said | str], ...]:
    own, unit = state.units[piece].own, state.units[piece]
    weight = next((one.name for one in WEIGHTS.values() if one.level == own.weight), verbatim(str(own.weight)))
    found: list[tuple[Said, Said | str]] = [
        (_("Stands left"), say(_("{left} of {whole}"), left=unit.stands, whole=unit.start)),
        (_("Type"), KINDS[own.kind].name),
        (_("Weight"), weight),
        (_("Assault and melee"), verbatim(f"{own.assault}–{own.melee}")),
    ]
    if own.dice:
        found.append((EXPERIENCES[own.experience].name, verbatim(signed(own.dice))))
    found += [(line.label, verbatim(signed(line.value))) for line in adjusted_dice(own)]
    if own.shot:
        found.append((_("Shot and range"), verbatim(f"{own.shot}, {range_of(state, piece)}")))
    pace = pace_of(state, piece)
    found.append((_("Move, and move without fighting"), verbatim(f"{pace.fighting}, {pace.calm}")))
    slugs = (*((own.temper,) if own.temper else ()), *(one.trait for one in own.traits))
    found += [(_("Trait"), TRAITS[slug].name) for slug in slugs if slug in TRAITS]
    return tuple(found)


def _person(state: FantasyState, piece: str) -> tuple[tuple[Said, Said | str], ...]:
    person = state.people[piece]
    found: list[tuple[Said, Said | str]] = [(_("Move"), verbatim(str(pace_of(state, piece).fighting)))]
    if person.own.hero:
        found.append((_("Resistance left"), say(_("{left} of {whole}"), left=person.left, whole=person.start)))
        found.append((_("Melee factor"), verbatim(str(person.own.melee))))
    found += [(_("Trait"), TRAITS[one.trait].name) for one in person.own.traits if one.trait in TRAITS]
    return tuple(found)

"""Threats and facts on the board: what visible enemies could do to a unit on a hex, and the unit's figures."""

from __future__ import annotations

from rules.core.text import Said, _, say, signed, verbatim
from rules.hexbattle.board import Facts, Threat
from rules.hexbattle.moving import Mover
from rules.hexbattle.threats import threats
from rules.hexbattle.tokens import Token
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.combat.engagement import range_of, why_not_melee
from rules.thucidide_fantasy.battle.factors import MELEE, AimedBlow, throw_at
from rules.thucidide_fantasy.battle.legal.pieces import DICE, pieces
from rules.thucidide_fantasy.battle.paces import mover_of, pace_of
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import foes, threatens
from rules.thucidide_fantasy.starter import EXPERIENCES, KINDS, WEIGHTS


def dangers(state: FantasyState, piece: str, at: str) -> tuple[Threat, ...]:
    """The worst melee of each visible enemy that could reach a unit or character on a hex in its next turn."""
    if not threatens(state, piece):
        return ()
    now = state.but(field=state.field.put(piece, at=at)) if at != state.at(piece) else state
    target = now.token(piece)

    def mover(enemy: Token) -> Mover:
        return mover_of(now, enemy.id, pace_of(now, enemy.id).fighting)

    def blow(enemy: Token, source: str) -> Threat | None:
        if source not in near or why_not_melee(now, enemy.id, target, source) is not None:
            return None
        assault = source != enemy.at and enemy.at not in near
        made, _lines = throw_at(now, AimedBlow(enemy.id, piece, MELEE, source, at, assault), "attack")
        return Threat(enemy.id, now.name_in_side(enemy.id), "", say(DICE, count=made.dice), pieces(now, made, piece))

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

"""GM overrides in THUCIDIDE fantasy: traits, cards, masters, effects and graves."""

from __future__ import annotations

from battles.hexes.hand_forms import GRAVE, NO_GRAVE, ByHandForm, HandDeeds, make_deeds, make_effect_deeds
from core.text import render
from rules.core.text import Said
from rules.core.text import _ as term
from rules.hexbattle.field import Token, by_name
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.overrides import (
    CARD,
    GIVE,
    MASTER,
    TAKE,
    TRAIT,
    beginnable,
    givable_traits,
    has_fallen,
    has_grave,
    masters_of,
    running_on,
    side_or_piece,
    traits_of,
)
from rules.thucidide_fantasy.battle.record.hand_fold import SIDES
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import GROVE, is_undead
from rules.thucidide_fantasy.battle.telling.summary import name_effect, spell_name
from rules.thucidide_fantasy.spec import CARDS

GIVES, TAKES, NO_MASTER = term("Give: {what}"), term("Take away: {what}"), term("No master")


def list_fallen(state: FantasyState) -> list[tuple[str, str]]:
    """The units that fell in the battle, with their side; they have or had a grave."""
    fell = by_name(token for token in state.field.tokens.values() if token.id in state.units and has_fallen(token))
    return [(token.id, name_with_side(state, token)) for token in fell]


def name_with_side(state: FantasyState, token: Token) -> str:
    """The name of a unit or character with its side's, in the reader's language."""
    return f"{render(token.name)} ({state.opening.sides[token.side]})"


def list_trait_deeds(state: FantasyState, piece: str) -> list[HandDeeds]:
    """The deeds on traits: those that can be given to a unit or character, and those that can be taken."""
    own = dict.fromkeys(one.trait for one in traits_of(state, piece))
    givable = givable_traits(state, piece)
    return [
        make_deeds(term("Give a trait"), GIVES, TRAIT, ((GIVE + slug, TRAITS[slug].name) for slug in givable)),
        make_deeds(term("Take a trait away"), TAKES, TRAIT, ((TAKE + slug, TRAITS[slug].name) for slug in own)),
    ]


class FantasyHandForm(ByHandForm):
    """Override form for traits, cards, masters, effects and graves."""

    def is_target(self, what: str) -> bool:
        return what in SIDES or what in self.state.field.tokens or what in self.state.field.ground

    def name_target(self, what: str) -> str:
        if what in SIDES:
            return str(self.state.opening.sides[int(what)])
        token = self.state.field.tokens.get(what)
        return name_with_side(self.state, token) if token else what

    def list_deeds(self, what: str) -> list[HandDeeds]:
        state: FantasyState = self.state
        token = state.field.tokens.get(what)
        if token is not None and token.gone:
            return self._of_fallen(what) if has_fallen(token) else []
        found: list[HandDeeds] = []
        if token is not None:
            found += list_trait_deeds(state, what)
            found += self._of_caster(what) if what in state.people else self._of_undead(what)
        return [*found, *self._effects(side_or_piece(what))]

    def _of_caster(self, person: str) -> list[HandDeeds]:
        state: FantasyState = self.state
        if not state.people[person].own.casts or state.options.supply != CARDS:
            return []
        known, held = state.options.spells, dict.fromkeys(state.people[person].cards)
        return [
            make_deeds(term("Give a card"), GIVES, CARD, ((GIVE + one, spell_name(state, one)) for one in known)),
            make_deeds(term("Take a card away"), TAKES, CARD, ((TAKE + one, spell_name(state, one)) for one in held)),
        ]

    def _of_undead(self, unit: str) -> list[HandDeeds]:
        state: FantasyState = self.state
        if not is_undead(state, unit):
            return []
        now = state.units[unit].master
        names = [(one, state.name(one)) for one in masters_of(state, unit) if one != now]
        found = make_deeds(term("Choose the master"), term("Master: {what}"), MASTER, names)
        return [found._replace(deeds=[*found.deeds, (f"{MASTER}:", NO_MASTER)]) if now else found]

    def _effects(self, what: str) -> list[HandDeeds]:
        state: FantasyState = self.state
        told = [(slug, name_effect(state, slug)) for slug in dict.fromkeys(running_on(state, what))]
        endless = [one for one in told if one[0] == GROVE]
        begin = [(slug, spell_name(state, slug)) for slug in beginnable(state, what)]
        return make_effect_deeds(begin, [one for one in told if one not in endless], endless)

    def _of_fallen(self, unit: str) -> list[HandDeeds]:
        deeds: list[tuple[str, Said]] = [(f"{GRAVE}:", term("Set the grave on a hex"))]
        if has_grave(self.state, unit):
            deeds.append((f"{NO_GRAVE}:", term("Take the grave away")))
        return [HandDeeds(term("Grave"), deeds)]

"""Combat factors (TF-1.8): the number of dice, line by line, and what each die does.

`throw_at` makes the throw that is both rolled and shown with its chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.adjustments import adjusted_by, adjustment_lines
from rules.core.breakdown import Line
from rules.core.text import Said, _
from rules.hexbattle.ground import apart
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import (
    ALLIED_NATURE,
    DARKNESS,
    SHACKLES,
    backed,
    bears,
    effects,
    flies,
    is_undead,
    supported,
    terrain_at,
    under,
)
from rules.thucidide_fantasy.battle.throws import ADVANTAGE, FLAG, USUAL_LADDER, Throw, faces_that_hit, stages_of
from rules.thucidide_fantasy.figures import ADJUSTABLE
from rules.thucidide_fantasy.figures import DICE as ADJUSTED_DICE
from rules.thucidide_fantasy.grimoire import DICE, SPELLS
from rules.thucidide_fantasy.spec import ALL, ANIMALS, FOUL_TOUCH, UnitFigures, likes_of
from rules.thucidide_fantasy.starter import KINDS

SHELTERS, BAD_FOOTING = frozenset({"wood", "houses", "thicket"}), frozenset({"marsh", "rocks", "sand", "snow"})
FLAMMABLE = SHELTERS
MELEE, SHOT, RIPOSTE, PURSUIT, DUEL, TURNED = "melee", "shot", "riposte", "pursuit", "duel", "turned"
ARMOUR, GREAT_ARMOUR, BLUR, BELL, INVULNERABLE, FIRE_PROOF = (
    "armour", "great-armour", "blur", "bell", "invulnerable", "fire-proof",
)  # fmt: skip
REBOUND = "rebound"
HINDRANCE, UNAFFECTED, IMMUNITY, SLOWNESS = "hindrance", "unaffected", "immunity", "slowness"
SHACKLED_DICE = 2
FOUL_SUM = 6
NAMES: dict[str, Said] = {
    "assault": _("assault"), "melee": _("melee"), "shot": _("shot"), "experience": _("experience"),
    "hero": _("hero"), "shelter": _("target in shelter"), "footing": _("bad footing"), "darkness": _("darkness"),
    "hindrance": _("hindrance"), "least": _("at least 1 die"), "shackles": _("shackles"), "bell": _("bell"),
}  # fmt: skip


class AimedBlow(NamedTuple):
    """An attack about to be rolled.

    `source`, `place`: the hexes of attacker and target. `assault`: it came from a hex not beside the target. `heroes`:
    whose dice are added.
    """

    by: str
    at: str
    how: str
    source: str
    place: str
    assault: bool = False
    heroes: tuple[str, ...] = ()

    @property
    def ranged(self) -> bool:
        return self.how == SHOT


# Dice


def lines_of(state: FantasyState, blow: AimedBlow) -> tuple[Line, ...]:
    """The dice, line by line; their sum is at least 1."""
    lines = [*_own(state, blow), *_modifiers(state, blow)]
    total = sum(line.value for line in lines)
    for key, most in _limits(state, blow):
        if total > most:
            lines.append(Line(NAMES[key], most - total, "TF-6.3" if key == "shackles" else "TF-3"))
            total = most
    if total < 1:
        lines.append(Line(NAMES["least"], 1 - total, "TF-1.8"))
    return tuple(lines)


def dice_of(state: FantasyState, blow: AimedBlow) -> int:
    """The number of dice of an attack, at least 1."""
    return sum(line.value for line in lines_of(state, blow))


def _own(state: FantasyState, blow: AimedBlow) -> Iterator[Line]:
    if blow.by in state.people:
        own = state.people[blow.by].own
        yield Line(NAMES["shot" if blow.ranged else "melee"], own.shot if blow.ranged else own.melee, "TF-4.2")
    else:
        figures = state.units[blow.by].own
        key = "shot" if blow.ranged else "assault" if blow.assault else "melee"
        yield Line(NAMES[key], getattr(figures, key), "TF-1.14")
        if figures.dice:
            yield Line(NAMES["experience"], figures.dice, "TF-1.8")
        yield from adjusted_dice(figures)
    for hero in blow.heroes:
        own = state.people[hero].own
        yield Line(NAMES["hero"], own.shot if blow.ranged else own.melee, "TF-4.3")


def adjusted_dice(figures: UnitFigures) -> Iterator[Line]:
    """The dice of the GM's lasting adjustments of its army."""
    return adjustment_lines(figures.adjustments, ADJUSTED_DICE, ADJUSTABLE.rule)


def more_dice(figures: UnitFigures) -> int:
    """The dice that experience and adjustments add to each attack of a unit."""
    return figures.dice + adjusted_by(figures.adjustments, ADJUSTED_DICE)


def _modifiers(state: FantasyState, blow: AimedBlow) -> Iterator[Line]:
    yield from _of_ground(state, blow)
    if state.field.timers:
        yield from _of_spells(state, blow)
    if not blow.ranged and blow.by in state.units and hindered(state, blow.by, blow.at):
        yield Line(NAMES["hindrance"], -1, "TF-3.2")


def _of_ground(state: FantasyState, blow: AimedBlow) -> Iterator[Line]:
    """Terrain modifiers. Terrain affects only units on the ground; allied nature doesn't hinder its own side (T-59)."""
    side = state.side_of(blow.by)
    bad = terrain_at(state, blow.source) in BAD_FOOTING and not _allied(state, blow.source, side)
    if bad and not flies(state, blow.by):
        yield Line(NAMES["footing"], -1, "TF-1.5")
    shelter = not blow.ranged and terrain_at(state, blow.place) in SHELTERS
    if shelter and not flies(state, blow.at) and not _allied(state, blow.place, side):
        yield Line(NAMES["shelter"], -1, "TF-1.5")


def _allied(state: FantasyState, at: str, side: int) -> bool:
    timer = under(state, at, ALLIED_NATURE)
    return timer is not None and timer.side == side


def _of_spells(state: FantasyState, blow: AimedBlow) -> Iterator[Line]:
    """Modifiers of spells: extra dice and slowness of the attacker, darkness on both hexes (T-60).

    In a duel only spells on the hexes count.
    """
    if blow.how != DUEL:
        for timer in effects(state).get(blow.by, ()):
            spell = state.options.spells.get(timer.effect)
            if spell and spell.effect in (DICE, SLOWNESS):
                yield Line(_spell_name(timer.effect), spell.dice, "TF-6.3")
    if any(under(state, at, DARKNESS) for at in (blow.source, blow.place)):
        yield Line(NAMES["darkness"], -1, "TF-6.3")


def _spell_name(slug: str) -> Said:
    return SPELLS[slug].name if slug in SPELLS else _("spell")


def _limits(state: FantasyState, blow: AimedBlow) -> Iterator[tuple[str, int]]:
    """Limits of dice. Shackles: two into or out of the hex, but not for flyers (T-50). Bell: one of shots and magic."""
    shackled = state.field.timers and any(under(state, at, SHACKLES) for at in (blow.source, blow.place))
    if shackled and not flies(state, blow.by):
        yield "shackles", SHACKLED_DICE
    if blow.ranged and bears(state, blow.at, BELL):
        yield "bell", 1


def hindered(state: FantasyState, unit: str, bearer: str) -> bool:
    """Whether a unit loses a die in melee against this opponent because of hindrance (TF-3.2, T-22, T-44, T-57)."""
    own = state.units[unit].own
    if is_undead(state, bearer) and not own.has("undead") and not under(state, unit, IMMUNITY):
        return True
    if not bears(state, bearer, HINDRANCE) or bears(state, unit, UNAFFECTED) or under(state, unit, IMMUNITY):
        return False
    hero = state.people.get(bearer)
    likes = likes_of(hero.own.traits) if hero else state.units[bearer].own.likes()
    touched = state.options.hindrance == ALL or KINDS[own.kind].of_animals or own.has(ANIMALS)
    return touched and own.type not in likes


# Effects of each die


def level_of(state: FantasyState, target: str, by: str, *, ranged: bool, foul: bool) -> int:
    """The target's level in the table of hits: its weight plus armor, or inverted under a foul touch (TF-3.3, T-55)."""
    own = state.units[target].own if target in state.units else state.people[target].own
    if foul:
        return max(1, FOUL_SUM - own.weight)
    more = 2 if bears(state, target, GREAT_ARMOUR) else 1 if bears(state, target, ARMOUR) else 0
    return max(1, own.weight) + more + (ranged and bears(state, target, BLUR))


def foul_touch(state: FantasyState, by: str, *, ranged: bool) -> bool:
    """Whether a melee attack of this unit is a foul touch (TF-3.3)."""
    return not ranged and by in state.units and state.units[by].own.has(FOUL_TOUCH)


def throw_at(state: FantasyState, blow: AimedBlow, name: str, *, fire: bool = False) -> tuple[Throw, tuple[Line, ...]]:
    """The throw of an attack, and the lines of its dice."""
    lines = lines_of(state, blow)
    foul = foul_touch(state, blow.by, ranged=blow.ranged) and blow.at != blow.by
    advantage = not blow.ranged and (blow.assault or has_support(state, blow))
    dice = sum(line.value for line in lines)
    return bare_throw(
        state, name, blow.by, blow.at, dice, ranged=blow.ranged, advantage=advantage, foul=foul, fire=fire
    ), lines


def has_support(state: FantasyState, blow: AimedBlow) -> bool:
    """Whether the attacker counts as supported for advantages; houses give support only to its riposte (T-95)."""
    return backed(state, blow.by) if blow.how == RIPOSTE else supported(state, blow.by)


def bare_throw(
    state: FantasyState,
    name: str,
    by: str,
    at: str,
    dice: int,
    *,
    ranged: bool,
    advantage: bool = False,
    foul: bool = False,
    fire: bool = False,
    letters: bool = True,
    flags: tuple[int, ...] = (FLAG,),
) -> Throw:
    """A throw of this many dice at a target, whatever caused it."""
    ladder = state.options.ladder or USUAL_LADDER
    level = level_of(state, at, by, ranged=ranged, foul=foul)
    hits = faces_that_hit(ladder, level, advantage=advantage)
    if ADVANTAGE in flags:
        hits = tuple(face for face in hits if face != ADVANTAGE)
    confirms = stages_of(
        ladder, level, invulnerable=bears(state, at, INVULNERABLE), fire_proof=fire and bears(state, at, FIRE_PROOF)
    )
    return Throw(name, by, at, dice, hits, confirms, flags, letters, fire, fire, foul, advantage)


def is_assault(state: FantasyState, unit: str, source: str, place: str) -> bool:
    """Whether an attack from `source` is an assault: the unit moved there from a hex not beside the target (T-3)."""
    start = state.doing(unit).start
    return bool(start) and start != source and apart(start, place) > 1


def heroes_with(state: FantasyState, unit: str) -> Sequence[str]:
    """The heroes with a unit, in the order of T-66."""
    if unit not in state.units:
        return ()
    return tuple(one for one in state.people_at(state.at(unit)) if state.people[one].own.hero)

"""Effects of spells (TF-6.3), by kind, and casting (TF-6.1, 6.2): announcing, lapses and paying."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number
from rules.hexbattle.common import EffectBegan, EffectEnded, Hid
from rules.hexbattle.ground import BOTH, Timer
from rules.hexbattle.seeing import own_side
from rules.thucidide_fantasy.battle import undead
from rules.thucidide_fantasy.battle.combat.retreat import go_back, is_flammable, step_home
from rules.thucidide_fantasy.battle.combat.steps import FURTHER, SPELL
from rules.thucidide_fantasy.battle.factors import BELL, REBOUND, bare_throw
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import CASTING, MOVING, FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run, after_shift, expose_phantoms, finds_room, forbid, leave_grove
from rules.thucidide_fantasy.battle.situation import (
    ALLIED_NATURE,
    DARKNESS,
    DIVINE_BELL,
    GROVE,
    PARALYSED,
    SHACKLES,
    alone,
    bears,
    effects,
    foe_beside,
    is_hero,
    under,
    who_sees,
)
from rules.thucidide_fantasy.battle.spells import appeals
from rules.thucidide_fantasy.battle.spells.aiming import APPEAL, PHANTOM, TURN, home_hex, spell_of, why_not_aim
from rules.thucidide_fantasy.battle.throws import ADVANTAGE, FLAG, count
from rules.thucidide_fantasy.grimoire import BLOWS, DICE, FLAGS, HEALING, SPELL_SHOT, TRAIT
from rules.thucidide_fantasy.spec import CARDS, NEVER, NEXT, TWO

# Effects of spells (TF-6.3), by kind, including spells that are turned back (T-32).


def shoot_spell(run: Run, caster: str, slug: str, targets: tuple[str, ...], *, turned: bool = False) -> None:
    """Schedule the shots of a spell one by one. Shots at a unit or character follow it; others strike whoever is
    there.
    """
    target = targets[0]
    named = target in run.state.field.tokens
    if named and target in run.state.units and run.state.units[target].false:
        run.emit(e.PhantomVanished(target, run.state.at(target)))
        return
    shot = Todo("spell-shot", caster, target if named else "", () if named else (target,), what=slug, flag=turned)
    run.then(*(shot for _time in range(spell_of(run.state, slug).times)))


def one_shot(run: Run, todo: Todo) -> None:
    """One shot of a spell: its throw, or on an empty hex only the dice that may light it."""
    state, spell = run.state, spell_of(run.state, todo.what)
    struck = todo.foe or struck_on(state, todo.hexes[0])
    if todo.foe and not state.standing(todo.foe):
        return
    if not struck:
        if spell.fire:
            rolls = run.roll(todo.unit, SPELL, spell.shot)
            run.then(todo._replace(stage="settle", what="fire-fell", rolls=rolls))
        return
    if struck in state.units and state.units[struck].false:
        run.emit(e.PhantomVanished(struck, state.at(struck)))
        return
    dice = 1 if bears(state, struck, BELL) else spell.shot
    flags = (FLAG, ADVANTAGE) if spell.advantages else (FLAG,)
    made = bare_throw(
        state, SPELL, todo.unit, struck, dice, ranged=True, fire=spell.fire, letters=False, flags=flags,
    )  # fmt: skip
    run.then(Todo("throw", todo.unit, struck, throw=made))


def struck_on(state: FantasyState, at: str) -> str:
    """The id of the piece on a hex that a spell strikes: the unit, or else a lone hero (T-80); "" if there is none."""
    unit = state.unit_at(at)
    if unit:
        return unit
    return next((one for one in state.people_at(at) if is_hero(state, one) and alone(state, one)), "")


def fire_fell(run: Run, todo: Todo) -> None:
    """Dice on an empty hex only decide whether it is lit."""
    (at,) = todo.hexes
    if count((roll.value for roll in todo.rolls), (ADVANTAGE,)) and is_flammable(run.state, at):
        run.then(Todo("light", todo.unit, hexes=(at,)))


FURTHER.update({"spell-shot": one_shot, "fire-fell": fire_fell})


VOLLEY, COUNTERSPELL, REPULSION = "volley", "counterspell", "repulsion"
LOST_WHEN_TURNED = frozenset({REPULSION, GROVE, COUNTERSPELL, TURN})
PHASES_OF: Mapping[str, int] = {NEXT: 2, TWO: 3}
"""Spell phases of the caster's side until an effect ends, this turn's included (T-36)."""
MIRE, WOOD, NEVER_ENDS = "mire", "wood", 1 << 20

type SpellEffect = Callable[[Run, str, str, tuple[str, ...]], None]


def begin_spell(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Apply a spell that was paid for, or turn it back."""
    state, spell = run.state, spell_of(run.state, slug)
    effect = spell.effect or slug
    piece = targets[0] if targets and targets[0] in state.field.tokens else ""
    if piece and state.side_of(piece) != state.side_of(caster) and is_turned(state, piece, effect):
        struck = struck_instead(state, caster, effect)
        if slug in LOST_WHEN_TURNED or not struck:
            run.emit(e.Rebounded(piece, ""))
            return
        run.emit(e.Rebounded(piece, struck))
        targets = (struck, *targets[1:])
        if effect == SPELL_SHOT:
            shoot_spell(run, caster, slug, (struck,), turned=True)
            return
    EFFECTS.get(effect, lay)(run, caster, slug, targets)
    expose_phantoms(run)


def is_turned(state: FantasyState, piece: str, effect: str) -> bool:
    """Whether a spell is turned back: volley turns all enemy spells on its bearer, rebound those that shoot (T-32)."""
    if under(state, piece, VOLLEY) is not None:
        return True
    return effect == SPELL_SHOT and under(state, piece, REBOUND) is not None


def struck_instead(state: FantasyState, caster: str, effect: str) -> str:
    """The id of the piece struck by a spell that is turned back: the caster's unit, or (by a shot) a lone caster; "" if
    there is none.
    """
    unit = state.with_unit_of(caster)
    return unit or (caster if effect == SPELL_SHOT else "")


# Lasting effects


def timer_of(
    state: FantasyState, caster: str, slug: str, on: tuple[str, ...], lays: tuple[tuple[str, str], ...] = ()
) -> Timer:
    """The timer of a lasting spell, with its duration."""
    lasts = spell_of(state, slug).lasts
    return Timer(slug, on, caster, state.side_of(caster), CASTING, PHASES_OF[lasts], lays)


def lay(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Put a temporary effect on a unit, character or hexes. Casting it again restarts it instead of adding (T-13)."""
    lays: tuple[tuple[str, str], ...] = ()
    if slug == SHACKLES:
        lays = ((targets[0], MIRE),)
    for what in targets:
        old = under(run.state, what, slug)
        if old is not None and slug not in (ALLIED_NATURE, DARKNESS):
            run.emit(EffectEnded(old, who_sees(run.state, what)))
    run.emit(EffectBegan(timer_of(run.state, caster, slug, targets, lays), who_sees(run.state, targets[0])))


def grove(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Disguise a unit as a wood; its enemies no longer see it (T-31, T-70)."""
    unit = targets[0]
    token = run.state.token(unit)
    if token.hidden:
        return
    own = own_side(token)
    timer = Timer(GROVE, (unit,), caster, BOTH, GROVE, NEVER_ENDS, ((token.at, WOOD),))
    run.emit(EffectBegan(timer, own), Hid(unit, own))


def counter(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """End one active spell, without undoing what it has done (T-13, T-93)."""
    what, effect = targets
    if effect == TURN:
        undead.turn_back(run, what)
        return
    if effect == GROVE:
        leave_grove(run, what)
        return
    timer = next((timer for timer in effects(run.state).get(what, ()) if timer.effect == effect), None)
    if timer is not None:
        run.emit(EffectEnded(timer, who_sees(run.state, what)))


# Immediate effects


def blow(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Roll the dice of a morale attack: each success is a flag that support doesn't ignore."""
    unit = targets[0]
    dice = 1 if bears(run.state, unit, BELL) else spell_of(run.state, slug).dice
    rolls = run.roll(caster, "spell", dice)
    run.then(Todo("settle", caster, unit, what="blown", rolls=rolls, who=(slug,)))


def blown(run: Run, todo: Todo) -> None:
    """Apply the flags of a morale attack."""
    run.then(Todo("flags", todo.foe, number=counted(run.state, todo), flag=True))


def heal(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Roll for stands that return, up to the number at the start (TF-6.4)."""
    rolls = run.roll(caster, "spell", spell_of(run.state, slug).dice)
    run.then(Todo("settle", caster, targets[0], what="healed", rolls=rolls, who=(slug,)))


def healed(run: Run, todo: Todo) -> None:
    """Give back the stands that a healing roll gains, up to the number at the start."""
    unit = todo.foe
    if not run.state.standing(unit):
        return
    own = run.state.units[unit]
    back = min(counted(run.state, todo), own.start - own.stands)
    if back > 0:
        run.emit(e.StandsReturned(unit, back, seen=who_sees(run.state, unit)))


def counted(state: FantasyState, todo: Todo) -> int:
    """The number of flags rolled, plus advantages where the spell counts them."""
    good = (FLAG, ADVANTAGE) if spell_of(state, todo.who[0]).advantages else (FLAG,)
    return count((roll.value for roll in todo.rolls), good)


def farewell(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Carry a unit to its own base line (T-75)."""
    unit = targets[0]
    side = run.state.side_of(caster)
    at = home_hex(run.state, unit, side)
    if at and finds_room(run, side, at):
        run.emit(e.Teleported(unit, (run.state.at(unit), at)))
        after_shift(run, unit)


def vade_retro(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Make a unit retreat two hexes at once, or as far as it can."""
    unit, steps = targets[0], list[str]()
    for _hex in range(spell_of(run.state, slug).dice):
        at = step_home(run.state, unit, steps[-1] if steps else run.state.at(unit))
        if not at:
            break
        steps.append(at)
    go_back(run, unit, tuple(steps))


EFFECTS: Mapping[str, SpellEffect] = {
    TRAIT: lay, DICE: lay, FLAGS: lay, BLOWS: blow, HEALING: heal, SPELL_SHOT: shoot_spell, GROVE: grove,
    COUNTERSPELL: counter, "farewell": farewell, "vade-retro": vade_retro, "divine-appeal": appeals.appeal_by_spell,
    "phantom-troop": appeals.phantom, "animate-dead": appeals.animate, "dust-warriors": appeals.skeletons,
    "army-of-the-dead": appeals.skeletons, TURN: undead.turn,
}  # fmt: skip
"""The effects of spells; any other spell puts a temporary effect on its target."""
FURTHER.update({"blown": blown, "healed": healed})


# Casting (TF-6.1, 6.2): announcing, lapses, and paying with cards or points.

SECRET_SPELLS = (PHANTOM, GROVE)
NO_CASTER = _("This character can’t cast spells.")
NOT_NOW = _("Announce spells in the movement phase.")
NOT_IN_SPELLS = _("Cast spells in the spell phase.")
NOT_ACTIVATED = _("This caster isn’t activated this turn.")
HAS_LED = _("A leader who casts a spell can’t activate units.")
BESIDE = _("An enemy is next to the caster.")
HAS_MOVED = _("A caster who moved or fought this turn can’t cast a spell.")
NOT_ANNOUNCED = _("This caster announced no spell.")
HAS_CAST = _("This caster has already cast a spell or declined this turn.")
NO_CARD = _("This caster doesn’t have this spell.")
NO_POINTS = by_number(
    "This spell costs {cost} point; the caster has {points}.",
    "This spell costs {cost} points; the caster has {points}.",
    "cost",
)
NO_CONSENT = _("The other side doesn’t allow appeals to a god.")
HELD = _("A god keeps this character still.")


def casts(state: FantasyState, person: str) -> bool:
    """Whether a character can cast spells at all."""
    return person in state.people and state.people[person].own.casts


def why_not_announce(state: FantasyState, caster: str) -> Said | None:
    """Why a caster can't announce a spell now (T-90, T-91); None if they can."""
    if not casts(state, caster):
        return NO_CASTER
    if state.phase != MOVING:
        return NOT_NOW
    token, doing = state.token(caster), state.doing(caster)
    unit = state.with_unit_of(caster) if token.standing else ""
    if token.side != state.side or not token.standing:
        return NOT_ACTIVATED
    if not (doing.activated or (unit and state.doing(unit).activated)):
        return NOT_ACTIVATED
    if any(one.leader == caster and one.units for one in state.activations):
        return HAS_LED
    if doing.stirred or doing.done:
        return HAS_MOVED
    return _held(state, caster) or (BESIDE if foe_beside(state, caster) else None)


def _held(state: FantasyState, caster: str) -> Said | None:
    held = under(state, caster, PARALYSED) or under(state, state.at(caster), DIVINE_BELL)
    return HELD if held else None


def announce(run: Run, caster: str) -> None:
    """Announce a spell. Raises a refusal if it isn't possible."""
    demand(caster in run.state.people, NO_CASTER, field="/caster")
    forbid(why_not_announce(run.state, caster), "/caster")
    run.emit(e.SpellAnnounced(caster))


# Casting


def why_not_cast(state: FantasyState, caster: str) -> Said | None:
    """Why a caster can't cast now, whatever the spell; None if they can. An adjacent enemy prevents it (T-12)."""
    if not casts(state, caster):
        return NO_CASTER
    if state.phase != CASTING:
        return NOT_IN_SPELLS
    if why := _why_nothing_waits(state, caster):
        return why
    doing = state.doing(caster)
    if doing.stirred or doing.fought:
        return HAS_MOVED
    return _held(state, caster) or (BESIDE if foe_beside(state, caster) else None)


def _why_nothing_waits(state: FantasyState, caster: str) -> Said | None:
    """Why this caster has no announced spell to cast or decline now; None if they have."""
    token, doing = state.token(caster), state.doing(caster)
    if token.side != state.side or not token.standing or not doing.announced:
        return NOT_ANNOUNCED
    return HAS_CAST if doing.cast else None


def known_spells(state: FantasyState, caster: str) -> tuple[str, ...]:
    """The spells a caster can pay for now, without repetition."""
    person = state.people[caster]
    if state.options.supply == CARDS:
        known = [slug for slug in person.cards if slug in state.options.spells]
    else:
        known = [slug for slug, spell in state.options.spells.items() if spell.cost <= person.points]
    return tuple(slug for slug in dict.fromkeys(known) if why_forbidden(state, caster, slug) is None)


def why_forbidden(state: FantasyState, caster: str, slug: str) -> Said | None:
    """Why a spell is forbidden: appeals need the other side's consent (TF-7). None if it is allowed."""
    if slug != APPEAL:
        return None
    allowed = state.options.appeals != NEVER and state.consents[1 - state.side_of(caster)]
    return None if allowed else NO_CONSENT


def cast(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Pay for a spell and cast it. Raises a refusal if it isn't possible."""
    state = run.state
    demand(caster in state.people, NO_CASTER, field="/caster")
    forbid(why_not_cast(state, caster), "/caster")
    _check_paid(state, caster, slug)
    forbid(why_forbidden(state, caster, slug), "/spell")
    forbid(why_not_aim(state, caster, slug, targets), "/targets")
    run.emit(e.SpellCast(caster, slug, targets, is_secret(state, slug, targets)))
    begin_spell(run, caster, slug, targets)


def is_secret(state: FantasyState, slug: str, targets: tuple[str, ...]) -> bool:
    """Whether the enemy is told only that a spell was cast: phantoms, groves, and spells on units in a grove (T-31)."""
    tokens = state.field.tokens
    return slug in SECRET_SPELLS or any(tokens[one].hidden for one in targets if one in tokens)


def _check_paid(state: FantasyState, caster: str, slug: str) -> None:
    person = state.people[caster]
    if state.options.supply == CARDS:
        demand(slug in person.cards and slug in state.options.spells, NO_CARD, field="/spell")
        return
    demand(slug in state.options.spells, NO_CARD, field="/spell")
    cost = spell_of(state, slug).cost
    require(cost <= person.points, NO_POINTS, field="/spell", cost=cost, points=person.points)


def decline(run: Run, caster: str) -> None:
    """Cast no spell after announcing one. Raises a refusal if none is waiting."""
    state = run.state
    demand(casts(state, caster), NO_CASTER, field="/caster")
    require(state.phase == CASTING, NOT_IN_SPELLS)
    forbid(_why_nothing_waits(state, caster), "/caster")
    run.emit(e.SpellDeclined(caster))

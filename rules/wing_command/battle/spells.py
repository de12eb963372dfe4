"""Spells (WC-7): choosing, casting, aiming, and their effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.hexbattle.chances import two_dice_at_most
from rules.hexbattle.common import EffectBegan
from rules.hexbattle.field import Token
from rules.hexbattle.ground import BOTH, BattleGround, Timer, apart
from rules.hexes.terrain import IMPASSABLE
from rules.wing_command.battle.blows import shake, strike
from rules.wing_command.battle.combat import BOLT_RANGE, meets, why_out_of_shot
from rules.wing_command.battle.command import ALWAYS, NEVER
from rules.wing_command.battle.movement import FIRE
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.mires import MIRE, mired
from rules.wing_command.battle.record.state import END, FIT, ROUTED, SHAKEN, Clash, HostState
from rules.wing_command.battle.run import Run, faces, forbid
from rules.wing_command.battle.situation import alone, beside, enemies, friends
from rules.wing_command.spec import MISSILE, Spell
from rules.wing_command.starter import SPELLS, casting_limit

FIRE_WALL, WARD, TAILWIND = "fire-wall", "ward", "tailwind"
ON_UNITS, ON_HEXES = (WARD, TAILWIND), (FIRE_WALL, MIRE)
"""Lasting effects, by the kind of target."""


class CastingTest(NamedTuple):
    """A casting test: the aptitude, line by line, and its limit on the grid."""

    sum: Breakdown
    limit: int

    @property
    def chance(self) -> Fraction:
        return two_dice_at_most(self.limit, always=(ALWAYS,), never=(NEVER,))

    def succeeds(self, dice: int) -> bool:
        return dice == ALWAYS or (dice != NEVER and dice <= self.limit)


def known_spells(state: HostState, character: str) -> tuple[Spell, ...]:
    """The spells of their art that can be cast in this battle."""
    art = state.units[character].own.art
    return tuple(spell for spell in SPELLS.values() if spell.art == art and spell.slug in state.options.difficulties)


def casting_test(state: HostState, character: str, spell: str) -> CastingTest:
    """The casting test: level − difficulty + pentacle, looked up on the grid (WC-7.1, 7.2)."""
    own = state.units[character].own
    found = Breakdown().plus(_("Magic level"), own.level, "WC-7.2")
    found = found.plus(_("Difficulty"), -state.options.difficulties[spell], "WC-7.2")
    found = found.plus(_("Pentacle"), own.pentacle, "WC-7.2")
    found = found.plus(_("House rule"), state.options.aptitude_bonus, "WC-HOUSE")
    return CastingTest(found, casting_limit(found.total))


# Conditions


def why_not_magic(state: HostState, character: str) -> Said | None:
    """Why a character can neither choose nor cast a spell now (WC-6); None if they can."""
    own, token = state.units[character], state.token(character)
    if not known_spells(state, character):
        return _("This character can’t cast spells.")
    if own.morale != FIT:
        return _("Shaken and routed characters can’t cast spells.")
    if not alone(state, character):
        return _("A caster has to be alone in the hex.")
    if beside(state, token.at, token.side):
        return _("An enemy is next to the caster.")
    return None


def why_not_cast(state: HostState, character: str) -> Said | None:
    """Why a character can't cast their prepared spell now; None if they can."""
    why = why_not_magic(state, character)
    if why is not None:
        return why
    spell = state.units[character].spell
    if not spell or spell not in state.options.difficulties:
        return _("Choose a spell first.")
    if not spell_targets(state, character, spell):
        return _("The spell has no target now.")
    return None


# Targets


def spell_targets(state: HostState, character: str, spell: str) -> tuple[str, ...]:
    """The valid targets: ids of units, or hexes (W-29)."""
    kind, token = SPELLS[spell], state.token(character)
    if kind.on == "hex":
        return tuple(at for at in state.field.ground.labels if apart(at, token.at) <= kind.far)
    if kind.on == "free-hex":
        return tuple(
            at for at in state.field.ground.labels if apart(at, token.at) <= kind.far and _free(state, token, at)
        )
    if kind.on in ("enemy", "enemy-troop"):
        return tuple(foe.id for foe in enemies(state, token.side) if _foe(state, character, foe, kind))
    within = (one.id for one in friends(state, token.side) if apart(one.at, token.at) <= kind.far)
    return tuple(one for one in within if kind.on == "friend" or state.units[one].morale != FIT)


def _free(state: HostState, caster: Token, at: str) -> bool:
    """Whether a hex has no unit that the caster's side sees, and isn't impassable."""
    seen = {foe.at for foe in enemies(state, caster.side)} | {one.at for one in friends(state, caster.side)}
    return at not in seen and state.field.ground.terrain(at).footing is not IMPASSABLE


def _foe(state: HostState, character: str, foe: Token, kind: Spell) -> bool:
    token = state.token(character)
    flying = (state.units[character].high, state.units[foe.id].high)
    if kind.on == "enemy":
        return meets(state, foe) and why_out_of_shot(state, token.at, foe, BOLT_RANGE, flying=flying) is None
    if foe.character or state.units[foe.id].morale == ROUTED:
        return False
    return why_out_of_shot(state, token.at, foe, kind.far, flying=flying) is None


# Commands


def choose(run: Run, character: str, spell: str) -> None:
    """Prepare a spell face down; it replaces an earlier one."""
    why = why_not_magic(run.state, character)
    forbid(why, "/character")
    known = [one.slug for one in known_spells(run.state, character)]
    demand(spell in known, _("Choose one of: {choices}."), field="/spell", choices=", ".join(known))
    run.emit(e.SpellChosen(character, spell, run.seen(character)))


def cast(run: Run, character: str) -> None:
    """Roll to cast; on success the caster chooses the target next (W-28)."""
    why = why_not_cast(run.state, character)
    forbid(why, "/character")
    spell = run.state.units[character].spell
    test = casting_test(run.state, character, spell)
    rolls = run.roll(character, "spell")
    run.checkpoint()
    success = test.succeeds(faces(rolls))
    run.emit(e.SpellTried(character, spell, rolls, test.sum.lines, test.limit, success, run.seen(character)))


def check_aim(state: HostState) -> None:
    """Guard: a spell that waits for its target must still have a possible one. Raises a refusal otherwise."""
    waiting = state.aiming
    left = waiting is None or not waiting.spell or spell_targets(state, waiting.character, waiting.spell)
    require(left, _("A spell is waiting for a target and would no longer have one: choose its target first."))


def aim(run: Run, target: str) -> None:
    """Apply a spell to its target. Raises a refusal if the target isn't valid."""
    aiming = run.state.aiming
    require(aiming, _("No spell is waiting for a target."))
    assert aiming is not None
    legal = spell_targets(run.state, aiming.character, aiming.spell)
    demand(target in legal, _("This isn’t a valid target for the spell."), field="/target")
    met = run.seen(target) if target in run.state.units else (True, True)
    run.emit(e.SpellCast(aiming.character, aiming.spell, target, run.seen(aiming.character), met))
    EFFECTS[aiming.spell](run, aiming.character, target)


# Effects


def _firebolt(run: Run, character: str, target: str) -> None:
    out = run.state.units[character].infiltrating
    strike(run, Clash(character, target, MISSILE, out=out, follow=False, bolt=True))


def begin(run: Run, slug: str, character: str, target: str, turns: int = 0) -> None:
    """Begin a lasting effect on a unit or hex; it ends with a turn's end phase, whoever caused it.

    `character`: who cast it, "" for nobody. `turns`: its duration, 0 for the spell's own.
    """
    on, lays = _spread(run.state.field.ground, slug, target)
    seen = run.seen(target) if target in run.state.units else (True, True)
    run.emit(EffectBegan(Timer(slug, on, character, BOTH, END, turns or SPELLS[slug].turns, lays), seen))


def _spread(ground: BattleGround, slug: str, target: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The units and hexes of an effect, and the terrain it puts there. A mire reaches the neighbours too."""
    if slug == FIRE_WALL:
        return (target,), ((target, FIRE),)
    if slug == MIRE:
        around = (target, *ground.around(target))
        return around, mired(ground, around)
    return (target,), ()


def beginnable(state: HostState, what: str) -> tuple[str, ...]:
    """The effects that the GM can start on a unit or hex and that aren't active there."""
    token = state.field.tokens.get(what)
    if not (token.standing if token else what in state.field.ground):
        return ()
    known = {timer.effect for timer in state.field.timers if what in timer.on}
    fits = ON_UNITS if token else ON_HEXES
    return tuple(slug for slug in fits if slug in state.options.difficulties and slug not in known)


def _lasting(slug: str) -> Callable[[Run, str, str], None]:
    def effect(run: Run, character: str, target: str) -> None:
        begin(run, slug, character, target)

    return effect


def _courage(run: Run, character: str, target: str) -> None:
    morale = run.state.units[target].morale
    run.emit(e.Steadied(target, SHAKEN if morale == ROUTED else FIT, run.seen(target)))


def _dread(run: Run, character: str, target: str) -> None:
    shake(run, target)


EFFECTS: Mapping[str, Callable[[Run, str, str], None]] = {
    "firebolt": _firebolt,
    FIRE_WALL: _lasting(FIRE_WALL),
    "courage": _courage,
    "dread": _dread,
    WARD: _lasting(WARD),
    TAILWIND: _lasting(TAILWIND),
    MIRE: _lasting(MIRE),
}

"""What one army's attack on another comes to before any die is rolled, computed once while nothing changes.

Figures depend on what gives them (the two armies' sources, stances and marks), on what its conditions read, and on
the field. While those are the same the lines are the same, so a battle keeps them: a phase then costs its dice and its
log.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.text import Said, _
from rules.pathfinder.battle.state.view import ArmyView, damage_share
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import DAMAGE, AttackKind, Mode, Situation
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.figures import dv_lines, lines_of, om_lines, total

type Factor = tuple[int, int, Said, str]  # numerator, denominator, label, rule

MOST_KEPT = 4096


EXTRA_DIE = 4


class ExtraDie(NamedTuple):
    """A d4 that adds to the damage of a hit; evasion halves that of a breath (R-41)."""

    label: Said
    rule: str
    halved: bool = False

    def worth(self, face: int) -> int:
        return max(1, face // 2) if self.halved else face


BREATH = ExtraDie(_("Breath"), "PF-9")
EVADED_BREATH = ExtraDie(_("Breath, halved by evasion"), "R-41", halved=True)


class Exchange(NamedTuple):
    """OM and DV with their totals, why the target is spared if it is, damage modifiers and factors.

    `extra`: the dice a hit adds, breath before channel, one a source (R-41). `least`: the house minimum of a hit.
    """

    om: tuple[Line, ...]
    om_total: int
    dv: tuple[Line, ...]
    dv_total: int
    spared: str
    bonus: tuple[Line, ...]
    bonus_total: int
    factors: tuple[Factor, ...]
    extra: tuple[ExtraDie, ...]
    least: int


def exchange(me: ArmyView, foe: ArmyView, mode: Mode, kind: AttackKind) -> Exchange:
    """The pairing of these two, as they stand."""
    memo = me.battle.memo
    key: tuple[object, ...] = (me.sources, foe.sources, mode, kind)
    if reads := me.reads | foe.reads:
        key += (me.facts(reads), foe.facts(reads))
    found: Exchange | None = memo.get(key)
    if found is None:
        if len(memo) >= MOST_KEPT:
            memo.clear()
        found = memo[key] = reckoned(me, foe, mode, kind)
    return found


def reckoned(me: ArmyView, foe: ArmyView, mode: Mode, kind: AttackKind) -> Exchange:
    s = Situation(me, foe, mode, deed=kind)
    om, dv = om_lines(s), dv_lines(Situation(foe, me, mode, deed=kind))
    bonus = _damage_modifiers(me, s)
    return Exchange(
        om, total(om), dv, total(dv),
        spared_by(me, foe),
        bonus, total(bonus),
        tuple(damage_factors(me, foe)),
        (*_breath(me, foe), *_channels(me, foe, mode)),
        me.battle.law.house.minimum_damage,
    )  # fmt: skip


def _damage_modifiers(me: ArmyView, s: Situation) -> tuple[Line, ...]:
    strategy = me.battle.law.strategies[me.army.strategy]
    fierce = s.mode == "melee" and strategy.damage
    return (*((Line(strategy.name, strategy.damage, strategy.rule),) if fierce else ()), *lines_of(DAMAGE, s))


def spared_by(me: ArmyView, foe: ArmyView) -> str:
    """Why the target takes no damage by rule, or "" (PF-9, R-40, R-42)."""
    if foe.marks and foe.army.invincible_to(me.id):
        return "invincible"
    incorporeal = foe.profile.works(t.INCORPOREAL, me.profile)
    if me.profile.works(t.SWARM) and (incorporeal or foe.profile.works(t.HARD_TO_HURT, me.profile)):
        return "swarm"
    return "incorporeal" if incorporeal and not magical(me, foe) else ""


def magical(me: ArmyView, foe: ArmyView) -> bool:
    """Magic weapons, ki pool, judgment so declared, or units the GM marks (R-42)."""
    if me.profile.works(t.MAGICAL, foe.profile) or me.id in me.battle.opening.magical:
        return True
    judged = any(mark.kind == "judgment" and mark.detail == "magic" for mark in me.marks)
    return judged and "judgment" not in foe.profile.immune


def damage_factors(me: ArmyView, foe: ArmyView) -> list[Factor]:
    """What multiplies the damage of this attack (PF-3.6, R-13, R-42)."""
    found: list[Factor] = []
    if me.battle.conditions and (fog := damage_share(me, foe)) is not None:
        found.append((fog[0], fog[1], fog[2], "R-13"))
    if foe.profile.works(t.SWARM, me.profile):
        found.append((3, 2, _("Swarm, by magic"), "PF-9") if magical(me, foe) else (1, 2, _("Swarm"), "PF-9"))
    if foe.profile.works(t.INCORPOREAL, me.profile):
        found.append((1, 2, _("Incorporeal"), "PF-9"))
    return found


def _breath(me: ArmyView, foe: ArmyView) -> tuple[ExtraDie, ...]:
    if not me.profile.works(t.BREATH, foe.profile):
        return ()
    return (EVADED_BREATH if foe.profile.works(t.EVASION, me.profile) else BREATH,)


def _channels(me: ArmyView, foe: ArmyView, mode: Mode) -> list[ExtraDie]:
    """The channelled energies that hurt this target, unless spent on healing this phase (R-41)."""
    if mode != "melee":
        return []
    undead = t.UNDEAD in foe.profile.traits or foe.creature_type == "undead"
    construct = t.CONSTRUCT in foe.profile.traits or foe.creature_type == "construct"
    abilities = me.battle.law.abilities
    spent = [abilities[mark.detail] for mark in me.marks if mark.kind == "channels" and mark.detail in abilities]
    healing = {trait for ability in spent for trait in ability.traits}
    found: list[tuple[Trait, Said]] = []
    if not undead and not construct and t.CHANNELS_NEGATIVE not in healing:
        found.append((t.CHANNELS_NEGATIVE, _("Negative energy")))
    if undead and t.CHANNELS_POSITIVE not in healing:
        found.append((t.CHANNELS_POSITIVE, _("Positive energy")))
    return [ExtraDie(name, "R-41") for trait, name in found if me.profile.works(trait, foe.profile)]

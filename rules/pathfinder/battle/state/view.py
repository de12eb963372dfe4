"""View of an army in battle, for conditions, and questions that the engine asks about the field."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules.core.breakdown import Line
from rules.core.text import Said, _, say
from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState, Fort, Mark, Part
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.conditions import (
    AS_SEVERE_WIND,
    HALVES_DAMAGE,
    MARK_READS,
    WIND_NAMES,
    WIND_ORDER,
    WINDS,
)
from rules.pathfinder.catalogue.effects import DV, OM, Active, Effect, Fact, MomentKind, Situation, Stat, View
from rules.pathfinder.catalogue.items import Tactic
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.figures import half, sense_share
from rules.pathfinder.sheet import lasting_lines, morale_base
from rules.pathfinder.spec import ArmySpec

NOTHING: frozenset[str] = frozenset()


class ArmyView:
    """One army at one moment. It is built whenever figures are computed and never kept across events."""

    __slots__ = ("army", "battle", "id", "marks", "profile", "reads", "sources", "tactic")

    def __init__(self, battle: BattleState, army: ArmyInBattle):
        self.battle = battle
        self.army = army
        self.id = army.id
        self.profile = army.profile
        self.marks = _in_force(army.marks, battle.phase.tick) if army.marks else ()
        self.tactic: Tactic | None = None
        if army.tactic != "standard":  # still None while its needs are tested: it cannot meet them itself
            self.tactic = self._tactic_in_effect()
        # sources of figures, and what else they depend on according to their conditions
        self.sources = (
            army.id, army.profile, army.tactic, army.strategy, self.marks, army.adjustments, army.engines,
        )  # fmt: skip
        self.reads = army.profile.reads
        if self.marks or battle.conditions or army.tactic != "standard":
            self.reads = self.reads.union(*self._passing_reads())

    def _passing_reads(self) -> Iterator[frozenset[str]]:
        """Yield what the conditions of its tactic, its marks and the field depend on."""
        law = self.battle.law
        yield law.reads_of_tactics.get(self.army.tactic, NOTHING)
        for mark in self.marks:
            yield MARK_READS[mark.kind]
        for held in self.battle.conditions:
            yield law.reads_of_conditions.get(held.condition, NOTHING)

    def facts(self, reads: frozenset[str]) -> tuple[object, ...]:
        """Return the current values of these facts."""
        return tuple([fact(self) for name, fact in _FACTS if name in reads])

    @property
    def spec(self) -> ArmySpec:
        return self.army.spec

    @property
    def acr(self) -> int:
        return self.army.acr

    @property
    def bloodied(self) -> bool:
        return self.army.hp * 2 <= self.army.hp_max

    @property
    def creature_type(self) -> str:
        return self.army.spec.unit.creature_type

    def _tactic_in_effect(self) -> Tactic | None:
        """Return the tactic in effect; None if what it needs has been lost (R-23)."""
        tactic = self.battle.law.tactics.get(self.army.tactic)
        if tactic is None:
            return None
        return tactic if tactic.needs is None or tactic.needs(Situation(self)) is True else None

    # Questions of conditions.
    def has(self, trait: Trait) -> bool:
        if trait == t.RANGED:
            return can_shoot(self)
        if self.tactic is not None and trait in self.tactic.traits:
            return True
        return trait in self.profile.traits

    def at_this_moment(self, moment: MomentKind, s: Situation) -> bool | None:
        return _OF_THE_MOMENT[moment](self, s)

    def under(self, condition: str) -> bool:
        return any(held.condition == condition and held.reaches(self.id) for held in self.battle.conditions)

    def marked(self, kind: str) -> bool:
        return any(mark.kind == kind for mark in self.marks)

    def sees_invisible(self, foe: View | None = None) -> bool:
        if self.id in self.battle.opening.sees_invisible:
            return True
        return self.profile.works(t.BLINDSIGHT, None if foe is None else foe.profile)

    # Sources of figures.
    def effects(self, stat: Stat) -> Iterator[Effect]:
        yield from self.profile.effects[stat]
        if self.tactic is not None:
            yield from (Effect(m, Active(self.tactic, 0, ())) for m in self.tactic.modifiers if m.stat is stat)
        if self.battle.conditions:
            yield from self._condition_effects(stat)

    def _condition_effects(self, stat: Stat) -> Iterator[Effect]:
        seen: set[str] = set()
        dark = self.under("darkness")
        for held in self.battle.conditions:
            item = self.battle.law.conditions.get(held.condition)
            if item is None or item.key in seen or not held.reaches(self.id) or (dark and item.slug == "dim-light"):
                continue
            seen.add(item.key)
            yield from (Effect(m, Active(item, 0, ())) for m in item.modifiers if m.stat is stat)

    def situation_lines(self, stat: Stat, s: Situation) -> Iterator[Line]:
        """Yield lines from strategy, wind, walls, heroes, lasting illness and the GM's changes."""
        if s.mode == "melee" and s.deed != "ambush":
            strategy = self.battle.law.strategies[self.army.strategy]
            value = strategy.om if stat is OM else strategy.dv
            if value:
                yield Line(strategy.name, value, strategy.rule)
        if self.battle.conditions:
            yield from _heroes_lines(self)
            yield from _wind_lines(self, s) if stat is OM and s.mode == "shot" else ()
            yield from fort_lines(self, s.foe) if stat is DV else ()
        yield from lasting_lines(self.spec, stat)
        for adjustment in self.army.adjustments:
            if adjustment.field == stat.value:
                yield Line(say(_("GM: {reason}"), reason=adjustment.reason), adjustment.value, "PF-3.12")

    def morale_lines(self) -> Iterator[Line]:
        yield from morale_base(self.spec, self.army.morale)


def _in_force(marks: tuple[Mark, ...], tick: int) -> tuple[Mark, ...]:
    """Return the marks in force in this tick. Of several inspirations or rages one counts (R-1)."""
    found: list[Mark] = []
    for mark in marks:
        if mark.at is not None and mark.at != tick:
            continue
        if mark.kind in ("inspired", "rage") and any(held.kind == mark.kind for held in found):
            continue
        found.append(mark)
    return tuple(found)


# State of an army at this moment, in relation to the army it faces.
def _faces(kind: str) -> Callable[[ArmyView, Situation], bool | None]:
    return lambda v, s: None if s.foe is None else any(m.kind == kind and m.other == s.foe.id for m in v.marks)


def _faces_favored(view: ArmyView, s: Situation) -> bool | None:
    choice = view.profile.choices.get("favored-enemy")
    if s.foe is None or choice is None:
        return None
    return bool(s.foe.creature_type == choice.options.get("creature_type"))


def _overcomes(view: ArmyView, s: Situation) -> bool | None:
    return None if s.foe is None else (view.id, s.foe.id) in view.battle.opening.overcomes


def _first_melee(view: ArmyView, _s: Situation) -> bool:
    phase = view.battle.phase
    return phase.kind != "melee" or phase.number == 1


def _evil(view: ArmyView, _s: Situation) -> bool:
    return view.spec.unit.alignment.endswith("E")


def _damned(view: ArmyView, _s: Situation) -> bool:
    return t.UNDEAD in view.profile.traits or view.creature_type in ("undead", "outsider")


def engines_at_work(view: ArmyView) -> int:
    """Return the number of siege engines it can use; none for a mindless army (PF-5.1)."""
    return 0 if t.MINDLESS in view.profile.traits else view.army.engines


def can_shoot(view: ArmyView) -> bool:
    """Whether the army can attack at range, whatever the wind (PF-3.8)."""
    if t.RANGED in view.profile.traits:
        return True
    return engines_at_work(view) > 0 and view.id in view.battle.opening.engines_shoot


_OF_THE_MOMENT: dict[MomentKind, Callable[[ArmyView, Situation], bool | None]] = {
    "shoots-heavy": lambda v, s: heavy_column(v),
    "overcomes": _overcomes,
    "first-melee": _first_melee,
    "faces-favored-enemy": _faces_favored,
    "faces-challenged": _faces("challenge"),
    "has-attacked": lambda v, s: bool(v.army.attacked),
    "has-attacked-early": lambda v, s: v.army.attacked == "early",
    "withdrawing": lambda v, s: v.army.tactic == "withdraw",
    "behind-walls": lambda v, s: behind_walls(v),
    "uses-false-retreat": lambda v, s: v.army.tactic == "false-retreat",
    "evil": _evil,
    "undead-or-outsider": _damned,
    "inspires-itself": lambda v, s: t.INSPIRES in v.profile.traits and not v.marked("sings-for-ally"),
}

_FACTS: tuple[tuple[Fact, Callable[[ArmyView], object]], ...] = (
    (Fact.BLOODIED, lambda v: v.bloodied),
    (Fact.ATTACKED, lambda v: v.army.attacked),
    (Fact.PHASE, lambda v: (v.battle.phase.kind, v.battle.phase.number == 1)),
)
"""All facts except those that are always in the cache key (`effects.IN_ANY_CASE`)."""


# Shooting.
def heavy_column(view: ArmyView) -> bool:
    if t.ROCKS in view.profile.traits:
        return True
    return engines_at_work(view) > 0 and view.id in view.battle.opening.engines_shoot


def wind_on(view: ArmyView) -> tuple[str, Said] | None:
    """Return the strongest wind that reaches the army, and its name, or None."""
    found: tuple[str, Said] | None = None
    for held in view.battle.conditions:
        if not held.reaches(view.id) or held.condition not in ("wind", *AS_SEVERE_WIND):
            continue
        force = str(held.value) if held.condition == "wind" else "severe"
        if found is None or WIND_ORDER.index(force) > WIND_ORDER.index(found[0]):
            name = WIND_NAMES[force] if held.condition == "wind" else view.battle.law.conditions[held.condition].name
            found = (force, name)
    return found


def wind_allows(view: ArmyView) -> bool:
    found = wind_on(view)
    return found is None or WINDS[found[0]][heavy_column(view)] is not None


def _wind_lines(view: ArmyView, s: Situation) -> Iterator[Line]:
    found = wind_on(view)
    if found is None or s.deed == "ambush":
        return
    value = WINDS[found[0]][heavy_column(view)] or 0
    share = sense_share(view, "weather", s.foe) if value else 1
    value = value if share == 1 else half(value) if share == 2 else 0
    if value:
        yield Line(found[1], value, "PF-4.1")


def _heroes_lines(view: ArmyView) -> Iterator[Line]:
    reached = (held for held in view.battle.conditions if held.condition == "heroes" and held.reaches(view.id))
    for value in dict.fromkeys(int(held.value or 0) for held in reached):  # two conditions may say the same
        yield Line(_("Heroes prevailed") if value > 0 else _("Heroes failed"), value, "PF-3.12")


def damage_share(view: ArmyView, foe: ArmyView) -> tuple[int, int, Said] | None:
    """Return the fraction of the army's damage to this foe that fog and the like leave (R-13), with
    its label, or None.
    """
    for held in view.battle.conditions:
        if held.condition in HALVES_DAMAGE and held.reaches(view.id):
            name = view.battle.law.conditions[held.condition].name
            return (3, 4, name) if view.profile.works(t.TRACKS, foe.profile) else (1, 2, name)
    return None


# Walls.
def forts_of(view: ArmyView) -> list[Fort]:
    return [fort for fort in view.battle.forts if view.id in fort.armies and view.id not in fort.exempt]


def parts_left(fort: Fort) -> list[tuple[Part, int]]:
    """Return each part with its value after wear. Siege engines do not wear moats."""
    worn, left = fort.worn, []
    for part in fort.parts:
        taken = 0 if part.kind == "moat" else min(worn, part.value)
        worn -= taken
        left.append((part, part.value - taken))
    return left


def wearable(fort: Fort) -> int:
    return sum(value for part, value in parts_left(fort) if part.kind != "moat")


def behind_walls(view: ArmyView) -> bool:
    return any(value > 0 for fort in forts_of(view) for _part, value in parts_left(fort))


def fort_lines(view: ArmyView, attacker: View | None) -> Iterator[Line]:
    """Yield the Defense of every fortification around the army, against this attacker (R-14)."""
    for fort in forts_of(view):
        whole = sum(part.value for part in fort.parts)
        left = sum(value for _part, value in parts_left(fort))
        met = left if attacker is None else sum(_met(fort, p, v, view, attacker) for p, v in parts_left(fort))
        if whole:
            yield Line(_("Fortification"), whole, "PF-4")
        if left != whole:
            yield Line(_("Damage from siege engines"), left - whole, "R-15")
        if met != left:
            yield Line(_("Bypassed by the attacker"), met - left, "R-14")


def _met(fort: Fort, part: Part, value: int, view: ArmyView, attacker: View) -> int:
    """Return the value of a part against this attacker."""
    works = attacker.profile.works
    mine = view.profile
    dug = any(mark.kind == "burrowed" and mark.other == fort.id for mark in attacker.marks)
    passes = (
        (dug and works(t.BURROWS, mine))
        or works(t.TELEPORTS, mine)
        or (works(t.FLIES, mine) and part.kind == "wall")
        or (works(t.EARTH_GLIDES, mine) and part.material in ("earth", "stone") and part.kind != "force")
        or (works(t.AMPHIBIOUS, mine) and part.kind == "moat")
    )
    if passes:
        return 0
    climbed = works(t.CLIMBS, mine) and part.kind not in ("moat", "force") and part.material != "force"
    return value * 3 // 4 if climbed else value

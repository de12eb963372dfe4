"""Sheet of an army: every figure of PF-1 with its breakdown, without a target or a phase (R-5). Also its printed form,
with the table of strategies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.adjustments import adjusted_by, adjustment_lines
from rules.core.breakdown import Breakdown, Line, OnPaper, PaperAid, PaperFigure, PaperList
from rules.core.content import SWITCHED_OFF, Item
from rules.core.text import Said, Term, _, by_number, say, signed
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Effect, HeldMark, MomentKind, Situation, Stat, View
from rules.pathfinder.catalogue.items import Strategy
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.figures import Profile, compile_profile, dv_lines, morale_lines, om_lines
from rules.pathfinder.leadership import ALWAYS_KNOWN, commander_sheet, morale_bonus
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import (
    ADJUSTABLE,
    AbilityChoice,
    Acr,
    ArmySpec,
    Size,
    TacticKnown,
    army_rating,
    consumption_base,
    experience,
    hexes_per_day,
    hit_points,
    parse_cr,
    scaled,
    size_of,
)

# Sheet of an army: every figure of PF-1 with its breakdown, without a target or a phase.

# speed of a unit in medium armour → without it, in metres per round (armor training)
UNARMOURED = {Fraction("4.5"): Fraction(6), Fraction(6): Fraction(9), Fraction(9): Fraction(12),
              Fraction("10.5"): Fraction(15), Fraction("13.5"): Fraction(18)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sheet:
    """Derived figures: hit points, consumption in BP a week, speed in hexes a day."""

    size: Size
    acr: Acr
    hp_max: int
    om: Breakdown
    dv: Breakdown
    consumption: Breakdown
    speed: Breakdown
    morale_check: Breakdown
    xp: int
    ranged: bool
    mounted: bool
    tactics_max: int
    tactics_counted: int


class SheetView:
    """Army outside any battle, as conditions see it: they answer None for whatever depends on a battle."""

    marks: tuple[HeldMark, ...] = ()

    def __init__(self, spec: ArmySpec, profile: Profile, acr: Acr, hp_max: int):
        self.spec = spec
        self.profile = profile
        self.id = spec.id
        self.acr = acr.floor
        self.creature_type = spec.unit.creature_type
        self.bloodied = spec.hp is not None and spec.hp * 2 <= hp_max

    def has(self, trait: Trait) -> bool | None:
        return True if trait in self.profile.traits else None

    def at_this_moment(self, _moment: MomentKind, _s: Situation) -> None:
        return None

    def under(self, _condition: str) -> None:
        return None

    def marked(self, _kind: str) -> bool:
        return False

    def sees_invisible(self, _foe: View | None = None) -> bool:
        return False

    def effects(self, stat: Stat) -> tuple[Effect, ...]:
        return self.profile.effects[stat]

    def situation_lines(self, stat: Stat, _s: Situation) -> Iterator[Line]:
        yield from lasting_lines(self.spec, stat)

    def morale_lines(self) -> Iterator[Line]:
        yield from morale_base(self.spec, self.spec.morale)


def hp_max_of(spec: ArmySpec, acr: Acr) -> int:
    """Return the maximum hit points: ACR × average of the hit die, with adjustments, at least 1 (PF-1.4)."""
    return max(1, hit_points(acr, spec.unit.hit_die) + adjusted_by(spec.adjustments, "hp"))


def lasting_lines(spec: ArmySpec, stat: Stat) -> Iterator[Line]:
    """Yield the penalties from disease and energy drain of earlier days (PF-7.3), and lasting adjustments."""
    if spec.disease:
        yield Line(_("Disease"), -spec.disease, "PF-7.3")
    if spec.drain:
        yield Line(_("Energy drain"), -spec.drain, "PF-7.3")
    yield from adjustment_lines(spec.adjustments, stat.value, ADJUSTABLE.rule)


def morale_base(spec: ArmySpec, morale: int) -> Iterator[Line]:
    """Yield the army's morale, arrears and its commander's bonus (PF-3.1, PF-7.2, R-7)."""
    yield Line(_("Morale"), morale, "PF-1.9")
    if spec.arrears:
        yield Line(_("Unpaid"), -2, "PF-7.2")
    if spec.commander is not None and spec.commander.active:
        yield from morale_bonus(spec.commander).lines
        if spec.commander.notorious:
            yield Line(_("Notorious commander"), -1, "R-7")
    yield from adjustment_lines(spec.adjustments, "morale", ADJUSTABLE.rule)


def rating_of(spec: ArmySpec) -> tuple[Size, Acr]:
    """Return size and ACR. The higher CR of rider and mount counts (PF-1.3). Raises `InvalidInput`."""
    size, cr = size_of(spec.count), parse_cr(spec.unit.cr)
    if spec.mount is not None and spec.mount.cr is not None:
        cr = max(cr, parse_cr(spec.mount.cr, "/mount/cr"))
    return size, army_rating(cr, size)


def army_sheet(law: Rulebook, spec: ArmySpec) -> Sheet:
    size, acr = rating_of(spec)
    choices = spec.unit.abilities
    profile = compile_profile(law, spec, choices)
    hp_max = hp_max_of(spec, acr)
    s = Situation(SheetView(spec, profile, acr, hp_max))
    return Sheet(
        size, acr, hp_max,
        om=Breakdown(om_lines(s)),
        dv=Breakdown(dv_lines(s)),
        consumption=consumption_of(law, spec, size, acr),
        speed=speed_of(spec, profile),
        morale_check=Breakdown(morale_lines(s)),
        xp=experience(acr),
        ranged=t.RANGED in profile.traits,
        mounted=t.MOUNTED in profile.traits,
        tactics_max=acr.floor // 2,
        tactics_counted=sum(not known.granted for known in spec.tactics),
    )  # fmt: skip


def consumption_of(law: Rulebook, spec: ArmySpec, size: Size, acr: Acr) -> Breakdown:
    """Return the consumption in BP a week: max(1, floor(ACR / 2)) plus that of each resource (PF-1.7, PF-5). Healing
    potions count only in a week in which they are used (PF-5). Adjustments count last, down to 0.
    """
    lines = Breakdown((Line(_("Upkeep by ACR"), consumption_base(acr), "PF-1.7"),))
    for slug, quantity in spec.resources.items():
        resource = law.resources[slug]
        if quantity > 0 and not resource.use and not resource.off:
            each = scaled(resource.consumption, size) if resource.scaled else resource.consumption
            lines = lines.plus(resource.name, each * (quantity if resource.several else 1), resource.rule)
    return _adjusted(spec, "consumption", lines, least=0)


def _adjusted(spec: ArmySpec, figure: str, lines: Breakdown, *, least: int) -> Breakdown:
    """Return the lines with the adjustments of this figure, which don't lower it below `least`."""
    adjusted = Breakdown((*lines.lines, *adjustment_lines(spec.adjustments, figure, ADJUSTABLE.rule)))
    return adjusted.at_least(min(lines.total, least), _("Lowest possible"), "PF-3.12")


def speed_of(spec: ArmySpec, profile: Profile) -> Breakdown:
    """Return the speed in hexes a day (PF-1.8), with adjustments, at least 1."""
    return _adjusted(spec, "speed", _own_speed(spec, profile), least=1)


def _own_speed(spec: ArmySpec, profile: Profile) -> Breakdown:
    """Return the speed of the army's units, or of its mounts (R-3)."""
    if spec.mount is not None and spec.mount.speed_m:
        return Breakdown((Line(_("Speed of the mounts"), hexes_per_day(Fraction(str(spec.mount.speed_m))), "R-3"),))
    pace = Fraction(str(spec.unit.speed_m))
    lines = Breakdown((Line(_("Speed of the unit"), hexes_per_day(pace), "PF-1.8"),))
    if not profile.works(t.UNARMOURED_PACE):
        return lines
    gained = hexes_per_day(UNARMOURED.get(pace, pace)) - lines.total
    return lines.plus(_("Armor training"), gained, "PF-9")


def abilities_now(spec: ArmySpec, gained: tuple[AbilityChoice, ...], lost: frozenset[str]) -> tuple[AbilityChoice, ...]:
    """Return the unit's abilities, with those gained and without those lost in a battle. A gained value replaces the
    unit's own (PF-3.12).
    """
    now: dict[str, AbilityChoice] = {}
    for choice in (*spec.unit.abilities, *gained):
        held = now.get(choice.ability)
        if held is None:
            now[choice.ability] = choice
        elif choice.value is not None:
            now[choice.ability] = replace(held, value=choice.value)
    return tuple(choice for slug, choice in now.items() if slug not in lost)


# Tactics that an army may use, and those it can learn (PF-1.10).


def tactics_of(law: Rulebook, spec: ArmySpec) -> tuple[str, ...]:
    """Return every tactic the army may use: always known, learned, granted, its commander's, its tactician's."""
    own = [slug for slug, tactic in law.tactics.items() if tactic.always_known]
    own += [known.tactic for known in spec.tactics if known.tactic in law.tactics]
    own += bonus_tactics(law, spec)
    return tuple(slug for slug in dict.fromkeys(own) if not law.tactics[slug].off)


def bonus_tactics(law: Rulebook, spec: ArmySpec) -> list[str]:
    """Return tactics from the commander or a tactician, which do not count against the army's maximum (PF-1.10)."""
    teaches = not law.abilities["tactician"].off
    found = [str(c.options.get("tactic")) for c in spec.unit.abilities if c.ability == "tactician" and teaches]
    if spec.commander is not None and spec.commander.active:
        for state in commander_sheet(law, spec.commander).boons:
            taught = state.active and state.boon.needs_tactic and not state.boon.off
            found += state.tactics if taught else ()
    return [slug for slug in found if slug in law.tactics and not law.tactics[slug].off]


ROOM = by_number(
    "This army has room for {most} tactic (half its ACR).", "This army has room for {most} tactics (half its ACR).",
    by="most",
)  # fmt: skip


def learn_tactic_refusal(law: Rulebook, spec: ArmySpec, tactic: str, granted: bool = False) -> Said | None:
    """Return why the army cannot learn this tactic, or None (PF-1.10)."""
    item = law.tactics.get(tactic)
    if item is None:
        return say(_("Tactic “{slug}” not found."), slug=tactic)
    if item.off:
        return say(SWITCHED_OFF, item=item.name)
    if item.always_known:
        return say(ALWAYS_KNOWN, tactic=item.name)
    if law.mindless(spec.unit.abilities):
        return say(_("{army} can only use the standard tactic, being mindless."), army=spec.name)
    if TacticKnown(tactic, True) in spec.tactics or TacticKnown(tactic, False) in spec.tactics:
        return say(_("This army already knows {tactic}."), tactic=item.name)
    sheet = army_sheet(law, spec)
    if not granted and sheet.tactics_counted >= sheet.tactics_max:
        return say(ROOM, most=sheet.tactics_max)
    return None


# Printed sheet of an army and table of strategies (PF-1, PF-3.7).

FIGURES: tuple[tuple[str, Term, bool], ...] = (
    ("om", _("OM"), False),
    ("dv", _("DV"), True),
    ("morale_check", _("Morale"), False),
    ("speed", _("Speed"), True),
    ("consumption", _("BP per week"), True),
)
STAGES: tuple[Said, ...] = (_("Ranged"), *(say(_("Melee {number}"), number=number) for number in range(1, 6)))
MEASURE = _("Hit points")
CHANGES: tuple[tuple[str, Term], ...] = (
    ("om", _("OM {number}")), ("dv", _("DV {number}")), ("damage", _("damage {number}")),
)  # fmt: skip


def on_paper(
    law: Rulebook, spec: ArmySpec, figures: Mapping[str, Breakdown], *, health: int, health_max: int
) -> OnPaper:
    """Return the printed army with those of its figures that are known.

    The brink is its ACR in hit points: at or below it, a loss requires a rout check.
    """
    size, acr = rating_of(spec)
    return OnPaper(
        id=spec.id,
        name=spec.name,
        health=health,
        health_max=health_max,
        about=say(
            _("{count} × {unit} · {size} · ACR {acr}"),
            count=spec.count, unit=spec.unit.name, size=size.name, acr=str(acr),
        ),
        leader=spec.commander.name if spec.commander else "",
        kingdom=spec.kingdom,
        charge=device_of(spec),
        measure=MEASURE,
        brink=acr.floor,
        brink_help=_("gray: losses call for a rout check"),
        figures=tuple(
            PaperFigure(label, figures[slug].total, figures[slug].lines, plain)
            for slug, label, plain in FIGURES if slug in figures
        ),
        lists=tuple(found for found in _lists(law, spec) if found.items),
    )  # fmt: skip


def device_of(spec: ArmySpec) -> str:
    """Return the icon on the army's shield: how it fights, else its creature type."""
    if spec.mount is not None or spec.resources.get("mounts"):
        return "cavalry"
    return "bowman" if spec.unit.ranged else spec.unit.creature_type


def _lists(law: Rulebook, spec: ArmySpec) -> Iterator[PaperList]:
    tactics = dict.fromkeys([*(known.tactic for known in spec.tactics), *bonus_tactics(law, spec)])
    yield PaperList(_("Tactics"), tuple(law.tactics[slug].name for slug in tactics if slug in law.tactics))
    yield PaperList(_("Abilities"), tuple(
        _counted(law.abilities[choice.ability], choice.value)
        for choice in spec.unit.abilities if choice.ability in law.abilities
    ))  # fmt: skip
    yield PaperList(_("Resources"), tuple(
        _counted(law.resources[slug], number if number > 1 else None)
        for slug, number in spec.resources.items() if number and slug in law.resources
    ))  # fmt: skip
    if spec.commander is not None and spec.commander.active:
        states = commander_sheet(law, spec.commander).boons
        yield PaperList(_("Boons"), tuple(state.boon.name for state in states if state.active))


def _counted(item: Item, number: int | None) -> Said:
    return say(_("{item} {number}"), item=item.name, number=number) if number else item.name


def strategies_on_paper(law: Rulebook) -> PaperAid:
    """Return the table of the five strategies, most careful first. An army starts with the middle one."""
    steps = sorted(law.strategies.values(), key=lambda item: item.step)
    begin = next((place for place, item in enumerate(steps) if item.step == 0), -1)
    return PaperAid(
        _("Strategy"),
        tuple((item.name, tuple(_changes(item))) for item in steps),
        begin,
        _("one step per phase is free, more need a morale check"),
    )


def _changes(item: Strategy) -> Iterator[Said]:
    for slug, template in CHANGES:
        if number := getattr(item, slug):
            yield say(template, number=signed(number))

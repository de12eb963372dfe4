"""Workshop of breaking points: levers that decide a hypothetical battle, and dials that would make it even."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import ASSAULT, FIELD, FLEET, BattleNow, FieldMark, Opening
from rules.breaking_point.battle.state.field_figures import DISTANCE_NAMES
from rules.breaking_point.battle.state.opening import host_refusal
from rules.breaking_point.figures import body_figures, unit_breaking
from rules.breaking_point.ground import MARKS
from rules.breaking_point.house import HOUSE_RULES
from rules.breaking_point.lines import command_lines, rally_lines
from rules.breaking_point.spec import FORTIFICATIONS, Host, House, Place, Unit
from rules.breaking_point.workshop.setting import (
    BREAKING,
    COMBAT,
    DEFENSE,
    HOLDS,
    RALLY,
    USUAL,
    MatchUp,
    Plan,
    begun,
    check_match_up,
    meetings,
)
from rules.core.text import Said, Term, _, minus, say, signed
from rules.core.workshop import Dial, Lever, WorkshopLaw

HOUSE = ("plain_die", "surprise_for_battle")  # house rules that affect a battle
ADDED: dict[str, Term] = {
    "combat": _("Extra combat {value}"),
    "defense": _("Extra defense {value}"),
    "circumstances": _("Circumstances {value}"),
    "cover": _("Cover {value}"),
}


def levers(asked: MatchUp) -> tuple[Lever, ...]:
    """Return all levers, each with the question without it, in no particular order."""
    found = [lever for host in asked.opening.armies for lever in _levers_of_army(asked, host)]
    return (*found, *_of_field(asked), *_of_law(asked))


def _levers_of_army(asked: MatchUp, host: Host) -> Iterator[Lever]:
    yield from _of_units(asked, host)
    yield from _of_arms(asked, host)
    yield from _of_leader(asked, host)
    yield from _of_figures(asked, host)
    yield from _of_plan(asked, host)


def _note(host: Host, what: Said) -> Said:
    return say(_("{army}: {what}"), army=host.name, what=what)


# Units.


def _of_units(asked: MatchUp, host: Host) -> Iterator[Lever]:
    """Yield a lever for each of several units, if the rest is still an army."""
    for place, unit in enumerate(host.units if len(host.units) > 1 else ()):
        rest = replace(host, units=(*host.units[:place], *host.units[place + 1 :]))
        if host_refusal(asked.opening.kind, rest) is None:
            name = say(_("{heads} × {unit}"), heads=unit.strength, unit=unit.name)
            yield Lever(f"unit:{place}", host.id, name, _note(host, _("without this unit")), asked.with_host(rest))


def _of_arms(asked: MatchUp, host: Host) -> Iterator[Lever]:
    told: tuple[tuple[str, Said, Said, Callable[[Unit], Unit]], ...] = (
        ("charge", _("The charge"), _("charging units would strike like any other"), _uncharging),
        ("armour", _("Armor"), _("its force would be smaller"), lambda unit: replace(unit, armour=0)),
        ("accuracy", _("Accuracy of its weapons"), _("no bonus on its tests"), _plainly_armed),
        ("bursts", _("Fires bursts"), _("its fire power would be halved"), _unbursting),
    )
    for slug, name, note, changed in told:
        units = tuple(changed(unit) for unit in host.units)
        if units != host.units:
            yield Lever(slug, host.id, name, _note(host, note), asked.with_host(replace(host, units=units)))


def _uncharging(unit: Unit) -> Unit:
    return replace(unit, type=replace(unit.type, charge=1))


def _plainly_armed(unit: Unit) -> Unit:
    return replace(unit, weapons=tuple(replace(weapon, accuracy=0) for weapon in unit.weapons))


def _unbursting(unit: Unit) -> Unit:
    return replace(unit, weapons=tuple(replace(weapon, bursts=False) for weapon in unit.weapons))


# Commander.


def _of_leader(asked: MatchUp, host: Host) -> Iterator[Lever]:
    leader = host.commander
    if leader is None:
        return
    name = say(_("{who}: command {value}"), who=leader.name, value=signed(command_lines(leader, ()).total))
    without = asked.with_host(replace(host, commander=None))
    yield Lever("commander", host.id, name, _note(host, _("its troops would lead themselves")), without)
    if leader.art_of_war:
        name = say(_("Art of war {value}"), value=signed(leader.art_of_war))
        plain = asked.with_host(replace(host, commander=replace(leader, art_of_war=0)))
        yield Lever("art-of-war", host.id, name, _note(host, _("command and rally")), plain)


# Figures.


def _of_figures(asked: MatchUp, host: Host) -> Iterator[Lever]:
    figures = body_figures(host.units)
    plan = asked.plan(host.id)

    def spared(slug: str, name: Said, note: Said) -> Lever:
        without = asked.with_plan(host.id, spared=plan.spared | {slug})
        return Lever(slug, host.id, name, _note(host, note), without)

    if figures.combat:
        name = say(_("Combat {value}"), value=minus(figures.combat))
        yield spared(COMBAT, name, _("tests only, not breaking point or defense"))
    if figures.defense:
        yield spared(DEFENSE, say(_("Defense {value}"), value=figures.defense), _("its attackers’ tests"))
    breaks = any(unit_breaking(unit) is not None for unit in host.units)
    if breaks:
        yield spared(RALLY, say(_("Rally {value}"), value=signed(rally_lines(host.commander, host.units).total)),
                     _("broken groups would be gone"))  # fmt: skip
        yield spared(
            BREAKING, _breaking(figures.breaking), _("it would fight to the last, and assaults would have no cap")
        )
    if any(unit.never for unit in host.units):
        yield _never(asked, host)


def _breaking(percent: int | None) -> Said:
    return _("Breaking point") if percent is None else say(_("Breaking point {value}%"), value=percent)


def _never(asked: MatchUp, host: Host) -> Lever:
    units = tuple(replace(unit, never=False, type=replace(unit.type, never=False)) for unit in host.units)
    note = _note(host, _("it would break like any group of its combat"))
    return Lever("never", host.id, _("Never breaks"), note, asked.with_host(replace(host, units=units)))


# Behaviour.


def _of_plan(asked: MatchUp, host: Host) -> Iterator[Lever]:
    plan = asked.plan(host.id)
    shots = any(unit.group == "shooting" for unit in host.units) and len({unit.group for unit in host.units}) > 1
    if shots and plan.shooting != HOLDS and asked.opening.kind not in (FLEET, ASSAULT):
        fire = body_figures([unit for unit in host.units if unit.group == "shooting"]).fire_power
        without = asked.with_plan(host.id, shooting=HOLDS)
        note = _note(host, _("its shooters would hold their fire"))
        yield Lever("shots", host.id, say(_("Fire power {value}"), value=fire), note, without)
    told: tuple[tuple[str, Said, object], ...] = (
        ("contact", _("Contact group’s orders"), USUAL.contact),
        ("shooting", _("Shooting group’s orders"), USUAL.shooting),
        ("pursue", _("Pursuit"), USUAL.pursue),
    )
    for slug, name, usual in told:
        if getattr(plan, slug) != usual:
            note = _note(host, _("instead of the usual order"))
            yield Lever(slug, host.id, name, note, asked.with_plan(host.id, **{slug: usual}))
    if any(unit.reserve for unit in host.units) and plan.commit:
        note = _note(host, _("it would never arrive"))
        yield Lever("reserve", host.id, _("The reserve"), note, asked.with_plan(host.id, commit=False))
    for figure, words in ADDED.items():
        if added := getattr(plan, figure):
            note = say(_("given to {army} to see the difference"), army=host.name)
            without = asked.with_plan(host.id, **{figure: 0})
            yield Lever(f"{figure}-besides", host.id, say(words, value=signed(added)), note, without)


# Field and rules.


def _of_field(asked: MatchUp) -> Iterator[Lever]:
    opening = asked.opening
    for place, mark in enumerate(opening.conditions):
        kept = (*opening.conditions[:place], *opening.conditions[place + 1 :])
        name, note = _of_mark(mark)
        yield Lever(f"condition:{mark.kind}", "", name, note, asked.with_opening(conditions=kept))
    held, place_held = asked.assaulted, opening.place
    if held is not None and place_held is not None:
        note = say(_("held by {army}; without it they would fight in the open"), army=held.name)
        without = asked.with_opening(kind=FIELD, place=None)
        yield Lever("place", held.id, say(Term("{name}"), name=place_held.kind.name), note, without)


def _of_mark(mark: FieldMark) -> tuple[Said, Said]:
    if mark.kind in MARKS:
        return MARKS[mark.kind].name, MARKS[mark.kind].summary
    if mark.kind == c.DISTANCE:
        return DISTANCE_NAMES[str(mark.value)], _("instead of the usual distance")
    kind = c.CONDITIONS[mark.kind]
    name = kind.name if mark.value is None else say(_("{what} {number}"), what=kind.name, number=mark.value)
    return name, _("a GM ruling")


def _of_law(asked: MatchUp) -> Iterator[Lever]:
    """Yield levers for chance and numbers, which affect both sides."""
    fleet = asked.opening.kind == FLEET
    if not fleet and not asked.holds(c.NARROW) and not asked.holds(c.SITE):
        without = asked.with_mark(FieldMark(c.NARROW))
        yield Lever("numbers", "", _("Numbers at contact"), _("as on narrow ground, where numbers don’t count"),
                    without)  # fmt: skip
    if not asked.holds(c.NO_SURPRISE):
        without = asked.with_mark(FieldMark(c.NO_SURPRISE))
        yield Lever("surprise", "", _("Surprise"), _("as if nobody could be surprised"), without)
    for slug in HOUSE:
        rule, value = HOUSE_RULES.rules[slug], getattr(asked.house, slug)
        if value != rule.default:
            house = replace(asked.house, **{slug: rule.default})  # type: ignore[arg-type]
            note = _("a house rule of this campaign")
            yield Lever(f"house:{slug}", "", rule.in_words(value), note, replace(asked, house=house))


# Dials: numbers of a battle that can be changed in steps, to see what would make it even.

PART, WHOLE, MOST_PARTS = 5, 100, 60
"""Step of head counts in percent, 100 percent, and most steps: up to three times the heads."""
MOST_BONUS, MOST_ARMOUR = 10, 8
KINDS = tuple(FORTIFICATIONS.values())
LIKE_PLAN: tuple[tuple[str, Term, int], ...] = (
    ("combat", _("Extra combat {value} for {army}"), MOST_BONUS),
    ("defense", _("Extra defense {value} for {army}"), MOST_BONUS),
    ("circumstances", _("Circumstances {value} for {army}"), c.CIRCUMSTANCES_MOST),
)


def dials(asked: MatchUp) -> tuple[Dial, ...]:
    """Return the dials of each army: heads, combat, defense, command, armour, cover, and a place of its own."""
    return tuple(dial for host in asked.opening.armies for dial in _of_army(asked, host))


def _of_army(asked: MatchUp, host: Host) -> Iterator[Dial]:
    yield _head_count(asked, host)
    for slug, words, most in LIKE_PLAN:
        yield _planned(asked, host, slug, words, most)
    if all(unit.machine is None for unit in host.units):
        yield _armour(asked, host)
        yield from _walls(asked, host)
    if any(unit.group == "shooting" for foe in asked.opening.armies if foe.id != host.id for unit in foe.units):
        yield _planned(asked, host, "cover", _("Cover {value} for {army}"), c.COVER_MOST)


def scaled(unit: Unit, percent: int) -> Unit:
    """Return the unit with this percentage of its heads and pieces, at least 1 of each."""
    pieces = None if unit.pieces is None else max(1, (unit.pieces * percent + WHOLE // 2) // WHOLE)
    return replace(unit, strength=max(1, (unit.strength * percent + WHOLE // 2) // WHOLE), pieces=pieces)


def _head_count(asked: MatchUp, host: Host) -> Dial:
    def with_share(step: int) -> Host:
        return replace(host, units=tuple(scaled(unit, PART * step) for unit in host.units))

    def says(step: int) -> Said:
        now, heads = (sum(unit.strength for unit in one.units) for one in (host, with_share(step)))
        return say(_("{count} heads in {army} instead of {now}"), army=host.name, count=heads, now=now)

    return Dial("count", host.id, WHOLE // PART, 1, MOST_PARTS, lambda step: asked.with_host(with_share(step)), says)


def _planned(asked: MatchUp, host: Host, figure: str, words: Term, most: int) -> Dial:
    """Dial over a bonus to a figure."""
    now = getattr(asked.plan(host.id), figure)

    def says(step: int) -> Said:
        return say(words, army=host.name, value=signed(step))

    return Dial(figure, host.id, now, min(now, 0), max(now, most),
                lambda step: asked.with_plan(host.id, **{figure: step}), says)  # fmt: skip


def _armour(asked: MatchUp, host: Host) -> Dial:
    def at(step: int) -> MatchUp:
        units = tuple(replace(unit, armour=unit.armour + step) for unit in host.units)
        return asked.with_host(replace(host, units=units))

    def says(step: int) -> Said:
        return say(_("Armor {value} for every head of {army}"), army=host.name, value=signed(step))

    return Dial("armour", host.id, 0, 0, MOST_ARMOUR, at, says)


def _walls(asked: MatchUp, host: Host) -> Iterator[Dial]:
    """Dial over the kinds of place that the army holds; none if the other side holds one."""
    holder = asked.assaulted
    if holder is not None and holder.id != host.id:
        return
    place = asked.opening.place
    now = 0 if place is None else 1 + KINDS.index(place.kind)

    def says(step: int) -> Said:
        if not step:
            return say(_("{army} in the open"), army=host.name)
        return say(_("{army} behind {what}"), army=host.name, what=KINDS[step - 1].name)

    yield Dial("walls", host.id, now, 0, len(KINDS), lambda step: held(asked, host.id, step), says)


def held(asked: MatchUp, army: str, step: int, garrison: int | None = None) -> MatchUp:
    """Return the question with this army in a place of kind number `step` (from 1, weakest first), garrisoned by its
    heads; 0 is the open field.
    """
    if not step:
        return asked.with_opening(kind=FIELD, place=None)
    kind, heads = KINDS[step - 1], sum(unit.strength for unit in asked.host(army).units)
    place = Place("", str(kind.name), kind, garrison or max(kind.least, heads))
    return asked.with_opening(kind=ASSAULT, place=place, defender=asked.side_of(army))


@dataclass(frozen=True, slots=True)
class HostWorkshop(WorkshopLaw):
    house: House
    known = True
    thrown, swept, at_once, most_pairs = 2000, 1000, 10, 5_000

    def question(self, opening: Opening, bearings: Mapping[str, Plan]) -> MatchUp:
        return MatchUp(self.house, opening, bearings)

    def check(self, question: MatchUp) -> None:
        check_match_up(question)

    def begun(self, question: MatchUp) -> BattleNow:
        return begun(question)

    def meetings(self, first: Host, others: Sequence[Host], field: tuple[FieldMark, ...]) -> Sequence[BattleNow]:
        return meetings(self.house, first, others, field)

    def levers(self, question: MatchUp) -> Sequence[Lever]:
        return levers(question)

    def dials(self, question: MatchUp) -> Sequence[Dial]:
        return dials(question)

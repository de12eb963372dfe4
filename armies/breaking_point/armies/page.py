"""Page objects of an army and a commander, for their readers, and figures of an army with their breakdowns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from armies.breaking_point.armies.forms import GrantForm, OneUnitForm, RecruitsForm, WoundedForm
from armies.breaking_point.forces import words
from armies.breaking_point.forces.specs import build_general, build_leader, load_adjusted_units, load_units
from armies.default import page as default_page
from armies.default.page import PlainArmyPage, PlainCommanderPage
from armies.forces.access import list_armies
from armies.models import Army, Commander
from kingdom.models import User
from kingdom.models.base import Natural
from rules.breaking_point import lines
from rules.breaking_point.documents import COMMANDER_FIGURES
from rules.breaking_point.figures import (
    AS_LISTED,
    BodyFigures,
    Terms,
    armour_to_beat,
    body_figures,
    contact_power,
    fire_power,
    shots_of,
    training_cost,
    unit_breaking,
    unit_defense,
    unit_force,
    unit_range,
)
from rules.breaking_point.losses import in_words
from rules.breaking_point.spec import CONTACT, IN_SHORT, SHOOTING, General, Unit
from rules.core.breakdown import Breakdown
from rules.core.text import NO_WORDS, Said, Term, _, say

# Figures of an army for its pages, with their breakdowns.

NOT_OPENED = Breakdown()


class FigureShown(NamedTuple):
    """A figure that opens to its breakdown. `value` None: the figure does not exist."""

    id: str
    label: Said
    value: int | None
    breakdown: Breakdown = NOT_OPENED
    hint: Said = NO_WORDS
    signed: bool = False

    @property
    def title(self) -> Said:
        return self.label

    @property
    def bare(self) -> bool:
        """Whether there is no breakdown to open."""
        return not self.breakdown.lines


class ShownFact(NamedTuple):
    label: Said
    words: Said

    @property
    def sentence(self) -> Said:
        return say(_("{figure}: {value}"), figure=self.label, value=self.words)


class UnitLine(NamedTuple):
    """A unit in its group. `place`: its number in the army. `next`: combat after training, for `cost` points of
    experience.
    """

    place: int
    unit: Unit
    about: Said
    power: FigureShown
    fire_power: FigureShown
    range: Said
    force: FigureShown
    defense: FigureShown
    breaking: Said
    facts: tuple[ShownFact, ...]

    @property
    def counting(self) -> int | None:
        """The power that counts in the unit's group: fire power of shooters, attack power of others."""
        return (self.fire_power if self.unit.group == SHOOTING else self.power).value

    @property
    def next(self) -> int:
        return self.unit.combat + 1

    @property
    def cost(self) -> int:
        return training_cost(self.next)

    @property
    def affords(self) -> bool:
        return self.unit.experience >= self.cost


class GroupShown(NamedTuple):
    """A group of the army or of its reserve. `slug`: as in the keys of the army's bodies."""

    slug: str
    title: Said
    lines: tuple[UnitLine, ...]
    total: BodyFigures
    thresholds: tuple[ShownFact, ...]

    @property
    def range(self) -> Said:
        return IN_SHORT.get(self.total.range, words.NONE)

    @property
    def breaking(self) -> Said:
        return words.breaking(self.total.breaking, self.total.breaking_value)

    @property
    def power_word(self) -> Said:
        return words.FIRE_POWER if self.slug.endswith(SHOOTING) else words.POWER


@dataclass(frozen=True, slots=True)
class SheetShown:
    total: BodyFigures
    figures: tuple[FigureShown, ...]
    thresholds: tuple[ShownFact, ...]
    groups: tuple[GroupShown, ...]

    @property
    def lines(self) -> tuple[UnitLine, ...]:
        return tuple(line for group in self.groups for line in group.lines)


FIGURE_GROUPS: tuple[tuple[str, str, bool, Term], ...] = (
    ("contact", CONTACT, False, _("Contact group")),
    ("shooting", SHOOTING, False, _("Shooting group")),
    ("reserve-contact", CONTACT, True, _("Reserve, contact group")),
    ("reserve-shooting", SHOOTING, True, _("Reserve, shooting group")),
)


FIGURES: dict[str, Term] = {
    "strength": words.STRENGTH,
    "power": words.POWER,
    "fire_power": words.FIRE_POWER,
    "force": words.FORCE,
    "combat": words.COMBAT,
    "defense": words.DEFENSE,
}


IN_TESTS: tuple[tuple[str, Term, Callable[[Sequence[Unit]], bool]], ...] = (
    ("contact_combat", _("Combat in tests at contact"), lambda units: any(unit.group == CONTACT for unit in units)),
    ("shot_combat", _("Combat in tests of shots"), lambda units: any(shots_of(unit) for unit in units)),
)
"""Figures shown where the GM has adjusted the army."""


def build_sheet(units: Sequence[Unit]) -> SheetShown:
    """Figures of the whole army, its reserve included, and of its groups."""
    total = body_figures(units)
    return SheetShown(total, tuple(_figures(units, total)), _thresholds(total), tuple(_groups(units)))


def _figures(units: Sequence[Unit], total: BodyFigures) -> Iterator[FigureShown]:
    opened = lines.body_lines(units)
    for slug, label in FIGURES.items():
        hint = words.name_quality(total.combat) if slug == "combat" else NO_WORDS
        yield FigureShown(slug.replace("_", "-"), label, getattr(total, slug), opened[slug], hint)
    if any(unit.adjustments for unit in units):
        for slug, label, used in IN_TESTS:
            if used(units):
                yield FigureShown(slug.replace("_", "-"), label, getattr(total, slug), opened[slug])
    lost = NO_WORDS if total.breaking_value is None else say(_("at {losses} losses"), losses=total.breaking_value)
    yield FigureShown("breaking", words.BREAKING, total.breaking, opened["breaking_point"], lost)
    yield FigureShown("mobility", words.MOBILITY, total.mobility)


def _groups(units: Sequence[Unit]) -> Iterator[GroupShown]:
    for slug, group, reserve, title in FIGURE_GROUPS:
        found = [(place, u) for place, u in enumerate(units) if u.group == group and u.reserve == reserve]
        if found:
            yield group_of(slug, title, found)


def group_of(slug: str, title: Said, found: Sequence[tuple[int, Unit]]) -> GroupShown:
    """A group of these units, each with its number in the army."""
    total = body_figures([unit for _place, unit in found])
    return GroupShown(slug, title, tuple(unit_line(place, unit) for place, unit in found), total, _thresholds(total))


def _thresholds(total: BodyFigures) -> tuple[ShownFact, ...]:
    """Losses from which a body is in a state (BP-4.8), and beyond which it breaks (BP-2.5)."""
    value = total.breaking_value
    breaks = words.NEVER if value is None else say(_("beyond {losses} points"), losses=value)
    from_on = _("from {losses} points on")
    return (
        ShownFact(_("engaged, −1"), say(_("from the first point on"))),
        ShownFact(_("battered, −2, power halved"), say(from_on, losses=-(-total.force // 2))),
        ShownFact(_("decimated, −5, power halved"), say(from_on, losses=total.force)),
        ShownFact(_("annihilated"), say(_("from {losses} points on, twice its force"), losses=2 * total.force)),
        ShownFact(_("breaks, −5, power and defense halved"), breaks),
    )


def unit_line(place: int, unit: Unit) -> UnitLine:
    opened = lines.unit_lines(unit)

    def shown(slug: str, label: Term, value: int) -> FigureShown:
        return FigureShown(f"unit-{place}-{slug}", label, value, opened[slug])

    return UnitLine(
        place=place,
        unit=unit,
        about=words.describe_unit(unit),
        power=shown("power", words.POWER, int(contact_power(unit))),
        fire_power=shown("fire_power", words.FIRE_POWER, int(fire_power(unit))),
        range=IN_SHORT.get(unit_range(unit), words.NONE),
        force=shown("force", words.FORCE, unit_force(unit)),
        defense=shown("defense", words.DEFENSE, unit_defense(unit)),
        breaking=words.percent(unit_breaking(unit)),
        facts=tuple(_facts(unit)),
    )


def _facts(unit: Unit) -> Iterator[ShownFact]:
    yield ShownFact(words.WEAPONS, words.weapons(unit.weapons))
    yield ShownFact(words.ARMOUR, words.armour(unit))
    yield ShownFact(words.TOUGHNESS, words.format_number(unit.toughness))
    if unit.machine is not None:
        yield ShownFact(words.MACHINE, words.machine(unit.machine))
    if unit.pieces is not None:
        yield ShownFact(words.PIECES, words.format_number(unit.pieces))
    if unit.wounded:
        yield ShownFact(words.WOUNDED, words.format_number(unit.wounded))
    if unit.experience:
        yield ShownFact(words.EXPERIENCE, words.format_number(unit.experience))


class AgainstRow(NamedTuple):
    title: Said
    power: int
    fire: int
    listed_power: int
    listed_fire: int


def against(units: Sequence[Unit], enemy: Iterable[Unit]) -> tuple[int, tuple[AgainstRow, ...]]:
    """The armour to beat (B-64), and each group's power against it."""
    armour = armour_to_beat(tuple(enemy))
    rows = []
    for _slug, group, reserve, title in FIGURE_GROUPS:
        own = [unit for unit in units if unit.group == group and unit.reserve == reserve]
        if own:
            power, fire = _powers(own, Terms(armour=armour))
            listed, listed_fire = _powers(own, AS_LISTED)
            rows.append(AgainstRow(title, power, fire, listed, listed_fire))
    return armour, tuple(rows)


def _powers(units: Sequence[Unit], terms: Terms) -> tuple[int, int]:
    return int(sum(contact_power(unit, terms) for unit in units)), int(sum(fire_power(unit, terms) for unit in units))


def list_sums(general: General | None, units: Sequence[Unit] = ()) -> tuple[FigureShown, ...]:
    """Modifiers that a commander adds to dice; for troops without a commander, those of their combat."""
    found = (
        ("command", _("Command potential"), lines.command_lines),
        ("rally", _("Rally"), lines.rally_lines),
        ("terms", _("Siege terms"), lines.terms_lines),
    )
    return tuple(FigureShown(slug, label, (sums := of(general, units)).total, sums) for slug, label, of in found)


# Page objects of an army and a commander, for their readers.

MOST_ENEMIES = 200


class Against(NamedTuple):
    """Power against one army, with the armour that it has to beat."""

    army: Army
    armour: int
    rows: tuple[AgainstRow, ...]

    @property
    def armour_words(self) -> Said:
        if not self.armour:
            return say(_("{army}: not mostly machines, so every weapon counts."), army=self.army.name)
        least = -(-self.armour // 2)
        return say(_("Armor {armour}: weapons with less than {least} damage have no effect."), armour=self.armour,
                   least=least)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArmyPage:
    """The army's page. `plain`: attributes common to all rulesets. `sheet` is None if the ruleset refuses the units."""

    plain: PlainArmyPage
    sheet: SheetShown | None
    sums: tuple[FigureShown, ...]
    enemies: tuple[Army, ...]
    against: Against | None
    forms: Mapping[str, OneUnitForm]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)

    @property
    def trainable(self) -> tuple[UnitLine, ...]:
        return tuple(line for line in self.sheet.lines if line.unit.experience) if self.sheet else ()

    @property
    def spoils(self) -> tuple[Said, ...]:
        """The army's spoils in words, one by one."""
        return tuple(in_words(spoil) for spoil in self.plain.army.sheet.get("spoils", ())) if self.sheet else ()

    @property
    def wounded(self) -> bool:
        return self.sheet is not None and any(line.unit.wounded for line in self.sheet.lines)


def army_page(user: User, army: Army, enemy: str = "", sent: Mapping[str, OneUnitForm] | None = None) -> ArmyPage:
    """The army's sheet for this user, who may read it. `sent`: a refused form with its data."""
    page, units = default_page.army_page(user, army), load_adjusted_units(army)
    rivals = _enemies(user, army) if units else ()
    chosen = next((other for other in rivals if str(other.pk) == enemy), None)
    return ArmyPage(
        plain=page,
        sheet=build_sheet(units) if units else None,
        sums=list_sums(build_leader(army), units) if units else (),
        enemies=rivals,
        against=Against(chosen, *against(units, load_units(chosen) or ())) if units and chosen else None,
        forms={**_forms(army), **(sent or {})} if page.open else {},
    )


def _enemies(user: User, army: Army) -> tuple[Army, ...]:
    """Armies of other kingdoms whose sheets the user may read."""
    others: Any = list_armies(user, army.campaign).filter(status__in=Army.STANDING).exclude(kingdom=army.kingdom_id)
    return tuple(others.order_by(Natural("kingdom__name"), Natural("name"), "id")[:MOST_ENEMIES])


def _forms(army: Army) -> dict[str, OneUnitForm]:
    return {"recruits": RecruitsForm(army=army), "grant": GrantForm(army=army), "wounded": WoundedForm(army=army)}


@dataclass(frozen=True, slots=True)
class CommanderPage:
    plain: PlainCommanderPage
    sums: tuple[FigureShown, ...]
    facts: tuple[ShownFact, ...]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def commander_page(user: User, commander: Commander) -> CommanderPage:
    general = build_general(commander)
    facts = (ShownFact(entry.name, words.format_number(commander.sheet.get(slug, entry.start)))
             for slug, entry in COMMANDER_FIGURES.items())  # fmt: skip
    return CommanderPage(default_page.commander_page(user, commander), list_sums(general), tuple(facts))

"""Page objects of a wing and of a commander, as far as a reader may see them, and its figures with their lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from armies.adjustments.services import read_adjustments
from armies.default import page as default_page
from armies.default.page import OpenedFigure, PlainArmyPage, PlainCommanderPage
from armies.models import Army, Commander
from kingdom.models import User
from kingdom.realms.figures import get_ruleset
from rules.adjustments import LastingAdjustment
from rules.core.breakdown import Breakdown
from rules.core.errors import Refusal
from rules.core.text import NO_WORDS, Said, _, say, verbatim
from rules.wing_command import figures as breakdowns
from rules.wing_command.figures import HEADS, SERGEANT, SpellChance, character_figures, commander_figures, type_of
from rules.wing_command.spec import UnitFigures
from rules.wing_command.starter import ARTS, CHARACTERS, ORDERS, PROFILES
from rules.wing_command.wing import WingCharacter, WingCommander, WingSheet, WingTroop

# Figures of a wing for its pages: troops, characters, points and upkeep, each with its lines.

POINTS, MORALE = _("Points"), _("Morale marker")
COLUMNS = ("move", "melee", "shot", "range", "guard")
PLAIN = ("shot", "range")  # left out for a unit that doesn't shoot


type Headed = tuple[tuple[Said, OpenedFigure | None], ...]


def headed(figures: Sequence[OpenedFigure | None]) -> Headed:
    """The figures with the heads of their columns."""
    return tuple(zip((HEADS[name] for name in COLUMNS), figures, strict=True))


class WingUnitRow(NamedTuple):
    """A troop or character. `kind`: its type ("" if its name says that). `facts`: further facts."""

    title: Said
    kind: Said
    facts: Sequence[Said]
    figures: Sequence[OpenedFigure | None]
    points: OpenedFigure | None = None
    spells: Sequence[SpellChance] = ()

    @property
    def headed(self) -> Headed:
        return headed(self.figures)


@dataclass(frozen=True, slots=True)
class WingShown:
    """A wing with all the figures derived from its document."""

    figures: tuple[OpenedFigure, ...]
    troops: tuple[WingUnitRow, ...]
    characters: tuple[WingUnitRow, ...]
    order: Any
    points: int
    upkeep: int

    @property
    def heads(self) -> tuple[Said, ...]:
        return tuple(HEADS[name] for name in COLUMNS)


def build_wing(law: Any, sheet: WingSheet, given: Sequence[LastingAdjustment] = ()) -> WingShown:
    """The figures of a wing with the GM's adjustments. Raises `InvalidInput` if the tables no longer have a type."""
    tables, points = law.tables, breakdowns.points_lines(sheet, law.tables)
    upkeep = breakdowns.upkeep_lines(sheet, tables) if law.armies.upkeep else Breakdown()
    morale = breakdowns.morale_lines(sheet, given)
    figures = [
        OpenedFigure("points", POINTS, points.total, points),
        OpenedFigure(
            "morale",
            MORALE,
            morale.total,
            morale if given else Breakdown(),
            hint=say(_("2D6, {most} or less"), most=morale.total),
        ),
    ]
    if law.armies.upkeep:
        figures.append(OpenedFigure("upkeep", _("Weekly upkeep"), upkeep.total, upkeep))
    return WingShown(
        figures=tuple(figures),
        troops=tuple(_troops(sheet, law, given)),
        characters=tuple(_character(place, one, law) for place, one in enumerate(sheet.characters)),
        order=ORDERS[sheet.order],
        points=points.total,
        upkeep=upkeep.total,
    )


def _troops(sheet: WingSheet, law: Any, given: Sequence[LastingAdjustment]) -> Iterator[WingUnitRow]:
    titles = breakdowns.titles_of(sheet, law.tables)
    for place, (title, troop) in enumerate(zip(titles, sheet.troops, strict=True)):
        lines = breakdowns.troop_lines(troop, law.tables, given)
        points = OpenedFigure(f"troop-{place}-points", POINTS, lines["points"].total, lines["points"])
        kind = type_of(troop, law.tables).name if troop.name else NO_WORDS
        yield WingUnitRow(title, kind, tuple(_facts(troop, law)), _figures(f"troop-{place}", lines), points)


def _facts(troop: WingTroop, law: Any) -> Iterator[Said]:
    kind = type_of(troop, law.tables)
    yield _("large") if kind.large else _("small")
    yield PROFILES[kind.command_class].name
    if kind.fly:
        yield _("flies")
    if kind.infiltrate or troop.infiltrate:
        yield _("infiltrates")


def _character(place: int, one: WingCharacter, law: Any) -> WingUnitRow:
    figures = character_figures(one)
    facts = (say(_("Command ability {ability}"), ability=one.ability), *facts_of_character(figures))
    shown = _figures(f"character-{place}", breakdowns.character_lines(one))
    spells = tuple(breakdowns.spells_of(figures, law.tables, law.house.aptitude_bonus))
    return WingUnitRow(verbatim(one.name), CHARACTERS[one.kind].name, facts, shown, spells=spells)


def facts_of_character(figures: UnitFigures) -> tuple[Said, ...]:
    """Profile, art and level, and ways of moving, in words."""
    found: list[Said] = [PROFILES[figures.profile].name]
    if figures.art:
        found.append(say(_("{art} magic, level {level}"), art=ARTS[figures.art], level=figures.level))
    if figures.pentacle:
        found.append(say(_("pentacle +{pentacle}"), pentacle=figures.pentacle))
    if figures.fly:
        found.append(_("flies"))
    if figures.infiltrate:
        found.append(_("infiltrates"))
    return tuple(found)


def _figures(at: str, lines: Mapping[str, Breakdown]) -> tuple[OpenedFigure | None, ...]:
    """The figures in the order of `COLUMNS`; None for shot and range of a unit that doesn't shoot."""
    return tuple(
        None if name in PLAIN and not lines[name].total
        else OpenedFigure(f"{at}-{name}", HEADS[name], lines[name].total, lines[name])
        for name in COLUMNS
    )  # fmt: skip


class CommanderShown(NamedTuple):
    """A commander's figures. `orders`: the number of order points they roll, in words."""

    test: OpenedFigure
    orders: Said
    initiative: int
    figures: Sequence[OpenedFigure | None]
    facts: Sequence[Said]
    spells: Sequence[SpellChance]
    ability: str

    @property
    def headed(self) -> Headed:
        return headed(self.figures)


def build_commander(law: Any, commander: WingCommander) -> CommanderShown:
    """The figures of a commander: command test, order points, initiative, combat figures and spells."""
    tables, figures = law.tables, commander_figures(commander)
    test = breakdowns.command_test_lines(commander.ability, commander.profile, tables)
    hint = say(_("2D6, {most} or less"), most=test.total)
    return CommanderShown(
        OpenedFigure("command-test", _("Command test"), test.total, test, hint),
        breakdowns.order_points(commander.ability, commander.profile, tables),
        tables.abilities[commander.ability].bonus,
        _figures("commander", breakdowns.commander_lines(commander)),
        facts_of_character(figures),
        tuple(breakdowns.spells_of(figures, tables, law.house.aptitude_bonus)),
        commander.ability,
    )


# Page objects of a wing and of a commander, as far as a reader may see them.


@dataclass(frozen=True, slots=True)
class WingPage:
    """The members of the general army page, and the wing.

    `wing`: None if the ruleset no longer accepts it. `leader`: figures of the commander, or of the sergeant who leads a
    wing without one.
    """

    plain: PlainArmyPage
    wing: WingShown | None
    leader: CommanderShown | None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def army_page(user: User, army: Army) -> WingPage:
    """The page of an army for this user, who must be allowed to read it."""
    return WingPage(default_page.army_page(user, army), wing_of(army), leader_of(army))


def wing_of(army: Army) -> WingShown | None:
    """The figures of a wing; None if the ruleset no longer accepts it."""
    law: Any = get_ruleset(army.campaign)
    try:
        return build_wing(law, law.armies.value_of(army.sheet), read_adjustments(army))
    except Refusal:
        return None


def leader_of(army: Army) -> CommanderShown | None:
    """The figures of its leader: the commander, or a sergeant."""
    law: Any = get_ruleset(army.campaign)
    return commander_of(army.commander) if army.commander else build_commander(law, SERGEANT)


def commander_of(commander: Commander) -> CommanderShown | None:
    """The figures of a commander; None if the ruleset no longer accepts them."""
    law: Any = get_ruleset(commander.campaign)
    try:
        return build_commander(law, law.armies.commander_of(commander.sheet))
    except Refusal:
        return None


@dataclass(frozen=True, slots=True)
class WingCommanderPage:
    """The members of the general commander page, and the commander's figures in this ruleset."""

    plain: PlainCommanderPage
    leader: CommanderShown | None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def commander_page(user: User, commander: Commander) -> WingCommanderPage:
    """The page of a commander for this user, who must be allowed to read it."""
    return WingCommanderPage(default_page.commander_page(user, commander), commander_of(commander))

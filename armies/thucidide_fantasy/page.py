"""Page objects of a contingent and of a commander, as far as a reader may see them, and its figures with their
lines.
"""

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
from rules.core.text import NO_WORDS, Said, _, by_number, say, verbatim
from rules.thucidide_fantasy import breakdowns
from rules.thucidide_fantasy.breakdowns import FIGURES, HEADS, HERO_FIGURES
from rules.thucidide_fantasy.contingent import (
    COMMANDER,
    ContingentCharacter,
    ContingentCommander,
    ContingentSheet,
    ContingentUnit,
)
from rules.thucidide_fantasy.figures import (
    activations_of,
    adjusted_figures,
    character_figures,
    commander_figures,
    type_of,
    unit_figures,
    victory_number,
)
from rules.thucidide_fantasy.house import HOUSE_RULES
from rules.thucidide_fantasy.spec import HERO, CharacterFigures, CommandLevel, Rank, Spell
from rules.thucidide_fantasy.starter import CHARACTERS, KINDS, LEVELS, RANKS, WEIGHTS

# Figures of a contingent for its pages: units, characters, points, upkeep and victory number, each with its lines.

POINTS = _("Points")
STANDS_LEFT = _("Stands: {left} of {count}")
MORE_WITHOUT_FIGHT = _("{hexes} when not fighting")
ACTIVATIONS = by_number("{count} activation of {units}", "{count} activations of {units}")
PLAIN = ("shot", "range")  # left out for a unit that doesn't shoot

type Headed = tuple[tuple[Said, OpenedFigure | None], ...]


class ContingentUnitRow(NamedTuple):
    """A unit.

    `kind`: its type ("" if its name says that). `facts`: further facts. `pips`: for each of its stands, whether it is
    left; `left`: the same in words.
    """

    title: Said
    kind: Said
    facts: Sequence[Said]
    traits: Sequence[Said]
    figures: Sequence[OpenedFigure | None]
    stands: OpenedFigure
    whole: int
    left: Said
    points: OpenedFigure
    hint: Said = NO_WORDS

    @property
    def headed(self) -> Headed:
        return tuple(zip((HEADS[name] for name in FIGURES), self.figures, strict=True))

    @property
    def pips(self) -> tuple[bool, ...]:
        return tuple(place < self.stands.value for place in range(self.whole))


class CardsShown(NamedTuple):
    """A caster's spells: cards with the number of each. `limit`: spell points."""

    limit: int
    cards: Sequence[tuple[Spell, int]]
    cost: int


class CharacterRow(NamedTuple):
    """A character or commander. `figures`: only for a hero."""

    title: Said
    kind: Said
    facts: Sequence[Said]
    traits: Sequence[Said]
    figures: Sequence[OpenedFigure]
    cards: CardsShown | None
    points: OpenedFigure | None = None


class CommanderShown(NamedTuple):
    """A commander's figures. `rank`, `level`: None for a hero."""

    row: CharacterRow
    rank: Rank | None
    level: CommandLevel | None


@dataclass(frozen=True, slots=True)
class ContingentShown:
    """An army with all the figures derived from its document."""

    figures: tuple[OpenedFigure, ...]
    units: tuple[ContingentUnitRow, ...]
    characters: tuple[CharacterRow, ...]
    points: int
    upkeep: int
    stands: int
    whole: int
    victory: int

    @property
    def heads(self) -> tuple[Said, ...]:
        return tuple(HEADS[name] for name in FIGURES)


def build_contingent(law: Any, sheet: ContingentSheet, given: Sequence[LastingAdjustment] = ()) -> ContingentShown:
    """The figures of a contingent with the GM's adjustments. Raises `InvalidInput` if the tables no longer have
    something it names.
    """
    usual, count = law.house.supply_points, len(sheet.units)
    points = breakdowns.points_lines(sheet, law.tables, usual)
    upkeep = breakdowns.upkeep_lines(sheet, law.tables, usual) if law.house.upkeep else Breakdown()
    units = tuple(_units(sheet, law, given))
    stands, whole = sum(row.stands.value for row in units), sum(row.whole for row in units)
    number = victory_number(count, law.house.victory_share)
    share = (HOUSE_RULES.rules["victory_share"].choices or {})[law.house.victory_share]
    activations, each = activations_of(count)
    figures = [
        OpenedFigure("points", POINTS, points.total, points),
        OpenedFigure("units", _("Units"), count, hint=say(ACTIVATIONS, count=activations, units=each)),
        OpenedFigure("victory", _("Victory number"), number, breakdowns.victory_lines(count, number, share),
                     _("units the enemy must destroy to win")),
    ]  # fmt: skip
    if law.house.upkeep:
        figures.append(OpenedFigure("upkeep", _("Weekly upkeep"), upkeep.total, upkeep))
    return ContingentShown(
        figures=tuple(figures),
        units=units,
        characters=tuple(_character(place, one, law) for place, one in enumerate(sheet.characters)),
        points=points.total,
        upkeep=upkeep.total,
        stands=stands,
        whole=whole,
        victory=number,
    )


# units


def _units(sheet: ContingentSheet, law: Any, given: Sequence[LastingAdjustment]) -> Iterator[ContingentUnitRow]:
    titles = breakdowns.titles_of(sheet, law.tables)
    for place, (title, unit) in enumerate(zip(titles, sheet.units, strict=True)):
        yield _unit(f"unit-{place}", title, unit, law, given)


def _unit(
    at: str, title: Said, unit: ContingentUnit, law: Any, given: Sequence[LastingAdjustment]
) -> ContingentUnitRow:
    own, figures, lines = (
        type_of(unit, law.tables),
        adjusted_figures(unit_figures(unit, law.tables), given),
        breakdowns.unit_lines(unit, law.tables, given),
    )
    calm, whole, stands = breakdowns.calm_move(figures), unit.whole(own), lines["stands"]
    hint = say(MORE_WITHOUT_FIGHT, hexes=calm) if calm else NO_WORDS
    return ContingentUnitRow(
        title=title,
        kind=own.name if unit.name else NO_WORDS,
        facts=tuple(_facts(unit, law)),
        traits=tuple(breakdowns.trait_names(figures, law.tables)),
        figures=_figures(at, lines),
        stands=OpenedFigure(f"{at}-stands", HEADS["stands"], stands.total, stands),
        whole=whole,
        left=say(STANDS_LEFT, count=whole, left=stands.total),
        points=OpenedFigure(f"{at}-points", POINTS, lines["points"].total, lines["points"]),
        hint=hint,
    )


def _facts(unit: ContingentUnit, law: Any) -> Iterator[Said]:
    own = type_of(unit, law.tables)
    yield KINDS[own.kind].name
    yield WEIGHTS[own.weight].name
    yield law.tables.experiences[unit.experience or own.experience].name
    if unit.master:
        yield say(_("master: {name}"), name=_("the commander") if unit.master == COMMANDER else unit.master)


def _figures(at: str, lines: Mapping[str, Breakdown]) -> tuple[OpenedFigure | None, ...]:
    """The figures in the order of `FIGURES`; None for shot and range of a unit that doesn't shoot."""
    return tuple(
        None if name in PLAIN and not lines[name].total
        else OpenedFigure(f"{at}-{name}", HEADS[name], lines[name].total, lines[name])
        for name in FIGURES
    )  # fmt: skip


# characters


def _character(place: int, one: ContingentCharacter, law: Any) -> CharacterRow:
    usual, at = law.house.supply_points, f"character-{place}"
    figures = character_figures(one, law.tables, usual)
    points = breakdowns.character_points_lines(one, law.tables, usual)
    kind = CHARACTERS[one.kind].name
    row = _person(at, verbatim(one.name), kind, one, figures, law)
    return row._replace(points=OpenedFigure(f"{at}-points", POINTS, points.total, points))


def _person(
    at: str,
    title: Said,
    kind: Said,
    one: ContingentCharacter | ContingentCommander,
    figures: CharacterFigures,
    law: Any,
) -> CharacterRow:
    lines = breakdowns.hero_lines(one, figures, title, law.tables)
    shown = [OpenedFigure(f"{at}-{name}", HEADS[name], lines[name].total, lines[name])
             for name in HERO_FIGURES if name in lines and (name not in PLAIN or lines[name].total)]  # fmt: skip
    facts = [WEIGHTS[one.armour].name] if figures.hero else []
    if figures.mounted:
        facts.append(_("has a mount"))
    return CharacterRow(
        title, kind, facts, tuple(breakdowns.trait_names(figures, law.tables)), shown, _cards(figures, law)
    )


def _cards(figures: CharacterFigures, law: Any) -> CardsShown | None:
    if not figures.casts:
        return None
    spells: Mapping[str, Spell] = law.tables.spells
    counts = [(spells[slug], figures.cards.count(slug)) for slug in dict.fromkeys(figures.cards)]
    return CardsShown(figures.points, counts, sum(spell.cost * count for spell, count in counts))


def build_commander(law: Any, name: str, commander: ContingentCommander) -> CommanderShown:
    """The figures of a commander. Raises `InvalidInput` if the tables no longer have something they name."""
    figures = commander_figures(commander, law.tables, law.house.supply_points)
    hero = commander.rank == HERO
    kind = CHARACTERS[HERO].name if hero else RANKS[commander.rank].name
    row = _person("commander", verbatim(name), kind, commander, figures, law)
    if hero:
        return CommanderShown(row, None, None)
    return CommanderShown(row, RANKS[commander.rank], LEVELS[commander.level])


# Page objects of a contingent and of a commander, as far as a reader may see them.


@dataclass(frozen=True, slots=True)
class ContingentPage:
    """The members of the general army page, and the contingent.

    `contingent`: None if the ruleset no longer accepts it. `leader`: the commander's figures.
    """

    plain: PlainArmyPage
    contingent: ContingentShown | None
    leader: CommanderShown | None
    supply: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def army_page(user: User, army: Army) -> ContingentPage:
    """The page of an army for this user, who must be allowed to read it."""
    leader = commander_of(army.commander) if army.commander else None
    plain = default_page.army_page(user, army)
    return ContingentPage(plain, contingent_of(army), leader, get_supply(army))


def get_supply(row: Army | Commander) -> str:
    """Whether casters of its campaign use cards or points."""
    law: Any = get_ruleset(row.campaign)
    return str(law.house.supply)


def contingent_of(army: Army) -> ContingentShown | None:
    """The figures of an army; None if the ruleset no longer accepts it."""
    law: Any = get_ruleset(army.campaign)
    try:
        return build_contingent(law, law.armies.value_of(army.sheet), read_adjustments(army))
    except Refusal:
        return None


def commander_of(commander: Commander) -> CommanderShown | None:
    """The figures of a commander; None if the ruleset no longer accepts them."""
    law: Any = get_ruleset(commander.campaign)
    try:
        return build_commander(law, commander.name, law.armies.commander_of(commander.sheet))
    except Refusal:
        return None


@dataclass(frozen=True, slots=True)
class ContingentCommanderPage:
    """The members of the general commander page, and the commander's figures in this ruleset."""

    plain: PlainCommanderPage
    leader: CommanderShown | None
    supply: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def commander_page(user: User, commander: Commander) -> ContingentCommanderPage:
    """The page of a commander for this user, who must be allowed to read it."""
    plain = default_page.commander_page(user, commander)
    return ContingentCommanderPage(plain, commander_of(commander), get_supply(commander))

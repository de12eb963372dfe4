"""Document shapes of an army and its commander (C-2): an army is one wing. Also the sample hosts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from rules.core.shapes import KEPT, Each, Label, OneOf, Text, WholeNumber, Wrong
from rules.core.text import Term, _
from rules.wing_command.spec import ADVANCE, ATTACK, HOLD, REGULAR
from rules.wing_command.starter import (
    ABILITIES,
    ARTS,
    CHARACTERS,
    COMMANDER,
    LEVEL_MOST,
    ORDERS,
    PENTACLE_MOST,
    PROFILES,
)

# Document shapes of an army and its commander (C-2): an army is one wing.

TROOPS_MOST, CHARACTERS_MOST, NAME_MOST = 8, 4, 60
MORALE_LEAST, MORALE_MOST, USUAL_MORALE = 4, 12, 8
BETTER_MOST = 2
FIGURE_MOST, MOVE_MOST = 12, 12

OPENING_ORDERS = {slug: ORDERS[slug].name for slug in (ATTACK, ADVANCE, HOLD)}
KINDS = {slug: kind.name for slug, kind in CHARACTERS.items() if slug != COMMANDER}
ABILITY_NAMES = {slug: ability.name for slug, ability in ABILITIES.items()}
PROFILE_NAMES = {slug: profile.name for slug, profile in PROFILES.items()}
FEW = _("A wing needs at least one troop.")
MANY = _("A wing can have at most {most} troops.")
MANY_CHARACTERS = _("A wing can have at most {most} characters.")
FIRE, MAGE = "fire", "mage"


class WingTroop(NamedTuple):
    """A troop of the wing, with steps of quality above its type (WC-10)."""

    type: Annotated[str, OneOf("troops"), Label(_("Type"))]
    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))] = ""
    melee: Annotated[int, WholeNumber(0, BETTER_MOST), Label(_("Better in melee"))] = 0
    guard: Annotated[int, WholeNumber(0, BETTER_MOST), Label(_("Better guard"))] = 0
    infiltrate: Annotated[bool, Label(_("Infiltrates"))] = False


class WingCharacter(NamedTuple):
    """A character of the wing other than its commander."""

    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))]
    kind: Annotated[str, OneOf(KINDS), KEPT, Label(_("Type"))] = "plain"
    ability: Annotated[str, OneOf(ABILITY_NAMES), Label(_("Command ability"))] = "E"
    profile: Annotated[str, OneOf(PROFILE_NAMES), Label(_("Profile"))] = REGULAR
    art: Annotated[str, OneOf(ARTS), Label(_("Art"))] = ""
    level: Annotated[int, WholeNumber(0, LEVEL_MOST), Label(_("Magic level"))] = 0
    pentacle: Annotated[int, WholeNumber(0, PENTACLE_MOST), Label(_("Pentacle"))] = 0

    def judged(self, wrong: Wrong) -> WingCharacter:
        """The character checked: a mage gets a default art and level; others have both or neither."""
        if self.kind == MAGE:
            return self._replace(art=self.art or FIRE, level=self.level or CHARACTERS[MAGE].level)
        _judge_magic(self.art, self.level, wrong)
        return self


def _judge_magic(art: str, level: int, wrong: Wrong) -> None:
    if art and not level:
        wrong("level", _("Enter a magic level of 1 or more, or choose no art."))
    if level and not art:
        wrong("art", _("Choose an art, or set the magic level to 0."))


class WingSheet(NamedTuple):
    """The document of an army (C-2)."""

    troops: Annotated[tuple[WingTroop, ...], Each(TROOPS_MOST, 1, FEW, MANY), Label(_("Troops"), one=_("Troop"))]
    characters: Annotated[
        tuple[WingCharacter, ...],
        Each(CHARACTERS_MOST, many=MANY_CHARACTERS),
        Label(_("Characters"), one=_("Character")),
    ] = ()
    order: Annotated[str, OneOf(OPENING_ORDERS), KEPT, Label(_("Standing order"))] = ADVANCE
    morale: Annotated[int, WholeNumber(MORALE_LEAST, MORALE_MOST), KEPT, Label(_("Morale marker"))] = USUAL_MORALE


class WingCommander(NamedTuple):
    """The document of a commander (C-2)."""

    ability: Annotated[str, OneOf(ABILITY_NAMES), KEPT, Label(_("Command ability"))] = "E"
    profile: Annotated[str, OneOf(PROFILE_NAMES), KEPT, Label(_("Profile"))] = REGULAR
    melee: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Melee attack"))] = 4
    guard: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Guard"))] = 4
    shot: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Shot"))] = 0
    range: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Range"))] = 0
    move: Annotated[int, WholeNumber(1, MOVE_MOST), KEPT, Label(_("Move"))] = 5
    fly: Annotated[bool, KEPT, Label(_("Flies"))] = False
    infiltrate: Annotated[bool, KEPT, Label(_("Infiltrates"))] = False
    art: Annotated[str, OneOf(ARTS), KEPT, Label(_("Art"))] = ""
    level: Annotated[int, WholeNumber(0, LEVEL_MOST), KEPT, Label(_("Magic level"))] = 0
    pentacle: Annotated[int, WholeNumber(0, PENTACLE_MOST), KEPT, Label(_("Pentacle"))] = 0

    def judged(self, wrong: Wrong) -> WingCommander:
        _judge_magic(self.art, self.level, wrong)
        if bool(self.shot) != bool(self.range):
            wrong("range", _("Enter both shot and range, or neither."))
        return self


# Sample hosts (WC-10): the Crown and the Horde, three wings each, as documents.


class SampleWing(NamedTuple):
    """A wing of a sample host, with its commander."""

    name: Term
    sheet: WingSheet
    commander: WingCommander


def _wing(name: Term, ability: str, *types: str) -> SampleWing:
    return SampleWing(name, WingSheet(tuple(WingTroop(slug) for slug in types), order=ATTACK), WingCommander(ability))


CROWN = (
    _wing(_("Center of the Crown"), "B", "foot", "foot", "heavy-foot", "archers"),
    _wing(_("Left wing of the Crown"), "D", "foot", "heavy-foot", "foot", "archers"),
    _wing(_("Right wing of the Crown"), "D", "riders", "riders", "foot", "archers"),
)
"""40 points. The first wing's commander is the army leader."""
HORDE = (
    _wing(_("Center of the Horde"), "D", "levy", "foot", "trolls", "levy"),
    _wing(_("Left wing of the Horde"), "D", "beasts", "beasts", "foot", "archers"),
    _wing(_("Right wing of the Horde"), "D", "griffins", "riders", "levy"),
)
"""37 points."""
SAMPLE_HOSTS: Mapping[str, tuple[Term, tuple[SampleWing, ...]]] = {
    "crown": (_("The Crown"), CROWN),
    "horde": (_("The Horde"), HORDE),
}

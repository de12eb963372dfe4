"""Page objects of an army and a commander, for their readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from armies.breaking_point.armies.figure_tables import (
    AgainstRow,
    FigureShown,
    SheetShown,
    ShownFact,
    UnitLine,
    against,
    build_sheet,
    list_sums,
)
from armies.breaking_point.armies.forms import GrantForm, OneUnitForm, RecruitsForm, WoundedForm
from armies.breaking_point.forces import words
from armies.breaking_point.forces.specs import build_general, load_units
from armies.default import page as default_page
from armies.default.page import PlainArmyPage, PlainCommanderPage
from armies.forces.access import list_armies
from armies.models import Army, Commander
from kingdom.models import User
from kingdom.models.natural import Natural
from rules.breaking_point.documents import COMMANDER_FIGURES
from rules.breaking_point.losses import in_words
from rules.core.text import Said, _, say

MOST_ENEMIES = 200


class Against(NamedTuple):
    """Power against one army, with the armour that it has to beat."""

    army: Army
    armour: int
    rows: tuple[AgainstRow, ...]

    @property
    def armour_words(self) -> Said:
        if not self.armour:
            return say(_("{army} is not mostly machines, so every weapon counts."), army=self.army.name)
        least = -(-self.armour // 2)
        return say(_("Armor {armour} to beat: weapons of less than {least} damage do nothing."), armour=self.armour,
                   least=least)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArmyPage:
    """The army's page. `plain`: attributes common to all rulesets. `sheet` is None where the ruleset refuses the
    units.
    """

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
    page, units = default_page.army_page(user, army), load_units(army)
    rivals = _enemies(user, army) if units else ()
    chosen = next((other for other in rivals if str(other.pk) == enemy), None)
    return ArmyPage(
        plain=page,
        sheet=build_sheet(units) if units else None,
        sums=list_sums(build_general(army.commander), units) if units else (),
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

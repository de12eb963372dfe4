"""Page objects of a contingent and of a commander, as far as a reader may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armies.default import page as default_page
from armies.default.page import PlainArmyPage, PlainCommanderPage
from armies.models import Army, Commander
from armies.thucidide_fantasy.figure_tables import (
    CommanderShown,
    ContingentShown,
    build_commander,
    build_contingent,
)
from kingdom.models import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal


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
        return build_contingent(law, law.armies.value_of(army.sheet))
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

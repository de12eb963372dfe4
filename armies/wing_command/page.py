"""Page objects of a wing and of a commander, as far as a reader may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armies.default import page as default_page
from armies.default.page import PlainArmyPage, PlainCommanderPage
from armies.models import Army, Commander
from armies.wing_command.figure_tables import CommanderShown, WingShown, build_commander, build_wing
from kingdom.models import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.wing_command.figures import SERGEANT


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
        return build_wing(law, law.armies.value_of(army.sheet))
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

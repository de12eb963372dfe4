"""How each registered law is driven by the tests of the frame: what stands where, and commands in the API's shape.

A driver lives beside its law (`driver.py`) and is found by the law's slug: a law that is registered and has none fails
the tests.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any, Protocol

from armies.models import Army
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from rules import registry
from tests.kingdom.conftest import FREELY, make_user, seat

type Json = dict[str, Any]


class Driver(Protocol):
    """`table` has `watch` (the crown's, run by ana) and `raiders` (the horde's, run by bo)."""

    slug: str
    size: str
    """Of the die below: "d20"."""
    hurt: str
    """The name of somebody whose figures the aftermath of a lost battle changes: the loser's kingdom, or its army."""

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        """An army for a battle, weak enough that `until_over` is short."""

    def first(self, table: Any) -> Json:
        """What the GM can command of a battle just opened, no die needed."""

    def before_orders(self, table: Any) -> list[Json]:
        """What the GM commands until ana may give `own`."""

    def own(self, table: Any) -> Json:
        """What ana may command of their own army, and bo may not; only their side hears of it."""

    def theirs(self, table: Any) -> Json:
        """What bo may command of their own, at the same moment where all order at once, else after `own`."""

    def before_dice(self, table: Any) -> list[Json]:
        """What the GM commands until `thrown` needs its dice."""

    def thrown(self, table: Any) -> Json:
        """A command of the GM that needs exactly the die below."""

    def die(self, table: Any) -> Json:
        """`{army, roll, values}`, with one face."""

    def until_over(self, table: Any) -> list[Json]:
        """What the GM commands of a battle just opened until the crown has won."""

    def fought(self, table: Any) -> list[Json]:
        """The same, where the die below has fallen on the way."""

    def aftermath_dice(self, table: Any) -> list[Json]:
        """Every die of its aftermath, typed."""


DRIVERS = {
    "combat-de-masse": "tests.rulesets.pathfinder.driver",
    "breaking-point": "tests.rulesets.breaking_point.driver",
    "coin": "tests.rulesets.coin.driver",
    "turns": "tests.rulesets.turns.driver",
    "skirmish": "tests.rulesets.skirmish.driver",
    "wing-command": "tests.rulesets.wing_command.driver",
    "thucidide-fantasy": "tests.rulesets.thucidide_fantasy.driver",
}
VARIANTS = {"ultimate-campaign"}  # fought as the law it amends
LAWS = tuple(slug for slug in DRIVERS)
FORETOLD = tuple(slug for slug in LAWS if registry.ruleset(slug).battle.forecast.known)
PLAYED_OUT = tuple(slug for slug in LAWS if registry.ruleset(slug).battle.forecast.by_play)
PLAYED = tuple(slug for slug in LAWS if registry.ruleset(slug).battle.forecast.by_turns)
COMMANDED = tuple(slug for slug in LAWS if slug not in PLAYED and registry.ruleset(slug).battle.forecast.commands)
"""Laws that foretell battles, those that do so by playing them, those whose engine may play a side by turns, and those
whose engine may order one for a phase: `@under(*FORETOLD)`."""


def driver_of(slug: str) -> Driver:
    return import_module(DRIVERS[slug]).DRIVER


def sent_of(driver: Driver, table: Any) -> Json:
    """What is `thrown`, as a form of the page sends it: alike, unless the driver says otherwise (`sent`)."""
    return driver.sent(table) if hasattr(driver, "sent") else driver.thrown(table)


def unknown_laws() -> set[str]:
    """Laws that nobody drives."""
    return registry.RULESETS.keys() - DRIVERS.keys() - VARIANTS


def table_of(driver: Driver) -> SimpleNamespace:
    """A campaign under the driver's law with everybody at it."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=driver.slug, players_may=FREELY)
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=100)
    horde = found_kingdom(by=gm, campaign=campaign, name="Horde", treasury=20)
    table = SimpleNamespace(gm=gm, campaign=campaign, crown=crown, horde=horde)
    table.watch, table.raiders = driver.army(gm, crown, "Ironwatch"), driver.army(gm, horde, "Raiders")
    table.spare = driver.army(gm, horde, "Spare")
    table.ana, table.bo = seat(gm, campaign, make_user("ana"), "player"), seat(gm, campaign, make_user("bo"), "player")
    table.viewer, table.stranger = seat(gm, campaign, make_user("viewer"), "viewer"), make_user("stranger")
    assign_player(by=gm, kingdom=crown, player=table.ana)
    assign_player(by=gm, kingdom=horde, player=table.bo)
    return table


def sides_of(table: Any) -> list[Json]:
    return [
        {"name": "Crown", "armies": [str(table.watch.pk)]},
        {"name": "Horde", "armies": [str(table.raiders.pk)]},
    ]

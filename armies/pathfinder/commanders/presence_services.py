"""Services that count the days of the week a commander has been with their army, when the command changes (R-80)."""

from __future__ import annotations

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.mapping import map_army
from rules.pathfinder.weeks.week_state import ACTIVE_DAYS

PRESENCE = ("led_days", "led_to")


def count_days_led(army: PathfinderArmy, *, parting: bool = False) -> None:
    """Write down the days so far, before who leads the army, or whether they are there, becomes another.

    `parting`: they give up the command. Three days made the week; fewer do not count for whoever follows them.
    """
    days_led_so_far(army, parting=parting)
    army.save(update_fields=PRESENCE)


def days_led_so_far(army: PathfinderArmy, *, parting: bool = False) -> None:
    """The same of an army in hand; it is not saved."""
    day = army.campaign.day
    led = map_army(army, day).days_led(day)
    army.led_days, army.led_to = 0 if parting and led < ACTIVE_DAYS else led, day

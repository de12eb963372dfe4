"""The table of tests/armies, and time."""

from __future__ import annotations

from typing import Any

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import STORED
from armies.weeks import services as time
from kingdom.models import Campaign, ChronicleEntry, Kingdom
from rules.core.dice import TypedDie
from tests.armies.conftest import busy, war  # noqa: F401 - fixtures
from tests.kingdom.conftest import campaign, crown, gm, table  # noqa: F401 - fixtures
from tests.worlds import built_once


def dice(**typed: Any) -> tuple[TypedDie, ...]:
    """Dice as typed: `dice(rally=[(kingdom, 15, 2)])`."""
    return tuple(
        TypedDie(str(getattr(whose, "pk", whose)), name.replace("_", "-"), tuple(values))
        for name, rolls in typed.items()
        for whose, *values in rolls
    )


def pass_days(by: Any, campaign: Campaign, days: int = 7, **options: Any) -> ChronicleEntry:  # noqa: F811
    """Let them pass, with what the test chooses."""
    campaign.refresh_from_db()
    return time.confirm_time(by=by, campaign=campaign, days=days, **options)


def set_army(army: PathfinderArmy, **figures: Any) -> PathfinderArmy:
    """Figures as the test wants them, past all services."""
    stored = {STORED.get(name, name): value for name, value in figures.items()}
    PathfinderArmy.objects.filter(pk=army.pk).update(**stored)
    army.refresh_from_db()
    return army


def now(thing: Any) -> Any:
    return type(thing).objects.get(pk=thing.pk)


@built_once
def quiet(war) -> Any:  # noqa: F811
    """The war without kingdom turns: nothing but armies. No month begins before day 365."""
    war.campaign.calendar = {"months": [{"name": "The long year", "days": 400}]}
    war.campaign.save(update_fields=["calendar"])
    return war


def treasury(kingdom: Kingdom) -> int:
    return Kingdom.objects.get(pk=kingdom.pk).treasury

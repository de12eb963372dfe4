"""A week of 10 000, 100 000 and 1 000 000 armies of one campaign, beside a bare UPDATE of every row in both tables
of armies: more rows than a week changes there, which leaves a row alone where nothing differs.

Every army changes every week: a third has a commander and wounds that heal, the others have nobody to lead them and
lose morale, and half of those are ill of an old disease; each pays, one kingdom in ten cannot pay all of its armies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from statistics import median
from time import perf_counter
from typing import Any

from django.db import connection
from django.db.models import Model

from armies.models import Army, Commander
from armies.pathfinder.models import ArmyWeek, PathfinderArmy, PathfinderCommander
from armies.weeks import services as time
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.services import found_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import Refusal
from tests.armies.conftest import appointed, raised
from tests.benchmarks import Row

SIZES = (10_000, 100_000, 1_000_000)
KINGDOMS = 20
WEEKS = 3
WARM = 1_000

ID = "('00000000-0000-7000-{kind}-' || lpad(to_hex(i), 12, '0'))::uuid"
KINGDOM = "(%(kingdoms)s::uuid[])[i %% %(count)s + 1]"
COMMANDER = {"id": ID.format(kind="9000"), "kingdom_id": KINGDOM}
COMMANDERS_OWN = {"commander_ptr_id": COMMANDER["id"]}
ARMY = {
    "id": ID.format(kind="8000"),
    "kingdom_id": KINGDOM,
    "commander_id": f"CASE WHEN i %% 3 = 0 THEN {COMMANDER['id']} END",
    "health": "CASE WHEN i %% 3 = 0 THEN 1 ELSE 900 END",
    "health_max": "900",
    "upkeep": "1 + i %% 5",
}
ARMYS_OWN = {
    "army_ptr_id": ARMY["id"],
    "morale": "4",
    "disease": "CASE WHEN i %% 3 = 1 THEN 900 ELSE 0 END",
}


def bench_weeks() -> Iterator[Row]:
    """Time of a week against a bare UPDATE, how it grows, how it ages, and that no week is applied twice."""
    gm = User.objects.create_user(username="gm")
    seconds: dict[int, float] = {}
    _week(gm, campaign_of(gm, WARM))  # a process that has served a week before
    _empty()
    for armies in SIZES:
        campaign = campaign_of(gm, armies)
        bare, weeks = zip(*((_bare(campaign), _week(gm, campaign)) for _number in range(WEEKS)), strict=True)
        seconds[armies] = median(weeks)
        ratio = median(week / update for week, update in zip(weeks, bare, strict=True))
        yield Row(f"week of {armies:,} armies / bare UPDATE ({median(bare):.2f} s)", ratio, 2, "lower")
        yield Row(f"week of {armies:,} armies, third / first ({weeks[0]:.2f} s)", weeks[-1] / weeks[0], 1.3, "lower")
        yield Row(f"week of {armies:,} armies, rows changed by applying it again", _again(gm, campaign), 0, "lower")
        _empty()
    low, high = min(SIZES), max(SIZES)
    slope = math.log(seconds[high] / seconds[low]) / math.log(high / low)
    yield Row(f"week by armies, log-log slope from {low:,} to {high:,}", slope, 1.1, "lower")


def campaign_of(gm: User, armies: int, count: int = KINGDOMS) -> Campaign:
    """So many kingdoms, and their armies written in bulk; nobody is shown any more what comes first."""
    calendar = {"months": [{"name": "Long", "days": 400}]}
    campaign = create_campaign(by=gm, name="Many", ruleset="combat-de-masse", calendar=calendar, first_steps=False)
    kingdoms = [found_kingdom(by=gm, campaign=campaign, name=f"K{place}") for place in range(count)]
    for place, kingdom in enumerate(kingdoms):
        held = 10 * armies // count if place % 10 else 2 * armies // count
        record_entry(by=gm, kingdom=kingdom, amount=held, reason="Taxes")
    params: dict[str, Any] = {
        "campaign": campaign.pk,
        "kingdoms": [kingdom.pk for kingdom in kingdoms],
        "count": count,
        "armies": armies,
        "army": raised(gm, kingdoms[0]).pk,
        "commander": appointed(gm, kingdoms[0]).pk,
    }
    with connection.cursor() as cursor:
        cursor.execute(_copies(Commander, COMMANDER, "commander", "i %% 3 = 0"), params)
        cursor.execute(_copies(PathfinderCommander, COMMANDERS_OWN, "commander", "i %% 3 = 0"), params)
        cursor.execute(_copies(Army, ARMY, "army"), params)
        cursor.execute(_copies(PathfinderArmy, ARMYS_OWN, "army"), params)
        cursor.execute("DELETE FROM pathfinder_army WHERE army_ptr_id = %(army)s", params)
        cursor.execute("DELETE FROM armies_army WHERE id = %(army)s", params)
    _settle()
    return campaign


def _copies(model: type[Model], own: dict[str, str], like: str, which: str = "true") -> str:
    """Rows like the one whose key is `like`, but for some columns of their own."""
    columns = [field.column for field in model._meta.local_concrete_fields]
    values = ", ".join(own.get(column, f"t.{column}") for column in columns)
    table, key = model._meta.db_table, model._meta.pk.column
    return f"""INSERT INTO {table} ({", ".join(columns)}) SELECT {values}
        FROM generate_series(1, %(armies)s) AS i, (SELECT * FROM {table} WHERE {key} = %({like})s) AS t WHERE {which}"""


def _empty() -> None:
    """The next size starts with empty tables."""
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE armies_army, armies_commander, armies_armyweek CASCADE")


def _settle() -> None:
    """What autovacuum and the checkpointer would do in their own time."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE armies_army")
        cursor.execute("VACUUM ANALYZE pathfinder_army")
        cursor.execute("VACUUM ANALYZE armies_armyweek")
        cursor.execute("VACUUM ANALYZE armies_commander")
        cursor.execute("VACUUM ANALYZE pathfinder_commander")
        cursor.execute("CHECKPOINT")


def _bare(campaign: Campaign) -> float:
    """Every army written once in each of its two tables, whether a week would change that row or not."""
    start = perf_counter()
    Army.objects.filter(campaign=campaign).update(marching_until=None)
    PathfinderArmy.objects.filter(campaign=campaign).update(rested_on=-1)
    taken = perf_counter() - start
    _settle()
    return taken


def _week(gm: User, campaign: Campaign) -> float:
    campaign.refresh_from_db()
    start = perf_counter()
    time.confirm_time(by=gm, campaign=campaign, days=7, day=campaign.day)
    taken = perf_counter() - start
    _settle()
    return taken


def _again(gm: User, campaign: Campaign) -> int:
    """Rows of armies, weeks and treasuries that differ after the last week was confirmed a second time."""
    before = _versions(campaign)
    with suppress(Refusal):
        time.confirm_time(by=gm, campaign=campaign, days=7, day=7 * (WEEKS - 1))
    return abs(_versions(campaign) - before)


def _versions(campaign: Campaign) -> int:
    """How often rows were written so far: armies and their weeks by the database's own count of transactions."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT coalesce(sum(a.xmin::text::bigint + t.xmin::text::bigint), 0)
            FROM armies_army a JOIN pathfinder_army t ON t.army_ptr_id = a.id WHERE campaign_id = %s""",
            [campaign.pk],
        )
        armies = int(cursor.fetchone()[0])
    weeks = ArmyWeek.objects.filter(campaign=campaign).count()
    treasuries = sum(Kingdom.objects.filter(campaign=campaign).values_list("treasury", flat=True))
    return armies + weeks + treasuries

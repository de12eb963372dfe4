"""SQL of weeks and days for all armies at once.

Each statement does for a set what `rules.pathfinder.weeks.week` does army by army; a test compares both. Parameters are
named. Only tables of armies are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.pathfinder.spec import ARREARS, LEAST_MORALE, MOST_MORALE
from rules.pathfinder.weeks.week_state import ACTIVE_DAYS, DAYS_A_WEEK

# BP that an army costs this week (`due_of`); nothing where its kingdom has no treasury.
# `later`: Consumption of armies whose adjustments have ended by then, by id.
_UPKEEP = "coalesce((%(later)s::jsonb ->> a.id::text)::int, a.upkeep)"
_SPARED = f"""NOT %(reserves_pay)s AND t.reserved_on <= %(until)s - {DAYS_A_WEEK}
    AND (t.called_up IS NULL OR t.called_up > %(until)s)"""
_DUE = f"""CASE WHEN a.kingdom_id = ANY(%(free)s) THEN 0 ELSE GREATEST(0,
    CASE WHEN {_SPARED} THEN 0
        WHEN a.id = ANY(%(land)s) THEN LEAST({_UPKEEP}, GREATEST(1, {_UPKEEP} / 2)) ELSE {_UPKEEP} END
    - CASE WHEN a.id = ANY(%(feast)s) THEN 1 ELSE 0 END
) + t.surcharge END"""
_OWED = "CASE WHEN a.kingdom_id = ANY(%(free)s) THEN 0 ELSE t.owed END"

# Whether it has an active commander this week: by the days counted, or as the GM corrects them.
_HERE = "(c.status = 'free' OR c.status = 'captured' AND c.away_until > %(today)s)"
_DAYS_LED = f"""CASE WHEN t.led_to > %(until)s - {DAYS_A_WEEK} THEN t.led_days ELSE 0 END
    + CASE WHEN {_HERE} AND l.active_days >= {ACTIVE_DAYS}
        THEN GREATEST(0, %(until)s - GREATEST(%(until)s - {DAYS_A_WEEK}, t.led_to, c.away_until)) ELSE 0 END"""
_LED = f"(a.id <> ALL(%(away)s) AND (a.id = ANY(%(there)s) OR {_DAYS_LED} >= {ACTIVE_DAYS}))"
_ARMIES = "armies_army a JOIN pathfinder_army t ON t.army_ptr_id = a.id"
_LEADERS = """LEFT JOIN armies_commander c ON c.id = a.commander_id
    LEFT JOIN pathfinder_commander l ON l.commander_ptr_id = c.id"""

_OURS = "a.campaign_id = %(campaign)s AND a.status IN ('ready', 'routed')"

_CLAIMS = f"""
SELECT a.id, a.kingdom_id, {_OWED} AS owed, {_DUE} AS due, NOT {_LED} AND a.kingdom_id = ANY(%(double)s) AS double
FROM {_ARMIES} {_LEADERS} WHERE {_OURS}"""

ASKED = f"""
SELECT kingdom_id, sum(due), sum(owed), coalesce(sum(due) FILTER (WHERE double), 0)
FROM ({_CLAIMS} AND a.id <> ALL(%(first)s)) AS claims GROUP BY kingdom_id"""

FIRST = f"SELECT id, kingdom_id, due, owed, double FROM ({_CLAIMS} AND a.id = ANY(%(first)s)) AS claims"


def _cut(amount: str, which: str) -> str:
    """SQL: for each kingdom that cannot meet all claims, the last claim it can meet, cheapest first, and the cost up to
    it.

    Where only some claims of one amount are met, `id` is the last of these, null if there is none. Amounts are summed
    before sorting, since there are few different ones.
    """
    return f"""
WITH poor AS (
    SELECT * FROM unnest(%(poor)s::uuid[], %(left)s::bigint[], %(paid_amount)s::bigint[], %(paid_army)s::uuid[])
        AS p(kingdom_id, purse, paid_amount, paid_army)
), claims AS NOT MATERIALIZED (
    SELECT c.kingdom_id, c.id, p.purse, ({amount})::bigint AS amount
    FROM ({_CLAIMS} AND a.kingdom_id = ANY(%(poor)s) AND a.id <> ALL(%(first)s)) AS c
    JOIN poor p ON p.kingdom_id = c.kingdom_id WHERE {which}
), amounts AS (
    SELECT kingdom_id, purse, amount, sum(amount) AS cost,
        sum(sum(amount)) OVER (PARTITION BY kingdom_id ORDER BY amount) AS up_to
    FROM claims GROUP BY kingdom_id, purse, amount
), edges AS (
    SELECT kingdom_id, amount, up_to - cost AS below, div(purse - up_to + cost, amount)::bigint AS places
    FROM amounts WHERE up_to > purse AND up_to - cost <= purse
)
SELECT e.kingdom_id, e.amount, (
    SELECT c.id FROM claims c WHERE c.kingdom_id = e.kingdom_id AND c.amount = e.amount
    ORDER BY c.id OFFSET GREATEST(0, e.places - 1) LIMIT (e.places > 0)::int
), (e.below + e.places * e.amount)::bigint
FROM edges e"""


CUT = {
    "week": _cut("c.due", "true"),
    "arrears": _cut("c.owed", "c.owed > 0"),
    "double": _cut("c.due", "c.double AND (c.due, c.id) <= (p.paid_amount, p.paid_army)"),
}

# Effects of a stretch of days on an army's body (`Roster._days`), by kingdom and choice.
_REALMS = """unnest(
    %(kingdoms)s::uuid[],
    %(week_amount)s::bigint[], %(week_army)s::uuid[], %(arrears_amount)s::bigint[], %(arrears_army)s::uuid[],
    %(double_amount)s::bigint[], %(double_army)s::uuid[]
) WITH ORDINALITY AS k(kingdom_id, week_amount, week_army, arrears_amount, arrears_army,
    double_amount, double_army, number)"""

_LIMIT = "CASE WHEN %(half)s THEN a.health_max / 2 ELSE a.health_max END"
_RESTED = "(%(opens)s AND t.rested_on IS NOT DISTINCT FROM %(since)s)::int"
_BUSY = f"""CASE WHEN a.id = ANY(%(march)s) THEN %(days)s ELSE LEAST(%(days)s, GREATEST({_RESTED},
    (%(opens)s AND a.id = ANY(%(fought)s))::int, coalesce(a.marching_until, 0) - %(since)s)) END"""
# For each kingdom: number of Loyalty checks passed from each day of the stretch on.
_RALLIED = f"(%(rallied)s::int[])[(k.number - 1) * (%(days)s + 1) + {_BUSY} + 1]"
_GAIN = f"""CASE WHEN a.id = ANY(%(fighting)s) THEN 0 ELSE t.regrowth * (%(days)s - {_RESTED})
    + GREATEST(1, t.acr) * (%(days)s - {_BUSY} + {_RALLIED}) END"""

_BODY = f"""a.id, a.kingdom_id, a.commander_id, a.health AS hp, t.morale, a.status, t.arrears, t.owed, t.disease, t.ill,
    t.drain, t.surcharge, GREATEST(a.health, LEAST({_LIMIT}, a.health + {_GAIN})) AS hp_after,
    coalesce(s.disease, GREATEST(0, t.disease - %(days)s)) AS disease_after, coalesce(s.ill, t.ill) AS ill_after"""

_FROM = f"""FROM {_ARMIES} JOIN {_REALMS} ON k.kingdom_id = a.kingdom_id
    LEFT JOIN unnest(%(sick)s::uuid[], %(sick_disease)s::int[], %(sick_ill)s::bool[]) AS s(id, disease, ill)
        ON s.id = a.id"""

# Stated for both tables: the planner infers an equality across a join, but not a range.
_SLICE = f"""WHERE {_OURS} AND a.id > %(above)s AND a.id <= %(up_to)s
    AND t.army_ptr_id > %(above)s AND t.army_ptr_id <= %(up_to)s"""

_DAYS_ONLY = f"""
SELECT {_BODY}, NULL::bigint AS due, 0::bigint AS paid, false AS doubled, t.morale AS morale_after,
    a.status AS status_after, t.owed AS owed_after, t.arrears AS arrears_after, 0 AS settled
{_FROM} {_SLICE} AND (a.health < {_LIMIT} OR t.disease > 0 OR t.ill OR t.drain > 0)"""

# Effects of pay and leadership (`end_of_week`).
_WITH_WEEK = f"""
SELECT m.*, owed_after > 0 AS arrears_after, surcharge AS settled,
    GREATEST({LEAST_MORALE}, LEAST({MOST_MORALE}, morale_raw)) AS morale_after,
    CASE WHEN morale_raw - CASE WHEN owed_after > 0 THEN {ARREARS} ELSE 0 END < {LEAST_MORALE} THEN 'disbanded'
        ELSE status END AS status_after
FROM (
    SELECT p.*, CASE WHEN cleared THEN 0 ELSE owed END + CASE WHEN met THEN 0 ELSE due END AS owed_after,
        morale - CASE WHEN led OR doubled OR kingdom_id = ANY(%(spared)s) THEN 0 ELSE 1 END AS morale_raw,
        CASE WHEN met THEN due ELSE 0 END + CASE WHEN doubled THEN due ELSE 0 END
            + CASE WHEN cleared AND kingdom_id <> ALL(%(free)s) THEN owed ELSE 0 END AS paid
    FROM (
        SELECT w.*, owed = 0 OR kingdom_id = ANY(%(free)s)
                OR coalesce(named_arrears, (owed, id) <= (arrears_amount, arrears_army)) AS cleared,
            coalesce(named_double, met AND double AND (due, id) <= (double_amount, double_army)) AS doubled
        FROM (
            SELECT q.*, NOT led AND kingdom_id = ANY(%(double)s) AS double,
                coalesce(named_week, (due, id) <= (week_amount, week_army)) AS met
            FROM (
                SELECT {_BODY}, {_DUE} AS due, {_LED} AS led,
                    k.week_amount, k.week_army, k.arrears_amount, k.arrears_army, k.double_amount, k.double_army,
                    f.week AS named_week, f.arrears AS named_arrears, f.double AS named_double
                {_FROM} {_LEADERS}
                    LEFT JOIN unnest(%(named)s::uuid[], %(named_week)s::bool[], %(named_arrears)s::bool[],
                        %(named_double)s::bool[]) AS f(id, week, arrears, double) ON f.id = a.id
                {_SLICE}
            ) AS q
        ) AS w
        OFFSET 0 -- what is met is worked out once, not wherever it is asked for
    ) AS p
) AS m"""

_CHANGED = """(o.hp <> o.hp_after OR o.disease <> o.disease_after OR o.ill <> o.ill_after OR o.drain > 0)"""

_COLUMNS = """campaign_id, day, army_id, kingdom_id, due, paid, doubled, hp_before, hp_after, morale_before,
    morale_after, status_before, status_after, arrears_before, arrears_after, owed_before, owed_after,
    disease_before, disease_after, ill_before, ill_after, drain, surcharge, commander"""


# Columns that a step may change: those of every army, and those of mass combat.
_SHARED = {"hp": "a.health", "status": "a.status"}
_OWN = {name: f"t.{name}" for name in ("morale", "owed", "arrears", "disease", "ill")}
_FIGURES = {**_SHARED, **_OWN}


def _follow(figures: Mapping[str, str]) -> str:
    return ", ".join(f"{column[2:]} = w.{name}_after" for name, column in figures.items())


def _differ(figures: Iterable[str]) -> str:
    return " OR ".join(f"w.{name}_before <> w.{name}_after" for name in figures)


_MOVED = f"({_differ(_FIGURES)} OR w.drain > 0 OR w.surcharge > 0)"
_MOVED_SHARED = f"({_differ(_SHARED)})"
_MOVED_OWN = f"({_differ(_OWN)} OR w.drain > 0 OR w.surcharge > 0)"


def _pass(outcome: str, which: str) -> str:
    """SQL of one slice: writes the step's records, updates the armies and counts what happened.

    Returns a row for each kingdom: what it spent, and numbers of its armies by what happened to them. The rows are kept
    in memory meanwhile, which limits the size of slices.
    """
    return f"""
WITH w AS (
    INSERT INTO armies_armyweek AS w ({_COLUMNS})
    SELECT %(campaign)s, %(until)s, o.id, o.kingdom_id, CASE WHEN o.kingdom_id <> ALL(%(free)s) THEN o.due END,
        o.paid, o.doubled, o.hp, o.hp_after, o.morale,
        o.morale_after, o.status, o.status_after, o.arrears, o.arrears_after, o.owed, o.owed_after, o.disease,
        o.disease_after, o.ill, o.ill_after, o.drain, o.settled,
        CASE WHEN o.status_after = 'disbanded' THEN o.commander_id END
    FROM ({outcome}) AS o WHERE {which}
    RETURNING *, {_MOVED_SHARED} AS moved, {_MOVED_OWN} AS moved_own
), followed AS (
    UPDATE armies_army a SET {_follow(_SHARED)}, commander_id = CASE WHEN w.commander IS NULL THEN a.commander_id END
    FROM w WHERE w.moved AND a.id = w.army_id AND a.id > %(above)s AND a.id <= %(up_to)s
), followed_own AS (
    UPDATE pathfinder_army t SET {_follow(_OWN)}, drain = 0, surcharge = t.surcharge - w.surcharge
    FROM w WHERE w.moved_own AND t.army_ptr_id = w.army_id AND t.army_ptr_id > %(above)s AND t.army_ptr_id <= %(up_to)s
)
SELECT kingdom_id, coalesce(sum(paid), 0)::bigint,
    count(*) FILTER (WHERE owed_after > owed_before), count(*) FILTER (WHERE owed_after < owed_before),
    count(*) FILTER (WHERE doubled), count(*) FILTER (WHERE morale_after <> morale_before),
    count(*) FILTER (WHERE hp_after > hp_before), count(*) FILTER (WHERE surcharge > 0),
    count(*) FILTER (WHERE disease_after <> disease_before OR ill_after <> ill_before),
    count(*) FILTER (WHERE drain > 0), count(*) FILTER (WHERE status_after = 'disbanded')
FROM w GROUP BY kingdom_id ORDER BY kingdom_id"""


PASS_DAYS = _pass(_DAYS_ONLY, _CHANGED)
PASS_WEEK = _pass(_WITH_WEEK, "true")

# The same week, counted but not written (`rules.pathfinder.weeks.ahead`).
FORETELL = f"""
SELECT kingdom_id, count(*), sum(due)::bigint,
    sum(CASE WHEN kingdom_id = ANY(%(free)s) THEN 0 ELSE owed END)::bigint, sum(paid)::bigint,
    count(*) FILTER (WHERE NOT met), count(*) FILTER (WHERE doubled), count(*) FILTER (WHERE NOT led),
    count(*) FILTER (WHERE NOT (led OR doubled OR kingdom_id = ANY(%(spared)s))),
    count(*) FILTER (WHERE status_after = 'disbanded'),
    (array_agg(id ORDER BY id) FILTER (WHERE status_after = 'disbanded'))[1:%(few)s]
FROM ({_WITH_WEEK}) AS o GROUP BY kingdom_id"""

SLICES = f"""
SELECT id FROM (SELECT a.id, row_number() OVER (ORDER BY a.id) AS place FROM armies_army a WHERE {_OURS}) AS counted
WHERE place %% %(slice)s = 0 ORDER BY id"""

RALLY = f"""
WITH rallied AS (
    UPDATE armies_army a SET status = 'ready' WHERE a.id = ANY(%(ids)s) AND a.campaign_id = %(campaign)s RETURNING a.*
), known AS (
    UPDATE armies_armyweek w SET status_after = 'ready' FROM rallied r
    WHERE w.campaign_id = %(campaign)s AND w.day = %(until)s AND w.army_id = r.id RETURNING w.army_id
)
INSERT INTO armies_armyweek ({_COLUMNS})
SELECT campaign_id, %(until)s, id, kingdom_id, NULL, 0, false, health, health, morale, morale, 'routed', 'ready',
    arrears, arrears, owed, owed, disease, disease, ill, ill, 0, 0, NULL::uuid
FROM rallied JOIN pathfinder_army t ON t.army_ptr_id = id
WHERE id NOT IN (SELECT army_id FROM known) ORDER BY id"""

# Undo of a step.
_STEP = "w.campaign_id = %(campaign)s AND w.day = %(day)s"
_DIFFERS = " OR ".join(
    f"(w.{name}_before <> w.{name}_after AND {column} <> w.{name}_after)" for name, column in _FIGURES.items()
)


def _back(figures: Mapping[str, str]) -> str:
    return ", ".join(
        f"{column[2:]} = CASE WHEN w.{name}_before <> w.{name}_after THEN w.{name}_before ELSE {column} END"
        for name, column in figures.items()
    )


OVERTAKEN = f"""
SELECT a.name FROM armies_armyweek w LEFT JOIN ({_ARMIES}) ON a.id = w.army_id
WHERE {_STEP} AND {_MOVED} AND (a.id IS NULL OR {_DIFFERS} OR (w.drain > 0 AND t.drain > 0)
    OR (w.surcharge > 0 AND t.surcharge > 0) OR (w.commander IS NOT NULL AND (a.commander_id IS NOT NULL
        OR NOT EXISTS (SELECT FROM armies_commander c WHERE c.id = w.commander)
        OR EXISTS (SELECT FROM armies_army b WHERE b.commander_id = w.commander))))
ORDER BY w.army_id LIMIT 1"""

RESTORE = f"""
WITH own AS (
    UPDATE pathfinder_army t SET {_back(_OWN)}, drain = t.drain + w.drain, surcharge = t.surcharge + w.surcharge
    FROM armies_armyweek w WHERE {_STEP} AND t.army_ptr_id = w.army_id AND {_MOVED_OWN}
)
UPDATE armies_army a SET {_back(_SHARED)}, commander_id = coalesce(w.commander, a.commander_id)
FROM armies_armyweek w WHERE {_STEP} AND a.id = w.army_id AND {_MOVED_SHARED}"""

FORGET = f"DELETE FROM armies_armyweek w WHERE {_STEP}"

# The first of these armies that a step changed in this field.
TOUCHED = {
    **{name: f"w.{name}_before <> w.{name}_after" for name in _FIGURES},
    "drain": "w.drain > 0",
    "surcharge": "w.surcharge > 0",
    "commander": "w.commander IS NOT NULL",
}


def touched(field: str) -> str:
    return f"""SELECT a.name FROM armies_armyweek w JOIN armies_army a ON a.id = w.army_id
WHERE w.campaign_id = %(campaign)s AND w.day = ANY(%(days)s) AND w.army_id = ANY(%(ids)s) AND {TOUCHED[field]}
LIMIT 1"""

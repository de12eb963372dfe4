"""Random campaigns, written into the tables and noted down by the second reading."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any
from uuid import UUID

from armies.pathfinder.models import PathfinderArmy as ArmyRow
from armies.pathfinder.models import PathfinderCommander
from kingdom.models import Campaign, Kingdom, Membership, Settlement, User
from kingdom.realms.treasury_services import record_entry
from tests.armies.pathfinder.weeks.oracle.marches import speed_of
from tests.armies.pathfinder.weeks.oracle.world import Army, Leader, Line, Realm, World
from tests.rows import write_rows
from tests.rules.pathfinder.oracle.tables import HIT_DIE, LADDER, SIZES

MONTHS = ([31, 28, 31, 30], [10], [12, 9, 15], [400], [30] * 12)
BOON = [{"boon": "live-off-the-land"}]
COUNTS = (1, 10, 25, 50, 100, 200, 200, 500, 500, 1000, 2000)


def new_id(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128))


def draw(rng: Random, gm: User) -> tuple[Campaign, World]:
    months, half = rng.choice(MONTHS), rng.random() < 0.3
    later = Random(f"more {rng.random()}")  # of its own: what was drawn before stays as it was
    reserves = later.random() < 0.9
    campaign = Campaign.objects.create(
        id=new_id(rng), name="C", ruleset="combat-de-masse", day=0,
        house_rules={**({"recovery_cap": "half"} if half else {}), **({} if reserves else {"reform": False})},
        calendar={"months": [{"name": f"M{place}", "days": days} for place, days in enumerate(months)]},
    )  # fmt: skip
    Membership.objects.create(campaign=campaign, user=gm, role="gm")
    world = World(0, {}, {}, {}, tuple(months), half, reserves)
    world.day = campaign.day = rng.choice([0, 0, rng.randint(1, 40)])
    campaign.save(update_fields=["day"])
    for _ in range(rng.randint(1, 3)):
        _realm(rng, gm, campaign, world)
    for _ in range(rng.randint(0, 7)):
        _leader(rng, campaign, world)
    for _ in range(rng.randint(2, 9)):
        _army(rng, campaign, world)
    for realm in world.realms.values():
        _economy(later, realm, world.day)
    for army in world.armies.values():
        _rested(later, army, world.day)
    return campaign, world


def _economy(rng: Random, one: Realm, day: int) -> None:
    """No treasury, or what is planned for it."""
    if rng.random() < 0.2:
        one.free, one.leaderless = True, rng.random() < 0.4
    for _ in range(rng.choice([0, 0, 1, 3])):
        since = max(0, day + rng.choice([-5, -1, 0, 3, 9]))
        one.planned.append(Line(rng.choice([-30, -7, -1, 2, 12]), rng.random() < 0.4, since,
                                rng.choice([None, None, since + 1, since + 7, since + 40])))  # fmt: skip
    lines = [{"id": f"{place}", "name": "P", "amount": line.amount, "every": "month" if line.monthly else "week",
              "since": line.since, "until": line.until} for place, line in enumerate(one.planned)]  # fmt: skip
    changed = {"planned": lines, "without_treasury": one.free, "needs_commanders": one.leaderless and one.free}
    Kingdom.objects.filter(pk=one.id).update(**changed)


def _rested(rng: Random, one: Army, day: int) -> None:
    """In reserve, called up, or with a Consumption adjusted until a day."""
    if rng.random() < 0.3 and not one.marching(day):
        one.reserved_on = max(0, day - rng.choice([0, 1, 6, 7, 8, 30]))
        one.called_up = rng.choice([None, None, None, max(one.reserved_on + 7, day + rng.randint(0, 7))])
    if rng.random() < 0.25:
        usual, more = max(1, one.acr // 2), rng.randint(1, 6)
        one.consumption, one.eased = usual + more, (day + rng.choice([0, 1, 3, 6, 7, 20]), usual)
        adjusted = [{"id": "a", "figure": "consumption", "amount": more, "reason": "R", "until": one.eased[0]}]
        ArmyRow.objects.filter(pk=one.id).update(adjustments=adjusted, upkeep=one.consumption)
    ArmyRow.objects.filter(pk=one.id).update(reserved_on=one.reserved_on, called_up=one.called_up)


def _realm(rng: Random, gm: User, campaign: Campaign, world: World) -> None:
    one = Realm(
        str(new_id(rng)), economy=rng.randint(-3, 30), loyalty=rng.randint(-3, 40), stability=rng.randint(-3, 40),
        unrest=rng.choice([0, 0, 2, 5, 9, 10, 11, 18, 19, 20, 23]), size=rng.choice([1, 1, 2, 5, 20]),
        modifier=rng.choice([0, 0, -4, 3]), fixed_dc=rng.choice([None, None, None, 0, 12, 30]),
        treasury=rng.choice([-6, 0, 3, 10, 25, 60, 200, 900]), consumption=rng.choice([0, 2, 7, 30]),
    )  # fmt: skip
    row = Kingdom(
        id=UUID(one.id), campaign=campaign, name="K", control_dc_modifier=one.modifier,
        control_dc_override=one.fixed_dc, districts=rng.choice([0, 0, 3]), **_same(one, REALM),
    )  # fmt: skip
    Kingdom.objects.bulk_create([row])
    if one.treasury:
        record_entry(by=gm, kingdom=row, amount=one.treasury, reason="Hoard")
    towns = [rng.randint(1, 2) for _ in range(rng.choice([0, 1, 2]))]
    Settlement.objects.bulk_create(
        Settlement(campaign=campaign, kingdom=row, name=f"T{place}", districts=size) for place, size in enumerate(towns)
    )
    one.districts = max(row.districts, sum(towns))
    world.realms[one.id] = one


REALM = ("economy", "loyalty", "stability", "unrest", "size", "consumption")
ARMY = ("count", "hp", "hp_max", "acr", "regrowth", "morale", "status", "arrears", "owed", "ill", "disease", "drain",
        "consumption", "surcharge", "foraging", "rested_on", "marching_until", "led_days", "led_to")  # fmt: skip


def _same(thing: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in names}


def _leader(rng: Random, campaign: Campaign, world: World) -> None:
    kind = rng.choice(["free"] * 5 + ["away", "away", "captured", "coming", "coming", "killed"])
    status = {"coming": "captured", "away": "free"}.get(kind, kind)
    back = world.day + rng.randint(1, 15) if kind in ("away", "coming") else None
    one = Leader(
        str(new_id(rng)), rng.choice(list(world.realms)), status, back,
        active_days=rng.choice([7, 7, 7, 7, 0, 1, 2, 3, 4, 6]), boon=rng.random() < 0.7,
        ransom=rng.randint(0, 12) if status == "captured" else None,
    )  # fmt: skip
    world.leaders[one.id] = one
    write_rows([
        PathfinderCommander(
            id=UUID(one.id), campaign=campaign, kingdom_id=UUID(one.kingdom), name=f"L{len(world.leaders)}",
            boons=BOON if one.boon else [], status=status, away_until=back, active_days=one.active_days,
            ransom=one.ransom,
        )
    ])  # fmt: skip


def _army(rng: Random, campaign: Campaign, world: World) -> None:
    one, metres = Army(str(new_id(rng)), rng.choice(list(world.realms))), rng.choice([4.5, 6, 9, 12, 18])
    one.count, one.speed = rng.choice(COUNTS), speed_of(metres)
    unit = _strength(rng, one)
    _state(rng, one, world.day)
    free = [him for him in world.leaders.values() if him.kingdom == one.kingdom and not _leads(world, him)]
    one.leader = rng.choice([*free, None]) if one.standing else None
    one.cannibal, one.teleports = rng.random() < 0.4, rng.random() < 0.1
    write_rows([
        ArmyRow(id=UUID(one.id), campaign=campaign, kingdom_id=UUID(one.kingdom), name="A",
                unit=_unit(one, metres, unit), commander_id=one.leader and UUID(one.leader.id), **_same(one, ARMY))
    ])  # fmt: skip
    world.armies[one.id] = one


def _leads(world: World, him: Leader) -> bool:
    return any(army.leader is him for army in world.armies.values())


def _strength(rng: Random, one: Army) -> dict[str, Any]:
    """ACR, hp and what grows back, from a unit of the law's tables (PF-1.1 to PF-1.4, PF-7.5)."""
    size = max(place for place, (_slug, units, _step) in enumerate(SIZES) if units <= one.count)
    cr = rng.choice([cr for cr in range(11) if 0 <= cr + SIZES[size][2] < 17])
    acr = ladder(cr + SIZES[size][2])
    die, abilities = rng.choice(list(HIT_DIE)), []
    one.acr = int(acr)
    one.hp_max = max(1, int(acr * HIT_DIE[die]))
    one.hp = rng.choice([one.hp_max, 1, rng.randint(1, one.hp_max), max(1, one.hp_max // 2)])
    kind, value = rng.choice(["", "", "fast-healing", "regeneration"]), rng.randint(1, 3)
    if kind:
        one.regrowth = 24 * (value if kind == "fast-healing" else max(1, value // 2))
        abilities.append({"ability": kind, "value": value})
    one.consumption = rng.choice([max(1, one.acr // 2), max(1, one.acr // 2), 0, rng.randint(1, 20)])
    return {"cr": str(ladder(cr)), "hit_die": die, "abilities": abilities}


def ladder(place: int) -> Fraction:
    return Fraction(LADDER[place]) if place < len(LADDER) else Fraction(place - len(LADDER) + 1)


def _state(rng: Random, one: Army, day: int) -> None:
    one.morale = rng.choice([0, 0, 1, rng.randint(-4, 4), rng.randint(-4, 4)])
    one.status = rng.choice(["ready"] * 8 + ["routed"] * 3 + ["defeated", "disbanded", "captured"])
    one.owed = rng.choice([0, 0, 0, 1, 4, 9])
    one.arrears = one.owed > 0 or rng.random() < 0.15
    one.disease, one.ill = rng.choice([(0, False), (0, False), (0, True), (2, True), (1, False), (4, False)])
    one.drain, one.surcharge = rng.choice([0, 0, 2]), rng.choice([0, 0, 3, 12])
    one.foraging = rng.choice([None, None, 0, 1, 2]) if one.count >= 500 else None
    one.rested_on = rng.choice([None, None, day, day - 1])
    one.marching_until = rng.choice([None, None, None, day, day + 1, day + 3, day + 9])
    one.led_days, one.led_to = _led(rng, day)


def _led(rng: Random, day: int) -> tuple[int, int]:
    """Days counted before some day of this week or the last, no more than that week had."""
    to = max(0, day - rng.choice([0, 0, 1, 7]))
    return rng.choice([(0, 0), (rng.randint(0, to % 7), to)])


def _unit(one: Army, metres: float, found: dict[str, Any]) -> dict[str, Any]:
    names = [name for name, has in (("cannibalize", one.cannibal), ("teleportation", one.teleports)) if has]
    return {
        "name": "Orc", "speed_m": metres, "creature_type": "humanoid", "alignment": "CE", "level": 1, "ranged": False,
        **found, "abilities": [*found["abilities"], *({"ability": name} for name in names)],
    }  # fmt: skip

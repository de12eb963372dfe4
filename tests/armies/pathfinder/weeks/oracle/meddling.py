"""What people do between two passages of time: march, rest by hand, change commands, pay ransoms, spend, fight."""

from __future__ import annotations

from random import Random
from typing import Any

from armies.pathfinder.armies.march_services import march_army, place_army, rest_army
from armies.pathfinder.armies.reserve_services import call_up_army, reserve_army
from armies.pathfinder.commanders.command_services import assign_commander, ransom_commander
from armies.pathfinder.forces.specs import Road
from armies.pathfinder.models import PathfinderArmy as ArmyRow
from armies.pathfinder.models import PathfinderCommander
from armies.pathfinder.models.army import STORED
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.treasury_services import record_entry
from tests.armies.pathfinder.weeks.oracle.checks import passes
from tests.armies.pathfinder.weeks.oracle.days import Deeds, a_rest, heal
from tests.armies.pathfinder.weeks.oracle.marches import days_of
from tests.armies.pathfinder.weeks.oracle.weeks import days_led
from tests.armies.pathfinder.weeks.oracle.world import ENOUGH, WEEK, Army, World

KINGDOMS = ("pay_double", "loyalty_check", "collect_taxes", "skip_upkeep")


class Table:
    """The GM's hands: each deed done by the services and by the second reading."""

    def __init__(self, rng: Random, gm: User, campaign: Campaign, world: World, met: Any):
        self.rng, self.gm, self.campaign, self.world, self.met = rng, gm, campaign, world, met

    def meddle(self) -> None:
        for army in self.world.standing():
            deed = self.rng.choice(
                [self.march, self.rest, self.halt, self.command, self.wound, self.reserve] + [None] * 9
            )
            if deed:
                deed(army)
        for realm in self.world.realms.values():
            if self.rng.random() < 0.3 and not realm.free:
                bp = self.rng.choice([-5, 4, 20, 60])
                row = Kingdom.objects.get(pk=realm.id)
                record_entry(by=self.gm, kingdom=row, amount=bp, reason="Gift")
                realm.treasury += bp
        self.ransom()

    def row(self, army: Army) -> ArmyRow:
        return ArmyRow.objects.get(pk=army.id)

    def march(self, army: Army) -> None:
        day = self.world.day
        if army.status != "ready" or army.rested_on == day or army.marching(day) or army.resting(day):
            return
        easy, difficult = self.rng.choice([(1, 0), (7, 0), (0, 3), (5, 4), (12, 9)])
        land = army.forager(day) and self.rng.random() < 0.6
        march_army(by=self.gm, army=self.row(army), place="there", road=Road(easy, difficult, land))
        land = land or (army.forager(day) and army.id in self._stored("live_off_the_land"))
        speed = max(1, army.speed // 2) if land else army.speed
        army.marching_until = day + (1 if army.teleports else days_of(speed, easy, difficult))
        army.foraging = None
        self.met["marched"] += 1
        self.met["marched, living off the land"] += land
        self.met["teleported"] += army.teleports

    def reserve(self, army: Army) -> None:
        """R-94: into reserve, or called up from it, which takes a week."""
        if not self.world.reserves or army.marching(self.world.day):
            return
        row, resting = self.row(army), army.resting(self.world.day)
        if resting and army.called_up is None:
            call_up_army(by=self.gm, army=row)
            army.called_up = self.world.day + WEEK
            self.met["called up"] += 1
        else:
            reserve_army(by=self.gm, army=row)
            army.reserved_on = army.reserved_on if resting else self.world.day
            army.called_up = None
            self.met["put in reserve"] += 1

    def halt(self, army: Army) -> None:
        if not army.marching(self.world.day):
            return
        place_army(by=self.gm, army=self.row(army), place="here")
        army.marching_until, army.foraging = self.world.day + 1, None  # today it has moved: no day of rest (PF-7.1)
        self.met["halted"] += 1

    def rest(self, army: Army) -> None:
        day, limit = self.world.day, army.hp_max // (2 if self.world.half else 1)
        if army.rested_on == day or army.marching(day) or army.hp >= limit:
            return
        key, rally = (army.kingdom, day), self.rng.random() < 0.5
        fresh = rally and key not in self.world.rest_checks
        die = self.rng.randint(1, 20)
        rest_army(by=self.gm, army=self.row(army), rally=rally, dice=[die] if fresh else None)
        if fresh:
            self.world.rest_checks[key] = passes(self.world.realms[army.kingdom], "loyalty", die)
        again = rally and self.world.rest_checks[key]
        heal(army, army.regrowth + a_rest(army) * (2 if again else 1), self.world.half)
        army.rested_on = day
        self.met["rested by hand"] += 1

    def command(self, army: Army) -> None:
        """They give it up, or one of those who lead nobody takes it."""
        day = self.world.day
        if day % WEEK:
            army.led_days = days_led(army, day)
        else:
            army.led_days = 0
        if army.led_days < ENOUGH:
            army.led_days = 0  # their few days are no help to whoever follows (PF-2.5)
        army.led_to = day
        free = [him for him in self.world.leaders.values() if self._idle(him, army)]
        new = self.rng.choice([*free, None])
        if new is None and army.leader is None:
            return
        row = PathfinderCommander.objects.get(pk=new.id) if new else None
        assign_commander(by=self.gm, army=self.row(army), commander=row)
        army.leader = new
        self.met["command taken" if new else "command given up"] += 1

    def _idle(self, him: Any, army: Army) -> bool:
        leads = any(other.leader is him for other in self.world.armies.values())
        return him.status == "free" and him.kingdom == army.kingdom and not leads

    def ransom(self) -> None:
        for him in self.world.leaders.values():
            realm = self.world.realms[him.kingdom]
            if him.status == "captured" and him.ransom <= realm.treasury and self.rng.random() < 0.2 and not realm.free:
                ransom_commander(by=self.gm, commander=PathfinderCommander.objects.get(pk=him.id))
                realm.treasury -= him.ransom
                him.status, him.ransom, him.back = "free", None, self.world.day
                self.met["ransomed"] += 1

    def wound(self, army: Army) -> None:
        """What a battle leaves behind."""
        found = {
            "hp": self.rng.randint(1, army.hp_max), "ill": self.rng.random() < 0.4, "drain": self.rng.choice([0, 1]),
            "surcharge": self.rng.choice([0, 0, 3]), "status": self.rng.choice([army.status, "routed"]),
            "morale": max(-4, min(4, army.morale + self.rng.choice([-1, 0, 1]))),
        }  # fmt: skip
        ArmyRow.objects.filter(pk=army.id).update(**{STORED.get(name, name): value for name, value in found.items()})
        for name, value in found.items():
            setattr(army, name, value)

    def deeds(self) -> Deeds:
        """Who is in a battle that is not over, and who fought today."""
        found = Deeds()
        for army in self.world.standing():
            fights, fought = self.rng.random() < 0.06, self.rng.random() < 0.08
            found.fighting |= {army.id} if fights and not army.resting(self.world.day) else set()
            found.fought |= {army.id} if fought else set()
        return found

    def choices(self) -> dict[str, list[str]]:
        """Some of them, each with some of those it is open to."""
        day, up = self.world.day, self.world.standing()
        led = [army for army in up if army.leader]
        some = {
            "march": [army.id for army in up],
            "live_off_the_land": [army.id for army in up if army.forager(day) and self._led(army)],
            "cannibalize": [army.id for army in up if army.cannibal],
            "commander_away": [army.id for army in led],
            "commander_present": [army.id for army in led if army.leader.status == "free"],
            "pay_first": [army.id for army in up],
            **{
                name: [key for key, realm in self.world.realms.items() if not realm.free or name == "loyalty_check"]
                for name in KINGDOMS
            },
        }
        chosen = {name: self._some(open_to) for name, open_to in some.items() if self.rng.random() < 0.5}
        away = chosen.get("commander_away", self._stored("commander_away"))
        there = chosen.get("commander_present", self._stored("commander_present"))
        if set(away) & set(there):
            away, chosen["commander_away"], chosen["commander_present"] = (
                [],
                [],
                sorted(set(there) & {army.id for army in led}),
            )
        land = chosen.get("live_off_the_land", self._stored("live_off_the_land"))
        if set(land) & set(away):  # who is away teaches nobody
            able = {army.id for army in up if army.forager(day)}  # some of those chosen before are no more, or unled
            chosen["live_off_the_land"] = [one for one in land if one in able and one not in away]
        return chosen

    def _led(self, army: Army) -> bool:
        """Whether their days will make this week, should they stay."""
        return days_led(army, (self.world.day // WEEK + 1) * WEEK) >= ENOUGH

    def _stored(self, name: str) -> list[str]:
        return self.world.stored.get(self.world.day // WEEK, {}).get(name, [])

    def _some(self, those: list[str]) -> list[str]:
        share = self.rng.choice([0, 0.3, 0.6, 1])
        found = [one for one in those if self.rng.random() < share]
        self.rng.shuffle(found)
        return found

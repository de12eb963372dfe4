"""Pathfinder as the tests of the frame drive it."""

from typing import Any

from armies.pathfinder.armies.services import raise_army
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.models import PathfinderArmy

SPEARMAN = {"name": "Spearman", "cr": "1", "hit_die": "d10", "speed_m": 9, "level": 1, "ranged": True}


class Pathfinder:
    slug = "combat-de-masse"
    size = "d20"
    hurt = "Horde"

    def army(self, gm: Any, kingdom: Any, name: str) -> PathfinderArmy:
        leader = appoint_commander(by=gm, kingdom=kingdom, name=f"Captain of {name}", level=6, charisma_modifier=2)
        return raise_army(by=gm, kingdom=kingdom, name=name, unit=SPEARMAN, count=500, commander=leader)

    def first(self, table: Any) -> dict[str, Any]:
        return {"type": "next"}

    def before_orders(self, table: Any) -> list[dict[str, Any]]:
        return [{"type": "next"}]

    def own(self, table: Any) -> dict[str, Any]:
        return {"type": "order", "army": str(table.watch.pk), "tactic": "standard"}

    def theirs(self, table: Any) -> dict[str, Any]:
        return {"type": "order", "army": str(table.raiders.pk), "tactic": "standard"}

    def before_dice(self, table: Any) -> list[dict[str, Any]]:
        return [{"type": "next"}, {"type": "resolve"}, *(self._hold(army) for army in (table.raiders,))]

    def _hold(self, army: PathfinderArmy) -> dict[str, Any]:
        return {"type": "order", "army": str(army.pk), "target": None}

    def thrown(self, table: Any) -> dict[str, Any]:
        return {"type": "resolve"}

    def die(self, table: Any) -> dict[str, Any]:
        return {"army": str(table.watch.pk), "roll": "attack", "values": [15]}

    def until_over(self, table: Any) -> list[dict[str, Any]]:
        fallen = {"field": "status", "value": "defeated", "reason": "drowned"}
        return [
            {"type": "next"},
            {"type": "override", "army": str(table.raiders.pk), **fallen},
            {"type": "end", "reason": "The ice broke", "winner": "Crown"},
        ]

    def fought(self, table: Any) -> list[dict[str, Any]]:
        shot = {**self.thrown(table), "dice": [self.die(table)]}
        return [*self.before_dice(table), shot, *self.until_over(table)[1:]]

    def aftermath_dice(self, table: Any) -> list[dict[str, Any]]:
        fate, loyalty = ("commander-fate", 34), (("loyalty-tactic", 1), ("loyalty-boon", 1))
        rolls = [(table.raiders, *fate), *((table.watch, *roll) for roll in loyalty)]
        return [{"army": str(army.pk), "roll": roll, "values": [face]} for army, roll, face in rolls]


DRIVER = Pathfinder()

"""The coin as the tests of the frame drive it."""

from typing import Any

from armies.forces.services import raise_army
from armies.models import Army


class Coin:
    slug = "coin"
    size = "d2"
    hurt = "Horde"

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        return raise_army(by=gm, kingdom=kingdom, name=name, sheet={"men": 2})

    def call(self, army: Army, side: str) -> dict[str, Any]:
        return {"type": "order", "army": str(army.pk), "call": side}

    def first(self, table: Any) -> dict[str, Any]:
        return self.call(table.raiders, "tails")

    def before_orders(self, table: Any) -> list[dict[str, Any]]:
        return []

    def own(self, table: Any) -> dict[str, Any]:
        return self.call(table.watch, "heads")

    def theirs(self, table: Any) -> dict[str, Any]:
        return self.call(table.raiders, "tails")

    def before_dice(self, table: Any) -> list[dict[str, Any]]:
        return [self.call(table.watch, "heads"), self.call(table.raiders, "tails")]

    def thrown(self, table: Any) -> dict[str, Any]:
        return {"type": "toss"}

    def die(self, table: Any) -> dict[str, Any]:
        return {"army": "coin", "roll": "toss", "values": ["heads"]}

    def until_over(self, table: Any) -> list[dict[str, Any]]:
        toss = {**self.thrown(table), "dice": [self.die(table)]}
        return [*self.before_dice(table), toss] * 2

    def fought(self, table: Any) -> list[dict[str, Any]]:
        return self.until_over(table)

    def aftermath_dice(self, table: Any) -> list[dict[str, Any]]:
        return [{"army": str(table.raiders.pk), "roll": "ransom", "values": ["tails"]}]


DRIVER = Coin()

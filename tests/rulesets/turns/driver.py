"""The road as the tests of the frame drive it."""

from typing import Any

from armies.forces.services import raise_army
from armies.models import Army


class Turns:
    slug = "turns"
    size = "d2"
    hurt = "Horde"

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        return raise_army(by=gm, kingdom=kingdom, name=name, sheet={"men": 2})

    def unit(self, army: Army, name: str = "line") -> str:
        return f"{army.pk}:{name}"

    def step(self, army: Army, to: int, name: str = "line") -> dict[str, Any]:
        return {"type": "step", "unit": self.unit(army, name), "to": to}

    def strike(self, army: Army, target: str) -> dict[str, Any]:
        return {"type": "strike", "unit": self.unit(army), "target": target}

    def flank(self, army: Army, target: str) -> dict[str, Any]:
        return {"type": "flank", "unit": self.unit(army), "target": target}

    def answer(self, key: str, choice: str) -> dict[str, Any]:
        return {"type": "answer", "key": key, "choice": choice}

    def first(self, table: Any) -> dict[str, Any]:
        return self.step(table.watch, 5)

    def before_orders(self, table: Any) -> list[dict[str, Any]]:
        return []

    def own(self, table: Any) -> dict[str, Any]:
        return self.step(table.watch, 2, "scouts")

    def theirs(self, table: Any) -> dict[str, Any]:
        return self.step(table.raiders, 5)

    def before_dice(self, table: Any) -> list[dict[str, Any]]:
        """The lines meet at 4 and 5, and the watch is struck at."""
        return [self.own(table), self.step(table.raiders, 5), self.strike(table.watch, self.unit(table.raiders))]

    def thrown(self, table: Any) -> dict[str, Any]:
        return self.answer(self.unit(table.raiders), "stand")

    def die(self, table: Any) -> dict[str, Any]:
        return {"army": self.unit(table.raiders), "roll": "clash", "values": ["heads"]}

    def until_over(self, table: Any) -> list[dict[str, Any]]:
        """The raiders' line falls at once; the scouts come along the road and fall too."""
        scouts = self.unit(table.raiders, "scouts")
        closing = [
            self.step(table.raiders, 8, "scouts"),
            self.step(table.watch, 5),
            self.step(table.raiders, 7, "scouts"),
            self.step(table.watch, 6),
            {"type": "strike", "unit": scouts, "target": self.unit(table.watch)},
            {**self.answer(self.unit(table.watch), "stand"),
             "dice": [{"army": self.unit(table.watch), "roll": "clash", "values": ["tails"]}]},
        ]  # fmt: skip
        return [*self.before_dice(table), {**self.thrown(table), "dice": [self.die(table)]}, *closing]

    def fought(self, table: Any) -> list[dict[str, Any]]:
        return self.until_over(table)

    def aftermath_dice(self, table: Any) -> list[dict[str, Any]]:
        return []


DRIVER = Turns()

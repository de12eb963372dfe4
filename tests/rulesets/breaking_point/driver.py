"""Breaking points as the tests of the frame drive them: a hundred swords a side, the crown attacks."""

from typing import Any

from armies.forces.services import raise_army
from armies.models import Army

type Json = dict[str, Any]

SWORDS = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 3, "armour": 0, "group": "contact",
          "weapons": ["sword"]}  # fmt: skip


class BreakingPoints:
    slug = "breaking-point"
    size = "d10"
    hurt = "Raiders"

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        return raise_army(by=gm, kingdom=kingdom, name=name, sheet={"units": [SWORDS]})

    def body(self, army: Army) -> str:
        return f"{army.pk}:contact"

    def first(self, table: Any) -> Json:
        return {"type": "condition", "condition": "visibility"}

    def before_orders(self, table: Any) -> list[Json]:
        return [{"type": "next"}]

    def own(self, table: Any) -> Json:
        return {"type": "order", "army": str(table.watch.pk), "bodies": {"contact": {"do": "hold"}}}

    def theirs(self, table: Any) -> Json:
        return {"type": "order", "army": str(table.raiders.pk), "bodies": {"contact": {"do": "hold"}}}

    def attack(self, table: Any) -> Json:
        do = {"do": "attack", "target": self.body(table.raiders)}
        return {"type": "order", "army": str(table.watch.pk), "bodies": {"contact": do}}

    def before_dice(self, table: Any) -> list[Json]:
        sides = [{"army": f"side-{side}", "roll": "command", "values": [5]} for side in (0, 1)]
        return [{"type": "next"}, {"type": "resolve", "dice": sides}, self.attack(table)]

    def thrown(self, table: Any) -> Json:
        return {"type": "resolve"}

    def die(self, table: Any) -> Json:
        """3 + 4 against 3: 30 % of 400 are 120 of the 500 they can take, and at 200 they break."""
        return {"army": self.body(table.watch), "roll": "contact", "values": [4]}

    def until_over(self, table: Any) -> list[Json]:
        """The second blow breaks them, and nobody rallies them."""
        rally = {"army": str(table.raiders.pk), "roll": "rally", "values": [2]}
        first = {**self.thrown(table), "dice": [self.die(table)]}
        second = {**self.thrown(table), "dice": [self.die(table), rally]}
        return [*self.before_dice(table), first, self.attack(table), second]

    def fought(self, table: Any) -> list[Json]:
        return self.until_over(table)

    def aftermath_dice(self, table: Any) -> list[Json]:
        return []


DRIVER = BreakingPoints()

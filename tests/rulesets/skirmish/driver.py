"""The skirmish as the tests of the frame drive it, on Meadows: 16 columns, 14 rows, zones of three rows."""

from __future__ import annotations

from typing import Any

from armies.forces.services import raise_army
from armies.models import Army
from battles.models import Battle
from battles.play import battle_state as play_battle_state

SOUTH = {"F1": "H12", "F2": "I12", "F3": "J12", "R1": "F12", "R2": "G12", "S1": "A14"}
NORTH = {"F1": "H3", "F2": "I3", "F3": "J3", "R1": "F3", "R2": "G3", "S1": "P1"}


class Skirmishes:
    slug = "skirmish"
    size = "d6"
    hurt = "Horde"

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        return raise_army(by=gm, kingdom=kingdom, name=name, sheet={"men": 2})

    def unit(self, army: Army, tag: str) -> str:
        """The id of a unit, in the latest battle of its army."""
        battle = Battle.objects.filter(seats__army=army).latest("created_at")
        tokens = play_battle_state.load_opening(battle).tokens
        return next(token.id for token in tokens if token.army == str(army.pk) and token.name.endswith(tag))

    def place(self, army: Army, tag: str, at: str) -> dict[str, Any]:
        return {"type": "place", "unit": self.unit(army, tag), "at": at}

    def act(self, army: Army, tag: str, to: str = "", foe: str = "", **more: Any) -> dict[str, Any]:
        """`foe`: the id of whom it strikes at."""
        told = {"to": to, "target": foe}
        return {"type": "act", "unit": self.unit(army, tag), **{name: one for name, one in told.items() if one}, **more}

    def answer(self, army: Army, tag: str, to: str) -> dict[str, Any]:
        return {"type": "answer", "key": self.unit(army, tag), "answers": {"to": to}}

    def face(self, army: Army, tag: str, value: int) -> list[dict[str, Any]]:
        return [{"army": self.unit(army, tag), "roll": "strike", "values": [value]}]

    def placing(self, army: Army, places: dict[str, str]) -> list[dict[str, Any]]:
        return [self.place(army, tag, at) for tag, at in places.items()]

    def first(self, table: Any) -> dict[str, Any]:
        return self.place(table.watch, "F1", SOUTH["F1"])

    def before_orders(self, table: Any) -> list[dict[str, Any]]:
        """Everybody is placed, and the battle begins."""
        return [*self.placing(table.watch, SOUTH), *self.placing(table.raiders, NORTH), {"type": "start"}]

    def own(self, table: Any) -> dict[str, Any]:
        """Scouts that lie hidden."""
        return self.act(table.watch, "S1", "B13")

    def theirs(self, table: Any) -> dict[str, Any]:
        return self.act(table.raiders, "R1", "F6")

    def before_dice(self, table: Any) -> list[dict[str, Any]]:
        """Riders of the raiders have come near; those of the watch are to strike at them."""
        return [*self.before_orders(table), self.own(table), self.theirs(table)]

    def thrown(self, table: Any) -> dict[str, Any]:
        return self.act(table.watch, "R1", "F7", self.unit(table.raiders, "R1"))

    def sent(self, table: Any) -> dict[str, Any]:
        """The same as the page's form sends it."""
        unit, target = self.unit(table.watch, "R1"), self.unit(table.raiders, "R1")
        picked = {"unit": unit, "to": "F7", "target": target}
        return {"type": "chosen", **picked, **{f"look-{name}": value for name, value in picked.items()}}

    def die(self, table: Any) -> dict[str, Any]:
        return {"army": self.unit(table.watch, "R1"), "roll": "strike", "values": [6]}

    def until_over(self, table: Any) -> list[dict[str, Any]]:
        """The first riders of the raiders are struck down, the second ones fall as they strike."""
        struck = {**self.thrown(table), "dice": [self.die(table)]}
        falls = self.act(table.raiders, "R2", "F6", self.unit(table.watch, "R1"))
        return [*self.before_dice(table), struck, {**falls, "dice": self.face(table.raiders, "R2", 1)}]

    def fought(self, table: Any) -> list[dict[str, Any]]:
        return self.until_over(table)

    def aftermath_dice(self, table: Any) -> list[dict[str, Any]]:
        return []


DRIVER = Skirmishes()

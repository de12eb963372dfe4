"""THUCIDIDE fantasy as the tests of the frame drive it, on Meadows: recruits, a general and a caster a side."""

from __future__ import annotations

from typing import Any

from armies.forces.services import appoint_commander, raise_army
from armies.models import Army
from battles.models import Battle
from battles.play import battle_state as play_battle_state

type Json = dict[str, Any]

SOUTH = {"Levy": "H13", "Captain": "H13", "Mage": "D14"}
NORTH = {"Levy": "H2", "Captain": "H2", "Mage": "D1"}
NEAR = "H12"
RED, FLAG = "red", "flag"


class FantasyCommands:
    slug = "thucidide-fantasy"
    size = "d6"
    hurt = "Raiders"

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        """One unit of recruits: a side that loses it has lost. Its attacks throw one die and destroy nobody."""
        captain = appoint_commander(by=gm, kingdom=kingdom, name=f"Captain of {name}")
        mage = {"name": f"Mage of {name}", "kind": "caster"}
        sheet = {"units": [{"type": "recruits", "name": f"Levy of {name}", "stands": 2}], "characters": [mage]}
        return raise_army(by=gm, kingdom=kingdom, name=name, sheet=sheet, commander=captain)

    def unit(self, army: Army, name: str) -> str:
        """The id of a unit whose name begins so, in the latest battle of its army."""
        battle = Battle.objects.filter(seats__army=army).latest("created_at")
        tokens = play_battle_state.load_opening_state(battle).field.tokens.values()
        return next(token.id for token in tokens if token.army == str(army.pk) and str(token.name).startswith(name))

    def place(self, army: Army, name: str, at: str) -> Json:
        return {"type": "place", "unit": self.unit(army, name), "at": at}

    def placing(self, army: Army, places: dict[str, str]) -> list[Json]:
        return [self.place(army, name, at) for name, at in places.items()]

    def cards(self, army: Army, *spells: str) -> Json:
        return {"type": "choose_cards", "caster": self.unit(army, "Mage"), "spells": list(spells)}

    def first(self, table: Any) -> Json:
        return self.place(table.watch, "Levy", SOUTH["Levy"])

    def before_orders(self, table: Any) -> list[Json]:
        """Everybody is placed, and the raiders are ready."""
        ready = {"type": "ready", "side": 1}
        return [*self.placing(table.watch, SOUTH), *self.placing(table.raiders, NORTH), ready]

    def own(self, table: Any) -> Json:
        """The cards of its mage, which the other side never hears of."""
        return self.cards(table.watch, "fear", "slowness")

    def theirs(self, table: Any) -> Json:
        return self.cards(table.raiders, "armour")

    def before_dice(self, table: Any) -> list[Json]:
        """The watch has the lot; its recruits are activated, and the raiders' are led astray before them."""
        lot = [{"army": str(army.pk), "roll": "lot", "values": [face]}
               for army, face in ((table.watch, 6), (table.raiders, 1))]  # fmt: skip
        ours, theirs = self.unit(table.watch, "Levy"), self.unit(table.raiders, "Levy")
        return [
            *self.before_orders(table),
            self.own(table),
            {"type": "start", "dice": lot},
            {"type": "activate", "leader": self.unit(table.watch, "Captain"), "units": [ours]},
            {"type": "end_phase"},
            {"type": "end_phase"},
            {"type": "override", "what": theirs, "field": "at", "value": NEAR, "reason": "led astray"},
        ]

    def thrown(self, table: Any) -> Json:
        return {
            "type": "attack", "unit": self.unit(table.watch, "Levy"), "target": self.unit(table.raiders, "Levy"),
        }  # fmt: skip

    def sent(self, table: Any) -> Json:
        """The same as the page's form sends it."""
        picked = {"unit": self.unit(table.watch, "Levy"), "target": self.unit(table.raiders, "Levy")}
        return {"type": "chosen", **picked, **{f"look-{name}": value for name, value in picked.items()}}

    def die(self, table: Any) -> Json:
        return {"army": self.unit(table.watch, "Levy"), "roll": "attack", "values": [RED]}

    def until_over(self, table: Any) -> list[Json]:
        """The raiders' only unit is struck, and struck down."""
        theirs = self.unit(table.raiders, "Levy")
        down = {"type": "override", "what": theirs, "field": "stands", "value": 0, "reason": "struck down"}
        return [*self.before_dice(table), {**self.thrown(table), "dice": [self.die(table)]}, down]

    def fought(self, table: Any) -> list[Json]:
        return self.until_over(table)

    def aftermath_dice(self, table: Any) -> list[Json]:
        return []


DRIVER = FantasyCommands()

"""Wing command as the tests of the frame drive it, on Meadows: riders, their commander and a mage a side."""

from __future__ import annotations

from typing import Any

from armies.forces.services import appoint_commander, raise_army
from armies.models import Army
from battles.models import Battle
from battles.play import battle_state as play_battle_state

type Json = dict[str, Any]

SOUTH = {"Riders": "H12", "Captain": "G13", "Mage": "D13"}
NORTH = {"Riders": "H3", "Captain": "G2", "Mage": "D2"}
NEAR = "H11"


class WingCommands:
    slug = "wing-command"
    size = "d6"
    hurt = "Raiders"

    def army(self, gm: Any, kingdom: Any, name: str) -> Army:
        """One troop: a wing that loses it is broken, and the battle is over."""
        captain = appoint_commander(by=gm, kingdom=kingdom, name=f"Captain of {name}")
        mage = {"name": f"Mage of {name}", "kind": "mage"}
        sheet = {"troops": [{"type": "riders"}], "characters": [mage], "order": "attack"}
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

    def points(self, army: Army) -> Json:
        """The highest die of order points its captain can throw."""
        return {"army": self.unit(army, "Captain"), "roll": "points", "values": [6]}

    def begun(self, table: Any) -> list[Json]:
        """Everybody is placed, and the crown has the initiative."""
        dice = [{"army": str(army.pk), "roll": "initiative", "values": [face]}
                for army, face in ((table.watch, 6), (table.raiders, 1))]  # fmt: skip
        places = [*self.placing(table.watch, SOUTH), *self.placing(table.raiders, NORTH)]
        return [*places, {"type": "start"}, {"type": "roll_initiative", "dice": dice}]

    def first(self, table: Any) -> Json:
        return self.place(table.watch, "Riders", SOUTH["Riders"])

    def before_orders(self, table: Any) -> list[Json]:
        """Of the crown only the mage can still do something in this phase."""
        orders = {
            "type": "distribute",
            "character": self.unit(table.watch, "Captain"),
            "dice": [self.points(table.watch)],
        }
        return [*self.begun(table), orders, {"type": "end_distribution"}]

    def own(self, table: Any) -> Json:
        """A spell, face down: the other side hears of one, and not of which."""
        return {"type": "choose_spell", "character": self.unit(table.watch, "Mage"), "spell": "firebolt"}

    def theirs(self, table: Any) -> Json:
        return {"type": "choose_spell", "character": self.unit(table.raiders, "Mage"), "spell": "firebolt"}

    def before_dice(self, table: Any) -> list[Json]:
        return [*self.before_orders(table), self.own(table)]

    def thrown(self, table: Any) -> Json:
        return {"type": "distribute", "character": self.unit(table.raiders, "Captain")}

    def sent(self, table: Any) -> Json:
        """The same as the page's form sends it."""
        picked = {"unit": self.unit(table.raiders, "Captain"), "pick": "distribute"}
        return {"type": "chosen", **picked, **{f"look-{name}": value for name, value in picked.items()}}

    def die(self, table: Any) -> Json:
        return self.points(table.raiders)

    def until_over(self, table: Any) -> list[Json]:
        """The raiders' riders are led astray and struck down."""
        ours, theirs = self.unit(table.watch, "Riders"), self.unit(table.raiders, "Riders")
        astray = {"type": "override", "what": theirs, "field": "at", "value": NEAR, "reason": "led astray"}
        attack = {"target": theirs, "how": "melee"}
        blow = {"army": ours, "roll": "melee", "values": [6, 6]}
        return [
            *self.before_dice(table),
            {**self.thrown(table), "dice": [self.die(table)]},
            {"type": "end_distribution"},
            self.theirs(table),
            {"type": "take_wing", "wing": str(table.watch.pk)},
            astray,
            {"type": "act", "unit": ours, "attack": attack, "dice": [blow]},
        ]

    def fought(self, table: Any) -> list[Json]:
        return self.until_over(table)

    def aftermath_dice(self, table: Any) -> list[Json]:
        return []


DRIVER = WingCommands()

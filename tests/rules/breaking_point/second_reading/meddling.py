"""What a GM does between rounds: surrounds, changes weather and distance, sends reinforcements (B-41)."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import battle_state as st
from tests.rules.breaking_point.second_reading import translate
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.attacks import lose_walls
from tests.rules.breaking_point.second_reading.scenarios import GROUNDS, WEATHERS, bodies_of, chief, men
from tests.rules.breaking_point.second_reading.war import Army, Body

MOST_JOINED = 2
STATUSES = ("fighting", "routed", "routed", "fled", "withdrawn", "surrendered", "annihilated")


class Meddler:
    def __init__(self, seed: int):
        self.rng = Random(f"gm {seed}")
        self.hand = Random(f"hand {seed}")
        self.grasping = self.hand.random() < 0.15
        self.joined = 0

    def meddle(self, table: Any) -> None:
        """Before the orders."""
        war: w.War = table.war
        if self.rng.random() < 0.05:
            self.weather(table)
        if self.rng.random() < 0.06:
            self.mark(table)
        if war.kind == w.FIELD and self.rng.random() < 0.04:
            war.distance = self.rng.choice(("short", "medium", "long", "very-long"))
            table.ask(c.ChangeCondition(st.FieldMark("distance", war.distance)))
        if war.kind == w.FIELD and war.medium == "land" and self.joined < MOST_JOINED and self.rng.random() < 0.04:
            self.reinforce(table)

        while self.grasping and self.hand.random() < 0.4:
            self.by_hand(table)

    def by_hand(self, table: Any) -> None:
        """The GM changes a figure or a result (B-41)."""
        war, rng = table.war, self.hand
        there = [body for body in war.bodies if body.on_field]
        if not there:
            return
        body = rng.choice(there)
        what = rng.choice(("combat", "defense", "power", "fire-power", "losses", "force", "breaking", "status"))
        value = set_by_hand(war, body, what, rng)
        war.meet(f"by hand: {what}")
        table.ask(c.Override(body.id, what, value, "the heroes did it"))

    def late(self, table: Any) -> None:
        """After the orders: what makes some of them impossible."""
        war: w.War = table.war
        here = [body for body in war.bodies if body.status == "field"]
        if here and self.rng.random() < 0.08:
            body = self.rng.choice(here)
            war.surrounded.add(body.id)
            table.ask(c.ChangeCondition(st.FieldMark("surrounded", None, None, body.id)))

    def mark(self, table: Any) -> None:
        """Ground, narrowness, cover, circumstances, dusk: no new command test."""
        war: w.War = table.war
        what = self.rng.choice(("ground", "narrow", "no-surprise", "cover", "circumstances", "dusk"))
        lift = False
        if what == "ground":
            kind = self.rng.choice(GROUNDS)
            lift, mark = kind in war.grounds, st.FieldMark(kind)
            war.grounds ^= {kind}
        elif what == "cover":
            body, value = self.rng.choice(war.bodies), self.rng.choice((2, 5, 10))
            war.cover[body.id], mark = value, st.FieldMark("cover", value, None, body.id)
        elif what == "circumstances":
            side, value = self.rng.choice(war.sides), self.rng.choice((-4, 1, 4))
            side.circumstances, mark = value, st.FieldMark("circumstances", value, side.index)
        elif what == "dusk":
            war.last, mark = war.round + self.rng.randint(1, 8), st.FieldMark("dusk", 0)
            mark = mark._replace(value=war.last)
        else:
            now = war.narrow if what == "narrow" else war.no_surprise
            lift, mark = now, st.FieldMark(what)
            war.narrow, war.no_surprise = (not now, war.no_surprise) if what == "narrow" else (war.narrow, not now)
        table.ask(c.ChangeCondition(mark, lift))

    def weather(self, table: Any) -> None:
        what = self.rng.choice(WEATHERS)
        lift = what in table.war.weather
        table.war.weather ^= {what}
        table.war.sharp = True
        table.ask(c.ChangeCondition(st.FieldMark(what), lift))

    def reinforce(self, table: Any) -> None:
        """An army joins a side that still has one on the field."""
        war: w.War = table.war
        sides = sorted({body.side for body in war.bodies if body.on_field})
        side, key = self.rng.choice(sides), f"R{self.joined}"
        self.joined += 1
        troops = men(self.rng, ("lancers", "longbowmen", "knights", "riflemen"), 200, key, self.rng.randint(1, 3))
        army = Army(key, side, troops, chief(self.rng))
        table.ask(c.Reinforce(translate.host(key, troops, army.chief), side))
        war.armies = dict(sorted({**war.armies, key: army}.items(), key=lambda item: item[1].side))
        war.bodies += bodies_of(army, war.kind)
        war.bodies.sort(key=lambda body: body.side)  # B-21: sides, armies, bodies as set up
        war.sharp = True


def set_by_hand(war: w.War, body: Body, what: str, rng: Random) -> int | str | None:
    """What the GM sets it to, or adds; and what follows of it (B-33, B-55)."""
    value: int | str | None
    if what == "status":
        value = rng.choice(STATUSES)
        if value == "routed":
            lose_walls(war, body)
        body.status, body.left_guns = {"fighting": "field"}.get(value, value), True
        return value
    if what in ("losses", "force"):
        value = rng.randint(0 if what == "losses" else 1, 2 * w.force(war, body))
        if what == "losses":
            body.losses = value
        else:
            body.by_hand["force"] = value
        if body.losses >= 2 * w.force(war, body):
            body.status = "annihilated"
        return value
    if what == "breaking":
        value = body.by_hand["breaking"] = rng.choice((None, 0, 20, 100, 300))
        return value
    value = rng.randint(-6, 6) if what in ("combat", "defense") else rng.randint(-100, 100)
    body.by_hand[what] = body.added(what) + value
    return value

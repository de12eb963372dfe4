"""Orders the law does not allow: the engine has to refuse them, and nothing is changed (B-19.1)."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import battle_state as st
from rules.core.errors import IllegalCommand, InvalidInput
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.alike import Disagreement
from tests.rules.breaking_point.second_reading.rounds import covered
from tests.rules.breaking_point.second_reading.war import Body, War
from tests.rules.breaking_point.second_reading.wishes import can_shoot, may_be_shot


def mistakes(war: War, body: Body) -> list[tuple[str, st.BodyOrder]]:
    """What this body may not be told."""
    others = [other for other in war.bodies if other is not body]
    friends = [other.id for other in others if other.side == body.side and other.status == "field"]
    foes = [other for other in others if other.side != body.side]
    found = [("a friend", st.BodyOrder("attack", friend)) for friend in friends]
    found += [("who is gone", st.BodyOrder("attack", foe.id)) for foe in foes if foe.status in w.GONE]
    found += [("a reserve", st.BodyOrder("shoot", foe.id)) for foe in foes if foe.status == "ready"]
    found += [("support", st.BodyOrder("shoot", foe.id)) for foe in foes if foe.support]
    here = [foe for foe in foes if foe.status == "field" and not foe.support]
    found += [("covered", st.BodyOrder("attack", foe.id)) for foe in here if covered(war, foe)]
    if can_shoot(war, body):
        out = [foe for foe in here if not may_be_shot(war, body, foe)]
        found += [("out of range", st.BodyOrder("shoot", foe.id)) for foe in out]
    else:
        found += [("without fire", st.BodyOrder("shoot", foe.id)) for foe in here]
    if body.shoots_only or body.group == "unit":
        found += [("who only shoots", st.BodyOrder("attack", foe.id)) for foe in here]
    if body.pursued_in == war.round and body.group != "unit" and here:
        found.append(("who has pursued", st.BodyOrder("attack", here[0].id)))
    return [*found, ("nobody", st.BodyOrder("attack", "nobody:at-all"))]


def refused(table: Any, rng: Random) -> None:
    """Gives one such order. Raises Disagreement where the engine takes it."""
    war: War = table.war
    bodies = [body for body in war.bodies if body.status == "field"]
    if not bodies:
        return
    body = rng.choice(bodies)
    why, told = rng.choice(mistakes(war, body))
    own = [other for other in war.bodies if other.army == body.army]
    asked = [(why, st.Order(body.army, {body.id.partition(":")[2]: told}))]
    waiting = [other for other in own if other.status == "ready"]
    if waiting:
        key = waiting[0].id.partition(":")[2]
        asked.append(("a reserve that is not committed", st.Order(body.army, {key: st.BodyOrder("hold", pursue=True)})))
    else:
        asked.append(("no reserve", st.Order(body.army, commit=True)))
    if war.kind != w.FLEET:
        asked.append(("no fleet", st.Order(body.army, distance="close")))
    asked.append(("no such group", st.Order(body.army, {"nowhere": st.BodyOrder()})))
    why, order = rng.choice(asked)
    before = table.state
    try:
        table.ask(c.GiveOrder(order))
    except (IllegalCommand, InvalidInput):
        war.meet(f"refused: {why}")
        if table.state is not before:
            raise Disagreement(f"seed {table.seed}, round {war.round + 1}: refused and yet changed") from None
    else:
        raise Disagreement(f"seed {table.seed}, round {war.round + 1}: taken though illegal: {why}\n  {order}")

"""B-19: the command test and the nine steps of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.rules.breaking_point.second_reading import ends
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.attacks import Falls, land, shoot, strike
from tests.rules.breaking_point.second_reading.dice import Face
from tests.rules.breaking_point.second_reading.tables import RANKS
from tests.rules.breaking_point.second_reading.units import a_head
from tests.rules.breaking_point.second_reading.war import Body, War


@dataclass
class Order:
    """What a body does, with its standing answers (B-22)."""

    do: str = "hold"
    target: str = ""
    pursue: bool = False
    riposte: bool = True


@dataclass
class Will:
    """What an army is told beside. `rally` "": the first."""

    withdraw: bool = False
    commit: bool = False
    rally: str = ""
    distance: str = ""


@dataclass
class Round:
    """The orders of a round, by body and by army (who withdraws in a fleet is a body)."""

    bodies: Mapping[str, Order] = field(default_factory=dict)
    armies: Mapping[str, Will] = field(default_factory=dict)
    leaving: frozenset[str] = frozenset()  # units of a fleet
    lost: set[str] = field(default_factory=set)  # bodies whose order the reveal made impossible

    def of(self, body: Body) -> Order:
        return self.bodies.get(body.id, Order())

    def will(self, army: str) -> Will:
        return self.armies.get(army, Will())


# The command test


def circumstances(war: War, side: w.Side) -> int:
    total = side.circumstances - (2 if "visibility" in war.weather and not side.radio else 0)
    if war.kind == w.ASSAULT and war.place:
        if side.index == war.defender:
            total += 2 if properly_held(war) else 0
        elif not war.equipped:
            total -= 2
    return total


def properly_held(war: War) -> bool:
    """B-52: by more than half the garrison, as it is when the test is rolled."""
    assert war.place
    heads = 0
    for body in war.of(war.defender):
        if body.group == "garrison" and body.status not in w.GONE:
            shared = ends.shares(war, body, body.losses)
            for troop, points in zip(body.troops, shared, strict=True):
                heads += troop.strength - min(
                    troop.strength, points // (a_head(troop, war.ground(body)) * w.factor(war, body))
                )
    return 2 * heads > war.place.garrison


def command_test(war: War, *, opening: bool = False) -> None:
    here = [
        side
        for side in war.sides
        if any(w.present(war, army.id) for army in war.armies.values() if army.side == side.index)
    ]
    if war.waived:  # B-81: nobody has the initiative, all strike in the same step
        for side in here:
            side.score, side.surprised = 0, side.surprised and war.surprise_stays
        war.steps = [[side.index for side in here]]
        war.tell("settled", (tuple(side.index for side in here),), tuple(s.index for s in here if s.surprised))
        return
    for side in here:
        die = war.throw(f"side-{side.index}", "command")
        score = w.command(war, side) + circumstances(war, side) + die.value
        if opening and side.declared:
            score += mobility_bonus(war, side.index, [other.index for other in here if other is not side])
            score += war.retreats.get(side.index, 0)  # B-82
        side.score = score
        war.tell("command", side.index, die, side.score)
    for side in here:
        beaten = max((other.score - side.score for other in here if other is not side), default=0)
        beaten_now = beaten >= 5 and not war.no_surprise
        side.surprised = beaten_now or (side.surprised and war.surprise_stays)
    surprised = tuple(side.index for side in here if side.surprised)
    war.steps = w.settle_steps(war)  # B-20: until the next test
    war.tell("settled", tuple(tuple(sorted(step)) for step in war.steps), surprised)


def mobility_bonus(war: War, side: int, enemies: list[int]) -> int:
    """B-13."""
    return ends.faster(w.side_mobility(war, side), [w.side_mobility(war, enemy) for enemy in enemies])


def before_battle(war: War, orders: Round, face: Face) -> None:
    """BP-4.1, BP-4.2: declared withdrawals and the command test."""
    war.face, war.story = face, []
    declared = [side for side in war.sides if side.declared]
    if len(declared) == len(war.sides):
        for body in war.bodies:
            ends.goes(war, body, "withdrawn")
        war.over, war.winner = True, None
        war.tell("end", None)
        return
    command_test(war, opening=True)
    for side in declared:
        margin = min(side.score - other.score for other in war.sides if other is not side)
        ends.declared(war, side, margin)
    if any(body.status == "routed" for body in war.bodies):
        aftermath_of_routs(war, orders)
    lapse(war)
    if not war.over:
        ends.judge(war)


# A round


def play_round(war: War, orders: Round, face: Face) -> None:
    war.face, war.story = face, []
    war.round += 1
    for body in war.bodies:
        body.acted = False
    reveal(war, orders)
    withdrawals(war, orders)
    for step in war.steps:
        shots(war, orders, step)
    last_shots(war, orders)
    for step in war.steps:
        contacts(war, orders, step)
    if war.kind == w.FLEET:
        manoeuvre(war, orders)
    aftermath_of_routs(war, orders)
    close(war)


def reveal(war: War, orders: Round) -> None:
    """B-19.2: reserves, and what their coming changes; B-23: what has become impossible."""
    came = [body for body in war.bodies if body.status == "ready" and orders.will(body.army).commit]
    for body in came:
        body.status, body.came = "field", True
        war.tell("committed", body.id)
    if war.kind != w.FLEET and not war.surprise_stays and war.round > 1:
        for side in war.sides:
            side.surprised = False
    for side in war.sides:
        if not any(body.on_field for body in war.of(side.index)):
            for body in war.of(side.index):
                if body.status == "ready":
                    ends.goes(war, body, "withdrawn")
    if (came or war.sharp) and len({body.side for body in war.standing()}) > 1:
        war.meet("a second command test")
        command_test(war)
    war.sharp = False
    orders.lost = {body.id for body in war.standing() if not possible(war, body, orders.of(body))}


def possible(war: War, body: Body, order: Order) -> bool:
    if order.do == "hold":
        return True
    target = war.body(order.target)
    if not target.on_field or target.support:
        return False
    if order.do == "attack":
        return not covered(war, target)
    return not covered(war, target) or w.units.body_reach(body.troops) >= w.units.body_reach(target.troops)


def covered(war: War, body: Body) -> bool:
    """B-25, B-70: by a body of its side that is no shooting group and has not routed."""
    others = (other for other in war.of(body.side) if not other.shoots_only and not other.support)
    return body.shoots_only and any(other.status == "field" for other in others)


def withdrawals(war: War, orders: Round) -> None:
    for key, army in war.armies.items():
        if war.kind == w.FLEET:
            for body in war.bodies:
                if body.army == key and body.id in orders.leaving and body.on_field and not war.stuck(body):
                    ends.withdraw(war, army, [body], orders)
        elif orders.will(key).withdraw:
            leaving = [body for body in war.bodies if body.army == key and body.on_field]
            if leaving and not any(map(war.stuck, leaving)):
                ends.withdraw(war, army, leaving, orders)


def may_act(war: War, body: Body, orders: Round) -> bool:
    """Whether it can attack now: not routed or gone, its order possible, and it did not pursue the round before."""
    leaves = orders.will(body.army).withdraw or body.id in orders.leaving
    return (body.status == "field" and body.id not in orders.lost and body.pursued_in != war.round - 1
            and not leaves and orders.of(body).do != "hold" and war.body(orders.of(body).target).on_field)  # fmt: skip


def assailants(war: War, body: Body, orders: Round) -> list[Body]:
    return [enemy for enemy in war.bodies if enemy.id not in orders.lost and enemy.side != body.side
            and orders.of(enemy).do == "attack" and orders.of(enemy).target == body.id
            and not orders.will(enemy.army).withdraw and enemy.pursued_in != war.round - 1]  # fmt: skip


def shots(war: War, orders: Round, step: list[int]) -> None:
    falls = Falls()
    for body in war.bodies:
        if body.side in step and may_act(war, body, orders) and orders.of(body).do == "shoot":
            if body.shoots_only and assailants(war, body, orders):
                continue
            shoot(war, body, war.body(orders.of(body).target), falls)
    land(war, falls)


def last_shots(war: War, orders: Round) -> None:
    """B-25: of assailed shooting groups, all at once."""
    falls = Falls()
    for body in war.bodies:
        if body.shoots_only and body.status == "field":
            first = next((enemy for enemy in assailants(war, body, orders) if enemy.status == "field"), None)
            if first:
                war.meet("an assailed shooting group shoots at contact")
                shoot(war, body, first, falls, near=True, name="close")
    land(war, falls)


def contacts(war: War, orders: Round, step: list[int]) -> None:
    falls = Falls()
    fighting = [body for body in war.bodies if may_act(war, body, orders) and orders.of(body).do == "attack"]
    for body in fighting:
        if body.side in step:
            target = war.body(orders.of(body).target)
            mine = [each for each in fighting if each.side == body.side and orders.of(each).target == target.id]
            theirs = [target] + [each for each in fighting if each is not target and each.side == target.side
                                 and orders.of(each).target == body.id]  # fmt: skip
            strike(war, body, target, falls, mine, theirs)
    land(war, falls)


def manoeuvre(war: War, orders: Round) -> None:
    """B-40."""
    wishes = {}
    for side in war.sides:
        own = [key for key, army in war.armies.items() if army.side == side.index]
        own.sort(key=lambda key, side=side: key != w.chief_of(war, side))
        told = [orders.will(key).distance for key in own]
        if any(told) and w.side_troops(war, side.index):
            wishes[side.index] = next(wish for wish in told if wish)
    if len(set(wishes.values())) > 1:
        wishes = strongest_wish(war, wishes)
    if len(set(wishes.values())) == 1:
        rank = RANKS.index(war.distance) + (1 if next(iter(wishes.values())) == "open" else -1)
        if 0 <= rank < len(RANKS):
            war.distance = RANKS[rank]
            war.tell("distance", war.distance)


def strongest_wish(war: War, wishes: dict[int, str]) -> dict[int, str]:
    """The more mobile side's, then the better score's, else nobody's."""
    for value in (lambda side: w.side_mobility(war, side), lambda side: war.sides[side].score):
        best = max(value(side) for side in wishes)
        wishes = {side: wish for side, wish in wishes.items() if value(side) == best}
        if len(set(wishes.values())) == 1:
            return wishes
    return {}


def aftermath_of_routs(war: War, orders: Round) -> None:
    """B-19.7 and B-19.8."""
    taken: set[str] = set()
    for body in [body for body in war.bodies if body.status == "routed"]:
        pursuer = next((enemy for enemy in war.bodies if may_pursue(war, enemy, body, orders, taken)), None)
        if pursuer:
            taken.add(pursuer.id)
            pursue(war, pursuer, body, orders)
    ends.rallies(war, orders)


def may_pursue(war: War, enemy: Body, body: Body, orders: Round, taken: set[str]) -> bool:
    """B-39."""
    order = orders.of(enemy)
    if enemy.side == body.side or enemy.status != "field" or enemy.shoots_only or enemy.id in taken:
        return False
    if not order.pursue or enemy.pursued_in == war.round - 1:
        return False
    aimed = order.do != "hold" and order.target == body.id
    return aimed or not enemy.acted


def pursue(war: War, pursuer: Body, body: Body, orders: Round) -> None:
    falls = Falls(uncapped={body.id})
    pursuer.pursued_in = war.round
    war.tell("rests", pursuer.id)
    war.meet("a pursuit")
    answers = orders.of(body).riposte
    if war.kind == w.FLEET:
        shoot(war, pursuer, body, falls, name="pursuit")
        if answers:
            shoot(war, body, pursuer, falls, name="riposte")
    else:
        strike(war, pursuer, body, falls, [pursuer], [body], "pursuit")
        if answers and body.shoots_only:
            shoot(war, body, pursuer, falls, near=True, name="riposte")
        elif answers:
            strike(war, body, pursuer, falls, [body], [pursuer], "riposte")
    land(war, falls)


def close(war: War) -> None:
    """B-19.9 and what lapses with a round."""
    acted = any(body.acted for body in war.bodies)
    war.quiet = 0 if acted else war.quiet + 1
    lapse(war)
    ends.judge(war)


def lapse(war: War) -> None:
    for body in war.bodies:
        body.fought_before, body.fought = body.fought, set()
        body.openings = {enemy: told for enemy, told in body.openings.items() if told[1] > war.round}
    war.surrounded = set()

"""BP-4.4 to BP-4.7: one attack, and how what falls in one step falls."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor

from tests.rules.breaking_point.second_reading import units
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.war import Body, War

ROWS = ((5, 1, 5), (4, 1, 4), (3, 1, 3), (2, 1, 2), (3, 2, 1))


@dataclass
class Falls:
    """What falls on each body in one step; `uncapped`: those who are pursued (B-33, B-39)."""

    on: dict[str, int] = field(default_factory=dict)
    uncapped: set[str] = field(default_factory=set)
    openings: list[tuple[Body, str, int]] = field(default_factory=list)

    def add(self, body: Body, points: int) -> None:
        self.on[body.id] = self.on.get(body.id, 0) + points


def numbers(war: War, body: Body, target: Body, mine: list[Body], theirs: list[Body]) -> int:
    """BP-4.5, B-29: `mine` attack that target with it, `theirs` attack it beside the target."""
    if war.narrow or (war.kind == w.ASSAULT and war.site):
        return 0
    ours = sum(w.numbers_power(war, each, target) for each in mine)
    against = sum(w.numbers_power(war, each, body) for each in theirs)
    if against == 0:
        return 5 if ours else 0
    return next((bonus for many, few, bonus in ROWS if ours * few >= against * many), 0)


def rating(war: War, body: Body, *, shot: bool) -> int:
    return units.body_test(body.troops, shot) + w.penalties(war, body, shot=shot)


def shoot(war: War, body: Body, target: Body, falls: Falls, *, near: bool = False, name: str = "shot") -> None:
    """One shot. `near`: by an assailed shooting group (BP-4.9), or one that flees."""
    power = w.shot_power(war, body, target, contact=near and war.kind != w.FLEET)
    if not power:
        return
    body.acted = True
    if near and war.kind != w.FLEET:
        meet_at_contact(body, target)
    die = war.throw(body.id, "shot" if name == "close" else name)
    score = rating(war, body, shot=True) + die.value
    against = w.difficulty(war, body, target, near=near and war.kind != w.FLEET)
    margin = score - against
    fell = floor(w.losses(war, power, 10 + 10 * (margin // 2))) if margin >= 0 else 0
    fell = spared(war, body, target, fell, name)
    friend = astray(war, body, target) if margin < 0 and name in ("shot", "close") else None
    if friend:
        fell = floor(w.losses(war, power, 10 * (-margin // 2)))
    hit = friend if friend and fell else None
    war.tell(
        "attack",
        name,
        body.id,
        target.id,
        die,
        score,
        against,
        power,
        fell,
        hit.id if hit else "",
    )
    falls.add(hit or target, fell)


def astray(war: War, body: Body, target: Body) -> Body | None:
    """BP-4.7, B-31, B-73: the friend on whom a shot falls that missed in a melee; who has routed is in none."""
    friends = (each for each in war.of(body.side) if each is not body and each.status == "field")
    return next((each for each in friends if each.id in target.fought_before), None)


def strike(
    war: War, body: Body, target: Body, falls: Falls, mine: list[Body], theirs: list[Body], name: str = "contact"
) -> None:
    """One attack hand to hand."""
    power = w.contact_power(war, body, target)
    if not power:
        return
    body.acted = True
    meet_at_contact(body, target)
    die = war.throw(body.id, name)
    bonus, until = body.openings.pop(target.id, (0, 0))
    score = rating(war, body, shot=False) + numbers(war, body, target, mine, theirs) + die.value
    score += bonus if war.round <= until else 0
    against = w.defense(war, target, shot=False)
    margin = score - against
    fell = floor(w.losses(war, power, 10 + 10 * (margin // 2))) if margin >= 0 else 0
    fell = spared(war, body, target, fell, name)
    war.tell("attack", name, body.id, target.id, die, score, against, power, fell, "")
    falls.add(target, fell)
    if margin < 0:
        falls.openings.append((target, body.id, -margin // 2))


def meet_at_contact(body: Body, target: Body) -> None:
    """B-31: what makes a melee of the next round: every exchange at contact, pursuits as well."""
    body.fought.add(target.id)
    target.fought.add(body.id)


def spared(war: War, body: Body, target: Body, fell: int, name: str) -> int:
    """BP-4.10: a pursuit costs half if the fugitives are more mobile."""
    if name != "pursuit":
        return fell
    fast = units.most_mobile(target.troops, without_pieces=False)
    return fell // 2 if fast > units.most_mobile(body.troops, without_pieces=False) else fell


def land(war: War, falls: Falls) -> None:
    """All of one step falls: added, capped once, then who breaks breaks (B-33, B-34)."""
    for body, enemy, bonus in falls.openings:
        body.openings[enemy] = (bonus, war.round + 1)
    for body in war.bodies:
        if falls.on.get(body.id):
            suffer(war, body, falls.on[body.id], capped=body.id not in falls.uncapped | war.surrounded)


def suffer(war: War, body: Body, points: int, *, capped: bool) -> None:
    value, whole = w.breaking(war, body), w.force(war, body)
    breaks = value is not None and (points > value or body.losses + points > value)
    if capped and value is not None:
        points = min(points, value)
    before = body.losses
    body.losses = min(before + points, 2 * whole)
    war.tell("losses", body.id, body.losses - before, body.losses)
    if body.losses >= 2 * whole:
        body.status = "annihilated"
        war.tell("gone", body.id, "annihilated")
    elif breaks and body.status == "field":
        rout(war, body)


def rout(war: War, body: Body) -> None:
    """B-11: those who never break do not rout. B-55: a broken garrison has lost its walls, its points are its men's."""
    if body.percent is None:
        return
    lose_walls(war, body)
    body.status = "routed"
    war.meet("a rout")
    war.tell("broken", body.id)


def lose_walls(war: War, body: Body) -> None:
    """B-55: of a body that breaks, by its losses or the GM’s hand."""
    walls = w.factor(war, body)
    body.broke = True
    body.losses //= walls
    if body.by_hand.get("force") is not None:
        body.by_hand["force"] = w.force(war, body) // walls

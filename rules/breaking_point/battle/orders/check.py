"""Check of orders. Everything is refused when it is given, so that nothing is lost at the table (B-19.1)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.breaking_point.battle import conditions as c
from rules.breaking_point.battle.battle_state import (
    COMMAND,
    FLEET,
    RESERVE,
    ROUND,
    ROUTED,
    BattleNow,
    Body,
    BodyOrder,
    Order,
)
from rules.breaking_point.battle.field_figures import CONTACT_USE, SHOT_USE, chief_army, held_fast, power_now
from rules.breaking_point.battle.opening import NO_SUCH_ARMY
from rules.breaking_point.battle.reach import why_out_of_reach
from rules.breaking_point.battle.telling.words import WHY_NOT, body_name
from rules.core.errors import demand, refuse, require
from rules.core.text import Term, _
from rules.law import Viewer

ATTACK, SHOOT, DEFEND, WITHDRAW = "attack", "shoot", "hold", "withdraw"
DEEDS = (ATTACK, SHOOT, DEFEND, WITHDRAW)
WISHES = ("", "close", "open")


def check_order(battle: BattleNow, order: Order, viewer: Viewer) -> None:
    """Raise `InvalidInput` for what does not exist, `IllegalCommand` for what is not possible now."""
    demand(order.army in battle.armies, NO_SUCH_ARMY, field="/army")
    name = battle.armies[order.army].name
    require(viewer.commands(order.army), _("You do not command {army}."), field="/army", army=name)
    require(battle.phase.kind in (COMMAND, ROUND), _("No orders are taken in this phase."))
    own = battle.of_army(order.army)
    require(own, _("{army} fights under its side’s chief, who orders for it."), field="/army", army=name)
    require(
        any(body.on_field or body.waiting for body in own), _("{army} has left the field."), field="/army", army=name
    )
    demand(order.distance in WISHES, _("Close or open the distance."), field="/distance")
    require(not order.distance or battle.kind == FLEET, _("Only fleets close or open."), field="/distance")
    _check_army(battle, order, own)
    for key, given in order.bodies.items():
        _check_body(battle, order, key, given, viewer)


def _check_army(battle: BattleNow, order: Order, own: list[Body]) -> None:
    keys = {body.key: body for body in own}
    if order.rally:
        demand(order.rally in keys, _("There is no such body in this army."), field="/rally")
        require(not keys[order.rally].rallied, _("Nobody can rally it a second time."), field="/rally")
    if battle.phase.kind == COMMAND:
        require(not order.commit, _("A reserve is committed in a round."), field="/commit")
        require(not order.distance, _("Distances change in a round."), field="/distance")
        chief = chief_army(battle, own[0].side)
        require(not order.withdraw or order.army == chief, _("Its chief alone withdraws a side before battle."),
                field="/withdraw")  # fmt: skip
        require(not (order.withdraw and battle.holds(c.UNTESTED)),
                _("There is no command test, and so no withdrawal before battle."), field="/withdraw")  # fmt: skip
    if order.commit:
        require(any(body.waiting for body in own), _("There is no reserve to commit."), field="/commit")
        require(not order.withdraw, _("Who withdraws commits no reserve."), field="/commit")
    if order.withdraw:
        _check_withdrawal(battle, [body for body in own if body.on_field])


HELD = {
    c.SURROUNDED: _("{body} is surrounded: it cannot withdraw."),
    c.INVESTED: _("{body} stands in a place that is invested: it cannot withdraw."),
}


def _check_withdrawal(battle: BattleNow, bodies: list[Body], at: str = "/withdraw") -> None:
    require(bodies, _("Nothing of it stands on the field."), field=at)
    for body in bodies:
        if why := held_fast(battle, body):
            refuse(HELD[why], field=at, body=body_name(battle, body))


def _check_body(battle: BattleNow, order: Order, key: str, given: BodyOrder, viewer: Viewer) -> None:
    at = f"/bodies/{key}"
    body = battle.bodies.get(f"{order.army}:{key}")
    demand(body is not None, _("There is no such body in this army."), field=at)
    assert body is not None
    name = body_name(battle, body)
    demand(given.do in DEEDS, _("Attack, shoot or hold."), field=f"{at}/do")
    require(body.status != ROUTED, _("{body} is routed: it takes no orders."), field=at, body=name)
    require(body.on_field or body.waiting, _("{body} has left the field."), field=at, body=name)
    if body.waiting:
        require(order.commit, _("{body} waits in reserve: commit it first."), field=at, body=name)
    require(not (given.pursue and body.shoots_only), _("A shooting group does not pursue."), field=f"{at}/pursue")
    if given.do == DEFEND:
        demand(not given.target, _("Who holds aims at nobody."), field=f"{at}/target")
        return
    require(battle.phase.kind == ROUND, _("Nobody attacks before the command test."), field=f"{at}/do")
    require(not order.withdraw, _("Who withdraws makes no attack."), field=f"{at}/do")
    if given.do == WITHDRAW:
        require(battle.kind == FLEET, _("An army withdraws as a whole."), field=f"{at}/do")
        demand(not given.target, _("Who withdraws aims at nobody."), field=f"{at}/target")
        _check_withdrawal(battle, [body], f"{at}/do")
        return
    why = why_it_cannot(battle, body, given.do)
    if why is not None:
        refuse(why, field=f"{at}/do", body=name)
    _check_target(battle, body, given, f"{at}/target", viewer)


CANNOT: Mapping[str, Term] = {
    "rests": _("{body} has pursued: it makes no attack in this round."),
    "shooters": _("{body} is a shooting group: it shoots, and does not attack at contact."),
    "fleet": _("In a fleet everybody shoots."),
    "no-contact": _("{body} has nothing to attack with at contact."),
    "no-fire": _("{body} has nothing to shoot with."),
}


def why_it_cannot(battle: BattleNow, body: Body, do: str) -> Term | None:
    """Why a body cannot attack or shoot at all this round, None where it can."""
    if body.rests == battle.round:
        return CANNOT["rests"]
    if do == ATTACK:
        if battle.kind == FLEET:
            return CANNOT["fleet"]
        if body.shoots_only:
            return CANNOT["shooters"]
        return None if power_now(battle, body, CONTACT_USE).total > 0 else CANNOT["no-contact"]
    return None if power_now(battle, body, SHOT_USE).total > 0 else CANNOT["no-fire"]


def _check_target(battle: BattleNow, body: Body, given: BodyOrder, at: str, viewer: Viewer) -> None:
    target = _meant(battle, given.target, viewer)
    demand(target is not None, _("There is no such body in this battle."), field=at)
    assert target is not None
    require(target.side != body.side, _("Choose an enemy."), field=at)
    require(not target.waiting, _("It is in reserve: it cannot be aimed at before it has come."), field=at)
    require(target.on_field, _("{body} has left the field."), field=at, body=body_name(battle, target))
    why = why_out_of_reach(battle, body, target, given.do)
    require(not why, WHY_NOT[why] if why else Term(""), field=at, body=body_name(battle, target))


def _meant(battle: BattleNow, target: str, viewer: Viewer) -> Body | None:
    """The body of this id. Of a reserve they do not know no refusal tells what it is made of (B-18)."""
    found = battle.bodies.get(target)
    if found is not None and (viewer.knows(found.army) or not found.unseen):
        return found
    army, _colon, key = target.rpartition(":")
    waiting = (body for body in battle.of_army(army) if body.waiting) if key == RESERVE else iter(())
    return next(waiting, None)

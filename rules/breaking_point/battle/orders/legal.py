"""Legal orders: what each viewer may do now, the check of orders, and the bounds of the GM's overrides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rules.breaking_point.battle.aftermath.tolls import may_share
from rules.breaking_point.battle.orders.commands import Override
from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import (
    AFTERMATH,
    COMMAND,
    FIGHTING,
    FLEET,
    GONE,
    RESERVE,
    ROUND,
    ROUTED,
    SETUP,
    BattleNow,
    Body,
    BodyOrder,
    Order,
)
from rules.breaking_point.battle.state.conditions import UNTESTED
from rules.breaking_point.battle.state.field_figures import CONTACT_USE, SHOT_USE, chief_army, held_fast, power_now
from rules.breaking_point.battle.state.opening import NO_SUCH_ARMY
from rules.breaking_point.battle.state.reach import why_out_of_reach
from rules.breaking_point.battle.telling.words import WHY_NOT, body_name
from rules.core.errors import demand, refuse, require
from rules.core.text import Said, Term, _, say
from rules.law import Viewer

# Orders are checked when they are given, so that no round is lost by a bad one (B-19.1).

ATTACK, SHOOT, DEFEND, WITHDRAW = "attack", "shoot", "hold", "withdraw"
DEEDS = (ATTACK, SHOOT, DEFEND, WITHDRAW)
WISHES = ("", "close", "open")


def check_order(battle: BattleNow, order: Order, viewer: Viewer) -> None:
    """Check an order. Raises `InvalidInput` for unknown ids and slugs, `IllegalCommand` for an order that is not
    possible now.
    """
    demand(order.army in battle.armies, NO_SUCH_ARMY, field="/army")
    name = battle.armies[order.army].name
    require(
        viewer.commands(order.army),
        _("You don’t command {army}. Ask its commander or the GM."),
        field="/army",
        army=name,
    )
    require(battle.phase.kind in (COMMAND, ROUND), _("Armies don’t take orders in this phase."))
    own = battle.of_army(order.army)
    require(own, _("The orders of {army} come from the chief of the side."), field="/army", army=name)
    require(any(body.on_field or body.waiting for body in own), _("{army} left the field."), field="/army", army=name)
    demand(order.distance in WISHES, _("Choose to close or open the distance."), field="/distance")
    require(
        not order.distance or battle.kind == FLEET, _("Only fleets can close or open the distance."), field="/distance"
    )
    _check_army(battle, order, own)
    for key, given in order.bodies.items():
        _check_body(battle, order, key, given, viewer)


def _check_army(battle: BattleNow, order: Order, own: list[Body]) -> None:
    keys = {body.key: body for body in own}
    if order.rally:
        demand(order.rally in keys, _("This group isn’t in this army."), field="/rally")
        require(not keys[order.rally].rallied, _("These troops can’t be rallied twice."), field="/rally")
    if battle.phase.kind == COMMAND:
        require(not order.commit, _("You can only commit a reserve during a round."), field="/commit")
        require(not order.distance, _("You can only change the distance during a round."), field="/distance")
        chief = chief_army(battle, own[0].side)
        require(not order.withdraw or order.army == chief, _("Only the chief of a side can withdraw it before battle."),
                field="/withdraw")  # fmt: skip
        require(not (order.withdraw and battle.holds(c.UNTESTED)),
                _(
                    "This battle has no command test, so a side can’t withdraw before it."
                ), field="/withdraw")  # fmt: skip
    if order.commit:
        require(any(body.waiting for body in own), _("This army has no reserve to commit."), field="/commit")
        require(not order.withdraw, _("An army that withdraws can’t commit its reserve."), field="/commit")
    if order.withdraw:
        _check_withdrawal(battle, _leaving(battle, own))


def _leaving(battle: BattleNow, own: Iterable[Body]) -> list[Body]:
    """Return the bodies on the field that would withdraw: an army's, before battle all of its side's (B-24)."""
    standing = [body for body in own if body.on_field]
    return list(battle.on_field(standing[0].side)) if standing and battle.phase.kind == COMMAND else standing


HELD = {
    c.SURROUNDED: _("{body} can’t withdraw: surrounded."),
    c.INVESTED: _("{body} can’t withdraw from an invested place."),
}


def _check_withdrawal(battle: BattleNow, bodies: list[Body], at: str = "/withdraw") -> None:
    require(bodies, _("This army has nothing on the field."), field=at)
    for body in bodies:
        if why := held_fast(battle, body):
            refuse(HELD[why], field=at, body=body_name(battle, body))


def _check_body(battle: BattleNow, order: Order, key: str, given: BodyOrder, viewer: Viewer) -> None:
    at = f"/bodies/{key}"
    body = battle.bodies.get(f"{order.army}:{key}")
    demand(body is not None, _("This group isn’t in this army."), field=at)
    assert body is not None
    name = body_name(battle, body)
    demand(given.do in DEEDS, _("Choose attack, shoot or hold."), field=f"{at}/do")
    require(body.status != ROUTED, _("{body} can’t take orders while routed."), field=at, body=name)
    require(body.on_field or body.waiting, _("{body} left the field."), field=at, body=name)
    if body.waiting:
        require(order.commit, _("{body}: in reserve. Commit the reserve first."), field=at, body=name)
    require(not (given.pursue and body.shoots_only), _("A shooting group can’t pursue."), field=f"{at}/pursue")
    if given.do == DEFEND:
        demand(not given.target, _("A group that holds has no target. Leave the target empty."), field=f"{at}/target")
        return
    require(battle.phase.kind == ROUND, _("No attacks before the command test."), field=f"{at}/do")
    require(not order.withdraw, _("An army that withdraws can’t attack."), field=f"{at}/do")
    if given.do == WITHDRAW:
        require(battle.kind == FLEET, _("Groups can’t withdraw alone: withdraw the whole army."), field=f"{at}/do")
        demand(
            not given.target, _("An army that withdraws has no target. Leave the target empty."), field=f"{at}/target"
        )
        _check_withdrawal(battle, [body], f"{at}/do")
        return
    why = why_it_cannot(battle, body, given.do)
    if why is not None:
        refuse(why, field=f"{at}/do", body=name)
    _check_target(battle, body, given, f"{at}/target", viewer)


def is_possible(battle: BattleNow, body: Body, given: BodyOrder) -> bool:
    """Whether the body can carry out this order now. Everybody can hold."""
    if given.do not in (ATTACK, SHOOT):
        return True
    foe = battle.bodies.get(given.target)
    return (
        foe is not None
        and foe.on_field
        and foe.side != body.side
        and why_it_cannot(battle, body, given.do) is None
        and not why_out_of_reach(battle, body, foe, given.do)
    )


CANNOT: Mapping[str, Term] = {
    "rests": _("{body} can’t attack this round after pursuing."),
    "shooters": _("{body}: a shooting group, which can shoot but not attack at contact."),
    "fleet": _("Fleets can only shoot. Choose to shoot instead."),
    "no-contact": _("No weapon of {body} can attack at contact."),
    "no-fire": _("No weapon of {body} can shoot."),
}


def why_it_cannot(battle: BattleNow, body: Body, do: str) -> Term | None:
    """Return why a body cannot attack or shoot at all this round, or None."""
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
    demand(target is not None, _("This group isn’t in this battle."), field=at)
    assert target is not None
    require(target.side != body.side, _("Choose an enemy."), field=at)
    require(not target.waiting, _("That enemy is still in reserve: choose another target."), field=at)
    require(target.on_field, _("{body} left the field."), field=at, body=body_name(battle, target))
    why = why_out_of_reach(battle, body, target, given.do)
    require(not why, WHY_NOT[why] if why else Term(""), field=at, body=body_name(battle, target))


def _meant(battle: BattleNow, target: str, viewer: Viewer) -> Body | None:
    """Return the body of this id, also of a reserve's placeholder. For an unknown reserve no refusal may reveal its
    bodies (B-18).
    """
    found = battle.bodies.get(target)
    if found is not None and (viewer.knows(found.army) or not found.unseen):
        return found
    army, _colon, key = target.rpartition(":")
    waiting = (body for body in battle.of_army(army) if body.waiting) if key == RESERVE else iter(())
    return next(waiting, None)


# Legal commands, for the pages' buttons and the API's `legal`.

GM_COMMANDS: Mapping[str, tuple[str, ...]] = {
    SETUP: ("next", "condition", "reinforce", "override", "end"),
    COMMAND: ("order", "resolve", "condition", "reinforce", "override", "end"),
    ROUND: ("order", "resolve", "condition", "reinforce", "override", "end"),
    AFTERMATH: ("aftermath", "share"),
}


class AimChoice(NamedTuple):
    """Enemy body as a target, and why it is out of reach, or None."""

    body: str
    name: Said
    why_not: Said | None = None


class BodyChoices(NamedTuple):
    """Choices of a body. `cannot_attack` and `cannot_shoot` say why it cannot at all. `waits`: possible only if the
    reserve is committed.
    """

    body: str
    key: str
    name: Said
    attack: tuple[AimChoice, ...]
    shoot: tuple[AimChoice, ...]
    cannot_attack: Said | None
    cannot_shoot: Said | None
    may_pursue: bool
    may_withdraw: bool
    waits: bool


class HostChoices(NamedTuple):
    """Choices of an army. `rally` are the keys of bodies that may still be rallied, `current` is its order so far."""

    army: str
    bodies: tuple[BodyChoices, ...]
    may_withdraw: bool
    may_commit: bool
    may_change_distance: bool
    rally: tuple[str, ...]
    current: Order | None


class LegalFight(NamedTuple):
    commands: tuple[str, ...]
    armies: tuple[HostChoices, ...]


def legal_now(battle: BattleNow, viewer: Viewer) -> LegalFight:
    """Return the commands open to this viewer, and the choices of the armies they command. `battle`
    is as they see it.
    """
    mine = [army for army in _asked(battle) if viewer.commands(army)]
    if viewer.gm:
        commands = GM_COMMANDS.get(battle.phase.kind, ())
    else:
        commands = ("order",) if mine else ("share",) if _shares(battle, viewer) else ()
    return LegalFight(commands, tuple(host_choices(battle, army) for army in mine))


def _shares(battle: BattleNow, viewer: Viewer) -> bool:
    """Whether the viewer runs an army whose losses can be shared differently (B-78)."""
    mine = [army for army in battle.armies if viewer.commands(army)]
    over = battle.phase.kind == AFTERMATH
    return over and any(may_share(battle, body, army) for army in mine for body in battle.bodies.values())


def _asked(battle: BattleNow) -> Sequence[str]:
    """Return the armies that may be given orders: before the command test each side's chief (B-24), in a round all that
    can act.
    """
    if battle.phase.kind == COMMAND:
        return [army for side in range(len(battle.sides)) if (army := chief_army(battle, side))]
    return [army for army in battle.owners() if _can_act(battle, army)] if battle.phase.kind == ROUND else []


def _can_act(battle: BattleNow, army: str) -> bool:
    return any(body.on_field or body.waiting for body in battle.of_army(army))


def host_choices(battle: BattleNow, army: str) -> HostChoices:
    if battle.phase.kind == COMMAND:
        leaving = _leaving(battle, battle.of_army(army))
        free = not any(held_fast(battle, body) for body in leaving) and not battle.holds(UNTESTED)
        return HostChoices(army, (), free, False, False, (), battle.orders.get(army))
    own = [body for body in battle.of_army(army) if body.on_field or body.waiting]
    standing = [body for body in own if body.on_field]
    held = any(held_fast(battle, body) for body in standing)
    return HostChoices(
        army,
        bodies=tuple(_body_choices(battle, body) for body in own if body.status != ROUTED),
        may_withdraw=bool(standing) and not held,
        may_commit=any(body.waiting for body in own),
        may_change_distance=battle.kind == FLEET,
        rally=tuple(body.key for body in own if not body.rallied),
        current=battle.orders.get(army),
    )


def _body_choices(battle: BattleNow, body: Body) -> BodyChoices:
    no_attack, no_shot = _why(battle, body, ATTACK), _why(battle, body, SHOOT)
    return BodyChoices(
        body.id,
        body.key,
        body_name(battle, body),
        attack=_aims(battle, body, ATTACK) if no_attack is None else (),
        shoot=_aims(battle, body, SHOOT) if no_shot is None else (),
        cannot_attack=no_attack,
        cannot_shoot=no_shot,
        may_pursue=not body.shoots_only,
        may_withdraw=battle.kind == FLEET and body.on_field and not held_fast(battle, body),
        waits=body.waiting,
    )


def _why(battle: BattleNow, body: Body, do: str) -> Said | None:
    why = why_it_cannot(battle, body, do)
    return None if why is None else say(why, body=body_name(battle, body))


def _aims(battle: BattleNow, body: Body, do: str) -> tuple[AimChoice, ...]:
    foes = [foe for foe in battle.on_field() if foe.side != body.side]
    return tuple(AimChoice(foe.id, body_name(battle, foe), _barred(battle, body, foe, do)) for foe in foes)


def _barred(battle: BattleNow, body: Body, foe: Body, do: str) -> Said | None:
    why = why_out_of_reach(battle, body, foe, do)
    template: Term | None = WHY_NOT.get(why)
    return None if template is None else say(template, body=body_name(battle, foe))


# Bounds of the GM's overrides, so that the engine can continue (B-41).

NUMBERS = {
    "losses": (0, 10**9), "force": (1, 10**9), "breaking": (0, 1000), "penalty": (-20, 0), "combat": (-50, 50),
    "defense": (-50, 50), "power": (-(10**9), 10**9), "fire-power": (-(10**9), 10**9), "score": (-100, 100),
}  # fmt: skip
STATUSES = (FIGHTING, ROUTED, *GONE)
FIELDS = (*NUMBERS, "status", "do", "target")


def check_override(battle: BattleNow, command: Override) -> None:
    """Check an override. Raises `InvalidInput` with a JSON pointer."""
    demand(command.field in FIELDS, _("Choose one of: {choices}."), field="/field", choices=", ".join(FIELDS))
    demand(command.reason.strip(), _("Enter a reason. Everybody will read it."), field="/reason")
    if command.field == "score":
        sides = [f"side-{side}" for side, score in enumerate(battle.scores) if score is not None]
        require(sides, _("No command test has been rolled yet."), field="/field")
        demand(command.subject in sides, _("Side not found."), field="/subject")
    else:
        demand(command.subject in battle.bodies, _("This group isn’t in this battle."), field="/subject")
    _check_value(battle, command)


def _check_value(battle: BattleNow, command: Override) -> None:
    value = command.value
    if command.field in NUMBERS:
        if command.field == "breaking" and value is None:
            return  # it never breaks
        low, high = NUMBERS[command.field]
        whole = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        demand(whole, _("Use a whole number from {low} to {high}."), field="/value", low=low, high=high)
        if command.field == "losses":
            most = 2 * battle.bodies[command.subject].force
            fits = isinstance(value, int) and value <= most
            demand(fits, _("This group can lose {most} at most."), field="/value", most=most)
    elif command.field == "target":
        own = battle.bodies[command.subject]
        foe = battle.bodies.get(str(value))
        demand(value is None or (foe is not None and foe.side != own.side and foe.on_field),
               _("Choose an enemy group on the field."), field="/value")  # fmt: skip
    else:
        known = STATUSES if command.field == "status" else DEEDS
        demand(value in known, _("Choose one of: {choices}."), field="/value", choices=", ".join(known))

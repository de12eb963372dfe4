"""Decision of commands: a command becomes events, or is refused in the player's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never, cast

from rules.breaking_point.battle.aftermath.tolls import UnitShare, may_share, own_shares
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.orders.commands import ShareLosses
from rules.breaking_point.battle.orders.legal import check_order, check_override
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    AFTERMATH,
    ANNIHILATED,
    COMMAND,
    FIELD,
    FLEET,
    ROUND,
    ROUTED,
    SETUP,
    BattleNow,
    FieldMark,
    Phase,
    Result,
)
from rules.breaking_point.battle.state.carried_losses import able_heads, spent_refusal, with_losses
from rules.breaking_point.battle.state.conditions import CONDITIONS, WEATHER
from rules.breaking_point.battle.state.entering import OF_SIDES, usual
from rules.breaking_point.battle.state.field_figures import heads_now
from rules.breaking_point.battle.state.opening import (
    NO_SUCH_ARMY,
    ROOM,
    host_formations,
    host_refusal,
    mark_problems,
)
from rules.breaking_point.battle.steps.phase import resolve_command, resolve_round
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.steps.strike import lose_shelter
from rules.breaking_point.battle.telling.narrate import foretold
from rules.breaking_point.battle.telling.words import body_name
from rules.core.dice import Dice, DiceNeeded
from rules.core.errors import IllegalCommand, InvalidInput, demand, require
from rules.core.text import _
from rules.law import CloseBattle, Closed, ThrowAnew, ThrownAnew, Viewer

# Sharing of an army's losses among its units, by whoever runs it (B-78).


def check_sharing(battle: BattleNow, command: ShareLosses, viewer: Viewer) -> None:
    """Check a sharing. Raises `InvalidInput` for unknown units and wrong sums, `IllegalCommand` if losses cannot be
    shared now.
    """
    demand(command.army in battle.armies, NO_SUCH_ARMY, field="/army")
    name = battle.armies[command.army].name
    require(
        viewer.commands(command.army),
        _("You don’t command {army}. Ask its commander or the GM."),
        field="/army",
        army=name,
    )
    require(battle.phase.kind == AFTERMATH, _(
        "You can only redistribute losses after the battle, until its aftermath is confirmed."
    ))  # fmt: skip
    body = battle.bodies.get(command.body)
    own = own_shares(battle, body, command.army) if body is not None else []
    demand(own, _("{army}: no unit in this group."), field="/body", army=name)
    assert body is not None
    require(may_share(battle, body, command.army), _("{body}: no losses to redistribute."), field="/body",
            body=body_name(battle, body))  # fmt: skip
    _check_points(own, command.units)


def _check_points(own: list[UnitShare], given: Mapping[int, int]) -> None:
    known = {share.unit: share for share in own}
    for unit, points in given.items():
        demand(unit in known, _("Unit not found in this group."), field=f"/units/{unit}")
        template = _("Use a whole number from {low} to {high}.")
        demand(0 <= points <= known[unit].most, template, field=f"/units/{unit}", low=0, high=known[unit].most)
    total = sum(share.points for share in own)
    said = sum(given.get(share.unit, share.points) for share in own)
    demand(
        said == total, _("You distributed {said} points. Distribute {total}."), field="/units", said=said, total=total
    )


ONGOING = (SETUP, COMMAND, ROUND)
GM_ONLY = _("Only the GM can do this.")
OVER, NOT_OVER = _("The battle is over."), _("The battle isn’t over yet. Finish it first.")
REASON_MOST = 500


def decide(battle: BattleNow, command: c.Command, dice: Dice, viewer: Viewer) -> tuple[e.Event, ...]:
    """Return the events of a command; the battle changes only when they are folded.

    Raises `IllegalCommand` if the state or the viewer does not allow it, `InvalidInput` if it names something that does
    not exist, `DiceNeeded` if a person has to type dice first.
    """
    run = Run(battle, dice)
    try:
        if isinstance(command, c.GiveOrder):
            check_order(battle, command.order, viewer)
            run.emit(e.OrderGiven(command.order.army, command.order))
        elif isinstance(command, c.ShareLosses):
            check_sharing(battle, command, viewer)
            run.emit(e.LossesShared(command.army, command.body, command.units))
        else:
            require(viewer.gm, GM_ONLY)
            _by_gm(run, command)
        dice.finish()
    except DiceNeeded as needed:
        raise foretold(run.battle, run.draft.happened, needed) from None
    return tuple(run.draft.happened)


def _by_gm(run: Run, command: c.Command) -> None:
    battle = run.battle
    match command:
        case c.Next():
            require(battle.phase.kind in ONGOING, OVER)
            require(battle.phase.kind == SETUP, _("No more orders now: resolve this phase."))
            run.emit(e.PhaseEnded(battle.phase))
            run.emit(e.PhaseBegan(Phase(COMMAND)))
        case c.Resolve():
            _resolve(run)
        case c.ChangeCondition():
            _condition(run, command.condition, lift=command.lift)
        case c.Reinforce():
            _reinforce(run, command)
        case c.Override():
            require(battle.phase.kind in ONGOING, OVER)
            check_override(battle, command)
            run.emit(_overridden(battle, command))
            _follow(run, command)
        case c.End():
            _end(run, command)
        case CloseBattle():
            require(battle.phase.kind == AFTERMATH, NOT_OVER)
            run.emit(Closed())
        case ThrowAnew(dice):
            require(battle.phase.kind == AFTERMATH, NOT_OVER)
            require(dice, _("This aftermath needs no dice."))
            run.emit(ThrownAnew(dice))
        case c.GiveOrder() | c.ShareLosses():
            raise AssertionError("they are not of the GM alone")
        case _:
            assert_never(command)


def _overridden(battle: BattleNow, command: c.Override) -> e.Overridden:
    """Return the event of a manual change. Force and breaking point change the breaking value (BP-4.8)."""
    field = cast(e.ByHand, command.field)  # checked before
    event = e.Overridden(command.subject, field, command.value, command.reason.strip())
    if command.field not in ("force", "breaking"):
        return event
    body, value = battle.bodies[command.subject], command.value
    assert value is None or isinstance(value, int)
    force, breaking = (value, body.breaking) if command.field == "force" else (body.force, value)
    return event._replace(breaks_at=None if force is None or breaking is None else force * breaking // 100)


def _follow(run: Run, command: c.Override) -> None:
    """Emit what the rules make of a manual change: a place shelters nobody routed (B-55), and twice the force ends the
    count (B-33).
    """
    body = run.bodies.get(command.subject)
    if body is None:
        return
    if command.field == "status" and body.status == ROUTED:
        lose_shelter(run, body.id)
    if command.field in ("losses", "force") and body.losses >= 2 * body.force and (body.on_field or body.waiting):
        run.emit(e.BodyLeft(body.id, ANNIHILATED, rule="BP-4.8"))


def _resolve(run: Run) -> None:
    kind = run.battle.phase.kind
    require(kind in ONGOING, OVER)
    require(kind != SETUP, _("End the setup first."))
    if kind == COMMAND:
        resolve_command(run)
    else:
        resolve_round(run)


def _condition(run: Run, mark: FieldMark, *, lift: bool) -> None:
    battle = run.battle
    require(battle.phase.kind in ONGOING, OVER)
    problems = list(mark_problems(battle, mark, lift=lift))
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))
    sharp = battle.phase.kind == ROUND and CONDITIONS[mark.kind].family == WEATHER
    rule = CONDITIONS[mark.kind].rule
    if not lift:
        run.emit(e.ConditionSet(usual(mark), sharp, rule))
        return
    settled = mark.kind in OF_SIDES or mark.kind == "distance"
    held = mark if settled else battle.condition(mark.kind, side=mark.side, body=mark.body)
    require(held, _("This condition isn’t in force."), field="/condition")
    assert held is not None
    run.emit(e.ConditionLifted(held, sharp, rule))


def _reinforce(run: Run, command: c.Reinforce) -> None:
    """Let an army join between rounds. A new command test is due (BP-4.1)."""
    battle, host = run.battle, command.army
    require(battle.phase.kind in ONGOING, OVER)
    demand(0 <= command.side < len(battle.sides), _("Side not found."), field="/side")
    require(host.id not in battle.armies, _("{army}: already in this battle."), field="/army", army=host.name)
    kind, inside = FLEET if battle.kind == FLEET else FIELD, command.side == battle.opening.defender
    said = host_refusal(kind, host) or spent_refusal(battle.opening, host, sheltered=inside)
    if said is not None:
        raise IllegalCommand(said, "/army")
    _require_room(battle, command)
    formations = with_losses(battle.opening, host_formations(battle.opening, command.side, host))
    run.emit(e.ArmyJoined(host.id, host, command.side, formations, battle.round))


def _require_room(battle: BattleNow, command: c.Reinforce) -> None:
    """Refuse reinforcements of a place beyond twice its garrison (B-61)."""
    place = battle.opening.place
    if place is None or command.side != battle.opening.defender:
        return
    inside = [body for body in battle.bodies.values() if body.side == command.side and (body.on_field or body.waiting)]
    heads = sum(heads_now(battle, body) for body in inside)
    heads += able_heads(battle.opening, command.army, place.kind.factor)
    most = 2 * place.garrison
    require(heads <= most, ROOM, field="/army", place=place.name, most=most, heads=heads)


def _end(run: Run, command: c.End) -> None:
    battle = run.battle
    require(battle.phase.kind in ONGOING, OVER)
    demand(command.reason.strip(), _("Enter why the battle ends."), field="/reason")
    fits = command.winner is None or 0 <= command.winner < len(battle.sides)
    demand(fits, _("Side not found."), field="/winner")
    run.emit(e.BattleEnded(Result(command.winner, command.reason.strip()[:REASON_MOST]), "B-41"))

"""Shots, shots at contact and contact, step by step (B-19.4 to B-19.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.breaking_point.battle import events as e
from rules.breaking_point.battle.battle_state import FIGHTING
from rules.breaking_point.battle.initiative import order_of_sides
from rules.breaking_point.battle.reach import covered
from rules.breaking_point.battle.steps.run import ATTACK, SHOOT, Aim, Run
from rules.breaking_point.battle.steps.strike import CLOSE, CONTACT, SHOT, fall, strike, tell, weigh


def exchange(run: Run) -> None:
    assailed = _assailed(run)
    for sides in order_of_sides(run.battle.scores):
        _shots(run, sides, assailed)
    if assailed:
        _shots_at_contact(run)
    for sides in order_of_sides(run.battle.scores):
        _contact(run, sides)


def _assailed(run: Run) -> set[str]:
    """Shooting groups that are attacked: they have no other shot (B-25)."""
    return {body for body in run.attackers() if run.bodies[body].shoots_only}


def _able(run: Run, sides: Iterable[int], do: str) -> list[Aim]:
    """Whose turn it is to carry this out; orders that have become impossible are lost (B-23)."""
    run.look()
    for aim in run.standing(do) if run.moved else ():
        body = run.bodies[aim.body]
        if body.side in sides and body.on_field and (why := run.why_lost(aim)):
            run.lose(aim, why)
    return [aim for aim in run.possible(do) if run.bodies[aim.body].side in sides]


def _shots(run: Run, sides: Iterable[int], assailed: set[str]) -> None:
    aims = _able(run, sides, SHOOT)
    for aim in [aim for aim in aims if aim.body in assailed]:
        run.lose(aim, "assailed", "B-25")
        aims.remove(aim)
    _settle(run, [strike(run, run.bodies[aim.body], run.bodies[aim.target], SHOT) for aim in aims])


def _shots_at_contact(run: Run) -> None:
    """Exposed shooters at the first who still attacks them, all at once, in attack order (B-21, B-25, B-75)."""
    run.look()
    struck: list[e.Attacked | None] = []
    attackers = run.attackers()
    for own in list(run.bodies.values()):
        foes = attackers.get(own.id)
        if foes and own.shoots_only and own.status == FIGHTING and not covered(run.battle, own):
            first = next(foe for foe in run.bodies if foe in foes)
            struck.append(strike(run, own, run.body(first), CLOSE))
    _settle(run, struck)


def _contact(run: Run, sides: Iterable[int]) -> None:
    able = _able(run, sides, ATTACK)
    attackers = run.attackers() if able else {}
    struck = []
    for aim in able:
        body, target = run.bodies[aim.body], run.bodies[aim.target]
        struck.append(strike(run, body, target, CONTACT, weigh(run, body, target, attackers)))
    _settle(run, struck)


def _settle(run: Run, struck: Sequence[e.Attacked | None]) -> None:
    """Told before dice are asked for: what they need, the attacks say (`rules.core.dice_needs`)."""
    attacks = [attack for attack in struck if attack is not None]
    if not attacks:
        return
    run.attacked.update([attack.body for attack in attacks])
    tell(run, attacks)
    run.dice.checkpoint()
    fall(run, attacks)

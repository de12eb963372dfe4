"""Combat tests, and the losses of bodies in one step (BP-4.4 to BP-4.8, B-27 to B-34)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from math import floor

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import ANNIHILATED, FIGHTING, FLEET, BattleNow, Body
from rules.breaking_point.battle.state.conditions import terrain_of
from rules.breaking_point.battle.state.field_figures import (
    CLOSE_USE,
    CONTACT_USE,
    SHOT_USE,
    combat_now,
    defense_now,
    distance_line,
)
from rules.breaking_point.battle.state.reach import covered, order_of_sides
from rules.breaking_point.battle.steps.run import ATTACK, SHOOT, Aim, Run
from rules.breaking_point.dice import RATIOS, percent_lost, ratio_bonus
from rules.core.breakdown import Line
from rules.core.text import _
from rules.law import whole

SHOT, CLOSE, CONTACT, PURSUIT, RIPOSTE = "shot", "close", "contact", "pursuit", "riposte"
DIE_NAMES = {SHOT: "shot", CLOSE: "shot", CONTACT: "contact", PURSUIT: "pursuit", RIPOSTE: "riposte"}
NUMBERS = {bonus: Line(_("Numbers"), bonus, "BP-4.5") for _many, _few, bonus in RATIOS}
FAILURE = _("Enemy’s failure")


def use_of(battle: BattleNow, body: Body, mode: str) -> str:
    """Return the use of its power: in a fleet everything is a shot (B-65), and shooters shoot at
    contact too (BP-4.9).
    """
    if mode == SHOT or battle.kind == FLEET:
        return SHOT_USE
    return CLOSE_USE if mode == CLOSE or body.shoots_only else CONTACT_USE


def strike(run: Run, body: Body, target: Body, mode: str, odds: tuple[int, int] | None = None) -> e.Attacked | None:
    """Make a combat test from the current state. `odds` are the powers for the ratio of numbers.

    Returns None, without a die, if nothing of theirs can hurt the target (B-28).
    """
    battle = run.battle
    use = use_of(battle, body, mode)
    power = run.power(body, use, target.formation.armour)
    if power.total <= 0:
        run.emit(e.OrderLost(body.id, target.id, "no-power", "B-28"))
        return None
    one, other = body.formation, target.formation
    heart = body.heart(other.id) if body.hearts and use == CONTACT_USE else 0
    own = combat_now(battle, body, use)
    numbers = 0 if odds is None or terrain_of(battle.conditions).crowded else ratio_bonus(*odds)
    lines, faster = own.lines, mode == PURSUIT and other.mobility > one.mobility
    if numbers:
        lines = (*lines, NUMBERS[numbers])
    if heart:
        lines = (*lines, Line(FAILURE, heart, "BP-4.7"))
    foe = defense_now(battle, target, use, None if use == CONTACT_USE else distance_line(battle, body, use))
    rolls, worth = run.throw(one.id, DIE_NAMES[mode])
    score = worth + own.total + numbers + heart
    margin = score - foe.total
    friend = _friend(battle, body, target) if margin < 0 and mode in (SHOT, CLOSE) else ""
    percent = percent_lost(margin) if margin >= 0 else astray(margin) if friend else 0
    loss = loss_of(battle, power.total, percent) // (2 if faster else 1)  # BP-4.10
    return e.Attacked(
        one.id, other.id, mode, rolls, score, foe.total, margin >= 0, percent,
        loss, power.total, lines, foe.lines, power.lines, friend if loss else "", heart, faster,
    )  # fmt: skip


def astray(margin: int) -> int:
    """Return the percentage of the power that hits their own side, by the margin of failure (BP-4.7)."""
    return 10 * (-margin // 2)


def loss_of(battle: BattleNow, power: int, percent: int) -> int:
    """Return the loss by this percentage of the power (B-2), a tenth more in harsh weather (B-46)."""
    harsher = terrain_of(battle.conditions).harsher
    return power * percent // 100 if harsher is None else floor(harsher * power * percent / 100)


def _friend(battle: BattleNow, body: Body, target: Body) -> str:
    """Return a body of the shooter's side in a melee with the target since last round (B-31) and not routed (B-73), or
    "".
    """
    if not battle.melees:
        return ""
    met = {one for pair in battle.melees if target.id in pair for one in pair} - {body.id}
    standing = (own.id for own in battle.on_field(body.side) if own.id in met and own.status == FIGHTING)
    return next(standing, "") if met else ""


# Losses.


def tell(run: Run, attacks: Sequence[e.Attacked]) -> None:
    """Emit a step's attacks, and the bonuses that failed ones give to their targets (B-30)."""
    for attack in attacks:
        run.emit(attack)
    for attack in attacks:
        if not attack.success and use_of(run.battle, run.body(attack.body), attack.mode) == CONTACT_USE:
            _hearten(run, attack)


def _hearten(run: Run, attack: e.Attacked) -> None:
    amount = ((attack.against or 0) - whole(attack.score)) // 2
    if amount or run.body(attack.target).heart(attack.body):
        run.emit(e.Heartened(attack.target, attack.body, amount, run.battle.round + 1))


def fall(run: Run, attacks: Sequence[e.Attacked], pursued: Container[str] = ()) -> None:
    """Apply all losses of one step, which form one assault for each body (B-33). A pursuit is not capped (B-39)."""
    fallen: dict[str, int] = {}
    for attack in attacks:
        if attack.loss > 0:
            victim = attack.target if attack.success else attack.friend
            fallen[victim] = fallen.get(victim, 0) + attack.loss
    for body in list(fallen) if len(fallen) < 2 else [body for body in run.bodies if body in fallen]:
        suffer(run, run.bodies[body], fallen[body], capped=body not in pursued)


def suffer(run: Run, body: Body, fallen: int, *, capped: bool = True) -> None:
    """Apply losses to a body (BP-4.6, B-33, B-34): the cap, the end of the count, and whether it breaks."""
    surrounded = run.battle.condition(c.SURROUNDED, body=body.id) is not None
    cap = fallen if body.value is None or surrounded or not capped else body.value
    lost = min(fallen, cap, max(0, 2 * body.force - body.losses))
    losses = body.losses + lost
    run.emit(e.Suffered(body.id, fallen, lost, losses, body.force, capped=fallen > cap))
    if losses >= 2 * body.force:
        run.emit(e.BodyLeft(body.id, ANNIHILATED, rule="BP-4.8"))
    elif body.value is not None and body.status == FIGHTING and (fallen > body.value or losses > body.value):
        rout(run, body.id, "losses")


def rout(run: Run, body_id: str, by: str) -> None:
    """Rout a body. A place no longer shelters it (B-55)."""
    run.emit(e.Broke(body_id, by))
    lose_shelter(run, body_id)


def lose_shelter(run: Run, body_id: str) -> None:
    """Take a broken body out of the shelter of its place, if it had one (B-55)."""
    body = run.body(body_id)
    if body.sheltered:
        factor = body.formation.factor
        value = None if body.value is None else body.value // factor
        run.emit(e.ShelterLost(body_id, body.force // factor, value, body.losses // factor))


type Attackers = Mapping[str, Sequence[str]]


def weigh(run: Run, body: Body, target: Body, attackers: Attackers) -> tuple[int, int]:
    """Return both powers for the ratio of numbers (B-29).

    One is that of my side's attackers of this target, the other that of the target and the rest of its side that
    attacks me.
    """
    mine, theirs = 0, run.weight(target, body)
    for one in attackers.get(target.id, ()):
        if run.bodies[one].side == body.side:
            mine += run.weight(run.bodies[one], target)
    for one in attackers.get(body.id, ()):
        if one != target.id and run.bodies[one].side == target.side:
            theirs += run.weight(run.bodies[one], body)
    return mine, theirs


# Shots, shots at contact and contact, step by step (B-19.4 to B-19.6).


def exchange(run: Run) -> None:
    assailed = _assailed(run)
    for sides in order_of_sides(run.battle.scores):
        _shots(run, sides, assailed)
    if assailed:
        _shots_at_contact(run)
    for sides in order_of_sides(run.battle.scores):
        _contact(run, sides)


def _assailed(run: Run) -> set[str]:
    """Return the shooting groups under attack. They have no other shot (B-25)."""
    return {body for body in run.attackers() if run.bodies[body].shoots_only}


def _able(run: Run, sides: Iterable[int], do: str) -> list[Aim]:
    """Return the aims of these sides to carry out now. Orders that have become impossible are lost (B-23)."""
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
    """Let exposed shooters shoot at the first who still attacks them, all at once, in attack order
    (B-21, B-25, B-75).
    """
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
    """Emit the attacks before asking for dice, because they say what the dice need (`rules.core.dice`)."""
    attacks = [attack for attack in struck if attack is not None]
    if not attacks:
        return
    run.attacked.update([attack.body for attack in attacks])
    tell(run, attacks)
    run.dice.checkpoint()
    fall(run, attacks)

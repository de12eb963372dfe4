"""Choices of the computer player: the next command of a side, in setup and in play, from what that side sees, and
battles played out for their odds.
"""

from __future__ import annotations

from random import Random
from typing import Any

from rules.battle_law import Summary
from rules.core.odds import BALANCED, BOLD, CAUTIOUS, RECKLESS, Leaning, Proposal
from rules.core.text import Said, Term, _
from rules.core.viewers import Viewer
from rules.hexbattle.common import army_of
from rules.hexbattle.field import commands
from rules.hexbattle.playing import PlayedOdds, SeededDice, SideViewers, without_absent
from rules.hexbattle.seeing import sides_of
from rules.hexbattle.setup import Place, SetReady
from rules.thucidide_fantasy.battle import activation, decide, knowledge, setup
from rules.thucidide_fantasy.battle.combat.engagement import (
    melee_targets,
    must_fight,
    prefers_blade,
    shot_targets,
    why_not_open,
)
from rules.thucidide_fantasy.battle.combat.steps import FLEE, GOD, PURSUE, REPORT, go_on, resumed
from rules.thucidide_fantasy.battle.factors import is_assault
from rules.thucidide_fantasy.battle.marching_orders import why_not_move
from rules.thucidide_fantasy.battle.paces import may_stand, reach_of
from rules.thucidide_fantasy.battle.player.engine_options import (
    follows,
    melee_worth,
    nearest,
    plan_of,
    promise,
    shot_worth,
    stalks,
    wish_of,
)
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import COMMANDING, FIGHTING_PHASE, MOVING, FantasyState, Person
from rules.thucidide_fantasy.battle.run import BattleOver, Run
from rules.thucidide_fantasy.battle.situation import gaps, is_hero
from rules.thucidide_fantasy.battle.spells.appeals import usual_answer
from rules.thucidide_fantasy.battle.spells.spell_effects import casts, why_forbidden, why_not_announce, why_not_cast
from rules.thucidide_fantasy.battle.telling.summary import summary_of
from rules.thucidide_fantasy.battle.undead import prey_of, turned_of
from rules.thucidide_fantasy.spec import ENGINE

# Choices of the computer player: the next command of a side, from what that side sees.

FAR_APART = 6
"""At this distance from the enemy, in hexes, reconnaissance costs nothing."""
ASSAULT_COST = 10
WORTH_FIGHTING = 0.05


def next_command(seen: FantasyState, viewer: Viewer, random: Random) -> Any | None:
    """The next command for this viewer, from the state they see; None if there is nothing for them to do."""
    if seen.field.ended or not seen.field.started:
        return None
    if seen.fight is not None:
        return _answer(seen) if decide.answers(seen, viewer) and seen.fight.asks != REPORT else None
    if seen.side not in sides_of(seen.field, viewer):
        return None
    if seen.phase == COMMANDING:
        return _command(seen, viewer, random)
    if seen.phase == MOVING:
        return _move(seen, viewer)
    if seen.phase == FIGHTING_PHASE:
        return _fight(seen, viewer)
    return _spell(seen, viewer)


def _own(seen: FantasyState, viewer: Viewer, piece: str) -> bool:
    return commands(viewer, seen.token(piece))


# Answers


def _answer(seen: FantasyState) -> Any:
    fight = seen.fight
    assert fight is not None
    todo = fight.todo[0]
    if fight.asks == FLEE:
        return c.FleeTo(todo.unit, fight.options[0])
    if fight.asks == PURSUE:
        place = todo.hexes[1]
        scored = [(melee_worth(seen, todo.unit, seen.token(foe), place, assault=False), foe) for foe in fight.options]
        score, best = max(scored)
        return c.PursueFoe(todo.unit, best if score > WORTH_FIGHTING else None)
    if fight.asks == GOD:
        return usual_answer(seen)
    return c.RerollDie(todo.rolls[0].name, _worst(seen, todo))


def _worst(seen: FantasyState, todo: Any) -> int | None:
    """The index of the die to reroll: of its own throw one that misses, of the enemy's one that hits; None for none."""
    made, fight = todo.throw, seen.fight
    assert fight is not None
    if made is None or todo.what != "landed":
        return None
    own = seen.side_of(made.by) == fight.side
    wanted = [place for place, roll in enumerate(todo.rolls) if (roll.value in made.hits) != own]
    return wanted[0] if wanted else None


# Command


def _command(seen: FantasyState, viewer: Viewer, random: Random) -> Any:
    order = _order(seen)
    if order is not None:
        return order
    free = tuple(_free_characters(seen, viewer))
    if activation.activations_left(seen):
        found = _best_activation(seen, free)
        if found is not None:
            return found
    if free:
        return c.ActivateUnits(None, (), free)
    return c.EndPhase()


def _order(seen: FantasyState) -> c.GiveOrder | None:
    if seen.order or seen.activations:
        return None
    counters, side = seen.counters[seen.side], seen.side
    near = gaps(seen, side)
    gap = min((near.get(seen.at(unit), 0) for unit in seen.units_of(side)), default=0)
    if gap > FAR_APART and counters and activation.gain_of(seen, side) > 1:
        scouts = seen.turn == 1 and activation.why_not_order(seen, activation.RECONNAISSANCE) is None
        return c.GiveOrder(activation.RECONNAISSANCE) if scouts else None
    if counters >= ASSAULT_COST and gap <= 3 and next(activation.leaders(seen, side), None):
        return c.GiveOrder(activation.GENERAL_ASSAULT)
    return None


def _best_activation(seen: FantasyState, free: tuple[str, ...]) -> c.ActivateUnits | None:
    """The most promising activation: a leader and units in range."""
    scored = {
        unit: promise(seen, unit) for unit in seen.units_of(seen.side)
        if activation.why_not_activate(seen, unit) is None
    }  # fmt: skip
    order = sorted(scored, key=lambda unit: -scored[unit])
    best: tuple[float, c.ActivateUnits] | None = None
    for leader in activation.leaders(seen, seen.side):
        if leader in free and casts(seen, leader):
            continue
        units = tuple(unit for unit in order if activation.in_range(seen, leader, unit))[: seen.share]
        score = sum(scored[unit] for unit in units)
        if units and (best is None or score > best[0]):
            best = score, c.ActivateUnits(leader, units, free)
    if best is not None:
        return best[1]
    if next(activation.leaders(seen, seen.side), None) is None and order:
        return c.ActivateUnits(None, (order[0],), free)
    return None


def _free_characters(seen: FantasyState, viewer: Viewer) -> list[str]:
    """The characters to activate for free: casters who would cast, lone heroes, leaders who fall behind."""
    left = activation.free_left(seen)
    found: list[tuple[float, str]] = []
    for person in seen.people_of(seen.side):
        if not left or activation.why_not_activate(seen, person) is not None:
            continue
        if casts(seen, person):
            found.append((2.0, person))
        elif is_hero(seen, person) and not seen.with_unit_of(person):
            found.append((1.5, person))
        elif seen.people[person].rank:
            found.append((1.0, person))
    return [person for _score, person in sorted(found, reverse=True)[:left]]


# Movement


def _move(seen: FantasyState, viewer: Viewer) -> Any:
    for unit in seen.units_of(seen.side):
        if seen.units[unit].doing.activated and why_not_move(seen, unit) is None:
            plan = plan_of(seen, unit)
            stay = tuple(one for one in seen.people_at(seen.at(unit)) if casts(seen, one) and not is_hero(seen, one))
            at = seen.at(unit)
            return c.MovePiece(unit, to="" if plan.at == at else plan.at, stay=stay if plan.at != at else ())
    for person in seen.people_of(seen.side):
        if not seen.people[person].doing.activated or why_not_move(seen, person) is not None:
            continue
        if casts(seen, person) and why_not_announce(seen, person) is None and wish_of(seen, person) is not None:
            return c.AnnounceSpell(person)
        where = _hunts if is_hero(seen, person) else stalks if casts(seen, person) else follows
        at = where(seen, person)
        return c.MovePiece(person, to="" if at == seen.at(person) else at)
    return c.EndPhase()


def _hunts(seen: FantasyState, hero: str) -> str:
    """The hex a hero moves to: a unit's hex near the enemy, if possible."""
    side = seen.side_of(hero)
    found = reach_of(seen, hero)
    mates = [at for at in found if seen.unit_at(at)]
    return min(mates or found, key=lambda at: nearest(seen, at, side))


# Combat


def _fight(seen: FantasyState, viewer: Viewer) -> Any:
    best: tuple[float, Any] | None = None
    for piece in (*seen.units_of(seen.side), *seen.people_of(seen.side)):
        if not seen.doing(piece).activated or why_not_open(seen, piece) is not None:
            continue
        forced_now = piece in seen.units and must_fight(seen, piece)
        found = _best_attack(seen, piece, forced_now=forced_now)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best[1] if best else c.EndPhase()


def _best_attack(seen: FantasyState, piece: str, *, forced_now: bool) -> tuple[float, Any] | None:
    at = seen.at(piece)
    found: list[tuple[float, Any]] = []
    for foe in melee_targets(seen, piece, at):
        score = melee_worth(seen, piece, foe, at, assault=is_assault(seen, piece, at, foe.at))
        found.append((score, c.OpenMelee(piece, foe.id)))
    if not (forced_now and prefers_blade(seen, piece)):
        found += [(shot_worth(seen, piece, foe), c.OpenShot(piece, foe.id)) for foe in shot_targets(seen, piece, at)]
    if not found:
        return None
    best = max(found, key=lambda one: one[0])
    return best if forced_now or best[0] > WORTH_FIGHTING else None


# Spells


def _spell(seen: FantasyState, viewer: Viewer) -> Any:
    for unit in turned_of(seen, seen.side):
        prey = prey_of(seen, unit, seen.side)
        if prey and not seen.doing(unit).fought:
            return c.TurnAttack(unit, prey[0])
    for person in seen.people_of(seen.side):
        if why_not_cast(seen, person) is None:
            wish = wish_of(seen, person)
            return c.CastSpell(person, wish.spell, wish.targets) if wish else c.DeclineSpell(person)
    return c.EndPhase()


# Simulation of a battle for its odds: a state the viewer may believe in, and the next command in it.


def believed(seen: FantasyState, viewer: Viewer, random: Random) -> FantasyState:
    """A complete state that looks the same to the viewer, with the enemy casters' cards drawn at random.

    Dice decide every throw. Phantoms count as real units, groves as woods, and hidden units are absent, as in the state
    seen.
    """
    options = seen.options._replace(combat=ENGINE)
    if viewer.gm:
        return seen.but(options=options)
    own = sides_of(seen.field, viewer)
    people = {
        one: _supplied(seen, one, person, random) if person.own.casts and seen.side_of(one) not in own else person
        for one, person in seen.people.items()
    }
    return seen.but(options=options, people=people, field=without_absent(seen.field))


def _supplied(seen: FantasyState, caster: str, person: Person, random: Random) -> Person:
    """An enemy caster with random cards for the usual points, minus one card for each turn past.

    The caster's real cards don't matter.
    """
    spells, points = seen.options.spells, seen.options.supply_points
    cards: list[str] = []
    while fits := [
        one for one, spell in spells.items() if spell.cost <= points and why_forbidden(seen, caster, one) is None
    ]:
        cards.append(random.choice(fits))
        points -= max(1, spells[cards[-1]].cost)
    left = tuple(cards[seen.turn - 1 :])
    own = person.own._replace(points=seen.options.supply_points, cards=())
    return person._replace(own=own, cards=left, points=sum(spells[one].cost for one in left))


def step(state: FantasyState, viewers: SideViewers, random: Random, dice: SeededDice) -> FantasyState | None:
    """The state after the next command of whoever has to act; None if nobody has a command."""
    fight = state.fight
    if fight is not None and fight.asks == REPORT:
        return _rolled(state, dice)
    side = state.side if fight is None else fight.side
    seen = knowledge.seen(state, viewers[side]) if knowledge.keeps_secrets(state) else state
    command = arriving(seen, side) or next_command(seen, viewers[side], random)
    return None if command is None else _carried_out(state, command, dice)


def _carried_out(state: FantasyState, command: Any, dice: SeededDice) -> FantasyState:
    """The state after a command, without the work that only pages and logs need."""
    run = Run(state, dice)
    if isinstance(command, Place):
        setup.enter(run, command)
    else:
        decide.decide(run, command)
    return run.state


def _rolled(state: FantasyState, dice: SeededDice) -> FantasyState:
    """The state after rolling a throw that waits for the GM's report."""
    run = Run(state, dice)
    try:
        _fight, todo = resumed(run, REPORT)
        run.then(todo)
        go_on(run)
    except BattleOver:
        pass
    return run.state


def arriving(state: FantasyState, side: int) -> Place | None:
    """The command that brings a reinforcement onto the map; None if there is none or no room."""
    if state.field.ended or state.fight is not None or state.side != side or state.phase != COMMANDING:
        return None
    for token in state.field.of_side(side):
        if token.waiting:
            line = state.field.ground.home_edge(side)
            at = next((at for at in line if may_stand(state, token.id, at)), "")
            return Place(token.id, at) if at else None
    return None


# Computer player of a side (`OddsLaw`): its next command in setup and in play.
#
# Odds are found by simulation.

MEANT: dict[Leaning, Term] = dict.fromkeys(
    (BALANCED, CAUTIOUS, BOLD, RECKLESS), _("places its units, then picks the most promising action")
)
BEST = _("its best action")
WHY: dict[type, Said] = {
    c.DeployArmies: _("its units are being placed"),
    SetReady: _("all its units are placed"),
    c.ActivateUnits: _("these units are the most useful"),
    c.GiveOrder: _("the most useful order"),
    c.AnnounceSpell: _("a spell is more useful than a move"),
    c.EndPhase: _("nothing left to do in this phase"),
}


class FantasyMoves(PlayedOdds):
    """Plays a side command by command (F-7), and simulates battles to their end."""

    commands = by_turns = True
    meant = MEANT

    def moves(self, state: FantasyState, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> Proposal | None:
        found = self._next(state, side, viewer, seed)
        if found is None:
            return None
        return Proposal(_army(state, side, found), found, WHY.get(type(found), BEST))

    def _next(self, state: FantasyState, side: int, viewer: Viewer, seed: str) -> Any | None:
        if not state.field.started:
            return _set_up(state, side)
        return arriving(state, side) or next_command(state, viewer, Random(seed))

    def believed(self, seen: FantasyState, viewer: Viewer, random: Random) -> FantasyState:
        return believed(seen, viewer, random)

    def step(self, state: FantasyState, viewers: SideViewers, random: Random, dice: SeededDice) -> FantasyState | None:
        return step(state, viewers, random, dice)

    def told(self, state: FantasyState) -> Summary:
        return summary_of(state)


def _set_up(state: FantasyState, side: int) -> Any | None:
    """The next setup command: place units, then declare ready; None after that."""
    if side in state.field.ready:
        return None
    waiting = [token for token in state.field.of_side(side) if token.waiting]
    if waiting:
        return c.DeployArmies(tuple(dict.fromkeys(token.army for token in waiting)))
    return SetReady(side)


def _army(state: FantasyState, side: int, command: Any) -> str:
    """The army a command belongs to."""
    for name in ("unit", "caster", "character", "leader"):
        piece = getattr(command, name, "")
        if piece:
            return army_of(piece)
    return next(army for army, own in state.field.armies.items() if own == side)

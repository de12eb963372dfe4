"""Setup commands of this law (TF-9): options, figures, traits, consent, victory, cards, attaching characters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _, by_number
from rules.hexbattle.common import Placed
from rules.hexbattle.ending import demand_whole
from rules.hexbattle.field import SIDES, Field
from rules.hexbattle.ground import apart
from rules.hexbattle.seeing import own_side
from rules.hexbattle.setup import Frontage, Place, Wanted
from rules.thucidide_fantasy.battle.factors import HINDRANCE
from rules.thucidide_fantasy.battle.overrides import (
    NO_MASTER,
    NOTHING_TO_TAKE,
    STANDS_MOST,
    check_figure,
    check_person,
    givable_traits,
    traits_of,
)
from rules.thucidide_fantasy.battle.paces import may_stand
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.hand_fold import edited_person, usual_master
from rules.thucidide_fantasy.battle.record.state import DREAMS, LIST, FantasyState
from rules.thucidide_fantasy.battle.run import Run, expose_phantoms, finds_room
from rules.thucidide_fantasy.contingent import starter_cards
from rules.thucidide_fantasy.figures import SHARES, set_figures, victory_number
from rules.thucidide_fantasy.grimoire import LEASH
from rules.thucidide_fantasy.spec import (
    ALL,
    ANIMALS,
    CARDS,
    CONSENT,
    COUNT,
    ENGINE,
    GENERAL,
    NEVER,
    NOT,
    POINTS,
    TABLE,
    UNDEAD,
    BorneTrait,
)

ZONE_ROWS = 2
FRONT, BEHIND = 0, 1


def line_up(state: FantasyState, armies: Collection[str]) -> Iterator[tuple[str, str]]:
    """A hex for every waiting unit and character of these armies; those without room are left out."""
    for side in sorted({state.field.armies[army] for army in armies}):
        front, field = Frontage(state.field, side, ZONE_ROWS), state.field
        waiting = [token.id for token in field.of_side(side) if token.waiting and token.army in armies]
        for wanted in _wanted(state, front, waiting):
            at = _place(state, field, front, wanted)
            if at:
                field = field.put(wanted.unit, at=at)
                yield wanted.unit, at


def _wanted(state: FantasyState, front: Frontage, waiting: Collection[str]) -> Iterator[Wanted]:
    """The wanted places: units first, then the characters who may join them."""
    units = [unit for unit in state.units if unit in waiting]
    near = sorted(units, key=lambda unit: not state.units[unit].master)  # the undead in the middle, near their master
    fighters = [unit for unit in near if not state.units[unit].own.shot]
    shooters = [unit for unit in near if state.units[unit].own.shot]
    rows = ((fighters, FRONT), (shooters, BEHIND if fighters else FRONT))
    for row, behind in rows:
        yield from (Wanted(unit, along, behind) for unit, along in _spread(row, front.middle))
    for person, own in state.people.items():
        if person in waiting:
            yield Wanted(person, front.middle, BEHIND if own.own.casts and not own.own.hero else FRONT)


def _spread(units: Sequence[str], middle: float) -> Iterator[tuple[str, float]]:
    """Positions along the front: the first unit in the middle, then alternately on the left and right."""
    for place, unit in enumerate(units):
        yield unit, middle + (place + 1) // 2 * (-1 if place % 2 else 1)


def _place(state: FantasyState, field: Field, front: Frontage, wanted: Wanted) -> str:
    """The best free hex; for a character one with a unit of their army, if possible."""
    token, now = field.tokens[wanted.unit], state.but(field=field)
    free = _in_reach(now, wanted.unit, [at for at in front.hexes if may_stand(now, wanted.unit, at)])
    if wanted.unit in state.units:
        return front.nearest(wanted, [at for at in free if not field.at(at)] or free)
    joined = [at for at in free if any(one.id in state.units and one.army == token.army for one in field.at(at))]
    fewest = min((len(field.characters(at)) for at in joined), default=0)
    return front.nearest(wanted, [at for at in joined if len(field.characters(at)) == fewest] or free)


def _in_reach(state: FantasyState, piece: str, free: list[str]) -> list[str]:
    """The hexes with the fewest undead out of their master's reach (TF-5.1): one's own, or oneself."""
    bound = [state.at(unit) for unit, own in state.units.items() if own.master == piece and state.at(unit)]
    master = state.units[piece].master if piece in state.units else ""
    if master and state.at(master):
        bound.append(state.at(master))
    far = {at: sum(apart(at, other) > LEASH for other in bound) for at in free}
    return [at for at in free if far[at] == min(far.values())]


CHOICES: Mapping[str, tuple[str, ...]] = {
    "combat": (ENGINE, TABLE), "supply": (CARDS, POINTS), "hindrance": (ANIMALS, ALL), "flyers_beside": (COUNT, NOT),
    "appeals": (CONSENT, NEVER), "victory_share": tuple(SHARES),
}  # fmt: skip
OPTIONS = (*CHOICES, "turn_limit")
"""Options that may be set for a battle; the campaign's settings are the default."""
LIMITS = (4, 30)
LEAST_SIDES = (9, 12)
NOT_MORE = by_number(
    "These cards cost {cost} point; the caster has {points}.",
    "These cards cost {cost} points; the caster has {points}.",
    "cost",
)


def decide(run: Run, command: Any) -> bool:
    """Execute a setup command; False if it isn't one. Raises a refusal if it isn't possible."""
    decided = DECIDED.get(type(command))
    if decided is None:
        return False
    require(not run.state.field.started, _("The battle has begun already."))
    decided(run, command)
    return True


def _option(run: Run, command: c.SetOption) -> None:
    name, value = command.name, command.value
    demand(name in OPTIONS, _("Choose one of: {choices}."), field="/name", choices=", ".join(OPTIONS))
    check_option(name, value, "/value")
    run.emit(e.OptionSet(name, value))  # type: ignore[arg-type]  # it was just checked


def check_option(name: str, value: object, at: str) -> None:
    """Guard: an option can have this value. Raises `InvalidInput` otherwise."""
    if name in CHOICES:
        demand(value in CHOICES[name], _("Choose one of: {choices}."), field=at, choices=", ".join(CHOICES[name]))
    else:
        demand_whole(value, LIMITS, at)


def _edit(run: Run, command: c.EditUnit) -> None:
    state, what = run.state, command.unit
    demand(what in state.field.tokens, _("This unit isn’t in the battle."), field="/unit")
    demand(command.fields, _("Enter at least one figure."), field="/fields")
    for name, value in command.fields.items():
        if what in state.people:
            check_person(state, what, name, value, f"/fields/{name}")
        elif name == "stands":
            demand_whole(value, (1, STANDS_MOST), f"/fields/{name}")
        else:
            check_figure(state, what, name, value, f"/fields/{name}")
    fields: dict[str, Any] = dict(command.fields)
    seen = own_side(state.token(what))
    if what in state.units:
        run.emit(e.UnitEdited(what, set_figures(state.units[what].own, fields), seen=seen))
    else:
        run.emit(e.UnitEdited(what, person=edited_person(state.people[what].own, fields), seen=seen))


def _grant(run: Run, command: c.GrantTrait) -> None:
    """Give or take away a trait; the same traits as in a running battle."""
    state, what = run.state, command.unit
    demand(what in state.field.tokens, _("This unit isn’t in the battle."), field="/unit")
    if not command.on:
        _take(run, command)
        return
    known = givable_traits(state, what)
    demand(command.trait in known, _("Choose one of: {choices}."), field="/trait", choices=", ".join(known))
    demand(not command.likes or command.trait == HINDRANCE, _("Only hindrance can have affinities."), field="/likes")
    types = sorted({unit.own.type for unit in state.units.values()})
    for place, slug in enumerate(command.likes):
        demand(slug in types, _("Choose one of: {choices}."), field=f"/likes/{place}", choices=", ".join(types))
    if command.trait == UNDEAD and what in state.units:
        require(usual_master(state, what), NO_MASTER, field="/trait")
    borne = BorneTrait(command.trait, command.likes, command.object)
    run.emit(e.TraitGranted(what, borne, own_side(state.token(what))))


def _take(run: Run, command: c.GrantTrait) -> None:
    own = {one.trait: one for one in traits_of(run.state, command.unit)}
    require(own, NOTHING_TO_TAKE, field="/trait")
    demand(command.trait in own, _("Choose one of: {choices}."), field="/trait", choices=", ".join(own))
    told = own_side(run.state.token(command.unit))
    run.emit(e.TraitGranted(command.unit, own[command.trait], told, on=False))


def _consent(run: Run, command: c.SetConsent) -> None:
    demand(command.side in SIDES, _("Must be side 0 or 1."), field="/side")
    run.emit(e.ConsentSet(command.side, command.on))


def _reveal(run: Run, command: c.RevealEnemy) -> None:
    """Send a dream to a side, or end it; only that side is told."""
    demand(command.side in SIDES, _("Must be side 0 or 1."), field="/side")
    demand(command.what in DREAMS, _("Choose one of: {choices}."), field="/what", choices=", ".join(DREAMS))
    if (command.what in run.state.dreams[command.side]) is not command.on:
        told = tuple(side == command.side for side in SIDES)
        run.emit(e.DreamSent(command.side, command.what, command.on, told))


def _seal(run: Run, command: c.SealDeployment) -> None:
    demand(command.side in SIDES, _("Must be side 0 or 1."), field="/side")
    if run.state.sealed[command.side] is not command.on:
        run.emit(e.DeploymentSealed(command.side, command.on))


def _victory(run: Run, command: c.SetVictory) -> None:
    demand(command.side in SIDES, _("Must be side 0 or 1."), field="/side")
    most = len(list(own_units(run.state, 1 - command.side)))
    demand_whole(command.number, (1, max(1, most)), "/number")
    run.emit(e.VictorySet(command.side, command.number))


def _general(run: Run, command: c.NameGeneral) -> None:
    state = run.state
    found = [
        one for one, person in state.people.items()
        if state.token(one).army == command.army and person.own.rank == GENERAL
    ]  # fmt: skip
    demand(found, _("Choose an army whose commander is a general."), field="/army")
    run.emit(e.GeneralNamed(found[0], state.side_of(found[0])))


def _attach(run: Run, command: c.AttachCharacter) -> None:
    state = run.state
    token = state.field.tokens.get(command.character)
    demand(token is not None and token.character, _("Choose a character."), field="/character")
    assert token is not None
    require(token.side not in state.field.ready, _("Your side is ready. Choose “Place units again” first."))
    at = ""
    if command.unit is not None:
        unit = state.field.tokens.get(command.unit)
        fits = unit is not None and unit.side == token.side and not unit.character
        demand(fits, _("Choose a unit of your side."), field="/unit")
        assert unit is not None
        require(unit.at, _("Place the unit first."), field="/unit")
        at = unit.at
    if token.at != at:
        run.emit(Placed(token.id, at))


def _cards(run: Run, command: c.ChooseCards) -> None:
    state, caster = run.state, command.caster
    demand(caster in state.people and state.people[caster].own.casts, _("Choose a caster."), field="/caster")
    spells, limit = state.options.spells, state.people[caster].own.points
    for place, slug in enumerate(command.spells):
        demand(slug in spells, _("Spell not found."), field=f"/spells/{place}")
    cost = sum(spells[slug].cost for slug in command.spells)
    demand(cost <= limit, NOT_MORE, field="/spells", cost=cost, points=limit)
    run.emit(e.CardsChosen(caster, tuple(command.spells), limit, own_side(state.token(caster))))


def _line_up(run: Run, command: c.DeployArmies) -> None:
    field = run.state.field
    demand(command.armies, _("Choose at least one army."), field="/armies")
    for place, army in enumerate(command.armies):
        demand(army in field.armies, _("This army isn’t in the battle."), field=f"/armies/{place}")
        require(field.armies[army] not in field.ready, _("Your side is ready. Choose “Place units again” first."))
    waiting = any(token.waiting and token.army in command.armies for token in field.tokens.values())
    require(waiting, _("All units of these armies are already placed."))
    found = [Placed(unit, at) for unit, at in line_up(run.state, command.armies)]
    require(found, _("The zone has no room for these units. Make it larger, or choose another map."))
    run.emit(*found)


DECIDED: Mapping[type, Callable[[Run, Any], None]] = {
    c.SetOption: _option, c.EditUnit: _edit, c.GrantTrait: _grant, c.SetConsent: _consent, c.RevealEnemy: _reveal,
    c.SealDeployment: _seal, c.SetVictory: _victory,
    c.NameGeneral: _general, c.AttachCharacter: _attach, c.DeployArmies: _line_up, c.ChooseCards: _cards,
}  # fmt: skip


# Placing


def enters(state: FantasyState, command: Place) -> bool:
    """Whether this command places a reinforcement on the map (T-97), in its command phase on its base line."""
    token = state.field.tokens.get(command.unit)
    return state.field.started and token is not None and not token.gone and not token.at


def enter(run: Run, command: Place) -> None:
    """Place a reinforcement on its base line (T-97). Raises a refusal if it isn't possible."""
    state = run.state
    token = state.token(command.unit)
    require(state.fight is None, _("Answer the open question first."))
    now = state.side == token.side and state.phase == "command"
    require(now, _("Reinforcements enter in their own command phase."), field="/unit")
    at = state.field.ground.require_hex(command.at, field="/at")
    line = state.field.ground.from_home(token.side, at) == 0
    require(line, _("Reinforcements enter on their base line."), field="/at")
    require(may_stand(state, token.id, at), _("{unit} can’t stand on {hex}."), field="/at", unit=token.name, hex=at)
    if finds_room(run, token.side, at):
        run.emit(Placed(token.id, at))
        expose_phantoms(run)


# Starting


def own_units(state: FantasyState, side: int) -> list[str]:
    """The units of a side, without summoned ones."""
    return [unit for unit, own in state.units.items() if state.side_of(unit) == side and not own.summoned]


def before_start(run: Run) -> None:
    """Emit what is fixed at the start: cards of casters without any (T-35), victory numbers (T-41), and dreams."""
    state = run.state
    costs = {slug: spell.cost for slug, spell in state.options.spells.items()}
    for caster, person in state.people.items():
        if person.own.casts and not person.cards and state.options.supply == CARDS:
            token = state.token(caster)
            cards = starter_cards(token.side, person.own.points, costs)
            run.emit(e.CardsChosen(caster, cards, person.own.points, own_side(token)))
    for side in SIDES:
        if not run.state.victory[side]:
            enemies = len(own_units(state, 1 - side))
            run.emit(e.VictorySet(side, victory_number(enemies, state.options.victory_share)))
    for side in SIDES:
        if LIST in state.dreams[side]:
            run.emit(*_dreamt_of(run.state, side))


def _dreamt_of(state: FantasyState, side: int) -> Iterator[e.CardsDreamt]:
    """The enemy casters' cards as shown to a side that dreamt of them."""
    told = tuple(one == side for one in SIDES)
    for caster, person in state.people.items():
        if person.own.casts and state.side_of(caster) != side:
            yield e.CardsDreamt(caster, person.cards, person.points, told)

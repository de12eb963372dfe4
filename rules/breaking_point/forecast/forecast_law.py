"""Forecast of battles of breaking points: exact where possible, otherwise simulated, from what a viewer may guess."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, NamedTuple

from rules.breaking_point.battle.decide import decide
from rules.breaking_point.battle.from_afar import alike
from rules.breaking_point.battle.orders.commands import Command, GiveOrder, Next, Resolve
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    ASSAULT,
    COMMAND,
    GONE,
    ROUND,
    SETUP,
    BattleNow,
    Body,
    BodyOrder,
    Formation,
    Opening,
    Order,
)
from rules.breaking_point.battle.state.fold import fold
from rules.breaking_point.battle.state.opening import formations_of, host_formations
from rules.breaking_point.battle.telling.summary import bodies_of, health_of
from rules.breaking_point.forecast import choices
from rules.breaking_point.forecast.choices import (
    COMMITS,
    LEAVES,
    Simulate,
    choices_of,
    chosen,
    kinds,
    table_of,
    with_orders,
)
from rules.breaking_point.forecast.exact import exactly
from rules.breaking_point.forecast.simulate import compared, simulated
from rules.breaking_point.spec import CONTACT, SHOOTING, Group, Host, Unit
from rules.breaking_point.starter import STARTERS, Starter
from rules.core.dice import Typed
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.odds import AboutOdds, Guess, Leaning, Odds, OddsLaw, OddsTable, Proposal, Spread, TableKind, Winning
from rules.core.text import Said, Term, _, by_number, say
from rules.core.viewers import WHOLE
from rules.law import OMNISCIENT, Viewer
from rules.odds.viewer_forecast import mixed

# Guesses of a viewer: armies whose sheets they may not read, and orders they may not know (B-18).

# Armies, from nothing but what is seen.


class Level(NamedTuple):
    """Assumed combat of hidden troops, with its probability. `lost` is where their losses lie within the range of a
    word: 0 the least, 1 the most.
    """

    combat: int
    weight: float
    lost: float


LEVELS = (Level(3, 0.25, 1.0), Level(5, 0.5, 0.5), Level(8, 0.25, 0.0))
"""Green, regular and veteran troops (BP-2.5)."""

TYPICAL = {
    ("infantry", CONTACT): "men-at-arms", ("archers", SHOOTING): "longbowmen", ("artillery", SHOOTING): "field-guns",
    ("cavalry", CONTACT): "feudal-horse", ("chariots", CONTACT): "war-chariots",
    ("elephants", CONTACT): "war-elephants", ("infantry", SHOOTING): "riflemen",
}  # fmt: skip
"""Starter unit that stands for a hidden unit of this type and group. Other types use the unit of the same name, or
infantry.
"""

BELIEVED: Term = _(
    "You can’t read the sheet of {armies}. They count as typical troops of their types (green, regular or "
    "veteran), and their reserve stays where it is."
)


def guesses(battle: BattleNow, viewer: Viewer) -> Sequence[Guess]:
    """Return the worlds that look like this one. In each, all hidden armies have the same quality."""
    open_to_him = {army: order for army, order in battle.orders.items() if viewer.commands(army)}
    battle = battle.changed(orders=open_to_him)
    if not battle.masked:
        return (Guess(battle),)
    return tuple(Guess(_battle_believed(battle, level), level.weight) for level in LEVELS)


def hidden_from(battle: BattleNow, viewer: Viewer) -> list[str]:
    return [] if viewer.gm else [a for a in battle.armies if a not in viewer.reads and not viewer.commands(a)]


def _battle_believed(battle: BattleNow, level: Level) -> BattleNow:
    hosts = {army: _host(host, level.combat) if army in battle.masked else host for army, host in battle.armies.items()}
    opening = replace(battle.opening, armies=tuple(hosts.get(host.id, host) for host in battle.opening.armies))
    drawn = _formations(battle, opening, hosts)
    bodies = {}
    for body in battle.bodies.values():
        if not body.masked:
            bodies[body.id] = body
        elif body.status in GONE or body.id in drawn:
            likely = _as_lost(body, level) if body.army in battle.worded else body
            bodies[body.id] = _unmasked(likely, drawn.get(body.id, body.formation))
    return battle.changed(
        opening=replace(opening, formations=tuple(body.formation for body in bodies.values())),
        armies=hosts, bodies=bodies, masked=frozenset(), worded=frozenset(), called={}, memo={},
    )  # fmt: skip


def _formations(battle: BattleNow, opening: Opening, hosts: Mapping[str, Host]) -> dict[str, Formation]:
    """Return the assumed bodies of hidden armies. Waiting reserves are left out, because nothing is known of them."""
    if opening.kind == ASSAULT:
        drawn = list(formations_of(opening))
    else:
        armies = [(at, army) for at, side in enumerate(battle.sides) for army in side.armies]
        drawn = [formation for at, army in armies for formation in host_formations(opening, at, hosts[army])]
    return {one.id: one for one in drawn if one.army in battle.masked}


def _as_lost(body: Body, level: Level) -> Body:
    """Return the body with as many losses as its word and state allow at this level."""
    found = alike(body.losses)
    return replace(body, losses=found[round(level.lost * (len(found) - 1))])


def _unmasked(body: Body, formation: Formation) -> Body:
    """Return the body with losses converted from the visible share of its force (`secrecy`)."""
    return replace(
        body, formation=formation, force=formation.force, breaking=formation.breaking, value=formation.value,
        losses=-(-body.losses * formation.force // max(1, body.force)), masked=False,
    )  # fmt: skip


def _host(host: Host, combat: int) -> Host:
    units = tuple(_unit(unit, combat) for unit in host.units)
    leader = host.commander
    led = None if leader is None else replace(leader, mental=5, presence=5, combat=combat, art_of_war=combat // 2)
    return replace(host, units=units, commander=led)


def _unit(unit: Unit, combat: int) -> Unit:
    if unit.machine is not None:
        machine = unit.machine
        return replace(unit, combat=combat, armour=machine.armour, toughness=machine.toughness, weapons=machine.weapons)
    typical = _starter(unit.type.slug, unit.group)
    usual = typical.unit(unit.strength)
    weapons = usual.weapons
    return replace(
        unit, combat=combat, armour=usual.armour, toughness=unit.type.toughness, weapons=weapons, never=unit.type.never,
        pieces=usual.pieces,
    )  # fmt: skip


def _starter(kind: str, group: Group) -> Starter:
    named = next((starter.slug for starter in STARTERS.values() if starter.type == kind), None)
    return STARTERS[TYPICAL.get((kind, group)) or named or TYPICAL["infantry", group]]


# Force left of armies whose figures the viewer may not know, in hundredths of each body, as they see it (B-18).

type Scales = Mapping[str, tuple[int, int]]
"""By hidden army, its maximum as it is seen and as it is assumed."""


def _scales(battle: BattleNow, viewer: Viewer) -> Scales:
    return {
        army: (WHOLE * len(bodies_of(battle, army)), max(1, health_of(battle, army)[1]))
        for army in hidden_from(battle, viewer)
    }


def as_fought(battle: BattleNow, about: AboutOdds, viewer: Viewer) -> AboutOdds:
    """Convert the question's healths of hidden armies to assumed points."""
    scales = _scales(battle, viewer)

    def points(army: str, health: int) -> int:
        seen, whole = scales.get(army, (1, 1))
        return health * whole // seen

    retreats = {
        army: retreat if retreat.health is None else retreat._replace(health=points(army, retreat.health))
        for army, retreat in about.retreats.items()
    }
    until = {army: points(army, health) for army, health in about.until.items()}
    return replace(about, retreats=retreats, until=until)


def as_seen(battle: BattleNow, odds: Odds, viewer: Viewer) -> Odds:
    """Convert the health left of hidden armies to hundredths."""
    armies = dict(odds.armies)
    for army, (seen, whole) in _scales(battle, viewer).items():
        own = armies[army]
        armies[army] = own._replace(health=_scaled(own.health, seen, whole), victory=_scaled(own.victory, seen, whole))
    return replace(odds, armies=armies)


def _scaled(spread: Spread, seen: int, whole: int) -> Spread:
    found: dict[int, float] = defaultdict(float)
    for left, chance in spread:
        found[-(-left * seen // whole)] += chance
    return tuple(sorted(found.items()))


# Unknown orders: all possible worlds averaged, or the one that is worst for the viewer.

MOST = 9
"""Worlds that are tried. If there are more, as many are drawn at random."""

AVERAGE: Term = _(
    "If you don’t know an army’s orders, it is equally likely to hold or to attack any enemy it can reach."
)
WORST: Term = _("Enemies whose orders you don’t know choose what is worst for you.")
NOT_THESE = (LEAVES, COMMITS)


def foretold(battle: BattleNow, about: AboutOdds, viewer: Viewer, answer: Simulate) -> Odds | None:
    """Return the odds as `about.unknown` asks. None if the viewer knows every order."""
    worlds = _worlds(battle, about, viewer)
    if len(worlds) < 2:
        return None
    each = None if about.battles is None else max(1, about.battles // len(worlds))
    asked, share = replace(about, battles=each), 1 if each else len(worlds)
    found = [answer(world, asked, share) for world in worlds]
    own = [at for at, side in enumerate(battle.sides) if any(viewer.commands(army) for army in side.armies)]
    if about.unknown == "worst" and own:
        worst = min(range(len(found)), key=lambda at: sum(found[at].sides[side].win for side in own))
        return _with(replace(answer(worlds[worst], about), assumed=found[worst].assumed), WORST)
    whole = mixed([(odds, 1 / len(found)) for odds in found])
    return _with(replace(whole, error=whole.error / len(found) ** 0.5), AVERAGE)


def _with(odds: Odds, said: Said) -> Odds:
    return replace(odds, assumed=(*odds.assumed, said))


def _worlds(battle: BattleNow, about: AboutOdds, viewer: Viewer) -> Sequence[BattleNow]:
    if battle.phase.kind != ROUND or viewer.gm:
        return (battle,)
    told: list[list[tuple[str, str]]] = []
    for army in battle.owners():
        hidden = not viewer.commands(army) and army not in battle.orders
        if hidden and any(body.status == "fighting" for body in battle.of_army(army)):
            open_to = [c.slug for c in choices_of(battle, army) if not c.barred and c.slug not in NOT_THESE]
            told.append([(army, slug) for slug in open_to])
    worlds = list(product(*told))
    if len(worlds) > MOST:
        worlds = Random(about.seed).sample(worlds, MOST)
    return [_world(battle, world) for world in worlds]


def _world(battle: BattleNow, world: Sequence[tuple[str, str]]) -> BattleNow:
    for army, slug in world:
        battle = chosen(battle, army, slug)
    return battle


# Forecast of battles of breaking points: exact where possible, otherwise simulated.

WITHDRAWS = by_number("{army}: withdrawal after {rounds} round.", "{army}: withdrawal after {rounds} rounds.", "rounds")
LASTING = _(
    "After this round there are no new orders. Each group repeats its order, against the next enemy in reach if "
    "its target is gone. A group without an order attacks the first enemy in reach."
)
HOLDING = _(
    "After this round there are no new orders. Each group repeats its order, against the next enemy in reach if "
    "its target is gone. A group without an order holds this round, then attacks the first enemy in reach."
)
SHOT, CLOSE, CLOSE_COMBAT = "shot", "close", "contact"
DEEDS = {SHOT: "shoot", CLOSE: "shoot", CLOSE_COMBAT: "attack"}


class Prospects(OddsLaw):
    """`rules.core.odds.OddsLaw` of breaking points."""

    known = True
    commands = True

    def guesses(self, state: BattleNow, viewer: Viewer) -> Sequence[Guess]:
        return guesses(state, viewer)

    def begun(self, state: BattleNow) -> BattleNow:
        events = decide(state, Next(), Typed((), by="", ask=True), OMNISCIENT) if state.phase.kind == SETUP else ()
        return fold(state, events)

    def odds(self, state: BattleNow, about: AboutOdds, viewer: Viewer) -> Odds | None:
        if state.phase.kind not in (COMMAND, ROUND):
            return None
        battle = given(state, about)
        about = as_fought(battle, about, viewer)
        odds = foretold(battle, about, viewer, answered) or answered(battle, about)
        told = (*odds.assumed, *_assumed(battle, about), *_beliefs(battle, viewer))
        return as_seen(battle, replace(odds, assumed=told), viewer)

    def winners(self, states: Sequence[BattleNow], about: AboutOdds, viewer: Viewer) -> Sequence[Winning | None]:
        return compared([given(state, about) for state in states], about)

    def table_kinds(self, state: BattleNow, row: str, column: str) -> Sequence[TableKind]:
        return kinds(state, row, column)

    def table(
        self, state: BattleNow, kind: str, row: str, column: str, about: AboutOdds, viewer: Viewer
    ) -> OddsTable | None:
        battle = given(state, about)
        return table_of(battle, kind, row, column, as_fought(battle, about, viewer), answered)

    def carried_out(self, state: BattleNow, events: Sequence[Any], viewer: Viewer) -> Sequence[GiveOrder]:
        """Return others' orders, as shown by the targets they attacked. Bodies without an attack
        are assumed to hold.
        """
        struck: dict[str, dict[str, BodyOrder]] = {army: {} for army in state.owners() if not viewer.commands(army)}
        for event in events:
            if isinstance(event, e.Attacked) and event.mode in DEEDS and event.body in state.bodies:
                body = state.bodies[event.body]
                if body.army in struck:
                    struck[body.army][body.key] = BodyOrder(DEEDS[event.mode], event.target)
        return tuple(GiveOrder(Order(army, bodies)) for army, bodies in struck.items())

    def proposals(self, state: BattleNow, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> Sequence[Proposal]:
        return tuple(choices.proposals(state, side, leaning, seed, answered))

    def carries_out(self, command: Command) -> bool:
        return isinstance(command, Resolve)


def given(state: BattleNow, about: AboutOdds) -> BattleNow:
    """Return the battle with the orders of the question. Raises `InvalidInput` for an impossible one."""
    try:
        return with_orders(state, about.commands)
    except IllegalCommand as refusal:
        raise InvalidInput(refusal.message, refusal.field, refusal.errors) from None


def answered(battle: BattleNow, about: AboutOdds, share: int = 1) -> Odds:
    """Return the odds. `share` divides the work of one question."""
    return exactly(battle, about) or simulated(battle, about, share=share)


def _assumed(battle: BattleNow, about: AboutOdds) -> Iterator[Said]:
    yield HOLDING if choices.idle_armies(battle, about) else LASTING
    for army, retreat in about.retreats.items():
        name = battle.armies[army].name if army in battle.armies else army
        if retreat.after is not None:
            yield say(WITHDRAWS, army=name, rounds=retreat.after)
        if retreat.health is not None:
            yield say(_("{army}: withdrawal with {force} of the force left, or less."), army=name, force=retreat.health)


def _beliefs(battle: BattleNow, viewer: Viewer) -> Iterator[Said]:
    hidden = hidden_from(battle, viewer)
    if names := [battle.armies[army].name for army in hidden]:
        yield say(BELIEVED, armies=", ".join(names))

"""Battle law of breaking point (`rules.law.BattleLaw`), and the reasons why an automatic advance of a battle stops
(halts).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from rules.aftermath import BattleTolls
from rules.breaking_point.battle.aftermath import World, proposed
from rules.breaking_point.battle.aftermath.settled import settled
from rules.breaking_point.battle.decide import decide
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.orders.legal import (
    ATTACK,
    SHOOT,
    HostChoices,
    LegalFight,
    check_order,
    host_choices,
    is_possible,
    legal_now,
)
from rules.breaking_point.battle.secrecy import seen, witnessed
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    COMMAND,
    FIGHTING,
    HOLD,
    QUIET_MOST,
    ROUND,
    ROUTED,
    BattleNow,
    Body,
    FieldMark,
    Formation,
    Heart,
    Opening,
    Order,
    Phase,
    Result,
    Side,
    Status,
)
from rules.breaking_point.battle.state.conditions import UNTESTED
from rules.breaking_point.battle.state.entering import battle_of
from rules.breaking_point.battle.state.fold import fold
from rules.breaking_point.battle.state.opening import checked
from rules.breaking_point.battle.steps.phase import dusk_of
from rules.breaking_point.battle.telling.narrate import afterwards, described, fought, luck_of
from rules.breaking_point.battle.telling.summary import figures_of_all, stage_of, status_of, summary_of, verdict_of
from rules.breaking_point.battle.telling.words import STATUS_WORDS, body_name, phase_label
from rules.breaking_point.spec import Host, House
from rules.core.dice import Dice
from rules.core.errors import Refusal
from rules.core.odds import NO_ODDS, OddsLaw
from rules.core.text import Said, Term, _, say
from rules.law import (
    BattleLaw,
    Closed,
    Figures,
    Halt,
    LogEntry,
    Selection,
    Sequel,
    Shapes,
    Stage,
    Summary,
    ThrownAnew,
    Verdict,
    Viewer,
)
from rules.pending import ARMY, NEW_CHOICES, NEW_ORDERS, ORDER

# Halts of a battle that advances by itself: orders to reconsider, and rounds that may end it.


def repeat_orders(before: BattleNow, after: BattleNow) -> Iterator[GiveOrder]:
    """Yield last round's orders again for armies without new ones, except committing a reserve, which happens once."""
    if before.phase.kind != ROUND or after.phase.kind != ROUND:
        return
    owners = after.owners()
    for army, order in before.orders.items():
        if army in owners and army not in after.orders and any(body.on_field for body in after.of_army(army)):
            yield GiveOrder(repeat_order(after, order))


def as_possible(battle: BattleNow, order: Order) -> Order:
    """Return the order with every body holding that can no longer act as it says. An order of which nothing is left
    stays as it is: it is refused with the reason.
    """
    bodies = {
        key: given
        if is_possible(battle, battle.bodies[f"{order.army}:{key}"], given)
        else given._replace(do=HOLD.do, target="")
        for key, given in order.bodies.items()
    }
    left = any(given.do in (ATTACK, SHOOT) for given in bodies.values())
    return replace(order, bodies=bodies) if left else order


def repeat_order(after: BattleNow, order: Order) -> Order:
    """Return the order without bodies that have left the field or are routed."""
    standing = {body.key for body in after.of_army(order.army) if body.on_field and body.status != ROUTED}
    bodies = {key: given for key, given in order.bodies.items() if key in standing}
    rallied = {body.key for body in after.of_army(order.army) if body.rallied}
    return replace(order, bodies=bodies, commit=False, rally="" if order.rally in rallied else order.rally)


LAST_QUIET = _(
    "No group has an order to attack, and one more round without an attack ends the battle as a draw. Order an attack, "
    "or resolve this round by itself."
)


def find_breaks(events: Iterable[e.Event], after: BattleNow) -> Iterator[Halt]:
    """Yield a halt for each body that broke, with what became of it. Armies that left the field are told elsewhere."""
    for broken in dict.fromkeys(event.body for event in events if isinstance(event, e.Broke)):
        body = after.bodies.get(broken)
        if body is not None and body.status == FIGHTING:
            yield Halt(ARMY, say(_("{body}: broken, but rallied."), body=body_name(after, body)))
        elif body is not None and status_of(after, body.army) == FIGHTING:
            fate = STATUS_WORDS[body.status]
            yield Halt(ARMY, say(_("{body}: broken, {fate}."), body=body_name(after, body), fate=fate))


def find_order_halts(before: BattleNow, after: BattleNow, viewer: Viewer) -> Iterator[Halt]:
    """Yield halts for orders that this viewer must change, or can give now but could not before. States are as the
    viewer sees them.
    """
    if after.phase.kind != ROUND:
        return
    if before.phase.kind != ROUND:
        yield Halt(ORDER, say(NEW_ORDERS, phase=phase_label(*after.phase)))
        return
    refused = list(_refused(before, after, viewer))
    yield from refused
    asked = {halt.army for halt in refused}
    for army in after.owners():
        if viewer.commands(army) and army not in asked and _options(after, army) - _options(before, army):
            yield Halt(ORDER, say(NEW_CHOICES, army=after.armies[army].name), army)
    yield from _last_rounds(after)


def _refused(before: BattleNow, after: BattleNow, viewer: Viewer) -> Iterator[Halt]:
    """Yield halts for orders that cannot be repeated."""
    for command in repeat_orders(before, after):
        army = command.order.army
        if not viewer.commands(army):
            continue
        try:
            check_order(after, command.order, viewer)
        except Refusal as refusal:
            name = after.armies[army].name
            yield Halt(ORDER, say(_("{army}: new orders needed. {why}"), army=name, why=refusal.message), army)


def _options(battle: BattleNow, army: str) -> frozenset[tuple[str, ...]]:
    return frozenset(_slugs(host_choices(battle, army)))


def _slugs(choices: HostChoices) -> Iterator[tuple[str, ...]]:
    for body in choices.bodies:
        yield from (("attack", body.key, aim.body) for aim in body.attack if aim.why_not is None)
        yield from (("shoot", body.key, aim.body) for aim in body.shoot if aim.why_not is None)
    yield from (("withdraw",) for _allowed in range(choices.may_withdraw))
    yield from (("commit",) for _allowed in range(choices.may_commit))


def _last_rounds(after: BattleNow) -> Iterator[Halt]:
    """Yield a halt if the next round ends the battle unless something changes (B-45)."""
    said: Said | None = None
    if after.quiet + 1 >= QUIET_MOST:
        said = _("Nobody attacked. One more quiet round ends the battle.")
    elif after.phase.number >= dusk_of(after):
        said = _("The next round is the last: night falls.")
    if said is not None:
        yield Halt(ORDER, said)


def why_quiet(battle: BattleNow) -> Said | None:
    """Return why the battle waits: with these orders nobody attacks, and that would end it (B-45). None otherwise."""
    if battle.phase.kind != ROUND or battle.quiet + 1 < QUIET_MOST:
        return None
    leaving = any(order.withdraw for order in battle.orders.values())
    acting = any(_acts(battle, order) for order in battle.orders.values())
    return None if leaving or acting else LAST_QUIET


def _acts(battle: BattleNow, order: Order) -> bool:
    """Whether a body of this order does anything but hold."""
    bodies = ((battle.bodies.get(f"{order.army}:{key}"), given) for key, given in order.bodies.items())
    return any(body and given.do != HOLD.do and is_possible(battle, body, given) for body, given in bodies)


# `rules.law.BattleLaw` of breaking points.

# Snapshot of a battle's state, as it is stored between commands: what the events have made, without the opening.


@dataclass(frozen=True, slots=True)
class FrozenBody:
    """`Body`, with its formation only if the opening does not have it."""

    id: str
    force: int
    breaking: int | None
    value: int | None
    losses: int
    status: Status
    penalty: int
    rests: int
    came: int
    rallied: bool
    sheltered: bool
    saved: bool
    hearts: tuple[Heart, ...]
    adjusted: Mapping[str, int]
    masked: bool
    formation: Formation | None = None
    shares: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FrozenFight:
    """`BattleNow` without its opening and house rules. `joined` are armies that the opening does not have."""

    phase: Phase
    sides: tuple[Side, ...]
    bodies: tuple[FrozenBody, ...]
    joined: tuple[Host, ...]
    conditions: tuple[FieldMark, ...]
    distance: str
    orders: Mapping[str, Order]
    scores: tuple[int | None, ...]
    surprised: frozenset[int]
    due: frozenset[str]
    melees: tuple[tuple[str, str], ...]
    fought: tuple[tuple[str, str], ...]
    quiet: int
    phases: tuple[Phase, ...]
    result: Result | None
    masked: frozenset[str] = field(default_factory=frozenset)


OF_BODY = tuple(one.name for one in fields(FrozenBody) if one.name not in ("id", "formation"))
OF_BATTLE = tuple(one.name for one in fields(FrozenFight) if one.name not in ("bodies", "joined"))


def freeze(battle: BattleNow) -> FrozenFight:
    known = {formation.id: formation for formation in battle.opening.formations}
    listed = {host.id for host in battle.opening.armies}
    bodies = tuple(
        FrozenBody(
            id=body.id,
            formation=None if known.get(body.id) == body.formation else body.formation,
            **{name: getattr(body, name) for name in OF_BODY},
        )
        for body in battle.bodies.values()
    )
    joined = tuple(host for host in battle.armies.values() if host.id not in listed)
    return FrozenFight(bodies=bodies, joined=joined, **{name: getattr(battle, name) for name in OF_BATTLE})


def thaw(opening: Opening, house: House, frozen: FrozenFight) -> BattleNow:
    """Restore the state from a snapshot. It equals the fold of all events up to then."""
    known = {formation.id: formation for formation in opening.formations}
    bodies = {one.id: _thawed(one, one.formation or known[one.id]) for one in frozen.bodies}
    armies = {host.id: host for host in (*opening.armies, *frozen.joined)}
    return BattleNow(
        opening, house, armies=armies, bodies=bodies, **{name: getattr(frozen, name) for name in OF_BATTLE}
    )  # fmt: skip


def _thawed(frozen: FrozenBody, formation: Formation) -> Body:
    """Restore a body. A waiting body has not come onto the field, whatever older snapshots say."""
    body = Body(formation, **{name: getattr(frozen, name) for name in OF_BODY})
    return replace(body, came=0) if body.waiting and body.came else body


SHAPES = Shapes(opening=Opening, command=c.Command, event=e.Event, frozen=FrozenFight, untold={e.Attacked: ("meets",)})


def army_of(command: c.Command) -> str:
    """Return the army whose commander may give this command, "" for the GM's."""
    if isinstance(command, c.GiveOrder):
        return command.order.army
    return command.army if isinstance(command, c.ShareLosses) else ""


@dataclass(frozen=True, slots=True)
class Fights(BattleLaw):
    """Battles of breaking points: everybody gives orders in secret, the GM resolves the round (B-19)."""

    house: House = field(default_factory=House)
    shapes: Shapes = SHAPES
    forecast: OddsLaw = NO_ODDS

    def check(self, opening: Opening) -> Opening:
        return checked(opening)

    def open(self, opening: Opening) -> BattleNow:
        return battle_of(opening, self.house)

    def decide(self, state: BattleNow, command: c.Command, dice: Dice, viewer: Viewer) -> tuple[e.Event, ...]:
        return decide(state, command, dice, viewer)

    def fold(self, state: BattleNow, events: Iterable[e.Event]) -> BattleNow:
        return fold(state, events)

    def freeze(self, state: BattleNow) -> FrozenFight:
        return freeze(state)

    def thaw(self, opening: Opening, frozen: FrozenFight) -> BattleNow:
        return thaw(opening, self.house, frozen)

    def figures(self, state: BattleNow) -> Figures:
        return figures_of_all(state)

    def seen(self, state: BattleNow, viewer: Viewer) -> BattleNow:
        return seen(state, viewer)

    def witnessed(self, state: BattleNow, event: e.Event, viewer: Viewer) -> e.Event | None:
        return witnessed(state, event, viewer)

    def legal(self, state: BattleNow, viewer: Viewer, selection: Selection = ()) -> LegalFight:
        """Return all choices at once. Nothing has to be picked first."""
        return legal_now(state, viewer)

    def allows(self, state: BattleNow, command: c.Command, viewer: Viewer) -> bool:
        """Whether the viewer may give the command. Only the GM gives other ones than orders and sharing of losses."""
        return viewer.gm or viewer.commands(army_of(command))

    def revocable(self, command: c.Command, events: Sequence[e.Event]) -> bool:
        """Whether the commander may undo it: an order not carried out yet, or their sharing of losses."""
        return bool(army_of(command))

    def bears(self, command: c.Command, since: Sequence[c.Command]) -> bool:
        """Whether the command still holds: since then others have only given orders to, or shared losses of, other
        armies (B-22).
        """
        army = army_of(command)
        return bool(army) and all(army_of(other) not in ("", army) for other in since)

    def describe(self, state: BattleNow, event: e.Event) -> LogEntry:
        if isinstance(event, Closed | ThrownAnew):
            return replace(BattleLaw.describe(self, state, event), begins=afterwards())
        return described(state, event)

    def summary(self, state: BattleNow) -> Summary:
        return summary_of(state)

    def stage(self, kind: str, number: int) -> Stage:
        return stage_of(Phase(kind, number))

    @property
    def status_words(self) -> Mapping[str, Term]:
        return STATUS_WORDS

    def decisive(self, state: BattleNow, events: Sequence[e.Event]) -> bool:
        return fought(events)

    def verdict(self, before: BattleNow, events: Sequence[e.Event], after: BattleNow) -> Verdict:
        return verdict_of(before, events, after)

    def onward(self, state: BattleNow) -> c.Command | None:
        return c.Resolve() if state.phase.kind in (COMMAND, ROUND) else None

    def repeated(self, before: BattleNow, after: BattleNow) -> Sequence[c.GiveOrder]:
        """Return the last round's orders again. Orders last one round (B-22)."""
        return tuple(GiveOrder(as_possible(after, one.order)) for one in repeat_orders(before, after))

    def why_wait(self, state: BattleNow) -> Said | None:
        """Return the warning before a round without an attack that would end the battle (B-45)."""
        return why_quiet(state)

    def empty(self, state: BattleNow) -> bool:
        """Whether the command phase is empty: without a command test nobody withdraws and nothing is rolled (B-24)."""
        return self.house.empty_phases and state.phase.kind == COMMAND and state.holds(UNTESTED)

    def halts(self, before: BattleNow, events: Sequence[e.Event], after: BattleNow, viewer: Viewer) -> Sequence[Halt]:
        """Return the usual halts, bodies that broke, and orders to reconsider."""
        usual = BattleLaw.halts(self, before, events, after, viewer)
        return (*usual, *find_breaks(events, after), *find_order_halts(before, after, viewer))

    def luck(self, state: BattleNow, events: Iterable[e.Event]) -> Mapping[int, float]:
        return luck_of(state, events)

    def reinforcement(self, army: Host, side: int) -> c.Reinforce:
        return c.Reinforce(army, side)

    def aftermath(self, state: BattleNow, world: World, choices: Mapping[str, str], dice: Dice) -> Sequel:
        return proposed(state, world, choices, dice)

    def settle(
        self, tolls: BattleTolls, armies: Mapping[str, Host], world: World, choices: Mapping[str, str], dice: Dice
    ) -> Sequel:
        return settled(self.house, tolls, armies, world, choices, dice)

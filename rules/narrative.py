"""Narrative of a war: the sentences that tell a battle, and those that sum up a season.

Which of several wordings is used depends on the battle's `key` alone, so a story always reads the same. Names are
inserted unchanged: no sentence depends on their number or gender, in English or in French.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.core.text import Said, Term, UnitName, _, by_number, closed, say

MOST_SENTENCES = 5
NAMED = 3  # armies of a side; the others are counted
BITS = 5  # bits of the key used for each choice of a wording

MEETINGS = (
    _("On {date}, {sides} met in battle."),
    _("{sides} came to blows on {date}."),
    _("On {date}, battle broke out between {sides}."),
    _("The armies of {sides} met on {date}."),
)
FACINGS = (
    _("On {date}, {sides} faced each other."),
    _("{sides} stood face to face on {date}."),
)
"""How a battle begins that ended before the first blow."""
ONGOING = (
    _("{sides} have been fighting since {date}, and nothing is decided yet."),
    _("The battle between {sides}, begun on {date}, is not over yet."),
)
LINEUPS = (
    _("{armies} fought for {side}, {others} for {other}."),
    _("On one side stood {armies} for {side}; on the other, {others} for {other}."),
    _("{side} fielded {armies}; {other} fielded {others}."),
)
NAMESAKES = _("On one side stood {armies}; on the other, {others}.")
TURNS = (
    _("It all came down to {phase}: {moment}"),
    _("{phase} turned the battle: {moment}"),
    _("The turning point was {phase}: {moment}"),
)
WINS = (_("Victory went to {winner}."), _("{winner} won the day."), _("The field belonged to {winner}."))
EASY_WINS = (
    _("It was a clear victory for {winner}."),
    _("{winner} swept the field."),
    _("{winner} won, and won easily."),
)
DEAR_WINS = (
    _("{winner} won, at a higher price than the enemy paid."),
    _("Victory went to {winner}, but it was dearly bought."),
)
DRAWS = (_("Nobody won."), _("It ended without a winner."), _("Neither victory nor defeat came of it."))
COSTS = (_("In the end, {costs}."), _("When it was over, {costs}."), _("All told, {costs}."))
NO_COST = (_("No side took any losses."), _("Nobody lost anything."))
DEATHS = (_("{names} fell."), _("{names} did not live to see the end."))
CAPTURES = (_("{names} fell into enemy hands."), _("The enemy captured {names}."))


class LossPart(NamedTuple):
    """Wording of a side's losses up to `most` percent. `after`: wording if another side was named before; `each`:
    wording for all sides together.
    """

    most: int
    full: Term
    after: Term
    each: Term


PARTS = (
    LossPart(0, _("{side} had lost nothing"), _("{side} nothing"), _("each side had lost nothing")),
    LossPart(
        24, _("{side} had lost less than a quarter of its strength"), _("{side} less than a quarter"),
        _("each side had lost less than a quarter of its strength"),
    ),
    LossPart(
        49, _("{side} had lost more than a quarter of its strength"), _("{side} more than a quarter"),
        _("each side had lost more than a quarter of its strength"),
    ),
    LossPart(
        74, _("{side} had lost more than half of its strength"), _("{side} more than half"),
        _("each side had lost more than half of its strength"),
    ),
    LossPart(
        99, _("{side} had lost more than three quarters of its strength"), _("{side} more than three quarters"),
        _("each side had lost more than three quarters of its strength"),
    ),
    LossPart(100, _("{side} had lost everything"), _("{side} everything"), _("each side had lost everything")),
)  # fmt: skip
"""The limits are those of health in words, so they tell nothing more."""
FRACTIONS = PARTS[1:-1]
BEATEN, LIGHT = 75, 25  # percent lost by the beaten at least, by the winner at most, for an easy victory

AND = _("{some} and {last}")
LED = _("{army} under {leader}")
OTHERS = by_number("{count} other army", "{count} other armies")


class ArmyTold(NamedTuple):
    """An army by its name. `leader`: "" if the reader knows none."""

    name: str
    leader: str = ""


class SideTold(NamedTuple):
    """A side, as a reader saw it. `lost`: percent of its strength, None if hidden from the reader."""

    name: str
    armies: tuple[ArmyTold, ...]
    lost: int | None = None


class BattleTold(NamedTuple):
    """Facts of a battle that a reader knows, for its story. `turn`: the phase that decided it and what happened then;
    `reason`: why it ended without a winner. `dead`, `captured`: leaders.
    """

    key: int
    date: Said
    sides: tuple[SideTold, ...]
    over: bool = True
    winner: int | None = None
    turn: tuple[Said, Said | str] | None = None
    reason: Said | str = ""
    dead: tuple[UnitName, ...] = ()
    captured: tuple[UnitName, ...] = ()


def tell_battle(told: BattleTold) -> tuple[Said | str, ...]:
    """The paragraph about a battle: two to five sentences, one for a battle that is still fought."""
    sides = join_names([side.name for side in told.sides])
    if not told.over:
        return (say(_pick(ONGOING, told, 0), sides=sides, date=told.date),)
    fought = told.winner is not None or told.turn is not None or any(side.lost != 0 for side in told.sides)
    meeting = say(_pick(MEETINGS if fought else FACINGS, told, 0), sides=sides, date=told.date)
    rest = (*_turn(told), _end(told), *_cost(told), *_fates(told))
    lineup = tuple(_lineup(told)) if fought and len(rest) + 2 <= MOST_SENTENCES else ()
    return (meeting, *lineup, *rest)[:MOST_SENTENCES]


def tell_result(told: BattleTold) -> tuple[Said | str, ...]:
    """Return the sentences on the end of a battle and its losses."""
    return (_end(told), *_cost(told), *_fates(told))


def join_names(names: Sequence[Said | str]) -> Said | str:
    """ "A", "A and B", "A, B and C"."""
    return names[0] if len(names) == 1 else say(AND, some=tuple(names[:-1]), last=names[-1])


def _pick(wordings: Sequence[Term], told: BattleTold, place: int) -> Term:
    """The battle's own of these. `place`: of the sentence in the paragraph."""
    return wordings[(told.key >> (BITS * place)) % len(wordings)]


def _lineup(told: BattleTold) -> Iterator[Said]:
    """Yield a sentence with the armies and leaders of both sides, unless the sides' names say it already."""
    if len(told.sides) != 2 or not all(side.armies for side in told.sides):
        return
    side, other = told.sides
    if all(_says_its_name(one) and not one.armies[0].leader for one in told.sides):
        return
    if any(_says_its_name(one) for one in told.sides):
        yield say(NAMESAKES, armies=_armies(side), others=_armies(other))
        return
    wording = _pick(LINEUPS, told, 1)
    yield say(wording, side=side.name, armies=_armies(side), other=other.name, others=_armies(other))


def _says_its_name(side: SideTold) -> bool:
    """Whether the side's only army has the side's own name."""
    return [army.name for army in side.armies] == [side.name]


def _armies(side: SideTold) -> Said | str:
    named = side.armies if len(side.armies) <= NAMED + 1 else side.armies[:NAMED]
    told: list[Said | str] = [say(LED, army=one.name, leader=one.leader) if one.leader else one.name for one in named]
    if more := len(side.armies) - len(named):
        told.append(say(OTHERS, count=more))
    return join_names(told)


def _turn(told: BattleTold) -> Iterator[Said]:
    if told.turn:
        phase, moment = told.turn
        yield say(_pick(TURNS, told, 2), phase=phase, moment=moment)


def _end(told: BattleTold) -> Said | str:
    if told.winner is None:
        return closed(told.reason) if told.reason else _pick(DRAWS, told, 3)
    own = told.sides[told.winner].lost
    beaten = [side.lost for place, side in enumerate(told.sides) if place != told.winner]
    return say(_pick(_wins(own, beaten), told, 3), winner=told.sides[told.winner].name)


def _wins(own: int | None, beaten: Sequence[int | None]) -> Sequence[Term]:
    """Return the wording of a victory: easy, costly, or neutral if the reader does not know the losses."""
    known = [lost for lost in beaten if lost is not None]
    if own is None or len(known) < len(beaten) or not known:
        return WINS
    if min(known) >= BEATEN and own < LIGHT:
        return EASY_WINS
    return DEAR_WINS if own > max(known) else WINS


def _cost(told: BattleTold) -> Iterator[Said]:
    known = [(side.name, side.lost) for side in told.sides if side.lost is not None]
    if not known:
        return
    if not any(lost for _name, lost in known) and len(known) == len(told.sides):
        yield _pick(NO_COST, told, 4)
        return
    yield say(_pick(COSTS, told, 4), costs=_costs(known, whole=len(known) == len(told.sides)))


def _costs(known: Sequence[tuple[str, int]], *, whole: bool) -> Said | str:
    """Return the losses of these sides in words: one phrase for all if they are alike, else one for each."""
    parts = [_part(lost) for _name, lost in known]
    if whole and len(set(parts)) == 1:
        return parts[0].each
    before = [None, *parts[:-1]]
    short = [part in FRACTIONS and last in FRACTIONS for part, last in zip(parts, before, strict=True)]
    return join_names(
        [
            say(part.after if brief else part.full, side=name)
            for (name, _lost), part, brief in zip(known, parts, short, strict=True)
        ]
    )


def _part(lost: int) -> LossPart:
    return next(part for part in PARTS if lost <= part.most)


def _fates(told: BattleTold) -> Iterator[Said]:
    if told.dead:
        yield say(_pick(DEATHS, told, 5), names=join_names(told.dead))
    if told.captured:
        yield say(_pick(CAPTURES, told, 6), names=join_names(told.captured))


# What a season comes to.

ALL_WON = _("The season saw {count} battles, and {side} won them all.")
MOST_WON = _("The season saw {count} battles; {side} won {won} of them.")
EVEN = _("The season saw {count} battles, and nobody came out ahead.")


def tell_season(winners: Sequence[str | None]) -> Said | None:
    """Sum up the finished battles of a season by their winners; None for fewer than two battles."""
    count = len(winners)
    if count < 2:
        return None
    won = Counter(winner for winner in winners if winner).most_common(2)
    if not won or (len(won) == 2 and won[0][1] == won[1][1]):
        return say(EVEN, count=count)
    side, most = won[0]
    return say(ALL_WON, count=count, side=side) if most == count else say(MOST_WON, count=count, side=side, won=most)

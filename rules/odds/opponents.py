"""Computer opponents: what each leaning chooses from a table of choices, and why, under any law."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, assert_never

from rules.core.odds import BALANCED, BOLD, CAUTIOUS, RECKLESS, Leaning, OddsTable, Proposal, percent
from rules.core.text import Said, Term, _, say
from rules.law import Viewer
from rules.odds.viewer_forecast import FieldNow, guesses_of

LEANINGS: Mapping[Leaning, Term] = {
    BALANCED: _("balanced"),
    CAUTIOUS: _("cautious"),
    BOLD: _("bold"),
    RECKLESS: _("reckless"),
}
MEANT: Mapping[Leaning, Term] = {
    BALANCED: _("draws from the optimal mix: nothing does better against a good player, or is harder to predict"),
    CAUTIOUS: _("picks what wins most often against the enemy’s best answer"),
    BOLD: _("picks what wins most often if all answers of the enemy are equally likely"),
    RECKLESS: _("picks what costs the enemy most in the next phase, whatever its own losses"),
}
SURE = 0.995
"""Share of a mix from which it counts as a single choice."""
TOLD = 0.005


class Chosen(NamedTuple):
    slug: str
    why: Said


def proposals_of(now: FieldNow, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> tuple[Proposal, ...]:
    """Return the engine's orders for a side, computed from the likeliest world its commander may believe in."""
    guess = max(guesses_of(now, viewer), key=lambda guess: guess.weight)
    return tuple(now.battle.forecast.proposals(guess.state, side, leaning, viewer, seed))


def choose(table: OddsTable, leaning: Leaning, seed: str, left: Callable[[str], float]) -> Chosen:
    """Return the choice of the table's row. `left` is the health the enemy probably has left after the next phase, by
    choice.
    """
    match leaning:
        case "balanced":
            return _drawn(table, seed)
        case "cautious":
            return _best(table, lambda wins: (min(wins), _mean(wins)), CAUTIOUSLY)
        case "bold":
            return _best(table, lambda wins: (_mean(wins), min(wins)), BOLDLY)
        case "reckless":
            return _fiercest(table, left)
        case _:
            assert_never(leaning)


MIXED = _("optimal mix: {mix}; drawn: {choice}")
PURE = _("{choice} is best against a good player")
CAUTIOUSLY = _("{choice} wins {chance} at worst, more than anything else")
BOLDLY = _("{choice} wins {chance} if all answers are equally likely, more than anything else")
FIERCELY = _("{choice} costs the enemy most in the next phase")
SHARE = _("{share} {choice}")


def _drawn(table: OddsTable, seed: str) -> Chosen:
    shares = [(share, row) for row, share in enumerate(table.row_mix) if share > 0]
    row = drawn([share for share, _row in shares], f"{seed}|{table.row}|{table.kind}")
    choice = table.rows[shares[row][1]]
    if max(table.row_mix) >= SURE:
        return Chosen(choice.slug, say(PURE, choice=choice.name))
    told = sorted((pair for pair in shares if pair[0] >= TOLD), key=lambda pair: -pair[0])
    mix = tuple(say(SHARE, share=percent(share), choice=table.rows[row].name) for share, row in told)
    return Chosen(choice.slug, say(MIXED, mix=mix, choice=choice.name))


def drawn(shares: Sequence[float], seed: str) -> int:
    """Draw an index with these weights. The seed decides: the result is the same on every machine."""
    fell = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7], "big") / 2**56 * sum(shares)
    for index, share in enumerate(shares):
        fell -= share
        if fell < 0:
            return index
    return len(shares) - 1


def _best(table: OddsTable, worth: Callable[[list[float]], tuple[float, float]], why: Term) -> Chosen:
    """Return the first of the best rows. The first number of `worth` is told as the chance."""
    found = {row: worth(wins) for row in range(len(table.rows)) if (wins := _wins(table, row))}
    best = max(found, key=lambda row: (*(round(number, 9) for number in found[row]), -row))
    choice = table.rows[best]
    return Chosen(choice.slug, say(why, choice=choice.name, chance=percent(found[best][0])))


def _fiercest(table: OddsTable, left: Callable[[str], float]) -> Chosen:
    open_to = {row: table.rows[row] for row in range(len(table.rows)) if _wins(table, row)}
    found = {row: left(choice.slug) for row, choice in open_to.items()}
    best = min(found, key=lambda row: (round(found[row], 9), -_mean(_wins(table, row)), row))
    choice = open_to[best]
    return Chosen(choice.slug, say(FIERCELY, choice=choice.name))


def _wins(table: OddsTable, row: int) -> list[float]:
    """Return the row's chances against each open answer; empty if the row is barred."""
    return [chance for chance in table.win[row] if chance is not None]


def _mean(wins: Sequence[float]) -> float:
    return sum(wins) / len(wins)

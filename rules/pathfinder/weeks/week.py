"""A day and a week of an army: rest, disease, what is due, who is paid, morale (PF-7, PF-2.7, PF-1.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.text import Said, _
from rules.pathfinder.spec import AbilityChoice, breaks, clamped
from rules.pathfinder.weeks.week_state import DISBANDED, ArmyNow

# A day: rest, what grows back by itself, and disease (PF-7.1, PF-7.3, PF-7.5).

HOURS = 24


def rest_lines(acr: int, *, rallied: bool = False) -> Breakdown:
    """What a day of rest heals: ACR, again when the kingdom's Loyalty check passed; at least 1 each (PF-7.1)."""
    gain = max(1, acr)
    lines = Breakdown().plus(_("A day of rest: ACR"), gain, "PF-7.1")
    return lines.plus(_("Loyalty check passed: ACR again"), gain if rallied else 0, "PF-7.1")


def regrowth_lines(abilities: Iterable[AbilityChoice]) -> Breakdown:
    """Hit points that come back by themselves in a day out of battle (PF-7.5)."""
    lines = Breakdown()
    for choice in abilities:
        lines = lines.plus(*_regrown(choice))
    return lines


def _regrown(choice: AbilityChoice) -> tuple[Said, int, str]:
    """Fast healing its value, regeneration half of it and at least 1 (R-74), each hour."""
    match choice.ability, choice.value or 0:
        case "fast-healing", value:
            return _("Fast healing, each hour"), HOURS * value, "PF-7.5"
        case "regeneration", value if value:
            return _("Regeneration, each hour"), HOURS * max(1, value // 2), "PF-7.5"
    return _("Nothing more"), 0, "PF-7.5"


def limit(hp_max: int, *, half: bool) -> int:
    """Recovery goes up to here: all hit points, or half of them where the house rule says so (PF-7.1)."""
    return hp_max // 2 if half else hp_max


def healed(hp: int, gain: int, most: int) -> int:
    """Hit points after a gain that does not go beyond `most`. What is above it already stays."""
    return max(hp, min(most, hp + gain))


def shrunk(penalty: int, days: int) -> int:
    """The penalty of a disease that was cured: 1 less each day (PF-7.3)."""
    return max(0, penalty - days)


def week_due(army: ArmyNow, *, land: bool = False, feast: bool = False) -> Breakdown:
    """BP this army costs this week: Consumption, less what it finds, plus the potions it drank (PF-7.2).

    Living off the land halves Consumption, at least 1; cannibals then need 1 less, at least 0. Potions are
    bought, not found: their surcharge comes last and is never halved (R-73). What costs nothing by the house
    rules goes on costing nothing (R-83).
    """
    lines = Breakdown().plus(_("Consumption"), army.consumption, "PF-1.7")
    if land:
        lines = lines.plus(_("Lives off the land"), min(0, max(1, lines.total // 2) - lines.total), "PF-2.9")
    if feast:
        lines = lines.plus(_("Cannibalizes"), max(0, lines.total - 1) - lines.total, "PF-9")
    return lines.plus(_("Potions drunk"), army.surcharge, "R-22")


class Claim(NamedTuple):
    """What an army asks of its treasury: this week's BP, old debts, and this week's again if it has no leader."""

    army: str
    due: int
    owed: int = 0
    double: bool = False


class Paid(NamedTuple):
    """Which of its claims were met."""

    week: bool
    arrears: bool = False
    double: bool = False


def share_out(treasury: int, claims: Iterable[Claim], first: Sequence[str] = ()) -> dict[str, Paid]:
    """Who is paid from what the treasury holds; it never goes below 0 for its armies.

    First every army's week, then old debts, then the second pay of the leaderless. Within each: the armies
    named first, in their order, then the cheapest, so that as few as possible go without; equal ones by id.
    Each claim is met whole or not at all.
    """
    claims = list(claims)
    places = {army: place for place, army in enumerate(first)}
    purse = _Purse(treasury, places)
    week = purse.meet(claims, lambda claim: claim.due)
    arrears = purse.meet((claim for claim in claims if claim.owed), lambda claim: claim.owed)
    double = purse.meet((claim for claim in claims if claim.double and claim.army in week), lambda claim: claim.due)
    return {
        claim.army: Paid(claim.army in week, not claim.owed or claim.army in arrears, claim.army in double)
        for claim in claims
    }


class _Purse:
    def __init__(self, treasury: int, places: Mapping[str, int]):
        self._left = max(0, treasury)
        self._places = places

    def meet(self, claims: Iterable[Claim], amount: Callable[[Claim], int]) -> set[str]:
        """The armies whose claim is met, in order of precedence."""
        met = set()
        for claim in sorted(claims, key=lambda claim: self._rank(claim.army, amount(claim))):
            if amount(claim) <= self._left:
                self._left -= amount(claim)
                met.add(claim.army)
        return met

    def _rank(self, army: str, amount: int) -> tuple[int, int, str]:
        place = self._places.get(army)
        return (place, 0, "") if place is not None else (len(self._places), amount, army)


@dataclass(frozen=True, slots=True)
class WeekEnd:
    """An army after its week. `spent`: BP it took from the treasury. `surcharge` is always settled."""

    morale: int
    disbanded: bool
    arrears: bool
    owed: int
    spent: int
    surcharge: int = 0


def end_of_week(army: ArmyNow, *, due: int, paid: Paid, led: bool) -> WeekEnd:
    """What pay and leadership make of an army (PF-7.2, PF-2.7).

    Arrears weigh 2 on Morale as long as anything is owed, however much. Morale of −5 or less, arrears
    included, disbands the army; tested before the figure is clamped (PF-1.9).
    """
    owed = (0 if paid.arrears else army.owed) + (0 if paid.week else due)
    morale = army.morale - (0 if led or paid.double else 1)
    spent = due * (paid.week + paid.double) + (army.owed if paid.arrears else 0)
    return WeekEnd(
        morale=clamped(morale),
        disbanded=breaks(morale, owed > 0),
        arrears=owed > 0,
        owed=owed,
        spent=spent,
    )


def status_after(army: ArmyNow, end: WeekEnd) -> str:
    return DISBANDED if end.disbanded else army.status

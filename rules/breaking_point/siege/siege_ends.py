"""Ends of sieges: by terms, by storm, by relief, by departure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from rules.breaking_point.dice import need_of, ratio_bonus, throw, worth
from rules.breaking_point.figures import body_figures, served
from rules.breaking_point.lines import TERMS, led_lines
from rules.breaking_point.losses import SURRENDERED, lasting, men_out, toll
from rules.breaking_point.siege.events import SiegeLifted, Surrendered, TermsHeard
from rules.breaking_point.siege.siege_state import (
    ASSAULT,
    BESIEGER,
    BROKEN,
    FALLEN,
    FOUGHT,
    GARRISON,
    HONOURS,
    LIFTED,
    OPEN,
    SORTIE,
    STATUSES,
    TAKEN,
    UNCONDITIONAL,
    Siege,
    SiegeParty,
    Troops,
)
from rules.breaking_point.siege.week import hold_weeks
from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, DiceNeeded
from rules.core.errors import demand, require
from rules.core.text import _

NO_FATES: Mapping[tuple[str, int], str] = {}
GOES_ON, FELL = "goes-on", "fell"
OUTCOMES = (GOES_ON, LIFTED, FELL)
"""What a battle of the siege may end in: it goes on, it is lifted, the place has fallen."""


def lift(siege: Siege) -> tuple[Siege, SiegeLifted]:
    """The besieger goes away: what was counted is nothing any more, losses stay (B-60)."""
    require(siege.status in (OPEN, BROKEN), _("This siege can’t be lifted: {status}."), status=STATUSES[siege.status])
    return replace(siege, status=LIFTED, weeks=0), SiegeLifted(siege.weeks)


def surrender(siege: Siege) -> tuple[Siege, Surrendered]:
    """The broken garrison gives up: all of it are prisoners (B-48, B-57)."""
    require(siege.status == BROKEN, _("The garrison hasn’t reached its breaking point."))
    return replace(siege, status=UNCONDITIONAL), Surrendered()


def assault(siege: Siege) -> Siege:
    """An assault begins (B-53). It is one on a place that is besieged, whose garrison still holds."""
    require(siege.status == OPEN, _("You can’t start an assault: {status}."), status=STATUSES[siege.status])
    return replace(siege, status=ASSAULT)


def sortie(siege: Siege) -> Siege:
    """The garrison comes out into the open field (B-56): of its own will, or as its last resort (B-57)."""
    require(siege.status in (OPEN, BROKEN), _("You can’t start a sortie: {status}."), status=STATUSES[siege.status])
    require(siege.garrison.heads, _("The garrison has nobody left for a sortie."))
    return replace(siege, status=SORTIE)


def relief(siege: Siege) -> Siege:
    """Somebody attacks the besieger in the open field; the garrison may join them (B-60)."""
    require(
        siege.status in (OPEN, BROKEN), _("You can’t start a relief battle: {status}."), status=STATUSES[siege.status]
    )
    return replace(siege, status=SORTIE)


def fought(siege: Siege, outcome: str) -> Siege:
    """A battle of the siege is over; its losses were taken back before (`fields`).

    `outcome`: one of `OUTCOMES`. A place whose garrison falls in a sortie, or is left broken, surrenders.
    """
    require(siege.status in FOUGHT, _("This siege has no battle in progress."))
    demand(outcome in OUTCOMES, _("Choose how the battle of the siege ended: {known}."), field="/outcome",
           known=", ".join(OUTCOMES))  # fmt: skip
    if outcome == LIFTED:
        return replace(siege, status=LIFTED, weeks=0)
    if outcome == FELL:
        return replace(siege, status=TAKEN if siege.status == ASSAULT else UNCONDITIONAL)
    broken = siege.garrison.lost >= siege.garrison.breaks_at
    return replace(siege, status=BROKEN if broken else OPEN)


def captured(siege: Siege) -> bool:
    """Whether the garrison are prisoners now (B-56): a place that was taken while nobody shut it in was fled from."""
    return siege.status == UNCONDITIONAL or (siege.status == TAKEN and siege.invested)


class UnitLeft(NamedTuple):
    """What a unit is left with: heads able to fight, wounded new to it, and dead; `prisoners` it has lost to the enemy.
    `pieces`: those that still have their share of crew, None where it serves none.
    """

    army: str
    nth: int
    strength: int
    wounded: int
    dead: int
    prisoners: int = 0
    pieces: int | None = None


type Fates = Mapping[tuple[str, int], str]
"""What became in the last battle of the bodies of units, by army and number, as battles call it."""


def winner_of(before: Siege, after: Siege) -> SiegeParty | None:
    """Who carried the day in the battle that ended it; None where it ended without one."""
    if before.status not in FOUGHT or after.running:
        return None
    return BESIEGER if falls(after) else GARRISON


def reckoned(siege: Siege, winner: SiegeParty | None = None, fates: Fates = NO_FATES) -> list[UnitLeft]:
    """What every unit is left with once the siege is over. The winner of the battle that ended it has half of their
    points back; of everybody else's losses half are dead, half wounded, and who fled leaves their wounded behind
    (B-48). A garrison that is captured stays together, its wounded with it.
    """
    sides = ((siege.garrison, GARRISON), (siege.contact, BESIEGER), (siege.shooting, BESIEGER))
    alike = {GARRISON: NO_FATES if captured(siege) else fates, BESIEGER: fates}
    return [left for troops, side in sides for left in _left(troops, alike[side], victor=side == winner)]


def _left(troops: Troops, fates: Fates, *, victor: bool) -> Iterator[UnitLeft]:
    parts = lasting(troops.lost, troops.points, victor=victor)
    for member, unit, points in zip(troops.members, troops.units, parts, strict=True):
        out = men_out(unit, points, troops.factor)
        standing, fate = unit.strength - out, fates.get((member.army, member.nth), "")
        dead, wounded, prisoners = toll(out, victor=victor, status=fate, standing=standing)
        left = 0 if fate == SURRENDERED and not victor else standing
        yield UnitLeft(member.army, member.nth, left, wounded, dead, prisoners, served(unit, left))


def falls(siege: Siege) -> bool:
    """Whether the place changes hands."""
    return siege.status in FALLEN


# Terms: negotiating a surrender (BP-8, B-59).


RULE = "B-59"
UNCONDITIONAL_BY = 5
LESS_A_TENTH = 2
HUNDRED, TWENTIETHS, BOUGHT_MOST = 100, 20, 4


class TermsOutcome(NamedTuple):
    siege: Siege
    event: TermsHeard


class Offer(NamedTuple):
    """Build Points that are paid if the terms are taken (B-80). `price`: of a hundred heads, in this campaign."""

    money: int = 0
    price: int = 0


NO_MONEY = Offer()


def terms(
    siege: Siege, dice: Dice, *, plain: bool = False, told: bool = False, offer: Offer = NO_MONEY
) -> TermsOutcome:
    """The besieger offers terms. Dice: their chief army's, name "terms". `told`: who throws it may know what it needs,
    by which the powers of both sides and the garrison's time can be reckoned (B-18).

    Raises `IllegalCommand` a second time in a week, for a garrison that hears none, and where the siege has an end;
    and for money where garrisons have no price.
    """
    require(siege.status == OPEN, _("You can’t negotiate now: {status}."), status=STATUSES[siege.status])
    require(siege.hears, _("The garrison won’t negotiate: it expects no mercy, or shares no language with you."))
    require(siege.heard != siege.age, _("You have already negotiated this week. Try again next week."))
    demand(offer.money >= 0, _("Offer 0 or more."), field="/money")
    require(not offer.money or offer.price, _("Garrisons have no price in this campaign: offer no money."),
            field="/money")  # fmt: skip
    rolls = throw(dice, siege.besieged_by, "terms", plain=plain)
    value, score, difficulty = worth(rolls, plain=plain), terms_score(siege, offer), terms_difficulty(siege)
    try:
        dice.checkpoint()
    except DiceNeeded as needed:
        place = siege.place.name
        need = need_of(place, rolls, score.total + value, difficulty.total, plain=plain) if told else None
        raise needed.explained([(rolls[-1], need)]) from None
    outcome = outcome_of(score.total + value - difficulty.total)
    heard = replace(siege, heard=siege.age, status=OPEN if outcome == "refused" else outcome)
    return TermsOutcome(heard, TermsHeard(rolls, value, score, difficulty, outcome, offer.money))


def outcome_of(margin: int) -> str:
    if margin < 0:
        return "refused"
    return UNCONDITIONAL if margin >= UNCONDITIONAL_BY else HONOURS


def garrison_price(siege: Siege, price: int) -> int:
    """What those of the garrison who are able to fight are worth in Build Points (B-80)."""
    return -(-siege.garrison.heads // HUNDRED) * price


def money_bonus(siege: Siege, offer: Offer) -> int:
    """1 for each full 5 % of the garrison's price, 4 at most (B-80)."""
    whole = garrison_price(siege, offer.price)
    return min(BOUGHT_MOST, offer.money * TWENTIETHS // whole) if whole else 0


def terms_score(siege: Siege, offer: Offer = NO_MONEY) -> Breakdown:
    """What is added to the die: PRESENCE, combat and Diplomacy of who speaks, the ratio of powers, money offered.

    Nobody to speak: the besiegers' combat alone (B-15).
    """
    one = siege.commander
    if one is None:
        units = [unit for troops in siege.besieging for unit in troops.left]
        lines = Breakdown().plus(_("Combat of the besiegers"), body_figures(units).combat, RULE)
    else:
        lines = led_lines(one, TERMS)
    lines = lines.plus(_("Ratio of powers"), ratio_of(siege), "BP-4.5")
    return lines.plus(_("Money offered"), money_bonus(siege, offer), "B-80")


def ratio_of(siege: Siege) -> int:
    """By power on the sheets, attack and fire power, of those still able to fight."""
    return ratio_bonus(sum(_power(troops) for troops in siege.besieging), _power(siege.garrison))


def _power(troops: Troops) -> int:
    figures = body_figures(troops.left)
    return figures.power + figures.fire_power


def terms_difficulty(siege: Siege) -> Breakdown:
    """The whole time of the place, less 2 for each full 10 % of losses."""
    lines = Breakdown().plus(_("Weeks the garrison can hold"), hold_weeks(siege).total, RULE)
    return lines.plus(_("Losses of the garrison"), -LESS_A_TENTH * siege.garrison.tenths_lost, "BP-8")

"""Ends of sieges: by terms, storm, relief or departure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from rules.breaking_point.dice import need_of, ratio_bonus, throw, worth
from rules.breaking_point.figures import body_figures, served
from rules.breaking_point.lines import TERMS, led_lines
from rules.breaking_point.losses import SURRENDERED, lasting, men_out, toll_of
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
"""How a battle of the siege may end: the siege goes on, is lifted, or the place falls."""


def lift(siege: Siege) -> tuple[Siege, SiegeLifted]:
    """Lift the siege: the besiegers leave. Counted weeks are lost, losses stay (B-60)."""
    require(siege.status in (OPEN, BROKEN), _("This siege can’t be lifted: {status}."), status=STATUSES[siege.status])
    return replace(siege, status=LIFTED, weeks=0), SiegeLifted(siege.weeks)


def surrender(siege: Siege) -> tuple[Siege, Surrendered]:
    """Surrender of the broken garrison: all are prisoners (B-48, B-57)."""
    require(siege.status == BROKEN, _("The garrison hasn’t reached its breaking point."))
    return replace(siege, status=UNCONDITIONAL), Surrendered()


def assault(siege: Siege) -> Siege:
    """Begin an assault (B-53). The place must be besieged and its garrison unbroken."""
    require(siege.status == OPEN, _("You can’t start an assault: {status}."), status=STATUSES[siege.status])
    return replace(siege, status=ASSAULT)


def sortie(siege: Siege) -> Siege:
    """Begin a sortie into the open field (B-56), by choice or as the last resort (B-57)."""
    require(siege.status in (OPEN, BROKEN), _("You can’t start a sortie: {status}."), status=STATUSES[siege.status])
    require(siege.garrison.heads, _("The garrison has nobody left for a sortie."))
    return replace(siege, status=SORTIE)


def relief(siege: Siege) -> Siege:
    """Begin a relief battle: somebody attacks the besiegers in the open. The garrison may join them (B-60)."""
    require(
        siege.status in (OPEN, BROKEN), _("You can’t start a relief battle: {status}."), status=STATUSES[siege.status]
    )
    return replace(siege, status=SORTIE)


def fought(siege: Siege, outcome: str) -> Siege:
    """End a battle of the siege, whose losses were taken over before (`siege_battles`). `outcome` is one of `OUTCOMES`.
    A place surrenders if its garrison falls in a sortie or is left broken.
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


def captured(siege: Siege, fates: Fates = NO_FATES, before: Siege | None = None) -> bool:
    """Whether the garrison are prisoners (B-56). From a place that was not invested they have fled.

    A battle in the app has decided it; of another, `before` is the siege as it began.
    """
    if siege.status != TAKEN:
        return siege.status == UNCONDITIONAL
    known = [fates[member.army, member.nth] for member in siege.garrison.members if (member.army, member.nth) in fates]
    return SURRENDERED in known if known else (before or siege).invested


class UnitLeft(NamedTuple):
    """Unit after the siege: heads able to fight, new wounded, dead, `prisoners` taken by the enemy. `pieces` are those
    that still have a full crew, None if it serves none.
    """

    army: str
    nth: int
    strength: int
    wounded: int
    dead: int
    prisoners: int = 0
    pieces: int | None = None


type Fates = Mapping[tuple[str, int], str]
"""Fates of units' bodies in the last battle, by army and unit number, in the battle's words."""


def winner_of(before: Siege, after: Siege) -> SiegeParty | None:
    """Return who won the battle that ended the siege; None if no battle did."""
    if before.status not in FOUGHT or after.running:
        return None
    return BESIEGER if falls(after) else GARRISON


def reckoned(
    siege: Siege, winner: SiegeParty | None = None, fates: Fates = NO_FATES, before: Siege | None = None
) -> list[UnitLeft]:
    """Return the strength of every unit after the end of the siege. `before`: as its last battle began.

    The winner of the battle that ended it recovers half of their points. Of all other losses half are dead and half
    wounded, and bodies that fled leave their wounded behind (B-48); machines are destroyed (B-68). A captured garrison
    keeps its wounded.
    """
    sides = ((siege.garrison, GARRISON), (siege.contact, BESIEGER), (siege.shooting, BESIEGER))
    alike = {GARRISON: NO_FATES if captured(siege, fates, before) else fates, BESIEGER: fates}
    return [left for troops, side in sides for left in _left(troops, alike[side], victor=side == winner)]


def _left(troops: Troops, fates: Fates, *, victor: bool) -> Iterator[UnitLeft]:
    parts = lasting(troops.lost, troops.points, victor=victor)
    for member, unit, points in zip(troops.members, troops.units, parts, strict=True):
        out = men_out(unit, points, troops.factor)
        standing, fate = unit.strength - out, fates.get((member.army, member.nth), "")
        dead, wounded, prisoners = toll_of(unit, out, victor=victor, status=fate)
        left = 0 if fate == SURRENDERED and not victor else standing
        yield UnitLeft(member.army, member.nth, left, wounded, dead, prisoners, served(unit, left))


def falls(siege: Siege) -> bool:
    """Whether the place changes hands."""
    return siege.status in FALLEN


# Terms of surrender (BP-8, B-59).


RULE = "B-59"
UNCONDITIONAL_BY = 5
LESS_A_TENTH = 2
HUNDRED, TWENTIETHS, BOUGHT_MOST = 100, 20, 4


class TermsOutcome(NamedTuple):
    siege: Siege
    event: TermsHeard


class Offer(NamedTuple):
    """Build Points paid if the terms are accepted (B-80). `price` is the campaign's, for a hundred heads."""

    money: int = 0
    price: int = 0


NO_MONEY = Offer()


def terms(
    siege: Siege, dice: Dice, *, plain: bool = False, told: bool = False, offer: Offer = NO_MONEY
) -> TermsOutcome:
    """Offer terms. The chief army of the besiegers rolls a die named "terms".

    `told`: the roller may know what the die needs, which reveals both powers and the garrison's time (B-18). Raises
    `IllegalCommand` for a second offer in a week, for a garrison that does not negotiate, after the end of the siege,
    and for money where garrisons have no price.
    """
    require(siege.status == OPEN, _("You can’t negotiate now: {status}."), status=STATUSES[siege.status])
    require(siege.hears, _("The garrison won’t negotiate: it expects no mercy, or shares no language with you."))
    require(siege.heard != siege.age, _("You have already negotiated this week. Try again next week."))
    demand(offer.money >= 0, _("Offer 0 BP or more."), field="/money")
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
    """Return the price of the garrison's able heads in Build Points (B-80)."""
    return -(-siege.garrison.heads // HUNDRED) * price


def money_bonus(siege: Siege, offer: Offer) -> int:
    """Return 1 for each full 5 % of the garrison's price, at most 4 (B-80)."""
    whole = garrison_price(siege, offer.price)
    return min(BOUGHT_MOST, offer.money * TWENTIETHS // whole) if whole else 0


def terms_score(siege: Siege, offer: Offer = NO_MONEY) -> Breakdown:
    """Return the bonus to the die: PRESENCE, combat and Diplomacy of the speaker, ratio of powers, money. Without a
    speaker the besiegers' combat alone (B-15).
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
    """Return the bonus by the ratio of powers: attack and fire power of those able to fight."""
    return ratio_bonus(sum(_power(troops) for troops in siege.besieging), _power(siege.garrison))


def _power(troops: Troops) -> int:
    figures = body_figures(troops.left)
    return figures.power + figures.fire_power


def terms_difficulty(siege: Siege) -> Breakdown:
    """Return the difficulty: the weeks the place can hold, minus 2 for each full 10 % of losses."""
    lines = Breakdown().plus(_("Weeks the garrison can hold"), hold_weeks(siege).total, RULE)
    return lines.plus(_("Losses of the garrison"), -LESS_A_TENTH * siege.garrison.tenths_lost, "BP-8")

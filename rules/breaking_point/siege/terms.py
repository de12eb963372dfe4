"""Terms: negotiating a surrender (BP-8, B-59)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rules.breaking_point.dice import need_of, ratio_bonus, throw, worth
from rules.breaking_point.figures import body_figures
from rules.breaking_point.lines import TERMS, led_lines
from rules.breaking_point.siege.events import TermsHeard
from rules.breaking_point.siege.siege_state import HONOURS, OPEN, STATUSES, UNCONDITIONAL, Siege, Troops
from rules.breaking_point.siege.week import hold_weeks
from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, DiceNeeded
from rules.core.errors import demand, require
from rules.core.text import _

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
    require(siege.status == OPEN, _("There is nothing to negotiate: {status}."), status=STATUSES[siege.status])
    require(siege.hears, _("The garrison hears no terms: it expects death, or does not speak."))
    require(siege.heard != siege.age, _("Terms were heard this week: the next ones can be heard in the next."))
    demand(offer.money >= 0, _("Money offered is 0 or more."), field="/money")
    require(not offer.money or offer.price, _("In this campaign a garrison has no price: it takes no money."),
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

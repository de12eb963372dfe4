"""Events of a siege's week, or of terms, with their dice and breakdowns."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from rules.breaking_point.losses import share as share_of
from rules.breaking_point.siege.siege_state import (
    BESIEGER,
    BROKEN,
    LIFTED,
    OPEN,
    TAKEN,
    UNCONDITIONAL,
    SiegeParty,
)
from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.text import Said, Term, _, minus, say


class Bombarded(NamedTuple):
    """Bombardment by one side's pieces (B-58). `at` is "garrison", "contact" or "shooting". `score` is without the die.
    `losses` are points of the target's `force`, at most what it could lose.
    """

    by: SiegeParty
    at: str
    rolls: tuple[Roll, ...]
    value: int
    score: Breakdown
    difficulty: Breakdown
    power: int
    losses: int
    force: int
    rule: str = "B-58"

    @property
    def margin(self) -> int:
        return self.score.total + self.value - self.difficulty.total


class WeekCounted(NamedTuple):
    """Week in which the besiegers were at least twice as many. `weeks`: such weeks so far (B-57)."""

    weeks: int
    hold: int
    besiegers: int
    garrison: int
    rule: str = "B-57"


class WeekNotCounted(NamedTuple):
    """Week in which the besiegers were not twice as many. `thin`: such weeks in a row (B-57, B-60)."""

    thin: int
    besiegers: int
    garrison: int
    rule: str = "B-57"


class Starved(NamedTuple):
    """Hunger: a tenth of the force of those who eat is lost (B-57). `force` is the whole garrison's."""

    weeks: int
    hold: int
    losses: int
    force: int
    rule: str = "B-57"


class GarrisonBroke(NamedTuple):
    """The garrison has reached its breaking point. It chooses at once between surrender and sortie (B-57)."""

    lost: int
    breaks_at: int
    force: int
    rule: str = "B-57"


class SiegeLifted(NamedTuple):
    """End of the siege without the fall of the place. `weeks`: weeks that counted. `weary`: it ended because the
    besiegers were too few for two weeks in a row, not by choice (B-60).
    """

    weeks: int
    weary: bool = False
    rule: str = "B-60"


class TermsHeard(NamedTuple):
    """Terms offered. `outcome` is "refused", "honours" or "unconditional" (BP-8, B-59). `money` is the offer in Build
    Points, paid unless refused (B-80).
    """

    rolls: tuple[Roll, ...]
    value: int
    score: Breakdown
    difficulty: Breakdown
    outcome: str
    money: int = 0
    rule: str = "B-59"

    @property
    def margin(self) -> int:
        return self.score.total + self.value - self.difficulty.total


class Surrendered(NamedTuple):
    """Surrender of the broken garrison (B-57)."""

    rule: str = "B-57"


class SiegeBattleEnded(NamedTuple):
    """End of an assault or a battle in the open. `status`: the siege's, afterwards (B-55, B-56)."""

    status: str
    rule: str = "B-55"


type SiegeEvent = (
    Bombarded
    | WeekCounted
    | WeekNotCounted
    | Starved
    | GarrisonBroke
    | SiegeLifted
    | TermsHeard
    | Surrendered
    | SiegeBattleEnded
)


# Sentences for the events.

OUTCOMES: dict[str, Term] = {
    "refused": _("the garrison refuses"),
    "honours": _("the garrison leaves with the honors of war"),
    "unconditional": _("the garrison surrenders unconditionally"),
}
BATTLE_ENDS: dict[str, Term] = {
    TAKEN: _("{place} was taken by assault."),
    UNCONDITIONAL: _("{place}: the garrison is beaten in the open and surrenders."),
    LIFTED: _("{place}: the besiegers are beaten or gone, and the siege is lifted."),
    BROKEN: _("{place}: the battle ended, and the garrison has reached its breaking point."),
    OPEN: _("{place}: the battle ended."),
}


def in_words(event: SiegeEvent, place: str) -> Said:
    """Return a sentence with only what everybody may know: scores, and losses as a share of force (B-18)."""
    match event:
        case Bombarded():
            return _shot(event, place)
        case WeekCounted():
            return say(_("{place}: week {weeks} of the siege."), place=place, weeks=event.weeks)
        case WeekNotCounted():
            return say(_("{place}: the besiegers are below 2:1, so this week doesn’t count."), place=place)
        case Starved():
            template = _("{place}: hunger takes {share}% of the garrison.")
            return say(template, place=place, share=share_of(event.losses, event.force))
        case GarrisonBroke():
            template = _(
                "{place}: the garrison has lost {share}% and reached its limit. Surrender or make a sortie now."
            )
            return say(template, place=place, share=share_of(event.lost, event.force))
        case SiegeLifted():
            template = _("{place}: the siege is lifted.")
            weary = _("{place}: two weeks below 2:1, the siege is lifted.")
            return say(weary if event.weary else template, place=place)
        case TermsHeard():
            score, outcome = minus(event.score.total + event.value), OUTCOMES[event.outcome]
            bought = _("{place}: terms offered with {money} BP, {outcome} (score {score}).")
            template = bought if event.money else _("{place}: terms offered, {outcome} (score {score}).")
            return say(template, place=place, money=event.money, score=score, outcome=outcome)
        case Surrendered():
            return say(_("{place}: the garrison lays down its arms."), place=place)
        case SiegeBattleEnded():
            return say(BATTLE_ENDS[event.status], place=place)
        case _:
            assert_never(event)


def _shot(event: Bombarded, place: str) -> Said:
    ours = _("{place}: the besiegers’ pieces shoot (score {score}), and the garrison loses {share}%.")
    theirs = _("{place}: the garrison’s pieces answer (score {score}), and the besiegers lose {share}% there.")
    score, share = minus(event.score.total + event.value), share_of(event.losses, event.force)
    return say(ours if event.by == BESIEGER else theirs, place=place, score=score, share=share)

"""Words for the events of a siege, in a sentence each."""

from __future__ import annotations

from typing import assert_never

from rules.breaking_point.losses import share as share_of
from rules.breaking_point.siege.events import (
    Bombarded,
    GarrisonBroke,
    SiegeEvent,
    SiegeLifted,
    Starved,
    Surrendered,
    TermsHeard,
    WeekCounted,
    WeekNotCounted,
)
from rules.breaking_point.siege.siege_state import BESIEGER
from rules.core.text import Said, Term, _, minus, say

OUTCOMES: dict[str, Term] = {
    "refused": _("the garrison refuses"),
    "honours": _("it leaves with the honours of war"),
    "unconditional": _("it surrenders unconditionally"),
}


def in_words(event: SiegeEvent, place: str) -> Said:
    """One sentence, with no more than everybody may know: scores, and losses as a share of force (B-18)."""
    match event:
        case Bombarded():
            return _shot(event, place)
        case WeekCounted():
            return say(_("{place}: week {weeks} of the siege."), place=place, weeks=event.weeks)
        case WeekNotCounted():
            return say(_("{place}: the besiegers are not two to one; this week does not count."), place=place)
        case Starved():
            template = _("{place}: hunger takes {share} % of the garrison.")
            return say(template, place=place, share=share_of(event.losses, event.force))
        case GarrisonBroke():
            template = _("{place}: the garrison has lost {share} % and can bear no more: surrender or sortie, at once.")
            return say(template, place=place, share=share_of(event.lost, event.force))
        case SiegeLifted():
            template = _("{place}: the siege is lifted.")
            weary = _("{place}: two weeks without two to one: the siege is lifted.")
            return say(weary if event.weary else template, place=place)
        case TermsHeard():
            score, outcome = minus(event.score.total + event.value), OUTCOMES[event.outcome]
            bought = _("{place}: terms and {money} BP, score {score}: {outcome}.")
            template = bought if event.money else _("{place}: terms, score {score}: {outcome}.")
            return say(template, place=place, money=event.money, score=score, outcome=outcome)
        case Surrendered():
            return say(_("{place}: the garrison lays down its arms."), place=place)
        case _:
            assert_never(event)


def _shot(event: Bombarded, place: str) -> Said:
    ours = _("{place}: the besiegers’ pieces shoot, score {score}: the garrison loses {share} %.")
    theirs = _("{place}: the garrison’s pieces answer, score {score}: the besiegers lose {share} % there.")
    score, share = minus(event.score.total + event.value), share_of(event.losses, event.force)
    return say(ours if event.by == BESIEGER else theirs, place=place, score=score, share=share)

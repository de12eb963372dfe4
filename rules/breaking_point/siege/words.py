"""What happened in a siege, in a sentence."""

from __future__ import annotations

from typing import assert_never

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
from rules.breaking_point.siege.state import BESIEGER
from rules.text import Said, Term, _, minus, say, signed

OUTCOMES: dict[str, Term] = {
    "refused": _("the garrison refuses"),
    "honours": _("it leaves with the honours of war"),
    "unconditional": _("it surrenders unconditionally"),
}


def in_words(event: SiegeEvent, place: str) -> Said:
    """One sentence. Losses are told as points; who may not know figures is not shown them."""
    match event:
        case Bombarded():
            return _shot(event, place)
        case WeekCounted():
            return say(_("{place}: week {weeks} of the siege."), place=place, weeks=event.weeks)
        case WeekNotCounted():
            return say(_("{place}: the besiegers are not two to one; this week does not count."), place=place)
        case Starved():
            return say(_("{place}: hunger; the garrison loses {losses} points."), place=place, losses=event.losses)
        case GarrisonBroke():
            template = _("{place}: the garrison has lost {lost} points of {force}: surrender or sortie, at once.")
            return say(template, place=place, lost=event.lost, force=event.force)
        case SiegeLifted():
            template = _("{place}: the siege is lifted.")
            weary = _("{place}: two weeks without two to one: the siege is lifted.")
            return say(weary if event.weary else template, place=place)
        case TermsHeard():
            template = _("{place}: terms, {score} against {difficulty} ({margin}): {outcome}.")
            return say(
                template, place=place, score=event.score.total + event.value, difficulty=event.difficulty.total,
                margin=signed(event.margin), outcome=OUTCOMES[event.outcome],
            )  # fmt: skip
        case Surrendered():
            return say(_("{place}: the garrison lays down its arms."), place=place)
        case _:
            assert_never(event)


def _shot(event: Bombarded, place: str) -> Said:
    ours = _("{place}: the besiegers’ pieces shoot, {score} against {difficulty}: {losses} points of losses.")
    theirs = _("{place}: the garrison’s pieces answer, {score} against {difficulty}: {losses} points of losses.")
    score = minus(event.score.total + event.value)
    template = ours if event.by == BESIEGER else theirs
    return say(template, place=place, score=score, difficulty=event.difficulty.total, losses=event.losses)

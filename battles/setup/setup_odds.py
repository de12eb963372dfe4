"""Odds of a battle that is being set up, where its ruleset knows odds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, QueryDict
from django.urls import reverse

from battles.forecast.computation import answer_of, submit_tasks
from battles.forecast.odds_page import Segment, build_segments, explain_rounding, format_decimal, format_error
from battles.forecast.page_parts import TOLD_FROM
from battles.forecast.single_flight import Overtaken, Unanswered
from battles.setup.page import NewBattle, pick_colour
from battles.setup.queries import house_rules_for
from battles.setup.seating import Seating
from battles.setup.services import read_setup
from rules.core.errors import Refusal
from rules.core.odds import EXACT, AboutOdds, Odds
from rules.core.text import Said, say
from rules.core.text import _ as term
from rules.odds.tasks import Meeting, Task

ODDS = "odds"
"""Value of the button that only asks for the odds."""
ASKED = "rules.odds.tasks.odds_of"
ABOUT = AboutOdds()
UNNAMED = "-"
UNFINISHED = term("Put an army on each side to see the odds.")
UNCERTAIN = term("These armies’ odds appear once the form is complete.")
BY_PLAY = term("With this ruleset, odds appear on the battle’s page once the battle has begun.")


@dataclass(frozen=True)
class SetupOdds:
    """Odds of the setup. `odds`: None while unknown; `pending`: they are being calculated; `said`: why there are none.
    `live`: whether they follow every change of the form. `even`: the address of the workshop, for a duel.
    """

    odds: Odds | None = None
    pending: bool = False
    said: Said | None = None
    span: Said | str = ""
    live: bool = True
    even: str = ""

    @property
    def bar(self) -> list[Segment]:
        assert self.odds is not None
        first, *others = [(pick_colour(at), side.win) for at, side in enumerate(self.odds.sides)]
        neither = [("none", self.odds.mutual), ("open", self.odds.undecided)]
        return build_segments([first, *others[1:], *neither, *others[:1]])

    @property
    def chances(self) -> list[tuple[str, str, float]]:
        """Colour, name and chance of each side."""
        assert self.odds is not None
        return [(pick_colour(at), side.name, side.win) for at, side in enumerate(self.odds.sides)]

    @property
    def rest(self) -> list[tuple[Said, float]]:
        """Chances that nobody wins or nothing is decided, where they are large enough to show."""
        assert self.odds is not None
        found = [(term("nobody wins"), self.odds.mutual), (term("undecided"), self.odds.undecided)]
        return [(name, chance) for name, chance in found if chance >= TOLD_FROM]

    @property
    def manner(self) -> Said | None:
        """Error of the odds, and the mean length of the battle."""
        assert self.odds is not None
        points, mean = format_error(self.odds.error), self.odds.phases.mean
        exact = self.odds.method == EXACT
        if not mean:
            return None if exact else say(term("Chances are good to ± {points}."), points=points)
        told = {"mean": format_decimal(mean), "span": self.span}
        if exact:
            return say(term("About {mean} {span}."), **told)
        return say(term("About {mean} {span}. Chances are good to ± {points}."), points=points, **told)

    @property
    def rounded(self) -> Said | None:
        return explain_rounding(self.odds, 1 if self.odds.method == EXACT else 0) if self.odds else None


def foretell_setup(new: NewBattle, form: Any, seating: Seating, *, asker: str) -> SetupOdds | None:
    """Odds of the battle as the form has it; None if the ruleset knows none.

    `asker`: who asks; "" while the page is first drawn, which then asks for them by itself.
    """
    law = new.law
    if not law.workshop.known:
        return SetupOdds(said=BY_PLAY, live=False) if law.battle.forecast.by_play else None
    if not all(side.armies for side in seating.sides):
        return SetupOdds(said=UNFINISHED)
    if seating.troubles:
        return SetupOdds(said=seating.troubles[0])
    if not asker:
        return SetupOdds(pending=True)
    try:
        meeting = _read_meeting(new, form)
        found = _ask(meeting, new.ui.span, asker) if meeting else SetupOdds(said=UNCERTAIN)
        return replace(found, even=_workshop_of(new, seating))
    except Refusal as refusal:
        return SetupOdds(said=refusal.message)
    except Http404:  # an army was deleted meanwhile
        return SetupOdds(said=UNCERTAIN)


def _workshop_of(new: NewBattle, seating: Seating) -> str:
    """Return the address of the workshop with both armies of a duel, "" for any other battle."""
    sides = [[seat.id for seat in side.armies] for side in seating.sides]
    if [len(armies) for armies in sides] != [1, 1] or new.ui.workshop is None:
        return ""
    asked = urlencode({"a-army": sides[0][0], "b-army": sides[1][0]})
    return f"{reverse('battles:workshop', args=[new.campaign.pk])}?{asked}#evens"


def _read_meeting(new: NewBattle, form: Any) -> Meeting | None:
    """The question for the odds; None while the form is invalid."""
    filled = new.ui.setup_form(form.page, _as_sent(form))
    if not filled.is_valid():
        return None
    opening = read_setup(campaign=new.campaign, law=new.law, **filled.to_json())
    return Meeting(new.law.slug, house_rules_for(new.campaign, new.law), opening, {})


def _as_sent(form: Any) -> QueryDict:
    """The form's present values as submitted data. Its name is a placeholder."""
    sent = QueryDict(mutable=True)
    for field in form:
        value = field.value()
        if isinstance(value, list | tuple):
            sent.setlist(field.html_name, [str(one) for one in value])
        elif value not in (None, "", False):
            sent[field.html_name] = "on" if value is True else str(value)
    for name, count in form.grown.items():
        sent[name] = str(count)
    sent.setdefault("name", UNNAMED)
    return sent


def _ask(meeting: Meeting, span: Said, asker: str) -> SetupOdds:
    key = hashlib.sha256(repr(meeting).encode()).hexdigest()
    try:
        (future,) = submit_tasks([Task(ASKED, (meeting, ABOUT), f"{key} odds")], asker)
        odds = answer_of(future) if future.done() else None
    except Overtaken:
        return SetupOdds(pending=True)
    except Unanswered as error:
        return SetupOdds(said=error.said)
    return SetupOdds(odds, pending=odds is None, span=span)

"""Notices that call a reader to the battle's page: their turn, and a step that is over."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from battles.field.page import BattlePage


@dataclass(frozen=True)
class Call:
    """`turn`: the battle waits for the reader. `done`: how many phases are over, so that one more is news; `news`: what
    was decided last, in a sentence.
    """

    turn: bool
    done: int
    news: str


def call_of(page: BattlePage) -> Call:
    over = sum(when == "done" for _stage, when in page.summary.stages) + (page.outcome is not None)
    return Call(turn=page.borrowed is None and page.your_turn, done=over, news=_news(page))


def _news(page: BattlePage) -> str:
    named = page.strip is not None and page.strip.news is not None
    return page.spoken if named else f"{_('The next step is resolved.')} {page.spoken}"

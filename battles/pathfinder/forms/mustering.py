"""Which armies the setup form is about: all where they are few, else those picked and those searched for."""

from __future__ import annotations

from django.http import QueryDict

from battles.pathfinder.pages.setup import SetupPage
from kingdom.inputs import NAME_MAX, whole_in

ALL = "all"


def mustered(page: SetupPage, data: QueryDict) -> tuple[SetupPage, QueryDict]:
    """The page with the armies the form shows, and what was sent with every army of a kingdom put on a side."""
    if data.get("add") == ALL:
        data = _all_on_a_side(page, data)
    if not page.large:
        return page, data
    picked = {known.id for known in page.roster if data.get(f"army-{known.id}")}
    return page.showing(picked, data.get("find", "").strip()[:NAME_MAX]), data


def _all_on_a_side(page: SetupPage, data: QueryDict) -> QueryDict:
    """Every free army of the kingdom that is on no side yet."""
    side, sent = whole_in(data.get("all-on"), most=9) or 1, data.copy()
    for known in page.roster:
        if known.free and known.kingdom_id == data.get("all-of") and not data.get(f"army-{known.id}"):
            sent[f"army-{known.id}"] = str(side)
    return sent

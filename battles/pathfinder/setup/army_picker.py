"""Army picker of the setup form: all armies where they are few, else those picked and those searched for."""

from __future__ import annotations

from django.http import QueryDict

from battles.pathfinder.setup.page import SetupPage
from battles.setup.eligible import free_armies
from core.clean_input import NAME_MAX, parse_uuid, parse_whole

ALL, FIELD = "all", "army-"


def mustered(page: SetupPage, data: QueryDict) -> tuple[SetupPage, QueryDict]:
    """The page with the armies the form shows, and what was sent with every army of a kingdom put on a side."""
    if data.get("add") == ALL:
        data = _all_on_a_side(page, data)
    if not page.large:
        return page, data
    sent = {name.removeprefix(FIELD) for name, side in data.items() if name.startswith(FIELD) and side}
    picked = {key for key in sent if parse_uuid(key)}
    return page.showing(picked, data.get("find", "").strip()[:NAME_MAX]), data


def _all_on_a_side(page: SetupPage, data: QueryDict) -> QueryDict:
    """Every free army of the kingdom that is on no side yet."""
    side, sent = parse_whole(data.get("all-on"), most=9) or 1, data.copy()
    kingdom = parse_uuid(data.get("all-of", ""))
    if kingdom is None:
        return sent
    for key in free_armies(page.campaign).filter(kingdom=kingdom).values_list("pk", flat=True):
        if not data.get(f"{FIELD}{key}"):
            sent[f"{FIELD}{key}"] = str(side)
    return sent

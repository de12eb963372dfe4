"""Validation of planned income and costs (`rules.planned`)."""

from __future__ import annotations

from core.clean_input import BP_MAX, LAST_DAY, REASON_MAX, clean_optional_whole, clean_slug, clean_text, clean_whole
from rules.core.errors import demand
from rules.core.text import _
from rules.planned import RHYTHMS, PlannedLine


def clean_line(line: PlannedLine, *, kept: bool = False) -> PlannedLine:
    """Return the line, validated. Raises `InvalidInput`. `kept`: the name is stored already, so new rules for names do
    not apply.
    """
    amount = clean_whole(line.amount, field="/amount", least=-BP_MAX, most=BP_MAX)
    demand(amount, _("A planned entry of 0 BP changes nothing. Enter another amount."), field="/amount")
    since = clean_whole(line.since, field="/since", least=0, most=LAST_DAY)
    until = clean_optional_whole(line.until, field="/until", least=0, most=LAST_DAY)
    demand(
        until is None or until > since,
        _("The planned entry would end before it begins. Choose a later last day."),
        field="/until",
    )
    return line._replace(
        name=clean_text(line.name, field="/name", most=REASON_MAX, kept=kept),
        amount=amount,
        every=clean_slug(line.every, field="/every", among=RHYTHMS),
        since=since,
        until=until,
    )

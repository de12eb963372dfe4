"""Hypothetical army in the API's format, outside of any campaign, for forecasts."""

from __future__ import annotations

from typing import Any

from battles.codec.requests import Members
from rules.army_figures import ARMY_FIGURES, AT_RAISING, names_of
from rules.breaking_point.documents import COMMANDER_FIGURES, general_from, read_commander
from rules.breaking_point.spec import General, Host
from rules.core.errors import InvalidInput

AS_IN_THE_WORLD = ("kingdom", *names_of(ARMY_FIGURES, AT_RAISING), "status")
"""Members of stored armies without any effect here."""


def supposed(law: Any, data: object, at: str) -> Host:
    """Parse the body of POST armies/ without its kingdom, with `commander` (a body). Its name is its id. Raises
    `InvalidInput` with JSON pointers.
    """
    members = Members(data, at)
    name, units = members.text("name"), members.raw("units")
    leader = _leader(members.raw("commander"), name, members.pointer("commander"))
    for told in AS_IN_THE_WORLD:
        members.raw(told)
    members.done()
    try:
        return Host(name, name, "", law.armies.units_of({"units": units}), leader)
    except InvalidInput as refusal:
        raise refusal.below(at) from refusal


def _leader(data: object, army: str, at: str) -> General | None:
    if data is None:
        return None
    members = Members(data, at)
    name = members.text("name", "–")
    figures = {figure: members.raw(figure) for figure in COMMANDER_FIGURES if members.has(figure)}
    members.done()
    try:
        return general_from(f"{army}’s", name, read_commander(figures))
    except InvalidInput as refusal:
        raise refusal.below(at) from refusal

"""Occupants of the campaign's map, for whoever paints it. Other apps register theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from uuid import UUID

from core.text import render
from kingdom.models import Campaign
from rules.core.text import Said


class Occupant(NamedTuple):
    """What stands on `hex`, "" for nowhere, a kingdom's; `held`: in which battle, "" for none."""

    id: str
    name: str
    kingdom: UUID
    hex: str
    held: str = ""


type StanderTeller = Callable[[Campaign], Iterable[Occupant]]

_tellers: list[StanderTeller] = []


def register(teller: StanderTeller) -> None:
    """Ask `teller(campaign)` who stands on its map or is held somewhere, hidden or not. Twice counts once."""
    if teller not in _tellers:
        _tellers.append(teller)


def list_occupants(campaign: Campaign) -> list[Occupant]:
    """All of them: for painters, who see everything."""
    return [one for teller in _tellers for one in teller(campaign)]


def list_held(campaign: Campaign) -> dict[str, str]:
    """By what each is held, by its id."""
    return {one.id: one.held for one in list_occupants(campaign) if one.held}


def describe_holder(held: Said, name: str) -> str:
    """ "In battle: The ford", as it is told behind a name."""
    return f"{render(held)} {name}"

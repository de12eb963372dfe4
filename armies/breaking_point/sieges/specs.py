"""Specs: places and sieges as the rules read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.specs import build_general, load_units
from armies.models import Army, rows_of
from rules.breaking_point.losses import share
from rules.breaking_point.siege.siege_state import BESIEGER, GARRISON, Siege, siege_between, to_json, with_state
from rules.breaking_point.spec import FORTIFICATIONS, Host, Place

MEMBERS = {BESIEGER: "besiegers", GARRISON: "inside"}
"""Under which member of a siege's state the ids of each side's armies stand, chief first."""


def build_place(row: FortifiedPlace) -> Place:
    return Place(str(row.pk), row.name, FORTIFICATIONS[row.kind], row.garrison)


def build_host(army: Army) -> Host:
    """Under its commander, if they are there today."""
    leads = army.commander if army.commander and army.commander.free_today else None
    return Host(str(army.pk), army.name, str(army.kingdom_id), load_units(army), build_general(leads))


def list_army_ids(state: Mapping[str, Any]) -> list[str]:
    return [one for member in MEMBERS.values() for one in state[member]]


def load_armies(rows: Iterable[SiegeRow], *, held: bool = False) -> dict[str, Army]:
    """The armies of these sieges by id, with all a value reads; `held`: locked. One query."""
    wanted = {UUID(one) for row in rows for one in list_army_ids(row.state)}
    found = rows_of(Army).filter(pk__in=wanted).complete()
    return {str(army.pk): army for army in (found.locked() if held else found)}


def build_siege(row: SiegeRow, armies: Mapping[str, Army]) -> Siege:
    """The siege as it stands, of armies that are still as they came. Only while it lasts."""
    sides = {side: [build_host(armies[one]) for one in row.state[member]] for side, member in MEMBERS.items()}
    return with_state(siege_between(build_place(row.place), sides[GARRISON], sides[BESIEGER]), row.state)


def state_of(siege: Siege, members: Mapping[str, list[str]], told: list[Any]) -> dict[str, Any]:
    """What is kept: `members` by side, and the sentences told of this change."""
    return {**to_json(siege), **members, "lost": shares_of(siege), "told": told}


def shares_of(siege: Siege) -> dict[str, int]:
    """Hundredths of their force that both sides have lost: what everybody may know (B-18)."""
    force = sum(troops.force for troops in siege.besieging)
    lost = sum(troops.lost for troops in siege.besieging)
    return {GARRISON: share(siege.garrison.lost, siege.garrison.force), BESIEGER: share(lost, force)}

"""Specs of armies, commanders, places and sieges, as the rules read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from armies.adjustments.services import read_adjustments
from armies.breaking_point.models import RUNNING, FortifiedPlace, SiegeRow
from armies.models import Army, Commander, rows_of
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.arms import Tables
from rules.breaking_point.documents import general_from
from rules.breaking_point.losses import share
from rules.breaking_point.siege.siege_state import (
    BESIEGER,
    GARRISON,
    Siege,
    check_room,
    siege_between,
    to_json,
    with_state,
)
from rules.breaking_point.spec import FORTIFICATIONS, General, Host, Place, Unit
from rules.core.errors import Refusal, require
from rules.core.text import Term, _
from rules.core.viewers import WHOLE

# Specs of armies and commanders, as the rules read them.


def load_units(army: Army) -> tuple[Unit, ...]:
    """Units of the army, without lasting adjustments; empty where the ruleset no longer accepts them."""
    law: Any = get_ruleset(army.campaign)
    try:
        found: tuple[Unit, ...] = law.armies.units_of(army.sheet)
    except Refusal:
        return ()
    return found


def load_adjusted_units(army: Army) -> tuple[Unit, ...]:
    """The army's units with its lasting adjustments, as they fight in a battle (B-41)."""
    given = read_adjustments(army)
    return tuple(replace(unit, adjustments=given) for unit in load_units(army)) if given else load_units(army)


def build_leader(army: Army) -> General | None:
    """The army's commander with its lasting adjustments (B-41)."""
    leader = build_general(army.commander)
    return replace(leader, adjustments=read_adjustments(army)) if leader else None


def build_army_host(army: Army) -> Host:
    """The army with its commander, as it goes into a battle. Needs `commander` and `campaign` loaded."""
    units, leader = load_adjusted_units(army), build_leader(army)
    return Host(str(army.pk), army.name, str(army.kingdom_id), units, leader, army.status)


def tables_of(campaign: Campaign) -> Tables:
    """Tables of types, weapons, armours and machines that documents of this campaign may name."""
    law: Any = get_ruleset(campaign)
    tables: Tables = law.tables
    return tables


def build_general(commander: Commander | None) -> General | None:
    return None if commander is None else general_from(str(commander.pk), commander.name, commander.sheet)


# Specs of places and sieges, as the rules read them.

MEMBERS = {BESIEGER: "besiegers", GARRISON: "inside"}
"""Keys of a siege's state with the ids of each side's armies, chief first."""


def build_place(row: FortifiedPlace) -> Place:
    return Place(str(row.pk), row.name, FORTIFICATIONS[row.kind], row.garrison)


def build_host(army: Army) -> Host:
    """The army, with its commander only if they are present today."""
    leads = army.commander if army.commander and army.commander.free_today else None
    return Host(str(army.pk), army.name, str(army.kingdom_id), load_units(army), build_general(leads))


def list_army_ids(state: Mapping[str, Any]) -> list[str]:
    return [one for member in MEMBERS.values() for one in state[member]]


def load_armies(rows: Iterable[SiegeRow], *, held: bool = False) -> dict[str, Army]:
    """Armies of these sieges by id, with everything their figures need. `held`: locked. One query."""
    wanted = {UUID(one) for row in rows for one in list_army_ids(row.state)}
    found = rows_of(Army).filter(pk__in=wanted).complete()
    return {str(army.pk): army for army in (found.locked() if held else found)}


def build_siege(row: SiegeRow, armies: Mapping[str, Army]) -> Siege:
    """The siege with its state, made from armies as they were at its beginning. Only while it lasts."""
    sides = {side: [build_host(armies[one]) for one in row.state[member]] for side, member in MEMBERS.items()}
    return with_state(siege_between(build_place(row.place), sides[GARRISON], sides[BESIEGER]), row.state)


def state_of(siege: Siege, members: Mapping[str, list[str]], told: list[Any]) -> dict[str, Any]:
    """The state to store. `members`: ids by side; `told`: log lines of this change."""
    return {**to_json(siege), **members, "lost": shares_of(siege), "told": told}


def shares_of(siege: Siege) -> dict[str, int]:
    """Percent of their force that both sides have lost, which everybody may know (B-18). At most 100, though points
    beyond the force count in battle.
    """
    sides = {GARRISON: (siege.garrison,), BESIEGER: siege.besieging}
    return {
        side: min(WHOLE, share(sum(troops.lost for troops in bodies), sum(troops.force for troops in bodies)))
        for side, bodies in sides.items()
    }


# What keeps an army out of a place, whether it enters, the place changes, or a garrison is restored.

BESIEGED = _("{place} is besieged.")


def is_besieged(place: FortifiedPlace) -> bool:
    return SiegeRow.objects.filter(place=place, status__in=RUNNING).exists()


def refuse_besieged(place: FortifiedPlace) -> None:
    require(not is_besieged(place), BESIEGED, place=place.name)


def refuse_stranger(place: FortifiedPlace, army: Army) -> None:
    require(place.kingdom_id == army.kingdom_id, _("{place} is held by another kingdom."), place=place.name)


def garrison_of(place: FortifiedPlace) -> list[Army]:
    return [row.army for row in place.stationed.select_related("army__campaign")]


def check_garrison(place: FortifiedPlace, armies: Iterable[Army]) -> None:
    """Raises `IllegalCommand` where the armies have more than twice the place's garrison (B-61)."""
    check_room(build_place(place), [unit for army in armies for unit in load_units(army)])


def lies_behind(place: FortifiedPlace, outer: FortifiedPlace | None) -> bool:
    """Whether `outer` is the place itself, or lies behind it (B-61)."""
    return any(wall.pk == place.pk for wall in walls_from(outer))


def walls_from(outer: FortifiedPlace | None) -> Iterator[FortifiedPlace]:
    """This place and the places outside it, from the inside outward; each once, even if they form a ring."""
    seen: set[UUID] = set()
    while outer is not None and outer.pk not in seen:
        yield outer
        seen.add(outer.pk)
        outer = outer.outer


# Names of a siege's dice.

TERMS, SHOT = "terms", "shot"
ROLLS: Mapping[str, Term] = {SHOT: _("Bombardment"), TERMS: _("Terms")}

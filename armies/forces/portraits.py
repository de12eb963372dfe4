"""Portraits of armies and commanders, and pictures of unit types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

from armies.forces.picture_owners import ARMY, COMMANDER, UNIT
from armies.models import Army, Commander
from armies.ruleset_ui import get_army_ui
from kingdom.models import Campaign, User
from kingdom.pictures.page import Portrait, build_portrait
from kingdom.pictures.queries import ShownPicture, list_pictures


class ArmyPortraits(NamedTuple):
    """Portraits of an army and of its commander."""

    army: Portrait
    leader: Portrait | None


def build_army_portraits(user: User, army: Army) -> ArmyPortraits:
    """The army's portraits, for a reader of its sheet. One query."""
    ui, campaign = get_army_ui(army.campaign), army.campaign
    own, unit, leader = (ARMY, str(army.pk)), (UNIT, ui.find_unit_type(army)), army.commander
    if leader and leader.kingdom_id == army.kingdom_id:
        leader.kingdom = army.kingdom  # it is loaded, with its campaign and the reader's role
    refs = [own, *([unit] if unit[1] else ()), *([(COMMANDER, str(leader.pk))] if leader else ())]
    found = list_pictures(campaign, refs)
    shown = build_portrait(user, campaign, own, army, found, instead=unit, drawing=ui.get_drawing(army))
    return ArmyPortraits(shown, _build_commander(user, campaign, leader, found) if leader else None)


def build_commander_portrait(user: User, commander: Commander) -> Portrait:
    campaign = commander.campaign
    found = list_pictures(campaign, [(COMMANDER, str(commander.pk))])
    return _build_commander(user, campaign, commander, found)


def list_commander_pictures(campaign: Campaign, commanders: Iterable[Commander]) -> dict[UUID, ShownPicture]:
    """Pictures of these commanders, by id; those without one are left out."""
    found = list_pictures(campaign, [(COMMANDER, str(one.pk)) for one in commanders])
    return {UUID(key): picture for (_kind, key), picture in found.items()}


def list_card_pictures(campaign: Campaign, armies: Iterable[Army]) -> dict[str, ShownPicture]:
    """Picture of each army's card, by id: its own, else its unit type's; armies without one are left out."""
    ui, armies = get_army_ui(campaign), list(armies)
    units = {str(army.pk): (UNIT, ui.find_unit_type(army)) for army in armies}
    found = list_pictures(campaign, [*((ARMY, key) for key in units), *(unit for unit in units.values() if unit[1])])
    shown = {key: found.get((ARMY, key)) or found.get(unit) for key, unit in units.items()}
    return {key: picture for key, picture in shown.items() if picture}


def list_unit_pictures(campaign: Campaign, slugs: Iterable[str]) -> dict[str, ShownPicture]:
    """Pictures of these unit types, by slug."""
    found = list_pictures(campaign, [(UNIT, slug) for slug in slugs])
    return {slug: picture for (_kind, slug), picture in found.items()}


def _build_commander(
    user: User, campaign: Campaign, commander: Commander, found: Mapping[tuple[str, str], ShownPicture]
) -> Portrait:
    ref = (COMMANDER, str(commander.pk))
    return build_portrait(user, campaign, ref, commander, found, drawing="commander")

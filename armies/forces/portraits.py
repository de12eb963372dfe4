"""Portraits of armies and commanders, pictures of unit types, and the owners of these pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404
from django.urls import reverse

from armies.forces.access import list_armies, list_commanders
from armies.models import Army, Commander
from armies.ruleset_ui import find_army_ui, get_army_ui
from core.queries import find_one
from kingdom.access.queries import get_one, is_gm, require_member, runs_kingdom
from kingdom.models import Campaign, User
from kingdom.pictures.queries import PictureOwner, Portrait, ShownPicture, build_portrait, list_pictures
from rules.core.text import _

# Owners of pictures: armies, commanders and unit types. Whoever sees their page sees their picture.

ARMY, COMMANDER, UNIT = "army", "commander", "unit"


class PicturedUnit(NamedTuple):
    """A unit type of a campaign."""

    campaign: Campaign
    name: str

    def __str__(self) -> str:
        return self.name


def list_unit_types(campaign: Campaign) -> dict[str, str]:
    """Names of the campaign's unit types by slug, the ruleset's included."""
    ui = find_army_ui(campaign)
    return dict(ui.list_unit_types(campaign)) if ui else {}


def _find_army(user: User, campaign: Campaign, key: str) -> Army:
    return get_one(list_armies(user, campaign), key)


def _find_commander(user: User, campaign: Campaign, key: str) -> Commander:
    return get_one(list_commanders(user, campaign), key)


def _find_unit(user: User, campaign: Campaign, key: str) -> PicturedUnit:
    require_member(user, campaign)
    name = list_unit_types(campaign).get(key)
    if name is None:
        raise Http404
    return PicturedUnit(campaign, name)


def _edits(user: User, thing: Army | Commander) -> bool:
    return runs_kingdom(user, thing.kingdom)


def _visible_armies(user: User, campaign: Campaign, keys: Collection[str]) -> set[str]:
    return {str(pk) for pk in list_armies(user, campaign).filter(pk__in=keys).values_list("pk", flat=True)}


def _visible_commanders(user: User, campaign: Campaign, keys: Collection[str]) -> set[str]:
    return {str(pk) for pk in list_commanders(user, campaign).filter(pk__in=keys).values_list("pk", flat=True)}


def _visible_units(user: User, campaign: Campaign, keys: Collection[str]) -> set[str]:
    return set(keys) & list_unit_types(campaign).keys()


def _kingdom_of(model: Any) -> Any:
    def find(campaign: Campaign, key: str) -> UUID | None:
        found: UUID | None = find_one(model.objects.filter(campaign=campaign, pk=key).values_list("kingdom", flat=True))
        return found

    return find


def _unit_page(campaign: Campaign, key: str) -> str:
    ui = find_army_ui(campaign)
    return ui.get_unit_page(campaign, key) if ui else reverse("kingdom:campaign", args=[campaign.pk])


OWNERS = {
    ARMY: PictureOwner(
        word=_("Picture"),
        changed=_("New picture: {name}."),
        removed=_("{name}’s picture was removed."),
        find=_find_army,
        edits=_edits,
        visible=_visible_armies,
        kingdom=lambda army: army.kingdom,
        owner_of=_kingdom_of(Army),
        page=lambda campaign, key: reverse("armies:army", args=[key]),
        entry="army",
    ),
    COMMANDER: PictureOwner(
        word=_("Portrait"),
        changed=_("{name} has a new portrait."),
        removed=_("{name}’s portrait was removed."),
        find=_find_commander,
        edits=_edits,
        visible=_visible_commanders,
        kingdom=lambda commander: commander.kingdom,
        owner_of=_kingdom_of(Commander),
        page=lambda campaign, key: reverse("armies:commander", args=[key]),
        entry="army",
    ),
    UNIT: PictureOwner(
        word=_("Picture"),
        changed=_("New picture: {name}."),
        removed=_("{name}’s picture was removed."),
        find=_find_unit,
        edits=lambda user, unit: is_gm(user, unit.campaign),
        visible=_visible_units,
        kingdom=lambda unit: None,
        owner_of=lambda campaign, key: None,
        page=_unit_page,
        entry="other",
        by_slug=True,
    ),
}


# Portraits of armies and commanders, and pictures of unit types.


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

"""Sources of battle maps: files, the maps that come with Warhost, generated ones, and the map of a battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404

from battles.hexes.ui import HexBattleUI
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import find_battle_ui, get_battle_ui
from kingdom.models import Campaign
from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.generate import generate
from rules.hexes.mapfile import HexMap, document
from rules.hexes.orders import choices_in
from rules.hexes.starter import STARTERS
from rules.hexes.terrain import MapKind


def starter_document(slug: str) -> dict[str, Any]:
    """One of the maps that come with Warhost. Raises `InvalidInput`."""
    demand(slug in STARTERS, _("Choose one of: {choices}."), choices=", ".join(STARTERS))
    return document(STARTERS[slug])


def generated_document(told: Mapping[str, Any]) -> dict[str, Any]:
    """A map from a seed. Raises `InvalidInput`."""
    return document(generate(choices_in(told, MapKind.BATTLE)))


def fights_on_maps(campaign: Campaign) -> bool:
    """Whether the campaign's law fights on hexes."""
    return isinstance(find_battle_ui(campaign), HexBattleUI)


def map_of_battle(battle: Battle) -> HexMap:
    """The map a battle is fought on as it is now. Raises Http404 where it is fought on none."""
    ui = get_battle_ui(play_battle_state.get_law(battle))
    if not isinstance(ui, HexBattleUI):
        raise Http404
    land, _version = ui.land(play_battle_state.load_state(battle))
    return land

"""Maps of battles, and whether a campaign has battles on maps."""

from __future__ import annotations

from django.http import Http404

from battles.hexes.ui import HexBattleUI
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import get_battle_ui
from battles.setup.other_laws import list_battle_laws
from kingdom.models import Campaign
from rules.hexes.mapfile import HexMap


def fights_on_maps(campaign: Campaign) -> bool:
    """Whether the campaign's armies can fight by a ruleset with hex battles."""
    return any(isinstance(get_battle_ui(law), HexBattleUI) for law in list_battle_laws(campaign))


def map_of_battle(battle: Battle) -> HexMap:
    """The present map of a battle. Raises `Http404` for a battle without a map."""
    ui = get_battle_ui(play_battle_state.get_law(battle))
    if not isinstance(ui, HexBattleUI):
        raise Http404
    land, _version = ui.land(play_battle_state.load_state(battle))
    return land

"""House rules of a campaign (WC-HOUSE): the settings, and the tables and options that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.core.content import overlaid
from rules.core.text import _
from rules.halts import empty_phases
from rules.house import OVERLAY, OWN, HouseRule, HouseRules, ItemFigure, ItemFigures, every
from rules.wing_command.figures import Tables
from rules.wing_command.own import POINTS_MOST, Own, clean_own, types_of
from rules.wing_command.spec import GM, TABLE, BattleOptions, House
from rules.wing_command.starter import ABILITIES, SPELLS, TROOPS
from rules.wing_command.wing import FIGURE_MOST, MOVE_MOST

DIFFICULTY_MOST = 8

HOUSE_RULES = HouseRules(
    rule="WC-HOUSE",
    rules={
        "orders_to_characters": HouseRule(
            _("Special orders to characters"), True, rule="WC-4.6",
            choices={True: _("The army leader can also give orders to characters"), False: _(
                "Only troops can take orders"
            )},
        ),
        "combat": HouseRule(
            _("Combat"), TABLE, rule="WC-8.9",
            choices={TABLE: _("The tables decide attacks and duels"), GM: _("The GM enters the result of each attack")},
        ),
        "turn_limit": HouseRule(_("Turns of a battle"), 12, rule="WC-9.1", least=6, most=20),
        "break_share": HouseRule(
            _("Losses that break a wing, in % of its troops"), 50, rule="WC-9.8", least=10, most=100,
        ),
        "aptitude_bonus": HouseRule(
            _("Added to every casting aptitude"), 0, rule="WC-7.2", least=-4, most=4,
            help=_("The aptitude is magic level − difficulty + pentacle + this number."),
        ),
        "upkeep": HouseRule(
            _("Weekly upkeep"), True, rule="C-5",
            choices={True: _("A quarter of an army’s points, at least 1"), False: _("Armies cost nothing")},
        ),
        "empty_phases": empty_phases(
            "WC-9.6", _("A rout phase in which nobody flees and nobody rallies. Undo steps back into it.")
        ),
    },
    figures={
        "troops": ItemFigures(_("Type of troops"), {
            "move": ItemFigure(_("move"), _("Move"), 1, MOVE_MOST),
            "melee": ItemFigure(_("melee"), _("Melee attack"), 0, FIGURE_MOST),
            "shot": ItemFigure(_("shot"), _("Shot"), 0, FIGURE_MOST),
            "range": ItemFigure(_("range"), _("Range"), 0, FIGURE_MOST),
            "guard": ItemFigure(_("guard"), _("Guard"), 0, FIGURE_MOST),
            "points": ItemFigure(_("points"), _("Points"), 1, POINTS_MOST),
        }),
        "abilities": ItemFigures(_("Command ability"), {
            "threshold": ItemFigure(_("threshold"), _("Threshold"), 2, 12),
        }),
        "spells": ItemFigures(_("Spell"), {
            "difficulty": ItemFigure(_("difficulty"), _("Difficulty"), 0, DIFFICULTY_MOST),
        }),
    },
    switches={"troops": every, "spells": every},
    own=clean_own,
)  # fmt: skip


def house_of(stored: Mapping[str, Any]) -> House:
    """The house rules from their stored form. Unknown settings are ignored."""
    known = {name: stored[name] for name in HOUSE_RULES.rules if name in stored}
    return replace(House(**known), overlay=stored.get(OVERLAY, {}), own=stored.get(OWN, {}))


def tables_of(overlay: Mapping[str, Mapping[str, Mapping[str, Any]]], own: Own | None = None) -> Tables:
    """The tables with a campaign's changed figures and its own types of troops."""
    return Tables(
        overlaid(TROOPS, overlay.get("troops", {}), HOUSE_RULES.figures_of("troops")) | types_of(own or {}),
        overlaid(ABILITIES, overlay.get("abilities", {}), HOUSE_RULES.figures_of("abilities")),
        overlaid(SPELLS, overlay.get("spells", {}), HOUSE_RULES.figures_of("spells")),
    )


def options_of(house: House) -> BattleOptions:
    """The options a battle of this campaign starts with."""
    return BattleOptions(house.combat, house.orders_to_characters, house.turn_limit, house.break_share,
                         aptitude_bonus=house.aptitude_bonus)  # fmt: skip

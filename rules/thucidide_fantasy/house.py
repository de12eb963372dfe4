"""House rules of a campaign (TF-HOUSE): the settings, and the tables and options that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.core.content import Item, overlaid
from rules.core.text import _
from rules.house import OVERLAY, OWN, HouseRule, HouseRules, ItemFigure, ItemFigures
from rules.thucidide_fantasy.contingent import STANDS_MOST
from rules.thucidide_fantasy.figures import Tables, spell_figures
from rules.thucidide_fantasy.own import DICE_MOST, POINTS_MOST, RANGE_MOST, Own, clean_own, with_own
from rules.thucidide_fantasy.spec import (
    ALL,
    ANIMALS,
    CARDS,
    CONSENT,
    COUNT,
    ENGINE,
    NEVER,
    NOT,
    POINTS,
    TABLE,
    BattleOptions,
    House,
    Ladder,
)
from rules.thucidide_fantasy.starter import COLORS

MOVE_MOST = 8
CAST_MOST = 20

HOUSE_RULES = HouseRules(
    rule="TF-HOUSE",
    rules={
        "supply": HouseRule(
            _("Spells"), CARDS, rule="TF-6.2",
            choices={CARDS: _("Each spell is a card, spent when it is cast"),
                     POINTS: _("Any spell can be cast for its price in points")},
        ),
        "supply_points": HouseRule(
            _("Spell points of each caster"), 6, rule="TF-6.2", least=1, most=CAST_MOST,
            help=_("For casters whose sheet doesn’t set their points."),
        ),
        "hindrance": HouseRule(
            _("Hindrance"), ANIMALS, rule="TF-3.2",
            choices={ANIMALS: _("Affects animal and mounted troops"), ALL: _("Affects all troops")},
        ),
        "flyers_beside": HouseRule(
            _("Flyers next to a caster or a fleeing character"), COUNT, rule="T-21",
            choices={COUNT: _("Count as adjacent"), NOT: _("Don’t count as adjacent")},
        ),
        "victory_share": HouseRule(
            _("Share of the enemy’s units to destroy"), "third", rule="TF-1.16",
            choices={"quarter": _("A quarter"), "third": _("A third"), "half": _("Half"),
                     "two-thirds": _("Two thirds"), "all": _("All of the enemy’s units")},
            help=_("Destroying this share, rounded up, wins the battle."),
        ),
        "turn_limit": HouseRule(_("Turn limit"), 12, rule="TF-1.16", least=4, most=30),
        "combat": HouseRule(
            _("Combat"), ENGINE, rule="TF-1.17",
            choices={ENGINE: _("Dice decide attacks and shots"), TABLE: _("The GM enters the result of each attack")},
        ),
        "appeals": HouseRule(
            _("Appeals to the gods"), CONSENT, rule="TF-7",
            choices={CONSENT: _("Allowed if the enemy agrees during setup"), NEVER: _("Never allowed")},
        ),
        "upkeep": HouseRule(
            _("Weekly upkeep"), True, rule="C-5",
            choices={True: _("A quarter of an army’s points, at least 1"), False: _("Armies cost nothing")},
        ),
        "survivors": HouseRule(
            _("Stands a destroyed unit keeps if its side wins"), 1, rule="C-6", most=STANDS_MOST,
            help=_("Enter 0 to remove the unit from the army."),
        ),
        "stands_back": HouseRule(
            _("Stands each unit regains in a week without battle"), 1, rule="C-7", most=STANDS_MOST,
        ),
    },
    figures={
        "troops": ItemFigures(_("Type of troops"), {
            "stands": ItemFigure(_("number of stands"), _("Number of stands"), 1, STANDS_MOST),
            "points": ItemFigure(_("points"), _("Points"), 1, POINTS_MOST),
        }),
        "weapons": ItemFigures(_("Weapon"), {
            "assault": ItemFigure(_("assault factor"), _("Assault factor"), 0, DICE_MOST),
            "melee": ItemFigure(_("melee factor"), _("Melee factor"), 0, DICE_MOST),
            "shot": ItemFigure(_("shot factor"), _("Shot factor"), 0, DICE_MOST),
            "range": ItemFigure(_("range"), _("Range"), 0, RANGE_MOST),
        }),
        "moves": ItemFigures(_("Move"), {
            "move": ItemFigure(_("move when fighting"), _("Move when fighting"), 0, MOVE_MOST),
            "calm": ItemFigure(_("move without fighting"), _("Move without fighting"), 0, MOVE_MOST),
        }),
        "hits": ItemFigures(_("Level of protection"), {
            "hits": ItemFigure(_("colors that hit"), _("Colors that hit"), 1, len(COLORS)),
            "confirms": ItemFigure(_("colors that confirm"), _("Colors that confirm"), 0, len(COLORS)),
        }),
        "experiences": ItemFigures(_("Experience"), {
            "dice": ItemFigure(_("dice"), _("Dice"), -2, 4),
            "points": ItemFigure(_("points"), _("Points"), 0, POINTS_MOST),
        }),
        "spells": ItemFigures(_("Spell"), {
            "cost": ItemFigure(_("cost"), _("Cost"), 1, CAST_MOST),
        }),
    },
    own=clean_own,
)  # fmt: skip


def house_of(stored: Mapping[str, Any]) -> House:
    """The house rules from their stored form. Unknown settings are ignored."""
    known = {name: stored[name] for name in HOUSE_RULES.rules if name in stored}
    return replace(House(**known), overlay=stored.get(OVERLAY, {}), own=stored.get(OWN, {}))


def tables_of(overlay: Mapping[str, Mapping[str, Mapping[str, Any]]], own: Own | None = None) -> Tables:
    """The tables with a campaign's changed figures and its own items."""
    law = Tables()

    def changed[I: Item](kind: str, items: Mapping[str, I]) -> dict[str, I]:
        return overlaid(items, overlay.get(kind, {}), HOUSE_RULES.figures_of(kind))

    amended = law._replace(
        troops=changed("troops", law.troops),
        weapons=changed("weapons", law.weapons),
        moves=changed("moves", law.moves),
        hits=changed("hits", law.hits),
        experiences=changed("experiences", law.experiences),
        spells=changed("spells", law.spells),
    )
    return with_own(amended, own or {})


def options_of(house: House, tables: Tables) -> BattleOptions:
    """The options a battle of this campaign starts with."""
    own = house.own.get("spells", {})
    return BattleOptions(
        house.combat, house.turn_limit, house.victory_share, house.supply, house.supply_points, house.hindrance,
        house.flyers_beside, house.appeals,
        {slug: spell_figures(one, tables, str(one.name) if slug in own else "") for slug, one in tables.spells.items()},
        tuple(Ladder(level.hits, level.confirms, level.advantage)
              for level in sorted(tables.hits.values(), key=lambda one: one.level)),
    )  # fmt: skip

"""Wording of changes to armies, commanders and stores: fields and slugs by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.forces.tracked_fields import STATUSES, way_in_words
from core.text import render
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, Term, _, say
from rules.pathfinder.catalogues import NAMED_UNITS

ARMY_WORDS: Mapping[str, Said] = {
    "name": _("Name"),
    "unit": _("Unit"),
    "count": _("Head count"),
    "mount": _("They ride"),
    "hp_max": _("Hit points at most"),
    "hp": _("Hit points"),
    "morale": _("Morale"),
    "status": _("Status"),
    "arrears": _("In arrears"),
    "owed": _("BP owed"),
    "disease": _("Penalty from disease"),
    "ill": _("Ill"),
    "drain": _("Penalty from energy drain"),
    "surcharge": _("Potions to pay"),
    "foraging": _("Weeks of food in its hex"),
    "revealed": _("Sheet revealed"),
    "hidden": _("Hidden from other players"),
    "rested_on": _("Day of its last rest"),
    "place": _("Where it is"),
    "hex": _("Hex of the map"),
    "marching_until": _("On the march until day"),
    "route": _("Its way"),
    "led_days": _("Days led in the week"),
    "led_to": _("Days led counted up to day"),
    "repertoire": _("Tactics"),
    "resources": _("Resources"),
    "commander": _("Commander"),
}
COMMANDER_WORDS: Mapping[str, Said] = {
    "name": _("Name"),
    "character_class": _("Class or kind"),
    "level": _("Level or HD"),
    "charisma_modifier": _("Charisma modifier"),
    "soldier_ranks": _("Ranks in Profession (soldier)"),
    "leadership_feat": _("Leadership feat"),
    "player_character": _("Player character"),
    "office": _("Office"),
    "office_boon": _("Boon of the office"),
    "office_tactic": _("Its tactic"),
    "boons": _("Boons"),
    "status": _("Status"),
    "notorious": _("Known for defeat, capture and ransom"),
    "captures": _("Times captured"),
    "away_until": _("Away until day"),
    "active_days": _("Days a week with the army"),
    "ransom": _("Ransom in BP"),
}
NAMES: Mapping[str, Said] = {
    "tactics": _("Tactics"),
    "created": _("New army"),
    "exists": _("In service"),
    "consumption": _("Consumption"),
    "acr": _("ACR"),
    "regrowth": _("Hit points that grow back in a day"),
}
STORE_WORDS: Mapping[str, Said] = {"stock": _("Stores")}
CATALOGUES = {"office": "offices", "office_boon": "boons", "office_tactic": "tactics"}


def format_value(campaign: Campaign, field: str, value: Any) -> Any:
    """One side of a change as a reader says it."""
    law = get_ruleset(campaign)
    match field, value:
        case _, None:
            return None
        case "status", str():
            return render(STATUSES.get(value, Term(value)))
        case "unit", dict():
            return render(say(_("{name} (CR {cr})"), name=value.get("name"), cr=value.get("cr")))
        case "route", dict():
            return way_in_words(value)
        case "mount", dict():
            return value.get("name") or render(_("unnamed"))
        case "tactics", list():
            return [_item(law.tactics, slug) for slug in value]
        case "repertoire", dict():
            return [_tactic(law, slug, granted=granted) for slug, granted in value.items()]
        case "resources", dict():
            return [_counted(_item(law.resources, slug), quantity) for slug, quantity in value.items()]
        case "stock", list():
            return [_lot(law, lot) for lot in value]
        case "boons", list():
            return [_boon(law, boon) for boon in value]
        case "created", {"slug": _slug, "unit": dict(unit)}:
            return format_value(campaign, "unit", {**unit, "name": value.get("name")})
        case "created", dict():
            return render(say(NAMED_UNITS, name=value.get("name"), count=value.get("count")))
        case (("office" | "office_boon" | "office_tactic"), str()):
            return _item(getattr(law, CATALOGUES[field]), value)
    return value


def _item(catalogue: Mapping[str, Any], slug: str) -> str:
    return render(catalogue[slug].name) if slug in catalogue else slug


def _tactic(law: Any, slug: str, *, granted: bool) -> str:
    name = _item(law.tactics, slug)
    return render(say(_("{tactic} (granted)"), tactic=name)) if granted else name


def _counted(name: str, quantity: int) -> str:
    return f"{name} × {quantity}" if quantity > 1 else name


def _lot(law: Any, lot: Mapping[str, Any]) -> str:
    name = _counted(_item(law.resources, lot["resource"]), lot["quantity"])
    return f"{name} ({_item(law.sizes, lot['size'])})"


def _boon(law: Any, boon: Mapping[str, Any]) -> str:
    name, tactic = _item(law.boons, boon["boon"]), boon.get("tactic")
    return f"{name} ({_item(law.tactics, tactic)})" if tactic else name

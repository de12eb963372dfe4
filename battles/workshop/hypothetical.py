"""Hypothetical battles between armies the asker may read and armies they describe. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.forces import access
from armies.ruleset_ui import list_army_uis as list_army_uis
from battles.codec.forecasts import WONDER
from battles.codec.requests import Members
from battles.forecast.queries import Foreseen, build_foreseen_opening, require_supposing
from battles.play.errors import UnknownArmy
from battles.ruleset_ui import BattleUI, get_battle_ui
from core.clean_input import clean_text, parse_uuid
from kingdom.campaign.house_rules import clean_house_rules
from kingdom.models import User
from kingdom.models.base import uuid7
from rules.core.errors import demand
from rules.core.shapes.value_kinds import LIST_MOST
from rules.core.text import _
from rules.law import Law
from rules.registry import ruleset

ARMIES_MOST = 40


def build_hypothetical_battle(user: User, data: Any) -> tuple[Foreseen, dict[str, Any]]:
    """Reads the body of a hypothetical forecast. Returns the battle, and the members that say what is asked (`WONDER`).

    The user must be able to read the figures of every named army. Raises `InvalidInput` with pointers, and
    `UnknownArmy` (404) for other armies.
    """
    demand(isinstance(data, Mapping), _("Enter a JSON object."))
    body = dict(data)
    slug = Members({"ruleset": body.pop("ruleset", None)}).slug("ruleset")
    house = clean_house_rules(body.pop("house_rules", None), ruleset=slug)
    law = ruleset(slug, house)
    require_supposing(law)
    wonder = {name: body.pop(name) for name in WONDER if name in body}
    found: dict[str, Any] = {}
    sides = _sides(user, law, body.pop("sides", None), found)
    opening = get_battle_ui(law).read_opening({"sides": sides, **body}).with_armies(found)
    return build_foreseen_opening(law, house, law.battle.check(opening), uuid7()), wonder


def _sides(user: User, law: Law, data: Any, found: dict[str, Any]) -> list[dict[str, Any]]:
    """The sides, with ids instead of described armies; the ruleset's document of each army is added to `found`."""
    demand(isinstance(data, list) and len(data) <= LIST_MOST, _("Give a list."), field="/sides")
    return [_side(user, law, side, f"/sides/{index}", found) for index, side in enumerate(data)]


def _side(user: User, law: Law, data: Any, at: str, found: dict[str, Any]) -> dict[str, Any]:
    members = Members(data, at)
    name = clean_text(members.raw("name"), field=f"{at}/name")
    armies = members.each("armies", lambda item, place: _army(user, law, item, place, found))
    members.done()
    return {"name": name, "armies": list(armies)}


def _army(user: User, law: Law, data: object, at: str, found: dict[str, Any]) -> str:
    demand(len(found) < ARMIES_MOST, _("Use at most {most} armies."), field=at, most=ARMIES_MOST)
    ui = get_battle_ui(law)
    if isinstance(data, Mapping):
        name = clean_text(data.get("name"), field=f"{at}/name")
        demand(name not in found, _("Two armies have the same name. Rename one of them."), field=f"{at}/name")
        found[name] = ui.supposed(law, data, at)
        return name
    demand(isinstance(data, str), _("Give the id of an army, or describe it."), field=at)
    army = _known(user, law, str(data), at, ui)
    found[str(army.pk)] = ui.document(army)
    return str(army.pk)


def _known(user: User, law: Law, name: str, at: str, ui: BattleUI) -> Any:
    key = parse_uuid(name)
    kind = next((known.army for known in list_army_uis() if known.family == ui.family), None)
    army = access.list_visible_armies(user, kind).complete().filter(pk=key).first() if key and kind else None
    if army is None or ruleset(army.campaign.ruleset).family != law.family:
        raise UnknownArmy(at)
    return army

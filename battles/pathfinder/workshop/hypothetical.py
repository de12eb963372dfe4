"""Hypothetical army in the API's format, outside of any campaign, for forecasts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.codec.requests import Members, read_whole
from rules.army_figures import AT_RAISING, names_of
from rules.core.errors import demand
from rules.core.text import Term, _
from rules.pathfinder.documents import mount_from_json, unit_from_json
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import MASS_COMBAT_FIGURES, ArmySpec, BoonChoice, CommanderSpec, TacticKnown

LEVEL_MOST, BONUS_MOST, QUANTITY_MOST, COUNT_MOST, HP_MOST, MORALE = 60, 40, 100, 10_000_000, 100_000, 20
AS_IN_THE_WORLD = ("character_class", "kingdom", "status")  # members of stored armies without any effect here


def supposed(law: Ruleset, data: object, at: str) -> ArmySpec:
    """Parse the body of POST armies/ without its kingdom, with `commander` (a body), `tactics` and `resources`. Its
    name is its id. Raises `InvalidInput` with JSON pointers.
    """
    members = Members(data, at)
    name = members.text("name")
    for told in ("kingdom", *names_of(MASS_COMBAT_FIGURES, AT_RAISING)):
        members.raw(told)  # no effect here
    army = ArmySpec(
        id=name,
        name=name,
        unit=unit_from_json(members.raw("unit"), law, f"{at}/unit"),
        count=members.whole("count", 1, COUNT_MOST),
        mount=mount_from_json(members.raw("mount"), law, f"{at}/mount"),
        commander=_commander(law, members.raw("commander"), name, f"{at}/commander"),
        resources=_resources(law, members.raw("resources"), f"{at}/resources"),
        tactics=members.each("tactics", lambda item, place: _tactic(law, item, place)),
        hp=members.whole("hp", 1, HP_MOST) if members.raw("hp") is not None else None,
        morale=members.whole("morale", -MORALE, MORALE, 0),
    )
    members.done()
    return army


def _commander(law: Ruleset, data: object, army: str, at: str) -> CommanderSpec | None:
    if data is None:
        return None
    members = Members(data, at)
    for name in AS_IN_THE_WORLD:
        members.raw(name)
    found = CommanderSpec(
        id=f"{army}’s",
        name=members.text("name", "–"),
        level=members.whole("level", 1, LEVEL_MOST, 1),
        charisma_modifier=members.whole("charisma_modifier", -BONUS_MOST, BONUS_MOST, 0),
        soldier_ranks=members.whole("soldier_ranks", 0, LEVEL_MOST, 0),
        leadership_feat=members.flag("leadership_feat"),
        player_character=members.flag("player_character"),
        office=members.slug_or("office", None),
        office_boon=members.slug_or("office_boon", None),
        office_tactic=members.slug_or("office_tactic", None),
        boons=members.each("boons", lambda item, place: _boon(law, item, place)),
        notorious=members.flag("notorious"),
    )
    members.done()
    if found.office is not None:
        _known(law.offices, found.office, f"{at}/office", _("Office “{slug}” not found."))
        _known(law.boons, found.office_boon or "", f"{at}/office_boon", _("Boon “{slug}” not found."))
    return found


def _boon(law: Ruleset, data: object, at: str) -> BoonChoice:
    members = Members(data, at)
    boon = _known(law.boons, members.slug("boon"), f"{at}/boon", _("Boon “{slug}” not found."))
    tactic = members.slug_or("tactic", None)
    if tactic is not None:
        _known(law.tactics, tactic, f"{at}/tactic", NO_TACTIC)
    members.done()
    return BoonChoice(boon, tactic)


NO_TACTIC = _("Tactic “{slug}” not found.")


def _tactic(law: Ruleset, data: object, at: str) -> TacticKnown:
    if isinstance(data, str):
        return TacticKnown(_known(law.tactics, data, at, NO_TACTIC))
    members = Members(data, at)
    known = TacticKnown(_known(law.tactics, members.slug("tactic"), f"{at}/tactic", NO_TACTIC), members.flag("granted"))
    members.done()
    return known


def _resources(law: Ruleset, data: object, at: str) -> dict[str, int]:
    """Parse `{slug: quantity}`, or a list in the format of armies."""
    if data is None:
        return {}
    if isinstance(data, list):
        return dict(_resource(law, item, f"{at}/{place}") for place, item in enumerate(data))
    demand(isinstance(data, Mapping), _("Enter a JSON object."), field=at)
    assert isinstance(data, Mapping)
    return {
        _known(law.resources, slug, f"{at}/{slug}", NO_RESOURCE): read_whole(count, 0, QUANTITY_MOST, f"{at}/{slug}")
        for slug, count in data.items()
    }


NO_RESOURCE = _("Resource “{slug}” not found.")


def _resource(law: Ruleset, data: object, at: str) -> tuple[str, int]:
    members = Members(data, at)
    slug = _known(law.resources, members.slug("resource"), f"{at}/resource", NO_RESOURCE)
    found = slug, members.whole("quantity", 0, QUANTITY_MOST, 1)
    members.done()
    return found


def _known(items: Mapping[str, Any], slug: str, at: str, template: Term) -> str:
    demand(slug in items, template, field=at, slug=str(slug)[:60])
    return slug

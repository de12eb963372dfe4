"""Armies that are in no campaign: the body of POST armies/ with what it has, knows and who leads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from battles.codec.members import Members
from rules.errors import InvalidInput, demand
from rules.pathfinder.commander import check_commander
from rules.pathfinder.parse import mount_from_json, mount_to_json, unit_from_json, unit_to_json
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.size import MOST_UNITS
from rules.pathfinder.spec import ArmySpec, BoonChoice, CommanderSpec, TacticKnown
from rules.text import _

MOST = 1_000
FIGURES = {"level": (1, 60, 1), "charisma_modifier": (-5, 30, 0), "soldier_ranks": (0, 60, 0)}


def spec_from_text(text: str, law: Ruleset, army: str) -> ArmySpec:
    """The army that is written here as JSON. Raises InvalidInput."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InvalidInput(_("This is no JSON: copy an army as the API tells it.")) from error
    return spec_from_body(data, law, army)


def spec_from_body(data: object, law: Ruleset, army: str, at: str = "") -> ArmySpec:
    """Such a body; `army`: its id here. Raises InvalidInput with pointers."""
    members = Members(data, at)
    spec = ArmySpec(
        id=army,
        name=members.text("name"),
        unit=unit_from_json(members.raw("unit"), law, f"{at}/unit"),
        count=members.whole("count", 1, MOST_UNITS),
        mount=mount_from_json(members.raw("mount"), law, f"{at}/mount"),
        commander=_commander(members, law),
        resources=dict(members.each("resources", lambda body, place: _resource(body, law, place))),
        tactics=members.each("tactics", lambda body, place: _tactic(body, law, place)),
        hp=members.whole("hp", 1, 1_000_000) if members.raw("hp") is not None else None,
        morale=members.whole("morale", -4, 4, 0),
    )
    members.done()
    law.sheet(spec)
    return spec


def _resource(body: object, law: Ruleset, at: str) -> tuple[str, int]:
    """A slug, or `{resource, quantity}`."""
    members = Members({"resource": body} if isinstance(body, str) else body, at)
    slug, quantity = members.slug("resource"), members.whole("quantity", 0, MOST, 1)
    members.done()
    demand(slug in law.resources, _("There is no resource “{slug}”."), field=at, slug=slug)
    return slug, quantity


def _tactic(body: object, law: Ruleset, at: str) -> TacticKnown:
    """A slug, or `{tactic, granted}`."""
    members = Members({"tactic": body} if isinstance(body, str) else body, at)
    slug, granted = members.slug("tactic"), members.flag("granted")
    members.done()
    demand(slug in law.tactics, _("There is no tactic “{slug}”."), field=at, slug=slug)
    return TacticKnown(slug, granted)


def _commander(members: Members, law: Ruleset) -> CommanderSpec | None:
    body, at = members.raw("commander"), members.pointer("commander")
    if body is None:
        return None
    own = Members(body, at)
    figures: dict[str, Any] = {
        name: own.whole(name, least, most, usual) for name, (least, most, usual) in FIGURES.items()
    }
    flags: dict[str, Any] = {name: own.flag(name) for name in ("leadership_feat", "player_character", "notorious")}
    office: dict[str, Any] = {name: own.slug_or(name, None) for name in ("office", "office_boon", "office_tactic")}
    boons = own.each("boons", _boon)
    spec = CommanderSpec(id="", name=own.text("name", "–"), boons=boons, **figures, **flags, **office)
    own.done()
    check_commander(law, spec)
    return spec


def _boon(body: object, at: str) -> BoonChoice:
    members = Members({"boon": body} if isinstance(body, str) else body, at)
    boon = BoonChoice(members.slug("boon"), members.slug_or("tactic", None))
    members.done()
    return boon


def body_of(spec: ArmySpec) -> dict[str, Any]:
    """An army as such a body, without what it went through."""
    plain: dict[str, Any] = {"name": spec.name, "unit": unit_to_json(spec.unit), "count": spec.count}
    if spec.mount is not None:
        plain["mount"] = mount_to_json(spec.mount)
    if spec.resources:
        plain["resources"] = [{"resource": slug, "quantity": count} for slug, count in spec.resources.items()]
    if spec.tactics:
        plain["tactics"] = [{"tactic": known.tactic, "granted": known.granted} for known in spec.tactics]
    if spec.commander is not None and spec.commander.active:
        plain["commander"] = _commander_body(spec.commander)
    return plain


def _commander_body(spec: CommanderSpec) -> Mapping[str, Any]:
    names = ("name", *FIGURES, "leadership_feat", "notorious", "office", "office_boon", "office_tactic")
    told = {name: getattr(spec, name) for name in names}
    boons = [{"boon": choice.boon, "tactic": choice.tactic} for choice in spec.boons]
    return {**{name: value for name, value in told.items() if value not in (None, False, 0)}, "boons": boons}

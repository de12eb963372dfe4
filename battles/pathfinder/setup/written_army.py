"""Written armies: the API's body of an army in an address, as text and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battles.pathfinder.workshop.hypothetical import supposed
from battles.workshop.matchups import read_written
from rules.pathfinder.documents import mount_to_json, unit_to_json
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import ArmySpec, CommanderSpec


def parse_spec(text: str, law: Ruleset, army: str) -> ArmySpec:
    """The army that is written here as JSON; `army`: its id. Raises InvalidInput."""
    return spec_from_body(read_written(text), law, army)


def spec_from_body(data: object, law: Ruleset, army: str) -> ArmySpec:
    """Raises InvalidInput with pointers, also where its figures cannot be."""
    spec = replace(supposed(law, data, ""), id=army)
    law.sheet(spec)
    return spec


def body_of(spec: ArmySpec) -> dict[str, Any]:
    """An army as such a body, without what it went through."""
    plain: dict[str, Any] = {"name": spec.name, "unit": unit_to_json(spec.unit), "count": spec.count}
    if spec.mount is not None:
        plain["mount"] = mount_to_json(spec.mount)
    if spec.resources:
        plain["resources"] = dict(spec.resources)
    if spec.tactics:
        plain["tactics"] = [{"tactic": known.tactic, "granted": known.granted} for known in spec.tactics]
    if spec.commander is not None and spec.commander.active:
        plain["commander"] = _commander_body(spec.commander)
    return plain


TOLD = ("name", "level", "charisma_modifier", "soldier_ranks", "leadership_feat", "notorious", "office", "office_boon",
        "office_tactic")  # fmt: skip


def _commander_body(spec: CommanderSpec) -> dict[str, Any]:
    told = {name: value for name in TOLD if (value := getattr(spec, name)) not in (None, False, 0)}
    return {**told, "boons": [{"boon": choice.boon, "tactic": choice.tactic} for choice in spec.boons]}

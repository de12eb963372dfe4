"""Mapping of abilities to items of Foundry's module, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.text import slugify

from armies.pathfinder.foundry.actor_shapes import OURS, SPECIAL, find_slug, items_of, peek_at, read_name
from core.clean_input import NAME_MAX
from rules.core.errors import Refusal
from rules.core.text import Said, Term, _, say
from rules.pathfinder.documents import unit_from_json, unit_to_json

SAID = re.compile(r"(?P<head>.+?)\s*(?:\((?P<said>[^()]+)\)|\s(?P<number>\d{1,3}))")
"""A name followed by a choice or a number: "Hex (Healing)", "Fast Healing 5"."""
PLAIN_UNIT = {"name": "New army", "cr": "1"}


def ability_named(name: str, law: Any) -> dict[str, Any] | None:
    """The ability with this name, and the number or choice that follows it; None for an unknown one."""
    slug = find_slug(name, law.abilities)
    if slug in law.abilities:
        return {"ability": slug}
    parted = SAID.fullmatch(name.strip()) if len(name) <= NAME_MAX else None
    slug = find_slug(parted["head"], law.abilities) if parted else ""
    if parted is None or slug not in law.abilities:
        return None
    said = parted["said"] or parted["number"]
    if law.abilities[slug].value != "none" and said.strip().isdecimal() and len(said) < 4:
        return {"ability": slug, "value": int(said)}
    chosen = slugify(said)
    for option in law.abilities[slug].options:
        known = {"choice": option.choices, "tactic": law.tactics, "creature_type": law.creature_types}
        if chosen in known.get(option.kind, ()):
            return {"ability": slug, "options": {option.slug: chosen}}
    return None


def find_ability(item: Mapping[str, Any], law: Any) -> dict[str, Any] | None:
    """The ability that the item's name says, else the one in our flag; None for an unknown one."""
    if (named := ability_named(read_name(item), law)) is not None:
        return named
    beside = peek_at(item, f"{OURS}/ability")
    return {"ability": beside} if isinstance(beside, str) and beside in law.abilities else None


def agrees(named: Mapping[str, Any], choice: Mapping[str, Any]) -> bool:
    """Whether the number and choice in the name match the ability."""
    options = choice.get("options") or {}
    said = named.get("options", {}).items()
    return named.get("value") in (None, choice.get("value")) and all(options.get(name) == value for name, value in said)


def item_name(ability: Any, choice: Mapping[str, Any]) -> str:
    """The item's name in the module, with the chosen option behind it."""
    options = choice.get("options") or {}
    chosen = next((options[one.slug] for one in ability.options if one.kind == "choice" and one.slug in options), "")
    return f"{ability.name} ({str(chosen).title()})" if chosen else str(ability.name)


def abilities_found(
    actor: Mapping[str, Any], base: Iterable[Mapping[str, Any]], law: Any, warnings: list[Said]
) -> list[dict[str, Any]]:
    """Abilities by the actor's items. Numbers and choices missing in a name come from our flags."""
    if actor.get("items") is None:
        return [dict(choice) for choice in base]
    before, found = abilities_kept(base), dict[str, dict[str, Any]]()
    for item in items_of(actor, SPECIAL):
        name = read_name(item)
        named = find_ability(item, law)
        if named is None:
            warnings.append(_named(_("The special ability “{name}” was not imported: Warhost does not know it."), name))
            continue
        choice, problem = choice_of(item, named, before, law)
        if problem is not None:
            said = _("The special ability “{name}” was not imported: {problem}")
            if choice is not None:
                said = _("The details of the special ability “{name}” were not imported: {problem}")
            warnings.append(say(said, name=name[:60], problem=problem))
        if choice is not None and found.setdefault(choice["ability"], choice) != choice:
            warnings.append(_named(_("“{name}” appears twice. Only the first was imported."), name))
    return list(found.values())


def abilities_kept(told: Any) -> dict[str, Mapping[str, Any]]:
    """Stored abilities by slug; malformed ones are left out."""
    choices = [one for one in told if isinstance(one, Mapping)] if isinstance(told, list) else []
    return {choice["ability"]: choice for choice in choices if isinstance(choice.get("ability"), str)}


def choice_of(
    item: Mapping[str, Any], named: Mapping[str, Any], before: Mapping[str, Any], law: Any
) -> tuple[dict[str, Any] | None, Said | None]:
    """The ability an item stands for, with its number and choice from its own flag, or from the army's flag.

    Returns (ability, problem). The ability is None if the ruleset accepts none of these; the problem says what is not
    imported.
    """
    beside = peek_at(item, OURS)
    problem: Said | None = None
    given: Any
    for given in (beside, before.get(named["ability"]), {}):
        if given is None:
            continue
        try:
            return _checked(given, named, law), problem
        except Refusal as refusal:
            problem = problem or refusal.message
    return None, problem


def _checked(given: Any, named: Mapping[str, Any], law: Any) -> dict[str, Any]:
    """The ability in its normal form. Raises `InvalidInput`."""
    own = given if isinstance(given, Mapping) else {"options": given}
    options = own.get("options") or {}
    if isinstance(options, Mapping):
        options = {**options, **named.get("options", {})}
    value = named.get("value", own.get("value"))
    choice = {"ability": named["ability"], "value": value, "options": options}
    read = unit_to_json(unit_from_json({**PLAIN_UNIT, "abilities": [choice]}, law))
    checked: dict[str, Any] = read["abilities"][0]
    return checked


def _named(said: Term, name: str) -> Said:
    return say(said, name=name[:60])

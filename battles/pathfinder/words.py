"""Words of mass combat on battle pages, and the chips above the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battles.ruleset_ui import Onward
from rules.core.text import Said, Term, _, say
from rules.pathfinder.battle.state.battle_state import BattleState, Fort, SetCondition
from rules.pathfinder.catalogue.conditions import DEFAULT_DEFENSE, WIND_NAMES

# Words of mass combat on battle pages.

ONWARD: Mapping[str, Onward] = {
    "next": Onward(_("Begin the battle"), "play"),
    "resolve": Onward(_("Resolve {phase}"), "battle"),
}
WAITING = _("No orders yet: {names}. They keep their tactic, strategy and target.")
HEALTH_NAME = _("Hit points")
HEALTH_UNIT = _("hp")
LUCK = _("How far the d20s of each side fell above or below average in total.")
ROLL_NAMES: Mapping[str, Term] = {
    "ambush": _("ambush"),
    "tactic": _("changes tactic"),
    "strategy": _("changes strategy"),
    "taunt": _("resists the taunt"),
    "withdraw": _("withdrawal"),
    "attack": _("attacks"),
    "extra": _("extra damage"),
    "siege": _("siege engine"),
    "siegebreaker": _("destroys an engine"),
    "fear": _("resists fear"),
    "bleed": _("bleeds"),
    "rout": _("rout check"),
    "rout-reroll": _("rout check, again"),
    "parting": _("parting shot"),
    "loyalty-tactic": _("Loyalty: a tactic"),
    "loyalty-boon": _("Loyalty: a boon"),
    "commander-fate": _("the commander’s fate"),
}
OVERRIDES: Mapping[str, Term] = {
    "hp": _("hit points"),
    "om": _("OM: add or subtract"),
    "dv": _("DV: add or subtract"),
    "morale": _("morale"),
    "tactic": _("tactic"),
    "strategy": _("strategy"),
    "target": _("target"),
    "mark": _("mark: give or remove"),
    "ability": _("ability: give or remove"),
    "engines": _("siege engines"),
    "invincible": _("invincible against an enemy"),
    "status": _("status"),
}
KEYS: Sequence[tuple[str, Term]] = (
    ("12345", _("the strategy, from defensive to reckless")),
    ("t", _("next target")),
)


# Chips above the field: the conditions of a battle.

NO_WORDS = Term("")


@dataclass(frozen=True)
class Chip:
    """Short fact. `tone` is "", good, bad, warn or gold. `more` explains it. `entry` is the kind and slug of its codex
    entry. `index` is its place among the conditions that can be lifted.
    """

    text: Said
    icon: str = ""
    tone: str = ""
    more: Said = NO_WORDS
    entry: tuple[str, str] | None = None
    index: int | None = None


def condition_chips(battle: BattleState) -> list[tuple[Chip, SetCondition]]:
    return [(_condition_chip(battle, condition), condition) for condition in battle.conditions]


def _condition_chip(battle: BattleState, condition: SetCondition) -> Chip:
    item = battle.law.conditions[condition.condition]
    what = _with_value(battle, condition, item.name)
    if condition.armies:
        what = say(_("{condition}: {armies}"), condition=what, armies=_names(battle, condition.armies))
    if condition.exempt:
        what = say(_("{condition}, except {armies}"), condition=what, armies=_names(battle, condition.exempt))
    return Chip(what, item.slug, _tone(condition), item.summary, ("conditions", item.slug))


def _tone(condition: SetCondition) -> str:
    if condition.condition == "heroes":
        return "good" if isinstance(condition.value, int) and condition.value > 0 else "bad"
    return ""


def _with_value(battle: BattleState, condition: SetCondition, name: Said) -> Said:
    match condition.condition:
        case "wind":
            return WIND_NAMES.get(str(condition.value), Term(str(condition.value)))
        case "heroes":
            prevailed = isinstance(condition.value, int) and condition.value > 0
            return _("Heroes succeeded (+4)") if prevailed else _("Heroes failed (−4)")
        case "fortification":
            fort = next((fort for fort in battle.forts if fort.armies == condition.armies), None)
            return _fortification(name, condition, fort)
    return name


def _fortification(name: Said, condition: SetCondition, fort: Fort | None) -> Said:
    worth = DEFAULT_DEFENSE if condition.value is None else condition.value
    if fort is not None:
        worth = sum(part.value for part in fort.parts)
    if fort is not None and fort.worn:
        return say(_("{fortification} +{value}, damage −{worn}"), fortification=name, value=worth, worn=fort.worn)
    return say(_("{fortification} +{value}"), fortification=name, value=worth)


def _names(battle: BattleState, armies: tuple[str, ...]) -> str:
    return ", ".join(battle.armies[army].name for army in armies if army in battle.armies)

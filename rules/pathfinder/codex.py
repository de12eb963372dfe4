"""Codex of this law: what a reader can look up, kind by kind, with the figures of each item in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rules.core.text import Said, Term, _, by_number, minus, say, signed
from rules.law import Catalogue
from rules.pathfinder.catalogue.marks import MARKS
from rules.pathfinder.catalogue.rule_index import INDEX
from rules.pathfinder.rulebook import Rulebook

NAMED_UNITS = by_number("{name}, {count} unit", "{name}, {count} units")
KINDS: Mapping[str, Term] = {
    "tactics": _("Tactics"),
    "strategies": _("Strategies"),
    "conditions": _("Battlefield conditions"),
    "boons": _("Boons"),
    "resources": _("Resources"),
    "abilities": _("Special abilities"),
    "offices": _("Offices"),
    "buildings": _("Buildings"),
    "sizes": _("Army sizes"),
}
CLASSES: Mapping[str, Term] = {
    "alchemist": _("alchemist"),
    "barbarian": _("barbarian"),
    "bard": _("bard"),
    "cavalier": _("cavalier"),
    "cleric": _("cleric"),
    "druid": _("druid"),
    "fighter": _("fighter"),
    "inquisitor": _("inquisitor"),
    "monk": _("monk"),
    "paladin": _("paladin"),
    "ranger": _("ranger"),
    "rogue": _("rogue"),
    "summoner": _("summoner"),
    "witch": _("witch"),
}
FIGURES = (
    "units", "step", "defeat", "om", "dv", "damage", "leadership", "tier", "needs_tactic", "price", "consumption",
    "scaled", "several", "replaces", "value", "class_levels", "always_known", "boons", "defense",
)  # fmt: skip


def catalogues_of(law: Rulebook) -> dict[str, Catalogue]:
    found = {
        kind: Catalogue(label, getattr(law, kind), _teller(law, kind), FIGURES, _members)
        for kind, label in KINDS.items()
    }
    marks = {slug: mark for slug, mark in MARKS.items() if not mark.hidden}
    return {
        **found,
        "marks": Catalogue(_("Marks of armies in battle"), marks, _no_figures),
        "rules": Catalogue(_("Rules"), INDEX, _no_figures),
    }


def _no_figures(item: Any) -> tuple[Said, ...]:
    return ()


def _members(item: Any) -> dict[str, Any]:
    """What the API answers of an item beside its figures."""
    told: dict[str, Any] = {}
    if hasattr(item, "factor"):
        told["price_factor"] = str(item.factor)
    if options := getattr(item, "options", ()):
        told["options"] = [
            {"slug": o.slug, "kind": o.kind, "choices": list(o.choices), "required": o.required} for o in options
        ]
    if buildings := getattr(item, "buildings", ()):
        told["buildings"] = list(buildings)
    return told


def _teller(law: Rulebook, kind: str) -> Callable[[Any], Iterable[Said]]:
    return lambda item: _facts(law, kind, item)


def _facts(law: Rulebook, kind: str, item: Any) -> Iterator[Said]:
    match kind:
        case "sizes":
            yield say(_("from {units} units"), units=item.units)
            yield say(_("ACR {step} steps"), step=signed(item.step))
            yield say(_("prices × {factor}"), factor=str(item.factor))
            yield say(_("defeat: {economy} / {loyalty} / {stability}"), **_losses(item.defeat))
        case "strategies" if item.step:
            yield say(
                _("OM {om}, DV {dv}, damage {damage}"),
                om=signed(item.om), dv=signed(item.dv), damage=signed(item.damage),
            )  # fmt: skip
        case "resources":
            yield say(_("{price} BP"), price=item.price)
            weekly = _("{consumption} BP for each use, in its week") if item.use else _("{consumption} BP a week")
            yield say(weekly, consumption=item.consumption)
            yield from (law.buildings[slug].name for slug in item.buildings if slug in law.buildings)
        case "boons" if item.leadership:
            yield say(_("leadership {leadership}"), leadership=item.leadership)
        case "abilities" if item.class_levels:
            yield from (_class_level(part) for part in item.class_levels.split(", "))
        case "offices":
            yield from (law.boons[slug].name for slug in item.boons if slug in law.boons)
        case "buildings" if item.defense:
            yield say(_("Defense {defense}"), defense=signed(item.defense))


def _class_level(text: str) -> Said:
    """ "paladin 4" with the class in the reader's words."""
    name, _space, level = text.rpartition(" ")
    return say(_("{character_class} {level}"), character_class=CLASSES.get(name, Term(name)), level=level)


def _losses(defeat: tuple[int, int, int]) -> dict[str, str]:
    return dict(zip(("economy", "loyalty", "stability"), map(minus, defeat), strict=True))

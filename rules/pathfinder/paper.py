"""Printed sheet of an army and table of strategies (PF-1, PF-3.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.core.breakdown import Breakdown
from rules.core.content import Item
from rules.core.paper import OnPaper, PaperAid, PaperFigure, PaperList
from rules.core.text import Said, Term, _, say, signed
from rules.pathfinder.catalogue.items import Strategy
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import bonus_tactics, rating_of
from rules.pathfinder.spec import ArmySpec

FIGURES: tuple[tuple[str, Term, bool], ...] = (
    ("om", _("OM"), False),
    ("dv", _("DV"), True),
    ("morale_check", _("Morale"), False),
    ("speed", _("Speed"), True),
    ("consumption", _("BP per week"), True),
)
STAGES: tuple[Said, ...] = (_("Ranged"), *(say(_("Melee {number}"), number=number) for number in range(1, 6)))
MEASURE = _("Hit points")
CHANGES: tuple[tuple[str, Term], ...] = (
    ("om", _("OM {number}")), ("dv", _("DV {number}")), ("damage", _("damage {number}")),
)  # fmt: skip


def on_paper(
    law: Rulebook, spec: ArmySpec, figures: Mapping[str, Breakdown], *, health: int, health_max: int
) -> OnPaper:
    """Return the printed army with those of its figures that are known.

    The brink is its ACR in hit points: at or below it, a loss requires a rout check.
    """
    size, acr = rating_of(spec)
    return OnPaper(
        id=spec.id,
        name=spec.name,
        health=health,
        health_max=health_max,
        about=say(
            _("{count} × {unit} · {size} · ACR {acr}"),
            count=spec.count, unit=spec.unit.name, size=size.name, acr=str(acr),
        ),
        leader=spec.commander.name if spec.commander else "",
        kingdom=spec.kingdom,
        charge=device_of(spec),
        measure=MEASURE,
        brink=acr.floor,
        brink_help=_("gray: losses call for a rout check"),
        figures=tuple(
            PaperFigure(label, figures[slug].total, figures[slug].lines, plain)
            for slug, label, plain in FIGURES if slug in figures
        ),
        lists=tuple(found for found in _lists(law, spec) if found.items),
    )  # fmt: skip


def device_of(spec: ArmySpec) -> str:
    """Return the icon on the army's shield: how it fights, else its creature type."""
    if spec.mount is not None or spec.resources.get("mounts"):
        return "cavalry"
    return "bowman" if spec.unit.ranged else spec.unit.creature_type


def _lists(law: Rulebook, spec: ArmySpec) -> Iterator[PaperList]:
    tactics = dict.fromkeys([*(known.tactic for known in spec.tactics), *bonus_tactics(law, spec)])
    yield PaperList(_("Tactics"), tuple(law.tactics[slug].name for slug in tactics if slug in law.tactics))
    yield PaperList(_("Abilities"), tuple(
        _counted(law.abilities[choice.ability], choice.value)
        for choice in spec.unit.abilities if choice.ability in law.abilities
    ))  # fmt: skip
    yield PaperList(_("Resources"), tuple(
        _counted(law.resources[slug], number if number > 1 else None)
        for slug, number in spec.resources.items() if number and slug in law.resources
    ))  # fmt: skip
    if spec.commander is not None and spec.commander.active:
        states = commander_sheet(law, spec.commander).boons
        yield PaperList(_("Boons"), tuple(state.boon.name for state in states if state.active))


def _counted(item: Item, number: int | None) -> Said:
    return say(_("{item} {number}"), item=item.name, number=number) if number else item.name


def strategies_on_paper(law: Rulebook) -> PaperAid:
    """Return the table of the five strategies, most careful first. An army starts with the middle one."""
    steps = sorted(law.strategies.values(), key=lambda item: item.step)
    begin = next((place for place, item in enumerate(steps) if item.step == 0), -1)
    return PaperAid(
        _("Strategy"),
        tuple((item.name, tuple(_changes(item))) for item in steps),
        begin,
        _("one step per phase is free, more need a morale check"),
    )


def _changes(item: Strategy) -> Iterator[Said]:
    for slug, template in CHANGES:
        if number := getattr(item, slug):
            yield say(template, number=signed(number))

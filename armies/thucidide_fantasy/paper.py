"""Printed contingents: cards with units, dice and stands, cards of casters' spells, and the table of hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from armies.models import Army
from armies.thucidide_fantasy.page import (
    CharacterRow,
    CommanderShown,
    ContingentShown,
    ContingentUnitRow,
    commander_of,
    contingent_of,
)
from core.text import render
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import OnPaper, PaperAid, PaperFigure, PaperList, PaperUnit
from rules.core.text import NO_WORDS, Said, Term, _, say, verbatim
from rules.thucidide_fantasy.ruleset import DURATIONS, TARGETS
from rules.thucidide_fantasy.spec import TABLE, Spell
from rules.thucidide_fantasy.starter import COLORS, FACE_ITEMS

UNITS_A_CARD, ROOM_FOR_CHARACTERS, SPELLS_A_CARD = 14, 16, 8
STAGES: Sequence[Said] = tuple(say(_("Turn {number}"), number=number) for number in range(1, 5))
"""Titles of the space for notes below, as far as there is room."""


def aids_of(campaign: Campaign) -> Sequence[PaperAid]:
    """The table of which colors hit which troops; empty where the program rolls the dice."""
    law: Any = get_ruleset(campaign)
    if law.house.combat != TABLE:
        return ()
    levels = sorted(law.tables.hits.values(), key=lambda one: one.level)
    return (PaperAid(_("Hit colors"), tuple((one.name, tuple(_hits(one))) for one in levels)),)


def _hits(level: Any) -> Iterator[Said]:
    yield say(Term("{colors}"), colors=[FACE_ITEMS[color].name for color in COLORS[: level.hits]])
    if level.confirms:
        confirming = [FACE_ITEMS[color].name for color in COLORS[: level.confirms]]
        yield say(_("confirmed: {colors}"), colors=confirming)


def on_paper(army: Army) -> OnPaper:
    """The army's card, with a box for each stand of each unit; only its name if the ruleset no longer accepts it."""
    contingent, leader = contingent_of(army), commander_of(army.commander) if army.commander else None
    head: dict[str, Any] = {
        "id": str(army.pk), "name": army.name, "leader": army.commander.name if army.commander else "",
        "kingdom": str(army.kingdom_id), "charge": "army",
    }  # fmt: skip
    if contingent is None:
        return OnPaper(health=army.health, health_max=army.health_max, **head)
    law: Any = get_ruleset(army.campaign)
    units, rest = _units(contingent, 0), len(contingent.units) > UNITS_A_CARD
    beside = len(contingent.units) + 2 * len(contingent.characters) <= ROOM_FOR_CHARACTERS
    return OnPaper(
        health=army.health,
        health_max=army.health_max,
        about=_led_by(leader),
        measure=law.armies.health,
        figures=tuple(_figures(contingent)),
        units=units,
        lists=_characters(contingent) if beside else (),
        more=(
            *([_further(army, contingent, law)] if rest else []),
            *([] if beside else [_card(army, "characters", _("Characters"), _characters(contingent))]),
            *_spell_cards(army, [*([leader.row] if leader else []), *contingent.characters]),
        ),
        **head,
    )


def _card(army: Army, slug: str, about: Said, lists: Sequence[PaperList], name: str = "") -> OnPaper:
    """A further card without stands."""
    return OnPaper(
        id=f"{army.pk}-{slug}", name=name or army.name, health=0, health_max=0, about=about,
        kingdom=str(army.kingdom_id), charge="army", lists=tuple(lists),
    )  # fmt: skip


def _further(army: Army, contingent: ContingentShown, law: Any) -> OnPaper:
    """A card for the units that don't fit on the first."""
    units = contingent.units[UNITS_A_CARD:]
    return OnPaper(
        id=f"{army.pk}-units", name=army.name, about=_("Further units"), measure=law.armies.health,
        health=sum(row.stands.value for row in units), health_max=sum(row.whole for row in units),
        kingdom=str(army.kingdom_id), charge="army", units=_units(contingent, UNITS_A_CARD),
    )  # fmt: skip


def _units(contingent: ContingentShown, since: int) -> tuple[PaperUnit, ...]:
    return tuple(_unit(row) for row in contingent.units[since : since + UNITS_A_CARD])


def _led_by(leader: CommanderShown | None) -> Said:
    if leader is None:
        return NO_WORDS
    if leader.rank is None or leader.level is None:
        return leader.row.kind
    text = _("{rank}, command range {reach}, level: {level}")
    return say(text, rank=leader.rank.name, reach=leader.rank.reach, level=leader.level.name)


def _figures(contingent: ContingentShown) -> Iterator[PaperFigure]:
    for one in contingent.figures:
        if one.id in ("points", "units", "victory"):
            yield PaperFigure(one.label, one.value, plain=True)


def _unit(row: ContingentUnitRow) -> PaperUnit:
    """A unit's line: dice as assault–melee, shots as dice and range."""
    assault, melee, shot, reach, move = row.figures
    dice = say(Term("{assault}–{melee}"), assault=_value(assault), melee=_value(melee))
    if shot and reach:
        dice = say(_("{dice}, shot {shot}/{range}"), dice=dice, shot=shot.value, range=reach.value)
    text = say(_("{dice}, move {move}"), dice=dice, move=_value(move))
    told = (row.facts[1], *row.traits)
    return PaperUnit(row.title, text, told, row.whole, row.stands.value)


def _value(figure: Any) -> int:
    return figure.value if figure else 0


def _characters(contingent: ContingentShown) -> tuple[PaperList, ...]:
    if not contingent.characters:
        return ()
    return (PaperList(_("Characters"), tuple(_person(row) for row in contingent.characters)),)


def _person(row: CharacterRow) -> Said:
    told = [
        row.kind,
        *row.facts,
        *(say(Term("{name} {value}"), name=one.label, value=one.value) for one in row.figures),
    ]
    return say(Term("{name} ({told})"), name=row.title, told=[*told, *row.traits])


def _spell_cards(army: Army, casters: Sequence[CharacterRow]) -> Iterator[OnPaper]:
    """Cards of each caster's spells: each spell with its effect, and a line for each card of it."""
    about = say(_("Spells of {army}"), army=verbatim(army.name))
    for place, row in enumerate(casters):
        spells = [
            PaperList(_title(spell, number, count), tuple(_about(spell)), spell.summary)
            for spell, count in (row.cards.cards if row.cards else ())
            for number in range(1, count + 1)
        ]
        for since in range(0, len(spells), SPELLS_A_CARD):
            told = spells[since : since + SPELLS_A_CARD]
            yield _card(army, f"spells-{place}-{since}", about, told, render(row.title))


def _title(spell: Spell, number: int, count: int) -> Said:
    named = say(_("☐ {spell} ({cost})"), spell=spell.name, cost=spell.cost)
    return say(Term("{spell} {number}/{count}"), spell=named, number=number, count=count) if count > 1 else named


def _about(spell: Spell) -> Iterator[Said]:
    yield TARGETS[spell.on]
    yield say(_("range {range}"), range=spell.range)
    yield DURATIONS[spell.lasts]

"""Marks on the field: shown while they mean something."""

from __future__ import annotations

from rules.pathfinder.battle.orders.commands import End, Next, Override
from tests.battles.conftest import Client, open_ford
from tests.battles.field.test_pages import play, seen_by


def test_after_the_battle_only_marks_are_shown_that_outlast_it(table):
    """R-44, PF-7.3: energy drain and illness; rage, a challenge and a wound that bleeds are over with the fight.

    The API tells the battle as it ended, marks and all: nothing it says changes its meaning.
    """
    battle, watch = open_ford(table), str(table.watch.pk)
    play(
        table,
        battle,
        Next(),
        *(Override(watch, "mark", f"+{mark}", "As it was told") for mark in ("rage", "bleeding", "drained")),
    )

    def shown() -> tuple[set[str], list[str]]:
        cards = {card.id: card for card in seen_by(table.gm, battle).cards}
        (told,) = (army["marks"] for army in Client(table.gm, battle).read()["armies"] if army["army"] == watch)
        return {chip.icon for chip in cards[watch].chips}, sorted(told)

    chips, told = shown()
    assert {"rage", "bleeding", "drained"} <= chips
    assert told == ["bleeding", "drained", "rage"]
    play(table, battle, End("Night falls", 0))
    assert shown() == ({"drained"}, ["bleeding", "drained", "rage"])

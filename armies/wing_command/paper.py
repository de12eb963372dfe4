"""Printed wings: a card with troops and their figures, and combat tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armies.models import Army
from armies.wing_command.page import CommanderShown, WingShown, WingUnitRow, leader_of, wing_of
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import OnPaper, PaperAid, PaperFigure, PaperList
from rules.core.text import NO_WORDS, Said, Term, _, say
from rules.wing_command.starter import ORDERS

STAGES: Sequence[Said] = tuple(say(_("Turn {number}"), number=number) for number in range(1, 5))
MELEE: tuple[tuple[Term, Term], ...] = (
    (Term("≤ 4"), _("attacker recoils, tires")),
    (Term("7–8"), _("recoil")),
    (Term("9–10"), _("recoil, shaken")),
    (Term("11–12"), _("recoil, routed")),
    (Term("≥ 13"), _("destroyed")),
)
MISSILE: tuple[tuple[Term, Term], ...] = (
    (Term("8–9"), _("recoil")),
    (Term("10–11"), _("recoil, shaken")),
    (Term("12–13"), _("recoil, routed")),
    (Term("≥ 14"), _("destroyed")),
)


def aids_of(campaign: Campaign) -> Sequence[PaperAid]:
    """The combat tables; empty where the GM reports the results of attacks."""
    law: Any = get_ruleset(campaign)
    if law.house.combat != "table":
        return ()
    return (
        PaperAid(_("Melee: 2D6 + melee − guard"), tuple((sum_, (result,)) for sum_, result in MELEE)),
        PaperAid(_("Missile: 2D6 + shot − guard"), tuple((sum_, (result,)) for sum_, result in MISSILE)),
    )


def on_paper(army: Army) -> OnPaper:
    """The army's card, with a box for each troop, grey from the point where the wing breaks.

    Only its name if the ruleset no longer accepts it.
    """
    wing, leader = wing_of(army), army.commander.name if army.commander else ""
    head: dict[str, Any] = {"id": str(army.pk), "name": army.name, "leader": leader, "kingdom": str(army.kingdom_id),
                            "charge": "army"}  # fmt: skip
    if wing is None:
        return OnPaper(health=army.health, health_max=army.health_max, **head)
    law: Any = get_ruleset(army.campaign)
    count = len(wing.troops)
    return OnPaper(
        health=army.health,
        health_max=army.health_max,
        about=say(_("Standing order: {order}"), order=wing.order.name),
        measure=law.armies.health,
        brink=count - _breaking(count, law.house.break_share),
        brink_help=_("gray: the wing is broken"),
        figures=tuple(_figures(wing, leader_of(army))),
        lists=tuple(_lists(wing)),
        **head,
    )


def _breaking(troops: int, share: int) -> int:
    """The number of lost troops that break the wing (WC-9.8)."""
    return -(-troops * share // 100)


def _figures(wing: WingShown, leader: CommanderShown | None) -> Sequence[PaperFigure]:
    shown = {one.id: one for one in wing.figures}
    found = [PaperFigure(shown[name].label, shown[name].value, plain=True) for name in ("points", "morale")]
    if leader is not None:
        found.append(PaperFigure(leader.test.label, leader.test.value, leader.test.breakdown.lines, plain=True))
    return found


def _lists(wing: WingShown) -> Sequence[PaperList]:
    rows = ((_("Troops"), wing.troops), (_("Characters"), wing.characters))
    found = [PaperList(title, tuple(_in_words(row) for row in units)) for title, units in rows if units]
    orders = tuple(one.name for one in ORDERS.values())
    return (*found, PaperList(_("Orders"), orders))


def _in_words(row: WingUnitRow) -> Said:
    move, melee, shot, reach, guard = row.figures
    assert move is not None
    assert melee is not None
    assert guard is not None
    text = _("{unit} (move {move}, melee {melee}, guard {guard}{shot})")
    shots = say(_(", shot {shot} at {range}"), shot=shot.value, range=reach.value) if shot and reach else NO_WORDS
    return say(text, unit=row.title, move=move.value, melee=melee.value, guard=guard.value, shot=shots)

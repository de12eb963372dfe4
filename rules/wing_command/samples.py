"""Sample hosts (WC-10): the Crown and the Horde, three wings each, as documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.core.text import Term, _
from rules.wing_command.spec import ATTACK
from rules.wing_command.wing import WingCommander, WingSheet, WingTroop


class SampleWing(NamedTuple):
    """A wing of a sample host, with its commander."""

    name: Term
    sheet: WingSheet
    commander: WingCommander


def _wing(name: Term, ability: str, *types: str) -> SampleWing:
    return SampleWing(name, WingSheet(tuple(WingTroop(slug) for slug in types), order=ATTACK), WingCommander(ability))


CROWN = (
    _wing(_("Center of the Crown"), "B", "foot", "foot", "heavy-foot", "archers"),
    _wing(_("Left wing of the Crown"), "D", "foot", "heavy-foot", "foot", "archers"),
    _wing(_("Right wing of the Crown"), "D", "riders", "riders", "foot", "archers"),
)
"""40 points. The first wing's commander is the army leader."""
HORDE = (
    _wing(_("Center of the Horde"), "D", "levy", "foot", "trolls", "levy"),
    _wing(_("Left wing of the Horde"), "D", "beasts", "beasts", "foot", "archers"),
    _wing(_("Right wing of the Horde"), "D", "griffins", "riders", "levy"),
)
"""37 points."""
SAMPLE_HOSTS: Mapping[str, tuple[Term, tuple[SampleWing, ...]]] = {
    "crown": (_("The Crown"), CROWN),
    "horde": (_("The Horde"), HORDE),
}

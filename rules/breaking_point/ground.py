"""Ground and weather as a reader can look them up (BP-5, B-42, B-43); what they do is reckoned in `battle.field`."""

from __future__ import annotations

from collections.abc import Mapping

from rules.content import Item
from rules.text import _


def _by_slug(*marks: Item) -> Mapping[str, Item]:
    return {mark.slug: mark for mark in marks}


GROUNDS = _by_slug(
    Item("open", _("Open ground"), "BP-5", _("Everything counts as it stands.")),
    Item("forest", _("Forest"), "BP-5", _("Nobody charges; +5 defense against shots.")),
    Item("rough", _("Rough ground"), "BP-5", _("Chariots fight as foot.")),
    Item("very-rough", _("Very rough ground"), "BP-5", _("Cavalry and chariots fight as foot.")),
    Item("swamp", _("Swamp"), "BP-5", _("Cavalry and chariots fight as foot.")),
    Item(
        "mud", _("Mud"), "BP-5",
        _("Nobody charges; power at contact is halved; defense is halved once more against shots."),
    ),
    Item(
        "town", _("Town"), "BP-5",
        _("Power is halved; +5 defense; the distance is short. Infantry may get up to +10 against machines."),
    ),
)  # fmt: skip

WEATHER = _by_slug(
    Item(
        "visibility", _("Bad visibility"), "B-43", _("−2 on combat tests, and on the command test without radio."),
    ),
    Item("night", _("Night"), "B-43", _("−4 on tests of shots; not again in a gale.")),
    Item("gale", _("Gale"), "B-43", _("−4 on tests of shots; not again at night.")),
    Item("blind", _("Shooters see nothing"), "B-43", _("The power of shots is halved.")),
    Item("heat", _("Heat"), "B-43", _("−2 on combat tests; not again in cold.")),
    Item("cold", _("Cold"), "B-43", _("−2 on combat tests; not again in heat.")),
    Item("harsh", _("Harsh weather"), "B-46", _("All losses are greater by a tenth.")),
)  # fmt: skip

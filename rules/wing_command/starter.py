"""Content of wing command as data: troops, characters, abilities, profiles, orders, spells, the casting grid.

Each item has a source mark (M-1 … M-8): from the document, by ruling, or reconstructed.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.content import Item, SourceMark
from rules.core.text import Term, _
from rules.wing_command.spec import (
    ADVANCE,
    ATTACK,
    AUTONOMOUS,
    CHAOTIC,
    CLOSE_FLIGHT,
    GROUND,
    HIGH_FLIGHT,
    HOLD,
    INFILTRATING,
    IRREGULAR,
    REGULAR,
    RETREAT,
    CharacterKind,
    CommandAbility,
    Spell,
    TroopType,
)

DOCUMENT, RULING, LOST = SourceMark.DOCUMENT, SourceMark.RULING, SourceMark.RECONSTRUCTION


def _by_slug[I: Item](*items: I) -> Mapping[str, I]:
    return {item.slug: item for item in items}


# Troops and characters (WC-10)


TROOPS: Mapping[str, TroopType] = _by_slug(
    TroopType("levy", _("Levy"), "WC-10", _("Armed townsfolk and farmers: cheap, and slow to obey."),
              "L", False, 3, 2, 0, 0, 2, IRREGULAR, 2, mark=LOST),
    TroopType("foot", _("Foot"), "WC-10", _("Line infantry."), "F", False, 3, 3, 0, 0, 3, REGULAR, 3, mark=LOST),
    TroopType("heavy-foot", _("Heavy foot"), "WC-10", _("Armored infantry: strong and slow."),
              "H", False, 2, 4, 0, 0, 4, REGULAR, 4, mark=LOST),
    TroopType("archers", _("Archers"), "WC-10", _("They shoot up to 4 hexes and are weak in melee."),
              "A", False, 3, 2, 4, 4, 2, REGULAR, 3, mark=LOST),
    TroopType("scouts", _("Scouts"), "WC-10", _("They infiltrate: enemies only see them within 2 hexes."),
              "S", False, 4, 2, 3, 3, 2, REGULAR, 3, infiltrate=True, mark=LOST),
    TroopType("riders", _("Riders"), "WC-10", _("Fast cavalry, made to charge."),
              "R", False, 5, 4, 0, 0, 3, REGULAR, 4, mark=LOST),
    TroopType("beasts", _("Beasts of the horde"), "WC-10", _("Fast and wild: they never receive a special order."),
              "B", False, 4, 4, 0, 0, 2, CHAOTIC, 3, mark=LOST),
    TroopType("trolls", _("Trolls"), "WC-10", _("Large and terrible in melee."),
              "T", True, 3, 5, 0, 0, 4, IRREGULAR, 6, mark=LOST),
    TroopType("griffins", _("Griffins"), "WC-10", _("Large flyers that can attack anywhere."),
              "G", True, 6, 5, 0, 0, 4, REGULAR, 6, fly=True, mark=LOST),
)  # fmt: skip

COMMANDER = "commander"
"""The kind of a wing's commander; it doesn't occur in documents."""

CHARACTERS: Mapping[str, CharacterKind] = _by_slug(
    CharacterKind("plain", _("Officer"), "WC-10", _("A character without a specialty."), "P", mark=LOST),
    CharacterKind("champion", _("Champion"), "WC-10", _("Unmatched in a duel."), "C", 5, 5, 0, 0, 5, mark=LOST),
    CharacterKind("archer-captain", _("Archer captain"), "WC-10", _("Shoots up to 4 hexes, alone or from a stack."),
                  "K", 5, 4, 4, 4, 4, mark=LOST),
    CharacterKind("mage", _("Mage"), "WC-10", _("Casts the spells of one art."), "M", 5, 2, 0, 0, 2, 3, mark=LOST),
    CharacterKind(COMMANDER, _("Commander"), "WC-1.1", _("Leads a wing."), "W", mark=LOST),
)  # fmt: skip

# Command


ABILITIES: Mapping[str, CommandAbility] = _by_slug(
    CommandAbility("A", _("A"), "WC-1.4", _("Order points 1D3 × 5, command test 10 or less."), 5, 10, 5, mark=LOST),
    CommandAbility("B", _("B"), "WC-1.4", _("Order points 1D3 × 4, command test 9 or less."), 4, 9, 4, mark=LOST),
    CommandAbility("C", _("C"), "WC-1.4", _("Order points 1D3 × 3, command test 8 or less."), 3, 8, 3, mark=LOST),
    CommandAbility("D", _("D"), "WC-1.4", _("Order points 1D3 × 2, command test 7 or less."), 2, 7, 2, mark=LOST),
    CommandAbility("E", _("E"), "WC-1.4", _("Order points 1D3, command test 6 or less."), 1, 6, 1, mark=LOST),
)  # fmt: skip

PROFILES: Mapping[str, Item] = _by_slug(
    Item(REGULAR, _("Regular"), "WC-1.3", _("Obeys normally."), mark=DOCUMENT),
    Item(IRREGULAR, _("Irregular"), "WC-1.3",
         _(
             "+1 on command tests, one command ability level lower for order points. Special orders cost 1 more."
         ), mark=DOCUMENT),
    Item(CHAOTIC, _("Chaotic"), "WC-1.3", _("Never gives or receives a special order."), mark=DOCUMENT),
    Item(AUTONOMOUS, _("Autonomous"), "WC-1.3",
         _("Acts on its own in the command phase, without a special order."), mark=DOCUMENT),
)  # fmt: skip

CLASSES = (REGULAR, IRREGULAR, CHAOTIC)
"""The command classes of troops."""

ORDERS: Mapping[str, Item] = _by_slug(
    Item(ATTACK, _("Attack"), "WC-9.4", _("Each unit moves toward the nearest enemy and fights if it can."), mark=LOST),
    Item(ADVANCE, _("Advance"), "WC-9.4", _("Units move freely, but not next to an enemy."), mark=LOST),
    Item(HOLD, _("Hold fast"), "WC-9.4", _("Units move at most 1 hex and are harder to beat."), mark=LOST),
    Item(RETREAT, _("Full retreat"), "WC-9.4",
         _("Units return to their home edge and leave the map. The wing’s leader can’t change this order."),
         mark=DOCUMENT),
)  # fmt: skip

POSTURES: Mapping[str, Item] = _by_slug(
    Item(GROUND, _("On the ground"), "WC-9.9", _("The usual posture."), mark=DOCUMENT),
    Item(INFILTRATING, _("Infiltrating"), "WC-9.9",
         _("Can enter thickets. Enemies only see it within 2 hexes. Ends when it attacks."), mark=LOST),
    Item(CLOSE_FLIGHT, _("Flying low"), "WC-9.9", _("Moves over everything. Fights as on the ground."), mark=LOST),
    Item(HIGH_FLIGHT, _("Flying high"), "WC-9.9",
         _("Passes over enemies. Only shooters and flyers in high flight can attack it. Tires every turn."), mark=LOST),
)  # fmt: skip

MORALES = (_("Fit"), _("Shaken"), _("Routed"))
FATIGUES = (_("Not tired"), _("Out of breath"), _("Exhausted"))

STATES: Mapping[str, Item] = _by_slug(
    Item("shaken", _("Shaken"), "WC-8.2", _("−1 in attack; attackers get +1. If shaken again, it routs."), mark=LOST),
    Item("routed", _("Routed"), "WC-9.6", _("Flees to its home edge until it rallies."), mark=LOST),
    Item("winded", _("Out of breath"), "WC-9.5", _("−1 in attack. Ends after a quiet turn."), mark=LOST),
    Item("exhausted", _("Exhausted"), "WC-9.5", _("−2 in attack, no charge and no second effort."), mark=LOST),
    Item("engaged", _("Engaged in melee"), "WC-1.6",
         _(
             "Fought an enemy that is still adjacent: it can’t shoot, and stays unless it gets a special order."
         ), mark=RULING),
    Item("special-order", _("Special order"), "WC-4.4",
         _("Free of its wing’s standing order this turn."), mark=LOST),
    Item("broken", _("Broken wing"), "WC-9.8", _("A wing that has lost half its troops retreats for good."), mark=LOST),
)  # fmt: skip

# Magic


ARTS: Mapping[str, Term] = {"fire": _("Fire"), "spirit": _("Spirit"), "nature": _("Nature")}

SPELLS: Mapping[str, Spell] = _by_slug(
    Spell("firebolt", _("Firebolt"), "WC-7.4", _("A shot of 4 at an enemy in sight within 6 hexes."),
          "fire", 1, "enemy", 6, True, mark=LOST),
    Spell("fire-wall", _("Wall of fire"), "WC-7.4",
          _("A free hex within 4 hexes is closed to all but high flight, this turn and the next."),
          "fire", 3, "free-hex", 4, turns=2, mark=LOST),
    Spell("courage", _("Courage"), "WC-7.4", _(
        "A friendly unit within 4 hexes: shaken becomes fit, routed becomes shaken."
    ),
          "spirit", 0, "frightened", 4, mark=LOST),
    Spell("dread", _("Dread"), "WC-7.4", _(
        "An enemy troop in sight within 5 hexes: becomes shaken, or routed if already shaken."
    ),
          "spirit", 2, "enemy-troop", 5, True, mark=LOST),
    Spell("ward", _("Ward"), "WC-7.4", _("A friendly unit within 4 hexes gets guard +2 this turn and the next."),
          "spirit", 1, "friend", 4, turns=2, mark=LOST),
    Spell("tailwind", _("Tailwind"), "WC-7.4", _("A friendly unit within 4 hexes gets move +2 this turn."),
          "nature", 1, "friend", 4, turns=1, mark=LOST),
    Spell("mire", _("Mire"), "WC-7.4",
          _("A hex within 5 hexes and its neighbors become difficult or worse, this turn and the next."),
          "nature", 2, "hex", 5, turns=2, mark=LOST),
)  # fmt: skip

GRID: Mapping[int, int] = {-3: 2, -2: 3, -1: 4, 0: 5, 1: 6, 2: 7, 3: 8, 4: 9, 5: 10, 6: 10, 7: 11, 8: 11}
"""The casting grid (WC-7.1): by aptitude, the highest result of 2D6 that succeeds."""
APTITUDE_LEAST, APTITUDE_MOST = min(GRID), max(GRID)
LEVEL_MOST, PENTACLE_MOST = 6, 3


def casting_limit(aptitude: int) -> int:
    """The highest result of 2D6 that succeeds. Aptitudes below −3 count as −3, above +8 as +8."""
    return GRID[max(APTITUDE_LEAST, min(APTITUDE_MOST, aptitude))]

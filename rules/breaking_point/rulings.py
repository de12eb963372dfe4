"""States of bodies, and what each paragraph of the law says, in a sentence: where a rule id leads."""

from __future__ import annotations

from collections.abc import Mapping

from rules.content import Item
from rules.text import Term, _


def _items(*told: tuple[str, Term, str, Term]) -> Mapping[str, Item]:
    return {slug: Item(slug, name, rule, summary) for slug, name, rule, summary in told}


STATES = _items(
    ("fresh", _("Fresh"), "BP-4.8", _("No losses yet.")),
    ("engaged", _("Engaged"), "BP-4.8", _("Losses: −1 on combat tests.")),
    ("battered", _("Battered"), "BP-4.8", _("Losses of half the force: −2 on combat tests, power halved.")),
    ("decimated", _("Decimated"), "BP-4.8",
     _("Losses of the whole force and not broken: −5 on combat tests, power halved.")),
    ("annihilated", _("Annihilated"), "BP-4.8", _("Losses of twice the force: nothing is left.")),
    ("routed", _("Routed"), "BP-4.10",
     _("Losses beyond the breaking point: −5 on combat tests, power and defense halved; it may be pursued.")),
    ("surprised", _("Surprised"), "B-20", _("−5 on combat tests; defense halved, in a fleet ignored.")),
    ("surrounded", _("Surrounded"), "B-37",
     _("Losses are not capped, it may not withdraw, and broken it surrenders unless it is rallied.")),
)  # fmt: skip


def _rules(*told: tuple[str, Term, Term]) -> Mapping[str, Item]:
    return {slug: Item(slug, name, slug, summary) for slug, name, summary in told}


RULES = _rules(
    ("BP-1", _("Time"), _("A round lasts in proportion to the fighters; an assault on a place twice as long.")),
    ("BP-2", _("Units"), _("Units make an army: its power hurts, its force withstands, its breaking point says how "
                           "long.")),
    ("BP-2.1", _("A unit"), _("All of one type, quality, main weapon, armour and toughness.")),
    ("BP-2.2", _("Attack power"), _("Heads × damage of the main weapon; half of what is thrown besides; a charge "
                                    "multiplies it.")),
    ("BP-2.3", _("Fire power"), _("Heads or pieces × damage × rate of fire × area; bursts double it, medium range "
                                  "halves it.")),
    ("BP-2.4", _("Force"), _("Heads × (toughness + armour).")),
    ("BP-2.5", _("Combat and breaking point"), _("Breaking point: 10 % of the force, and 10 % more for every combat; "
                                                 "defense is combat.")),
    ("BP-2.6", _("Accuracy and weight"), _("A weapon’s accuracy helps in tests; armour of 3 or a shield makes a unit "
                                           "heavy.")),
    ("BP-2.7", _("Army"), _("Two groups, contact and shooting: sums of power and force, means of combat and breaking "
                            "point.")),
    ("BP-3", _("Command"), _("The commander’s MENTAL above 5, his own combat and his Art of war.")),
    ("BP-4", _("Battle"), _("A command test, then rounds of shots and contact until one side is left.")),
    ("BP-4.1", _("Command test"), _("One die and command: 2 ahead strikes first, 5 ahead surprises.")),
    ("BP-4.2", _("Withdrawing before battle"), _("Declared at the command test, which must be won by 2.")),
    ("BP-4.3", _("Order of a round"), _("Shots, then contact; shots reach any part of the enemy within range.")),
    ("BP-4.4", _("Combat test"), _("One die and combat against the target’s defense; for shots, half of it and the "
                                   "distance.")),
    ("BP-4.5", _("Numbers"), _("At contact the ratio of powers adds 1 (3 to 2) to 5 (5 to 1).")),
    ("BP-4.6", _("Success"), _("Losses: a tenth of the power, and a tenth more for every 2 points of margin; no more "
                               "than the breaking point in one assault.")),
    ("BP-4.7", _("Failure"), _("At contact the target gains 1 for every 2 points missed on its next attack.")),
    ("BP-4.8", _("States"), _("Engaged, battered, decimated, annihilated: by losses as a share of the force.")),
    ("BP-4.9", _("Contact with shooters"), _("Only once the main body is gone; they shoot first, at half power.")),
    ("BP-4.10", _("Rout and pursuit"), _("Beyond its breaking point a body flees, and who broke it may strike once "
                                         "more.")),
    ("BP-4.11", _("Rally"), _("The commander’s die against 20 less the army’s combat brings back some of the losses.")),
    ("BP-4.12", _("After the battle"), _("Losses become dead and wounded; the victor recovers half of his.")),
    ("BP-5", _("Ground and weather"), _("They bar charges, halve powers and give cover; all adds up.")),
    ("BP-6", _("Experience"), _("Battles bring points; one combat more costs its new value.")),
    ("BP-7", _("Reserve"), _("An army of its own, a tenth of the power at least; its coming calls a command test.")),
    ("BP-8", _("Fortifications"), _("A place multiplies the garrison’s force and raises its defense; assault, siege "
                                    "and terms take it.")),
    ("BP-9", _("Vehicles and fleets"), _("Every unit fights for itself, by shots; armour shuts out what is too weak.")),
)  # fmt: skip

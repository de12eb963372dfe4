"""The ninety-six special abilities (PF-9)."""

from rules.pathfinder.catalogue.abilities.body import BODY
from rules.pathfinder.catalogue.abilities.classes import CLASSES
from rules.pathfinder.catalogue.abilities.powers import POWERS
from rules.pathfinder.catalogue.items import Ability

ABILITIES: dict[str, Ability] = {
    ability.slug: ability for ability in sorted((*BODY, *CLASSES, *POWERS), key=lambda item: item.slug)
}

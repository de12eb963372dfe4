"""The ninety-six special abilities (PF-9), declared once each."""

from rules.pathfinder.content import Ability

from .body import BODY
from .classes import CLASSES
from .powers import POWERS

ABILITIES: dict[str, Ability] = {
    ability.slug: ability for ability in sorted((*BODY, *CLASSES, *POWERS), key=lambda item: item.slug)
}

"""Battles, as notes may be about them and mention them."""

from __future__ import annotations

from battles.models import Battle
from battles.selectors.access import battles_of
from kingdom import topics
from kingdom.addresses import address
from kingdom.topics import Topic
from rules.text import _


def register() -> None:
    topics.register(
        "battle",
        Topic(Battle, _("Battle"), battles_of, lambda key: address("battles:battle", key), "battle", everybody=True),
    )

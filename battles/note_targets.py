"""Note target: battles, as notes may be about them and mention them."""

from __future__ import annotations

from battles.models import Battle
from battles.queries import list_battles
from core.url_cache import get_url
from kingdom.notes import targets
from kingdom.notes.targets import NoteTarget
from rules.core.text import _


def register() -> None:
    targets.register(
        "battle",
        NoteTarget(
            Battle, _("Battle"), list_battles, lambda key: get_url("battles:battle", key), "battle", everybody=True
        ),
    )

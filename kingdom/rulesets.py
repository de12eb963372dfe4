"""Registry of ruleset UIs: each app has one for each family of rulesets, named by the settings."""

from __future__ import annotations

from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from kingdom.models import Campaign
from rules import registry
from rules.law import Law


class OfFamily(Protocol):
    family: str


class Faces[Face: OfFamily](dict[str, Face]):
    """The faces of an app by family. `setting` names their places ("package.module.NAME")."""

    def __init__(self, setting: str):
        self._setting = setting

    def register(self, face: Face) -> None:
        self[face.family] = face

    def register_all(self) -> None:
        """Take in every face the settings name."""
        for path in getattr(settings, self._setting):
            self.register(import_string(path))

    def of(self, law: Law) -> Face:
        """The face of this law's family. Raises `LookupError` where the settings name none."""
        return self[law.family]

    def known(self, campaign: Campaign) -> Face | None:
        """The face of the campaign's law, or None where there is none. Its house rules are not read for that."""
        return self.get(registry.family_of(campaign.ruleset))

    def all(self) -> tuple[Face, ...]:
        return tuple(self.values())

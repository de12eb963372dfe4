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


class RulesetUIs[UI: OfFamily](dict[str, UI]):
    """The UIs of an app by family. `setting` names their places ("package.module.NAME")."""

    def __init__(self, setting: str):
        self._setting = setting

    def register(self, ui: UI) -> None:
        self[ui.family] = ui

    def register_all(self) -> None:
        """Take in every UI the settings name."""
        for path in getattr(settings, self._setting):
            self.register(import_string(path))

    def for_law(self, law: Law) -> UI:
        """The UI of this law's family. Raises `LookupError` where the settings name none."""
        return self[law.family]

    def find(self, campaign: Campaign) -> UI | None:
        """The UI of the campaign's law, or None where there is none. Its house rules are not read for that."""
        return self.get(registry.family_of(campaign.ruleset))

    def all(self) -> tuple[UI, ...]:
        return tuple(self.values())

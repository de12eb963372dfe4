"""Registry of ruleset UIs: each app has one for each family of rulesets, named by the settings."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from kingdom.models import Campaign
from rules import registry
from rules.law import Law


class OfFamily(Protocol):
    family: str


class RulesetUIs[UI: OfFamily]:
    """The UIs of an app. `setting` lists their import paths ("package.module.NAME")."""

    def __init__(self, setting: str):
        self._setting = setting

    @cached_property
    def by_family(self) -> dict[str, UI]:
        found: list[UI] = [import_string(path) for path in getattr(settings, self._setting)]
        for ui in found:
            self.check(ui)
        return {ui.family: ui for ui in found}

    def check(self, ui: UI) -> None:
        """Raise `LookupError` for an incomplete UI."""

    def for_law(self, law: Law) -> UI:
        """Return the UI of this ruleset's family. Raises `LookupError` if the settings name none."""
        return self.by_family[law.family]

    def find(self, campaign: Campaign) -> UI | None:
        """Return the UI of the campaign's ruleset, or None. The house rules are not read."""
        return self.by_family.get(registry.family_of(campaign.ruleset))

    def all(self) -> tuple[UI, ...]:
        return tuple(self.by_family.values())

"""Names of rulesets' enums in the API's document."""

from __future__ import annotations

from typing import Any

from drf_spectacular.settings import spectacular_settings

from battles.ruleset_ui import list_battle_uis


def add_ruleset_names(result: Any, **_kwargs: Any) -> Any:
    """Hook that registers the names UIs give their enums (`BattleUI.enums`) and returns the document unchanged."""
    for ui in list_battle_uis():
        spectacular_settings.ENUM_NAME_OVERRIDES.update(ui.enums)
    return result

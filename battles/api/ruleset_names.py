"""Names of rulesets' choices in the API's document."""

from __future__ import annotations

from typing import Any

from drf_spectacular.settings import spectacular_settings

from battles.ruleset_ui import all_faces


def with_names_of_laws(result: Any, **_kwargs: Any) -> Any:
    """The document as it is: from here on it knows the names that faces give their choices (`BattleUI.enums`)."""
    for face in all_faces():
        spectacular_settings.ENUM_NAME_OVERRIDES.update(face.enums)
    return result

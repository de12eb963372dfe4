"""Page of a campaign’s settings: its tabs, and presets of what players see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.forms import Form
from django.http import QueryDict

from kingdom.access.redaction import BARE, EXACT, HIDDEN, SHOWN, TOLD, WORDS
from kingdom.models import Knowledge
from rules.core.text import Term, _

PRESET = "preset"  # name of the buttons


class SettingsTab(NamedTuple):
    """A tab: the id of its panel, and whether a field in it was refused."""

    slug: str
    label: Term
    icon: str
    wrong: bool


def list_tabs(form: Form, delete_form: Form) -> list[SettingsTab]:
    wrong = {_tab_of(name) for name in form.errors} | ({"export"} if delete_form.errors else set())
    return [SettingsTab(slug, label, icon, slug in wrong) for slug, (label, icon) in TABS.items()]


TABS: Mapping[str, tuple[Term, str]] = {
    "rules": (_("Rules"), "spell-book"),
    "permissions": (_("Permissions"), "key"),
    "secrecy": (_("Secrecy"), "semi-closed-eye"),
    "export": (_("Export"), "save-arrow"),
}


def _tab_of(field: str) -> str:
    if field.startswith("may:") or field == "players_share":
        return "permissions"
    return "secrecy" if field.startswith("kept:") or field in ("others_known", "met_known") else "rules"


class SecrecyPreset(NamedTuple):
    """A preset. `told`: what players see under it. `values`: by form field."""

    name: Term
    icon: str
    told: Term
    values: Mapping[str, Any]


def _preset_values(others: Knowledge, met: Knowledge, health: str, figures: str, corrections: str) -> dict[str, Any]:
    in_battle = {"kept:health": health, "kept:figures": figures, "kept:corrections": corrections}
    return {"others_known": int(others), "met_known": int(met), **in_battle}


PRESETS: Mapping[str, SecrecyPreset] = {
    "open": SecrecyPreset(
        _("All open"),
        "eye-shield",
        _("Players see every army’s full sheet. In battle they see enemy health, attack and defense as numbers."),
        _preset_values(Knowledge.ALL, Knowledge.ALL, EXACT, SHOWN, TOLD),
    ),
    "fair": SecrecyPreset(
        _("Fair"),
        "semi-closed-eye",
        _(
            "Players know the names and banners of other armies, and the type and rough size of those they have met. "
            "In battle they see enemy health, attack and defense as numbers."
        ),
        _preset_values(Knowledge.NAME, Knowledge.GLANCE, EXACT, SHOWN, TOLD),
    ),
    "grim": SecrecyPreset(
        _("Grim"),
        "sight-disabled",
        _(
            "Players know nothing about an army until they have met it, and then only its name and banner. "
            "In battle they see enemy health in words, and no attack or defense."
        ),
        _preset_values(Knowledge.NOTHING, Knowledge.NAME, WORDS, HIDDEN, BARE),
    ),
}


class PresetChoice(NamedTuple):
    """A preset on the page. `chosen`: the form has these values."""

    slug: str
    preset: SecrecyPreset
    chosen: bool


def list_presets(form: Form) -> list[PresetChoice]:
    return [PresetChoice(slug, preset, _is_set(form, preset)) for slug, preset in PRESETS.items()]


def _is_set(form: Form, preset: SecrecyPreset) -> bool:
    return all(str(form[name].value()) == str(value) for name, value in preset.values.items())


def fill_in(data: QueryDict) -> tuple[QueryDict, SecrecyPreset | None]:
    """Return the submitted data with the values of the preset whose button was pressed, and that preset."""
    preset = PRESETS.get(data.get(PRESET, ""))
    if preset is None:
        return data, None
    filled = data.copy()
    for name, value in preset.values.items():
        filled[name] = str(value)
    return filled, preset

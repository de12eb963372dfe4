"""Forms of an army: for odds without a campaign, and to raise or change one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from armies.default.forms import copies_field
from armies.forces.declared_figures import RaiseForm
from armies.pathfinder.armies.queries import candidates_for
from armies.pathfinder.armies.unit_fields import UNIT_FIELDS, UnitForm, crs, name_choices
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.length_fields import LengthField
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.pathfinder.spec import MASS_COMBAT_FIGURES

MOUNT_FIELDS = {"mount_name", "mount_cr", "mount_speed_m"}


class TroopForm(UnitForm):
    """Fields of a unit, its number and its mount, for an army in or out of a campaign."""

    name = forms.CharField(label=_("Name of the army"), max_length=120)
    count = forms.IntegerField(label=_("Number of units"), initial=100)
    mounted = forms.BooleanField(label=_("Cavalry (mounted units)"), required=False)
    mount_name = forms.CharField(label=pgettext_lazy("animal", "Mount"), max_length=120, required=False)
    mount_cr = forms.CharField(label=_("Mount’s CR"), required=False)
    mount_speed_m = LengthField(label=_("Mount’s speed (meters)"), in_feet=_("Mount’s speed (feet)"), required=False)
    mount_creature_type = forms.CharField(label=_("Type of mount"), initial="animal", required=False)

    GROUPS = {
        "unit": UNIT_FIELDS,
        "mount": ("mount_name", "mount_cr", "mount_speed_m", "mount_creature_type"),
    }

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        described = any(given.get(name) not in ("", None) for name in MOUNT_FIELDS)
        if given.get("mounted") and not described and not MOUNT_FIELDS & self.errors.keys():
            self.add_error("mounted", _("Give the mount a name, a CR or a speed, or uncheck this."))
        return given

    def offered(self) -> dict[str, list[tuple[str, str]]]:
        types = name_choices(self.ruleset.creature_types)
        return {**super().offered(), "mount_cr": [("", "–"), *crs()], "mount_creature_type": types}

    def mount(self) -> dict[str, Any] | None:
        given = self.cleaned_data
        if not given["mounted"]:
            return None
        speed = given["mount_speed_m"]
        return {
            "name": given["mount_name"],
            "cr": given["mount_cr"] or None,
            "speed_m": None if speed is None else float(speed),
            "creature_type": given["mount_creature_type"] or "animal",
        }


class ArmyForm(RaiseForm, TroopForm):
    """Form that raises or changes an army. The rules' messages stand beside their fields (`add_refusal`)."""

    copies = copies_field()
    commander = forms.ModelChoiceField(
        PathfinderCommander.objects.none(), label=_("Commander"), required=False, empty_label=_("none yet")
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        kingdom: Kingdom,
        army: PathfinderArmy | None = None,
        unit: Mapping[str, Any] | None = None,
        gm: bool = False,
        reader: Any = None,
    ):
        """`army`: the one to change; `unit`: the unit type that a new one starts from."""
        shown, begun = army.unit if army else unit, initial_of(army) if army else None
        super().__init__(data, ruleset=get_ruleset(kingdom.campaign), unit=shown, initial=begun, reader=reader)
        self._open_to(kingdom, army, gm)

    def _open_to(self, kingdom: Kingdom, army: PathfinderArmy | None, gm: bool) -> None:
        """Adds the commander and the figures of a new army; removes them for an existing one."""
        if army is None:
            self.ask_figures(MASS_COMBAT_FIGURES, gm=gm)
            candidates = [commander.pk for commander in candidates_for(kingdom)]
            commander: Any = self.fields["commander"]
            commander.queryset = PathfinderCommander.objects.filter(pk__in=candidates)
        else:
            del self.fields["commander"], self.fields["copies"]


def initial_of(army: PathfinderArmy) -> dict[str, Any]:
    """Initial values for an existing army."""
    mount = army.mount or {}
    ridden = {f"mount_{name}": mount.get(name) for name in ("name", "cr", "speed_m", "creature_type")}
    return {
        **{name: value for name, value in ridden.items() if value is not None},
        "name": army.name,
        "count": army.count,
        "mounted": bool(army.mount),
    }

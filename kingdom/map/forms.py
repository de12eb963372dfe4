"""Forms of the map editor: the brush, replacing the map, and the picture below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from core.forms.form_fields import Whole, list_choices
from kingdom.map.services import COLUMNS, ROWS
from kingdom.models.map import HUNDREDTHS, PICTURE_OFFSET, PICTURE_OPACITY, PICTURE_WIDTH
from rules.hexes.mapfile import LABEL_MOST, LEAST_SIDE, MOST_SIDE
from rules.hexes.reading import MAP_MOST_BYTES
from rules.hexes.terrain import BY_SLUG, KINDS, SEED_MOST, MapChoices, MapKind

SIDES = {"least": LEAST_SIDE, "most": MOST_SIDE[MapKind.CAMPAIGN]}
BRUSHES = (
    ("paint", _("Terrain")), ("road", _("Road")), ("river", _("River")), ("wall", _("Wall")),
    ("label", _("Name")), ("claim", _("Claim")),
)  # fmt: skip
LINES = ("road", "river")  # brushes that continue from tap to tap
FROM_A_START = (*LINES, "wall")
MANY = 20_000  # most characters of one stroke's hexes


class BrushForm(forms.Form):
    """The brush. `hex` was tapped, `hexes` were passed over; `start` is the first hex of a line."""

    brush = forms.ChoiceField(label=_("Brush"), choices=BRUSHES, initial="paint", widget=forms.RadioSelect)
    terrain = forms.ChoiceField(
        label=_("Terrain"), choices=list_choices(BY_SLUG[MapKind.CAMPAIGN]), initial="plains", widget=forms.RadioSelect,
        required=False,
    )  # fmt: skip
    size = forms.ChoiceField(
        label=_("Size"),
        choices=(("1", _("One hex")), ("3", _("With its neighbors")), ("fill", _("Whole area"))),
        initial="1",
        widget=forms.RadioSelect,
        required=False,
    )
    away = forms.BooleanField(label=_("Remove"), required=False)
    text = forms.CharField(
        label=_("Name"), max_length=LABEL_MOST, required=False, help_text=_("Leave empty to remove the name.")
    )
    kingdom = forms.ChoiceField(label=_("For"), required=False)
    start = forms.CharField(required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    hex = forms.CharField(required=False, widget=forms.HiddenInput)
    hexes = forms.CharField(required=False, max_length=MANY, widget=forms.HiddenInput)

    def __init__(self, *args: Any, realms: Mapping[Any, tuple[str, str]], **options: Any):
        super().__init__(*args, **options)
        nobody = [("", _("Nobody"))]
        self.fields["kingdom"].choices = [*nobody, *((str(pk), name) for pk, (name, _side) in realms.items())]  # type: ignore[attr-defined]

    @property
    def begins(self) -> bool:
        """Whether this tap only sets the start of a line or one side of a wall, so that nothing is drawn yet."""
        return self.cleaned_data["brush"] in FROM_A_START and not self.cleaned_data["start"]

    def command(self) -> dict[str, Any]:
        """Return the command for `painting_services.paint_map`."""
        given = self.cleaned_data
        match given["brush"]:
            case "road" | "river" as line:
                return {"command": line, "start": given["start"], "to": given["hex"], "there": not given["away"]}
            case "wall":
                obstacle = {} if given["away"] else {"obstacle": "wall"}
                return {"command": "edge", "between": [given["start"], given["hex"]], **obstacle}
            case "label":
                return {"command": "label", "hex": given["hex"], "text": given["text"]}
            case "claim":
                return {"command": "claim", "kingdom": given["kingdom"], **self._covered()}
        return {"command": "paint", "terrain": given["terrain"], **self._covered()}

    def _covered(self) -> dict[str, Any]:
        if passed := [label for label in self.cleaned_data["hexes"].split(",") if label]:
            return {"hexes": passed}
        return {"at": self.cleaned_data["hex"], "size": self.cleaned_data["size"] or "1"}


class LandForm(forms.Form):
    """Form of a map to generate from a seed."""

    kind = forms.ChoiceField(label=_("Kind of land"), choices=list_choices(KINDS[MapKind.CAMPAIGN]))
    columns = Whole(label=_("Columns"), initial=COLUMNS, **SIDES)
    rows = Whole(label=_("Rows"), initial=ROWS, **SIDES)
    river = forms.BooleanField(label=_("Rivers"), required=False)
    roads = forms.BooleanField(label=_("Roads"), required=False)
    seed = forms.CharField(label=_("Seed"), max_length=SEED_MOST, help_text=_("The same seed produces the same map."))

    def choices(self) -> MapChoices:
        """Return the choices for the generator. Raises `InvalidInput`."""
        return MapChoices(of=MapKind.CAMPAIGN, **self.cleaned_data)


def build_first_land(columns: int = COLUMNS, rows: int = ROWS) -> dict[str, Any]:
    """Return the initial data of a land form, with a random seed."""
    return {
        "kind": "heartland", "columns": columns, "rows": rows, "river": True, "roads": True, "seed": another_seed(),
    }  # fmt: skip


def another_seed() -> str:
    return get_random_string(6, "abcdefghjkmnpqrstuvwxyz23456789")


class SheetForm(forms.Form):
    """Form to upload a map file."""

    file = forms.FileField(label=_("File"), help_text=_("JSON, at most 256 KB."), allow_empty_file=True)

    def clean_file(self) -> bytes:
        uploaded = self.cleaned_data["file"]
        if uploaded.size > MAP_MOST_BYTES:
            raise forms.ValidationError(_("A map file can be at most 256 KB."))
        return bytes(uploaded.read())


class SidesForm(forms.Form):
    columns = Whole(label=_("Columns"), **SIDES)
    rows = Whole(label=_("Rows"), **SIDES)


class _HexesField(forms.DecimalField):
    """Number of hex widths."""

    def __init__(self, *, bounds: tuple[int, int], **options: Any):
        least, most = (bound // HUNDREDTHS for bound in bounds)
        super().__init__(min_value=least, max_value=most, decimal_places=2, **options)


class BackgroundForm(forms.Form):
    """Form of the position of the picture below the map."""

    width = _HexesField(
        label=_("Width in hexes"),
        bounds=PICTURE_WIDTH,
        required=False,
        help_text=_("Leave empty for the width of the map. The height follows."),
    )
    left = _HexesField(
        label=_("From the left, in hexes"),
        bounds=PICTURE_OFFSET,
        help_text=_("A negative number moves the picture beyond the edge."),
    )
    top = _HexesField(label=_("From the top, in hexes"), bounds=PICTURE_OFFSET)
    opacity = Whole(label=_("Opacity in percent"), least=PICTURE_OPACITY[0], most=PICTURE_OPACITY[1])

"""Forms of a board: what was chosen on it, the brush, and a whole map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.codec.requests import Request
from battles.field.dice_forms import DiceForm, DiceWords
from battles.field.forms import CommandForm
from battles.field.gm_forms import REASON_MAX
from battles.models import Battle
from core.text import render
from rules.core.errors import InvalidInput, Refusal
from rules.hexbattle.board import Picks
from rules.hexes.geometry import Hex, label_of
from rules.hexes.map_choices import KINDS, SEED_MOST
from rules.hexes.mapfile import LEAST_SIDE, MOST_SIDE, document
from rules.hexes.orders import command_in
from rules.hexes.painting import SIZES, touched
from rules.hexes.reading import MAP_MOST_BYTES, loaded
from rules.hexes.starter import FIELDS, STARTERS
from rules.hexes.terrain import OF_BATTLE, MapKind
from rules.law import SETUP

if TYPE_CHECKING:
    from battles.field.page import BattlePage

CHOSEN = "chosen"
PICK_MOST = 80
HEXES_MOST = 40 * 40 * 5
GROUND = "ground"
"""The height that is the terrain's own."""


class ChosenForm(DiceForm):
    """What was picked on the board, to be done: the law says which command that is (`BoardLegal.confirm`)."""

    unit = forms.CharField(required=False, max_length=PICK_MOST)
    to = forms.CharField(required=False, max_length=PICK_MOST)
    target = forms.CharField(required=False, max_length=PICK_MOST)
    pick = forms.CharField(required=False, max_length=4 * PICK_MOST)

    def __init__(self, page: BattlePage, data: QueryDict | None, dice: DiceWords):
        super().__init__(CHOSEN, page.battle.version, dice, data)
        self.page = page
        self.command: Any = None

    def clean(self) -> None:
        super().clean()
        given = self.cleaned_data
        more = tuple(given.get("pick", "").split())
        picks = Picks(given.get("unit", ""), given.get("to", ""), given.get("target", ""), more)
        self.command = self.page.ui.confirmed(self.page, picks)  # type: ignore[attr-defined]
        if self.command is None:
            raise forms.ValidationError(_("This cannot be done as things stand now. Choose again."))

    def request_for(self, battle: Battle) -> Request:
        return Request(self.command)


class PaintingForm(CommandForm):
    """Does something to the map of a battle."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.page = page
        self.command: Any = None

    @property
    def view(self) -> Any:
        return self.page.law_field

    def paints(self, told: Mapping[str, object], reason: str = "") -> None:
        """What is sent: a painter's command as its document says it."""
        self.command = self.page.ui.paints(told, reason)  # type: ignore[attr-defined]

    def request_for(self, battle: Battle) -> Request:
        return Request(self.command)

    def refused(self, refusal: Refusal) -> None:
        for _pointer, message in refusal.errors:
            self.add_error(None, render(message))


class StrokeForm(PaintingForm):
    """One stroke: terrain or height, on these hexes."""

    kind = "brush"
    in_hand = ("terrain", "height", "size")
    """What stays as it is from stroke to stroke: the look keeps it."""
    terrain = forms.ChoiceField(label=_("Terrain"), required=False)
    height = forms.ChoiceField(label=_("Height"), required=False)
    size = forms.ChoiceField(
        label=_("Size of the brush"),
        choices=[("1", _("one hex")), ("3", _("a hex and those around it")), ("fill", _("all that touches it"))],
        required=False,
    )
    hexes = forms.CharField(label=_("Hexes, like C7, D8"), max_length=HEXES_MOST)
    reason = forms.CharField(label=_("Why (players read it)"), required=False, max_length=REASON_MAX)

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        paints = [(terrain.slug, render(terrain.name)) for terrain in OF_BATTLE]
        self.initial = {name: page.look.kept.get(name, "") for name in self.in_hand}
        if page.summary.status == SETUP:
            del self.fields["reason"]
        heights = [("", _("leave it")), (GROUND, _("as the ground is")), *((str(n), str(n)) for n in range(4))]
        self.fields["terrain"].choices = [("", _("leave it")), *paints]  # type: ignore[attr-defined]
        self.fields["height"].choices = heights  # type: ignore[attr-defined]

    def add_prefix(self, field_name: str) -> str:
        return f"look-{field_name}" if field_name in self.in_hand else field_name

    def clean_hexes(self) -> frozenset[Hex]:
        land = self.view.land
        found: set[Hex] = set()
        size = self.cleaned_data.get("size") or "1"
        for label in dict.fromkeys(self.cleaned_data["hexes"].replace(",", " ").split()):
            at = land.at(label)
            if at is None:
                raise forms.ValidationError(_("%(hex)s is not on this map."), params={"hex": label[:10]})
            if size != "fill" or at not in found:  # a hex that is found has brought all that touches it
                found |= touched(land.map, at, size if size in SIZES else "1")
        return frozenset(found)

    def clean(self) -> None:
        given = self.cleaned_data
        hexes = given.get("hexes")
        if not hexes:
            return
        labels, reason = [label_of(at) for at in sorted(hexes)], given.get("reason", "")
        if given.get("terrain"):
            self.paints({"command": "paint", "hexes": labels, "terrain": given["terrain"]}, reason)
        elif given.get("height"):
            height = None if given["height"] == GROUND else int(given["height"])
            self.paints({"command": "raise", "hexes": labels, "height": height}, reason)
        else:
            raise forms.ValidationError(_("Choose a terrain or a height."))


class TextFileInput(forms.FileInput):
    """A file whose text stands among what was sent (`battles.play.views`)."""

    def value_from_datadict(self, data: Mapping[str, Any], files: object, name: str) -> Any:
        return data.get(name)


class MapForm(PaintingForm):
    """A whole map: one of the house, a file, or one that is made up."""

    kind = "map"
    how = forms.ChoiceField(
        label=_("A new map"),
        choices=[("starter", _("one of the house")), ("file", _("from a file")), ("generate", _("made up"))],
    )
    starter = forms.ChoiceField(label=_("Map"), required=False)
    file = forms.CharField(label=_("File"), required=False, max_length=MAP_MOST_BYTES, widget=TextFileInput)
    columns = forms.IntegerField(label=_("Columns"), required=False)
    rows = forms.IntegerField(label=_("Rows"), required=False)
    land = forms.ChoiceField(label=_("Kind of land"), required=False)
    river = forms.BooleanField(label=_("A river across"), required=False)
    symmetric = forms.BooleanField(label=_("Alike for both sides"), required=False)
    seed = forms.CharField(label=_("Seed: the same one makes the same map"), required=False, max_length=SEED_MOST)

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        least, most = LEAST_SIDE, MOST_SIDE[MapKind.BATTLE]
        for side in ("columns", "rows"):
            self.fields[side].min_value, self.fields[side].max_value = least, most  # type: ignore[attr-defined]
        self.fields["starter"].choices = [(slug, render(name)) for slug, name, _rows in FIELDS]  # type: ignore[attr-defined]
        self.fields["land"].choices = [(slug, render(name)) for slug, name in KINDS[MapKind.BATTLE].items()]  # type: ignore[attr-defined]
        if data is None:
            self.initial = {"how": "starter", "columns": 16, "rows": 14, "symmetric": True}

    def clean(self) -> None:
        told = getattr(self, f"_{self.cleaned_data.get('how', '')}", lambda: None)()
        if told is None or self.errors:
            return
        try:
            command_in(told, self.view.land.map)
            self.paints(told)
        except InvalidInput as refusal:
            for _pointer, message in refusal.errors:
                self.add_error(None, render(message))

    def _starter(self) -> dict[str, Any] | None:
        land = STARTERS.get(self.cleaned_data.get("starter", ""))
        return {"command": "load_map", "map": document(land)} if land else None

    def _file(self) -> dict[str, Any] | None:
        if "file" not in self.cleaned_data:
            return None
        try:
            return {"command": "load_map", "map": loaded(self.cleaned_data["file"])}
        except InvalidInput as refusal:
            self.add_error("file", render(refusal.message))
            return None

    def _generate(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            "command": "generate_map",
            "columns": given.get("columns"),
            "rows": given.get("rows"),
            "kind": given.get("land"),
            "river": bool(given.get("river")),
            "symmetric": bool(given.get("symmetric")),
            "seed": given.get("seed") or f"{self.page.battle.pk.hex[:8]}-{self.seen}",
        }

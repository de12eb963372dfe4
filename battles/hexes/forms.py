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
from battles.hexes.map_fields import MapFields
from battles.hexes.maps import read_map
from battles.models import Battle
from core.text import render
from rules.core.errors import InvalidInput, Refusal
from rules.hexbattle.board import Picks
from rules.hexes.geometry import Hex, label_of
from rules.hexes.painting import SIZES, touched
from rules.hexes.terrain import OF_BATTLE
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
        for label in self.cleaned_data["hexes"].replace(",", " ").split():
            at = land.at(label)
            if at is None:
                raise forms.ValidationError(_("%(hex)s is not on this map."), params={"hex": label[:10]})
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


class MapForm(MapFields, PaintingForm):  # type: ignore[misc]
    """A whole map: one of the house, a file, or one that is made up."""

    kind = "map"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        self.offer(page.ui.usual_map)  # type: ignore[attr-defined]

    def clean(self) -> None:
        told = self.asked_for(f"{self.page.battle.pk.hex[:8]}-{self.seen}")
        if told is None or self.errors:
            return
        try:
            land = read_map(told, "", self.page.ui.made)  # type: ignore[attr-defined]
        except InvalidInput as refusal:
            self.lay_out(refusal.errors)
            return
        made = isinstance(told, dict) and "kind" in told and "terrain" not in told
        self.paints({"command": "generate_map", **told} if made else {"command": "load_map", "map": land})

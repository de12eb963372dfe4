"""Forms of a board: the confirming button, the brush, and replacing the whole map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.field.forms import CommandForm, DiceForm, DiceWords
from battles.field.gm_forms import REASON_MAX
from battles.hexes.maps import MapLibrary, is_made, map_from_json
from battles.hexes.opening_forms import MapFields
from battles.models import Battle
from core.text import render
from rules.core.errors import InvalidInput, Refusal
from rules.hexbattle.board import Picks
from rules.hexes.geometry import Hex, label_of
from rules.hexes.mapfile import LABEL_MOST
from rules.hexes.painting import SIZES, touched
from rules.hexes.terrain import OF_BATTLE
from rules.law import SETUP

if TYPE_CHECKING:
    from battles.field.page import BattlePage

CHOSEN = "chosen"
PICK_MOST = 80
HEXES_MOST = 40 * 40 * 5
GROUND = "ground"
"""Choice of height: the terrain's own."""


class ChosenForm(DiceForm):
    """The confirming button: the picks on the board, from which the law makes the command (`BoardLegal.confirm`)."""

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
            why = self.page.ui.why_not(self.page, picks)  # type: ignore[attr-defined]
            raise forms.ValidationError(render(why) if why else _("This isn’t possible anymore. Choose again."))

    def command_for(self, battle: Battle) -> Any:
        return self.command


class PaintingForm(CommandForm):
    """Base form that changes the map of a battle."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.page = page
        self.command: Any = None

    @property
    def view(self) -> Any:
        return self.page.law_field

    def paints(self, told: Mapping[str, object], reason: str = "") -> None:
        """Set the command, from a painter's command in document form."""
        self.command = self.page.ui.paints(told, reason)  # type: ignore[attr-defined]

    def command_for(self, battle: Battle) -> Any:
        return self.command

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = pointer.strip("/").partition("/")[0]
            beside = BESIDE.get(name, name)
            self.add_error(beside if beside in self.fields else None, render(message))


BESIDE = {"between": "hexes", "hex": "hexes", "side": "zone", "add": "zone"}
"""The field that shows errors of a painter's member with another name."""
GROUND_IS, EDGES, NAMES, ZONES = "ground", "edge", "label", "zone"
DOES = {GROUND_IS: _("Ground"), EDGES: _("Streams and walls"), NAMES: _("Names"), ZONES: _("Zones")}
NO_OBSTACLE = "none"
OF_AN_EDGE = 2  # an edge lies between two hexes
ADD, TAKE = "+", "-"


class StrokeForm(PaintingForm):
    """One brush stroke: the terrain of hexes, an obstacle between two, the name of one, or a zone."""

    kind = "brush"
    in_hand = ("does", "terrain", "height", "size", "obstacle", "zone")
    """Fields that keep their value from stroke to stroke, in the page's address."""
    does = forms.ChoiceField(label=_("Brush"), choices=list(DOES.items()), required=False)
    terrain = forms.ChoiceField(label=_("Terrain"), required=False)
    height = forms.ChoiceField(label=_("Height"), required=False)
    size = forms.ChoiceField(
        label=_("Brush size"),
        choices=[("1", _("one hex")), ("3", _("a hex and its neighbors")), ("fill", _("the connected area"))],
        required=False,
    )
    obstacle = forms.ChoiceField(
        label=_("Between two hexes"),
        choices=[("stream", _("a stream")), ("wall", _("a wall")), (NO_OBSTACLE, _("nothing"))],
        required=False,
    )
    text = forms.CharField(label=_("Name (leave empty for none)"), required=False, max_length=LABEL_MOST)
    zone = forms.ChoiceField(label=_("Zone"), required=False)
    hexes = forms.CharField(label=_("Hexes, such as C7, D8"), max_length=HEXES_MOST)
    reason = forms.CharField(label=_("Reason (shown to players)"), required=False, max_length=REASON_MAX)

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        paints = [(terrain.slug, render(terrain.name)) for terrain in OF_BATTLE]
        self.initial = {name: page.look.kept.get(name, "") for name in self.in_hand}
        if page.summary.status == SETUP:
            del self.fields["reason"]
        else:  # only terrain changes during play
            for name in ("does", "height", "obstacle", "text", "zone"):
                del self.fields[name]
        heights = [("", _("don’t change")), (GROUND, _("height of the terrain")), *((str(n), str(n)) for n in range(4))]
        self._offer("terrain", [("", _("don’t change")), *paints])
        self._offer("height", heights)
        self._offer("zone", [one for side in enumerate(page.summary.sides) for one in _zone_choices(*side)])

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        if name in self.fields:
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def add_prefix(self, field_name: str) -> str:
        return f"look-{field_name}" if field_name in self.in_hand else field_name

    @property
    def rows(self) -> list[tuple[forms.BoundField, str]]:
        """Each field with the class of the brush it belongs to; "" for fields of every brush."""
        return [(field, BELONGS.get(field.name, "")) for field in self]

    def clean_hexes(self) -> tuple[str, ...]:
        """The labels as typed. Raises `ValidationError` for a hex off the map."""
        labels = self.cleaned_data["hexes"].upper().replace(",", " ").split()
        for label in labels:
            if self.view.land.at(label) is None:
                raise forms.ValidationError(_("%(hex)s is not on this map."), params={"hex": label[:10]})
        return tuple(labels)

    def clean(self) -> None:
        hexes = self.cleaned_data.get("hexes")
        if not hexes:
            return
        does = self.cleaned_data.get("does") or GROUND_IS
        told = {GROUND_IS: self._ground, EDGES: self._edge, NAMES: self._name, ZONES: self._zone}[does](hexes)
        self.paints(told, self.cleaned_data.get("reason", ""))

    def _covered(self, labels: tuple[str, ...]) -> list[str]:
        """The hexes covered by the brush in its size."""
        size = self.cleaned_data.get("size") or "1"
        found: set[Hex] = set()
        for label in dict.fromkeys(labels):
            at = self.view.land.at(label)
            if size != "fill" or at not in found:  # the area of a hex already found has been added
                found |= touched(self.view.land.map, at, size if size in SIZES else "1")
        return [label_of(at) for at in sorted(found)]

    def _ground(self, labels: tuple[str, ...]) -> dict[str, Any]:
        given, hexes = self.cleaned_data, self._covered(labels)
        if given.get("terrain"):
            return {"command": "paint", "hexes": hexes, "terrain": given["terrain"]}
        if not given.get("height"):
            raise forms.ValidationError(_("Choose a terrain or a height."))
        height = None if given["height"] == GROUND else int(given["height"])
        return {"command": "raise", "hexes": hexes, "height": height}

    def _edge(self, labels: tuple[str, ...]) -> dict[str, Any]:
        if len(labels) != OF_AN_EDGE:
            raise forms.ValidationError({"hexes": _("Enter two neighboring hexes, such as C7 C8.")})
        obstacle = self.cleaned_data.get("obstacle") or "stream"
        return {"command": "edge", "between": list(labels), "obstacle": None if obstacle == NO_OBSTACLE else obstacle}

    def _name(self, labels: tuple[str, ...]) -> dict[str, Any]:
        if len(labels) != 1:
            raise forms.ValidationError({"hexes": _("Enter one hex, such as C7.")})
        return {"command": "label", "hex": labels[0], "text": self.cleaned_data.get("text") or None}

    def _zone(self, labels: tuple[str, ...]) -> dict[str, Any]:
        zone = self.cleaned_data.get("zone") or f"0{ADD}"
        return {"command": "zone", "side": int(zone[0]), "hexes": self._covered(labels), "add": zone[1] == ADD}


BELONGS = {
    "terrain": "for-ground", "height": "for-ground", "size": "for-ground for-zone", "obstacle": "for-edge",
    "text": "for-label", "zone": "for-zone",
}  # fmt: skip


def _zone_choices(number: int, side: Any) -> list[tuple[str, str]]:
    told = {"side": render(side.name)}
    return [
        (f"{number}{ADD}", _("%(side)s: add these hexes") % told),
        (f"{number}{TAKE}", _("%(side)s: remove these hexes") % told),
    ]


class MapForm(MapFields, PaintingForm):
    """A whole new map: a built-in one, one of the campaign's library, a file, or a generated one."""

    kind = "map"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        self.library = MapLibrary(page.campaign)
        self.offer(page.ui.usual_map, page.ui.law.generated_rows)  # type: ignore[attr-defined]

    def clean(self) -> None:
        told = self.asked_for(f"{self.page.battle.pk.hex[:8]}-{self.seen}")
        if told is None or self.errors:
            return
        try:
            land = map_from_json(told, "", self.page.ui.made)  # type: ignore[attr-defined]
        except InvalidInput as refusal:
            self.lay_out(refusal.errors)
            return
        self.paints({"command": "generate_map", **told} if is_made(told) else {"command": "load_map", "map": land})

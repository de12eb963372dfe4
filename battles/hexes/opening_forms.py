"""Forms for opening a battle on hexes: the opposing armies, and the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from battles.default.ui import PlainOpening
from battles.hexes.ground_layer import thumbnail
from battles.hexes.maps import MapLibrary, map_from_json
from core.forms.form_fields import read_unchecked
from core.text import render
from kingdom.map.forms import another_seed
from rules.core.errors import InvalidInput, Refusal
from rules.core.text import Said
from rules.hexes.battlefields import FIELDS, STARTERS
from rules.hexes.mapfile import HexMap, document, parse, written
from rules.hexes.reading import MAP_MOST_BYTES, loaded
from rules.hexes.terrain import KINDS, SEED_MOST, MapChoices, MapKind

# Form fields for choosing a map, used in battle setup and with the brush.

FILE, MADE = "file", "made"
MADE_COLUMNS = 16
OF_POINTERS = {"columns": "columns", "rows": "rows", "kind": "land", "seed": "seed", "river": "river"}


class FileText(forms.FileInput):
    """A file input whose text arrives among the normal fields (`core.forms.form_fields`)."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.get(name)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data


class MapFields(forms.Form):
    """Fields for choosing a map.

    `how`: the slug of a built-in map or of one in the campaign's library, or "file" or "made" for a generated one.
    Whether the result is a valid map is checked elsewhere.
    """

    library: MapLibrary

    how = forms.ChoiceField(label=_("Map"))
    file = forms.CharField(label=_("File"), required=False, max_length=MAP_MOST_BYTES, widget=FileText)
    columns = forms.IntegerField(label=_("Columns"), required=False)
    rows = forms.IntegerField(label=_("Rows"), required=False)
    land = forms.ChoiceField(label=_("Kind of land"), required=False)
    river = forms.BooleanField(label=_("River across the map"), required=False)
    symmetric = forms.BooleanField(label=_("Symmetric for both sides"), required=False)
    seed = forms.CharField(label=_("Seed (the same seed gives the same map)"), required=False, max_length=SEED_MOST)

    def offer(self, usual: str, rows: int, *before: tuple[str, Any]) -> None:
        """Fill the choices. `rows`: default number of rows of a generated map. `before`: further choices, in front of
        the built-in maps.
        """
        house = [(slug, render(name)) for slug, name, _rows in FIELDS]
        kept = [(slug, one.name) for slug, one in self.library.lines.items()]
        others = [(FILE, _("from a file")), (MADE, _("generated"))]
        self.fields["how"].choices = [*before, *house, *kept, *others]  # type: ignore[attr-defined]
        self.fields["land"].choices = [(slug, render(name)) for slug, name in KINDS[MapKind.BATTLE].items()]  # type: ignore[attr-defined]
        usually = {"how": before[0][0] if before else usual, "columns": MADE_COLUMNS, "rows": rows}
        self.initial = {**usually, "symmetric": True, **self.initial}

    def asked_for(self, seed: str) -> Any:
        """The chosen map in the form the API takes; None if a field is wrong. `seed`: the default seed."""
        given = self.cleaned_data
        how = str(given.get("how") or "")
        if how in self.library.lines:
            return document(self.library.read(how))
        if how == FILE:
            return self._from_file(given.get("file") or "")
        if how != MADE:
            return how
        chosen = {name: given.get(name) for name in ("columns", "rows")}
        chosen |= {name: bool(given.get(name)) for name in ("river", "symmetric")}
        return {**chosen, "kind": given.get("land"), "seed": given.get("seed") or seed}

    def _from_file(self, text: str) -> Any:
        if not text:
            self.add_error("file", _("Choose a file."))
            return None
        try:
            return loaded(text)
        except InvalidInput as refusal:
            self.add_error("file", render(refusal.message))
            return None

    def lay_out(self, errors: Iterable[tuple[str, Said]]) -> None:
        """Show each error beside the field it belongs to."""
        how = self.cleaned_data.get("how")
        for pointer, message in errors:
            name = pointer.removeprefix("/map").strip("/").partition("/")[0]
            beside = FILE if how == FILE else OF_POINTERS.get(name, "how")
            self.add_error(beside, render(message))


# Form for setting up a battle on hexes: who fights whom, and on which map.

GIVEN = "given"


class MapCard(NamedTuple):
    """A map to choose, with its thumbnail; "" if it has none yet."""

    how: str
    name: Any
    size: str
    picture: SafeString
    chosen: bool


class OpeningMap(MapFields):
    """The map of a battle being set up.

    `map`: the text of a given map: the ground where armies met, or a file sent with a form that was refused.
    """

    prefix = "map"
    map = forms.CharField(required=False, max_length=MAP_MOST_BYTES, widget=forms.HiddenInput, strip=False)

    def __init__(
        self,
        usual: str,
        make: Callable[[MapChoices], HexMap],
        data: QueryDict | None,
        library: MapLibrary,
        *,
        rows: int,
        bound: bool,
    ):
        self.given, self.library = _land_in(data), library
        super().__init__(data if bound else None, label_suffix="")
        self.make, self.usual, self.made_rows = make, usual, rows
        self.made: dict[str, Any] | None = None
        if data is not None and not bound:
            self.initial = read_unchecked(self, data)
        before = ((GIVEN, _name_of(self.given)),) if self.given else ()
        self.offer(usual, rows, *before)

    def add_prefix(self, field_name: str) -> str:
        return field_name if field_name == "map" else f"map-{field_name}"

    def clean(self) -> None:
        told = self.asked_for(another_seed())
        if told == GIVEN and self.given:
            told = loaded(self.cleaned_data.get("map") or "")
        if told is None or self.errors:
            return
        try:
            self.made = map_from_json(told, self.usual, self.make)
        except InvalidInput as refusal:
            self.lay_out(refusal.errors)

    def keep_file(self) -> None:
        """Offer the file that was sent as a map to choose, so that it isn't lost when the form is refused."""
        text = self.data.get(self.add_prefix("file"), "") if self.data else self.initial.get("file", "")
        land = _parsed(text) if text else None
        if land is None:
            return
        self.given = land
        kept = {"map": written(land), "how": GIVEN}
        if self.is_bound:
            self.data = {**self.data, **{self.add_prefix(name): value for name, value in kept.items()}}
        else:
            self.initial = {**self.initial, **kept}
        self.offer(self.usual, self.made_rows, (GIVEN, _name_of(land)))

    @property
    def cards(self) -> list[MapCard]:
        chosen = self["how"].value()
        lands = {**({GIVEN: self.given} if self.given else {}), **STARTERS}
        return [
            self._kept_card(how, how == chosen)
            if how in self.library.lines
            else _card(how, name, lands.get(how), how == chosen)
            for how, name in self.fields["how"].choices  # type: ignore[attr-defined]
        ]

    def _kept_card(self, how: str, chosen: bool) -> MapCard:
        """The card of a map in the library. Its picture has its own address, so that the map isn't read here."""
        one = self.library.lines[how]
        address = reverse("battles:map_picture", args=[one.pk])
        picture = format_html('<img class="thumbnail" src="{}" alt="" loading="lazy">', address)
        return MapCard(how, one.name, f"{one.columns} × {one.rows}", picture, chosen)

    @property
    def making(self) -> list[forms.BoundField]:
        """The fields for a generated map."""
        return [self[name] for name in ("columns", "rows", "land", "river", "symmetric", "seed")]


def _card(how: str, name: Any, land: HexMap | None, chosen: bool) -> MapCard:
    if land is None:
        return MapCard(how, name, "", mark_safe(""), chosen)
    return MapCard(how, name, f"{land.columns} × {land.rows}", mark_safe(thumbnail(land)), chosen)


def _name_of(land: HexMap) -> str:
    return land.name


def _land_in(data: QueryDict | None) -> HexMap | None:
    text = data.get("map", "") if data is not None else ""
    return _parsed(text) if text else None


def _parsed(text: str) -> HexMap | None:
    try:
        return parse(loaded(text))
    except InvalidInput:
        return None


class HexOpening:
    """The opening form combined with the map form, used as one form. `opening`: the part of every battle."""

    def __init__(self, opening: PlainOpening, chosen: OpeningMap):
        self.opening, self.map = opening, chosen

    def __getattr__(self, name: str) -> Any:
        return getattr(self.opening, name)

    def __getitem__(self, name: str) -> forms.BoundField:
        return self.opening[name]

    def __iter__(self) -> Iterator[forms.BoundField]:
        return iter(self.opening)

    @property
    def errors(self) -> dict[str, Any]:
        return {**self.opening.errors, **{f"map-{name}": told for name, told in self.map.errors.items()}}

    def is_valid(self) -> bool:
        """Whether both forms are valid; both are checked, so that all errors are shown at once."""
        valid = [self.opening.is_valid(), self.map.is_valid()]
        if not all(valid):
            self.map.keep_file()
        return all(valid)

    def to_json(self) -> dict[str, Any]:
        return {**self.opening.to_json(), "map": self.map.made}

    def refused(self, refusal: Refusal) -> None:
        self.map.keep_file()
        of_map: list[tuple[str, Said]] = [told for told in refusal.errors if told[0].startswith("/map")]
        for _pointer, message in of_map:
            self.map.add_error("how", render(message))
        if not of_map:
            self.opening.refused(refusal)

"""Tracked fields of a map, line by line (`kingdom.chronicle.changes`).

Kind `map`: its columns, `document` (the whole file with claims) and `exists`. Kind `ground`: runs of hexes in a row
("C7:F7") with `terrain` (their letters) and `claim` (a kingdom's id or None); single hexes with `label` and `height`;
sides of two hexes ("C7|D7") with `obstacle`, `road` and `river`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from core.queries import find_one
from core.text import render
from kingdom.access.queries import reads_all
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change, Occasion, RowsById
from kingdom.chronicle.field_change import TrackedModel, find_deleted_row
from kingdom.map.fog_services import update_visibility
from kingdom.map.queries import (
    MapState,
    claims_in,
    get_extent_figure,
    load_map_state,
    parted_from_hexes,
    runs_of,
    touch,
    write_map_state,
)
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, Kingdom, User
from kingdom.models.map import HUNDREDTHS
from rules.core.errors import IllegalCommand, require
from rules.core.text import Said, Term, _, in_percent, say
from rules.hexes.geometry import Edge, Hex, at_place, edge, hex_at, label_of, place_of
from rules.hexes.mapfile import HexMap, document, parse
from rules.hexes.terrain import BY_LETTER, MapKind

MAP_WORDS: Mapping[str, Said] = {
    "name": _("Name"),
    "fog": _("Fog of war"),
    "sight": _("Sight in hexes"),
    "sizes": _("Kingdom size follows the map"),
    "put_away": _("Put away"),
    "picture_width": _("Width of the background picture"),
    "picture_left": _("Background picture, from the left"),
    "picture_top": _("Background picture, from the top"),
    "picture_opacity": _("Opacity of the background picture"),
}
IN_HUNDREDTHS = frozenset({"picture_width", "picture_left", "picture_top"})
NAMES: Mapping[str, Said] = {"exists": _("Exists"), "document": _("Drawing")}
GROUND_NAMES: Mapping[str, Said] = {
    "terrain": _("Terrain"), "claim": _("Claimed by"), "label": _("Name"), "height": _("Height"),
    "obstacle": _("Obstacle"), "road": _("Road"), "river": _("River"),
}  # fmt: skip
OF_EDGE = frozenset({"obstacle", "road", "river"})


def list_tracked() -> Iterator[TrackedModel]:
    """Yield the tracked models of maps and of places on them."""
    yield TrackedModel(
        "map",
        _maps,
        fields={
            "exists": chronicle_changes.FieldAccess(lambda drawn: not drawn._state.adding, _erase),
            "document": chronicle_changes.FieldAccess(lambda drawn: dump_map(load_map_state(drawn)), _redraw),
        },
        visible=_readers,
        after=_touched,
        words=MAP_WORDS,
        names=NAMES,
        shown=_shown,
    )
    fields = {name: chronicle_changes.FieldAccess(_reading(name), _writing(name)) for name in GROUND_NAMES}
    yield TrackedModel(
        "ground",
        _places,
        fields=fields,
        visible=_readers,
        after=_drawn,
        names=GROUND_NAMES,
        shown=_shown,
        ids=parse_hexes,
    )


def look_again(entry: ChronicleEntry, _by: User) -> None:
    """Update visibility after an undo: settlements and armies may stand elsewhere again."""
    update_visibility(entry.campaign)


def _readers(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return ids if reads_all(user, campaign) else set()


# The map


def _maps(campaign: Campaign, ids: set[str]) -> RowsById:
    return {str(row.pk): row for row in CampaignMap.objects.select_for_update().filter(campaign=campaign, pk__in=ids)}


def _erase(drawn: Any, there: Any, _occasion: Occasion) -> None:
    """Delete the map, when its creation is undone."""
    require(not there, _("This was deleted for good and can’t be restored."))
    drawn.delete()


def dump_map(land: MapState) -> dict[str, Any]:
    """Return the map's file and its claims, which undo restores."""
    return {"map": document(land.field), "claims": [list(run) for run in runs_of(land.claims)]}


def _redraw(drawn: Any, told: Mapping[str, Any], _occasion: Occasion) -> None:
    write_map_state(drawn, MapState(parse(told["map"], kept=True), claims_in([tuple(run) for run in told["claims"]])))


def _touched(drawn: Any, changed: set[str]) -> None:
    if changed != {"document"}:
        touch(drawn)


# Places on it


class MapDraft:
    """A map that is changed place by place; `keep` writes it once."""

    def __init__(self, drawn: CampaignMap):
        self.map, self.changed = drawn, False
        land = load_map_state(drawn)
        self.field, self.claims = land.field, dict(land.claims)

    @cached_property
    def terrain(self) -> list[list[str]]:
        return [list(row) for row in self.field.terrain]

    @cached_property
    def kingdoms(self) -> set[UUID]:
        """Ids of the kingdoms that may claim hexes."""
        return set(Kingdom.objects.filter(campaign=self.map.campaign_id).values_list("pk", flat=True))

    @cached_property
    def of_hex(self) -> dict[str, dict[Hex, Any]]:
        return {"label": dict(self.field.labels), "height": dict(self.field.heights)}

    @cached_property
    def of_edge(self) -> dict[str, dict[Edge, Any]]:
        lines = {"road": dict.fromkeys(self.field.roads, True), "river": dict.fromkeys(self.field.rivers, True)}
        return {"obstacle": dict(self.field.edges), **lines}

    def keep(self) -> None:
        if self.changed:
            self.changed = False
            write_map_state(self.map, MapState(self._redrawn(), self.claims))

    def _redrawn(self) -> HexMap:
        return replace(
            self.field,
            terrain=tuple("".join(row) for row in self.terrain),
            labels=self.of_hex["label"],
            heights=self.of_hex["height"],
            edges=self.of_edge["obstacle"],
            roads=frozenset(self.of_edge["road"]),
            rivers=frozenset(self.of_edge["river"]),
        )


class PlaceOnMap:
    """A run of hexes, or a side of two hexes, with the interface of a row for `kingdom.chronicle.changes`."""

    def __init__(self, draft: MapDraft, key: str):
        self.draft, self.pk = draft, key
        self._state = SimpleNamespace(adding=False)
        self.hexes = parse_hexes(key)
        self.edge = edge(*self.hexes) if "|" in key else None

    def __str__(self) -> str:
        return self.pk

    def read(self, field: str) -> Any:
        if self.edge:
            return self.draft.of_edge[field].get(self.edge, None if field == "obstacle" else False)
        if field == "terrain":
            return "".join(self.draft.terrain[row][column] for column, row in map(place_of, self.hexes))
        held = self.draft.claims if field == "claim" else self.draft.of_hex[field]
        found = [held.get(at) for at in self.hexes]
        return found[0] if len(set(found)) == 1 else found

    def write(self, field: str, value: Any) -> None:
        self.draft.changed = True
        if field == "terrain":
            for (column, row), letter in zip(map(place_of, self.hexes), value, strict=True):
                self.draft.terrain[row][column] = letter
            return
        if field == "claim" and value is not None:
            value = UUID(value)
            there = value in self.draft.kingdoms
            require(there, _("The kingdom that claimed {place} no longer exists."), place=self.pk)
        held: dict[Any, Any] = self.draft.of_edge[field] if self.edge else self._held(field)
        for at in (self.edge,) if self.edge else self.hexes:
            held.pop(at, None)
            if value not in (None, False, ""):
                held[at] = value

    def _held(self, field: str) -> dict[Hex, Any]:
        return self.draft.claims if field == "claim" else self.draft.of_hex[field]


def parse_hexes(key: str) -> tuple[Hex, ...]:
    """Return the hexes of "C7:F7", of "C7" the one, of "C7|D7" the two. Raises `InvalidInput` or `ValueError` for other
    names.
    """
    if "|" in key:
        one, other = key.split("|")
        return hex_at(one), hex_at(other)
    ends = [place_of(hex_at(label)) for label in key.split(":")]
    (first, row), (last, _row) = ends[0], ends[-1]
    return tuple(at_place(column, row) for column in range(first, last + 1))


def stretches(hexes: Iterable[tuple[Hex, Any]]) -> Iterator[tuple[str, list[Any]]]:
    """Yield hexes and their values as runs of adjacent hexes: the key, and the values."""
    run: list[tuple[Hex, Any]] = []
    for at, of in sorted(hexes, key=lambda one: (one[0].r, one[0].q)):
        if run and at != Hex(run[-1][0].q + 1, run[-1][0].r):
            yield _key(run), [of for _at, of in run]
            run = []
        run.append((at, of))
    if run:
        yield _key(run), [of for _at, of in run]


def _key(run: list[tuple[Hex, Any]]) -> str:
    first, last = label_of(run[0][0]), label_of(run[-1][0])
    return first if first == last else f"{first}:{last}"


def _places(campaign: Campaign, ids: set[str]) -> RowsById:
    """Return the places that are on the present map."""
    drawn = find_one(CampaignMap.objects.select_for_update().filter(campaign=campaign))
    if drawn is None:
        return {}
    draft = MapDraft(drawn)
    found: Any = {
        key: PlaceOnMap(draft, key) for key in sorted(ids) if all(at in draft.field for at in parse_hexes(key))
    }
    return found


def _reading(field: str) -> Any:
    return lambda place: place.read(field)


def _writing(field: str) -> Any:
    return lambda place, value, _occasion: place.write(field, value)


def _drawn(place: Any, _changed: set[str]) -> None:
    place.draft.keep()


def overlap(entry: ChronicleEntry, later: ChronicleEntry) -> Said | None:
    """Return the place that both entries changed under different keys: a whole map contains every place, and runs may
    share hexes. None if there is none.
    """
    one, two = _touched_by(entry), _touched_by(later)
    for field in one.keys() & two.keys():
        if shared := one[field] & two[field]:
            return say(Term("{place}"), place=label_of(min(shared, key=lambda at: (at.r, at.q))))
    drawn_anew = one and two and "document" in {*one, *two}
    return _("the map") if drawn_anew else None


def _touched_by(entry: ChronicleEntry) -> dict[str, set[Hex]]:
    """Return the hexes the entry changed, by field; "document" without hexes if it replaced the whole map."""
    found: dict[str, set[Hex]] = defaultdict(set)
    for data in entry.changes:
        if data["subject_kind"] == "ground" and data["field"] not in OF_EDGE:
            found[data["field"]] |= set(parse_hexes(data["subject_id"]))
        elif data["subject_kind"] == "ground" or (data["subject_kind"], data["field"]) == ("map", "document"):
            found.setdefault(data["field"], set())
    return found


def build_line(key: str, field: str, before: Any, after: Any, rule: str = "") -> Change:
    """Return a change of a place on the map."""
    return Change("ground", key, field, before, after, rule, GROUND_NAMES[field], key)


def _shown(campaign: Campaign, field: str, value: Any) -> Any:
    """Return terrain and kingdoms by name, and a whole map by its size."""
    match field, value:
        case "document", {"map": told}:
            return f"{told['name']}, {told['columns']} × {told['rows']}"
        case "terrain", str():
            letters = BY_LETTER[MapKind.CAMPAIGN]
            return [render(letters[letter].name) for letter in dict.fromkeys(value) if letter in letters]
        case "claim", str():
            return _named(campaign, value)
        case "picture_opacity", int():
            return render(in_percent(value))
        case _, int() if field in IN_HUNDREDTHS:
            return f"{value / HUNDREDTHS:g}"
    return value


def _named(campaign: Campaign, key: str) -> str:
    """Return the name of a kingdom that claims something, also after it was dissolved."""
    if there := find_one(Kingdom.objects.filter(campaign=campaign, pk=key)):
        return there.name
    struck = find_deleted_row(campaign.pk, key)
    return str(struck.whole["columns"]["name"]) if struck else "–"


# Undo guards that keep a kingdom's size equal to its number of hexes (`kingdom.chronicle.changes`).
#
# While sizes follow the map, an entry that changed a size or hexes alone, made while users entered sizes, cannot be
# undone. Nor can an undo let sizes follow the map again while such an entry stands, or while a size differs from its
# hexes.

PARTED = _(
    "{kingdom} has size {size} but claims {hexes} hexes, so this can’t be undone. Turn on “Kingdom size "
    "follows the map” or bring the map back into use instead."
)


def claims_overlap(entry: ChronicleEntry, later: ChronicleEntry) -> Said | None:
    """Return the shared field if one entry switched sizes to follow the map and the other changed a size or hexes
    alone.
    """
    parted = (_turned(later, "after") and _alone(entry)) or (_turned(entry, "before") and _alone(later))
    return MAP_WORDS["sizes"] if parted else None


def refuse_parted(entry: ChronicleEntry, _by: User) -> None:
    """Raise `IllegalCommand` if sizes would follow the map again after this undo while one of them differs from its
    hexes.
    """
    if _turned(entry, "before") and (parted := parted_from_hexes(entry.campaign)):
        raise IllegalCommand(say(PARTED, kingdom=parted.name, size=parted.size, hexes=parted.hexes))


def _turned(entry: ChronicleEntry, then: str) -> bool:
    """Return whether the entry changed whether sizes follow the map, and they do at `then` ("before", "after")."""
    lines = {line["field"]: line[then] for line in entry.changes if line["subject_kind"] == "map"}
    if "sizes" in lines:
        return bool(lines["sizes"])
    follow = CampaignMap.objects.filter(campaign=entry.campaign_id, sizes=True)
    return lines.get("put_away") is False and follow.exists()


def _alone(entry: ChronicleEntry) -> bool:
    """Return whether a kingdom's size changed by another number than its hexes."""
    size, moved = get_extent_figure(entry.campaign), Counter[str]()
    for line in entry.changes:
        if (line["subject_kind"], line["field"]) == ("kingdom", size):
            moved[line["subject_id"]] += (line["after"] or 0) - (line["before"] or 0)
        moved.subtract(_claimed(line, "after"))
        moved.update(_claimed(line, "before"))
    return any(moved.values())


def _claimed(line: Mapping[str, Any], then: str) -> Counter[str]:
    """Return the number of hexes each kingdom has in what this line is about."""
    match line["subject_kind"], line["field"], line[then]:
        case "ground", "claim", str() as kingdom:
            return Counter({kingdom: len(parse_hexes(line["subject_id"]))})
        case "map", "document", {"claims": runs}:
            return Counter(map(str, claims_in([tuple(run) for run in runs]).values()))
    return Counter()

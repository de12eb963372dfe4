"""Services for the campaign's map: create, hide, redraw, claim hexes, and place settlements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.shortcuts import get_object_or_404

from core.clean_input import clean_text, clean_whole
from core.queries import find_one
from kingdom.access.decorators import gm_only, internal, needs_approval, require_not_deleted
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.chronicle.transaction import Recording, record_changes
from kingdom.map.displacement import Displaced
from kingdom.map.displacement_services import list_displaced, tell_each
from kingdom.map.fog_services import update_visibility
from kingdom.map.queries import (
    MapState,
    all_parted,
    get_extent_figure,
    list_held,
    load_map_state,
    touch,
    write_map_state,
)
from kingdom.map.tracked_fields import build_line, dump_map, stretches
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, Kingdom, Settlement, User
from kingdom.models.map import SIGHT_MOST
from kingdom.realms.figures import get_realm_law
from rules.core.errors import InvalidInput, demand, require
from rules.core.text import Said, _, say
from rules.hexes.geometry import Edge, Hex, hex_at, label_of
from rules.hexes.mapfile import FORMAT, HexMap, blank, parse
from rules.hexes.terrain import MapKind

COLUMNS, ROWS = 24, 16
NO_CAMPAIGN_MAP = _("This is a battle map, not a campaign map. Choose another file.")
NAMED = 12  # most hexes named in a sentence
MOST_LINES = 400
"""Most changed places that are recorded one by one; a larger change is recorded as a whole map."""
type Claims = Mapping[str, Iterable[str]]
"""Names of the claimed hexes, by kingdom id."""
OTHER, REALM = ChronicleEntry.Kind.OTHER, ChronicleEntry.Kind.KINGDOM


def get_map(campaign: Campaign) -> CampaignMap:
    """Return the campaign's map in use. Raises `IllegalCommand` if there is none."""
    found = find_one(CampaignMap.objects.filter(campaign=campaign, put_away=False))
    require(found, _("This campaign has no map yet. Create one first."))
    assert found is not None
    return found


@gm_only
@transaction.atomic
def make_map(
    *,
    by: User,
    campaign: Campaign,
    name: str = "",
    columns: int = COLUMNS,
    rows: int = ROWS,
    document: object = None,
    claims: Claims | None = None,
    agreed: str | None = None,
) -> CampaignMap:
    """Create a map of open ground, or the one in `document` (GM). It replaces the present map.

    `claims`: the hexes of each kingdom; without them claims stay. `agreed`: as in `redraw_map`. Raises `InvalidInput`
    with pointers into the document, and below `/claims`.
    """
    require_gm(by, campaign)
    if isinstance(document, Mapping) and document.get("format") == FORMAT:
        battles = document.get("kind", MapKind.BATTLE) == MapKind.BATTLE  # checked before the limits of a battle map
        demand(not battles, NO_CAMPAIGN_MAP, field="/kind")
    field = parse(document) if document is not None else _blank(name or campaign.name, columns, rows)
    chronicle_changes.hold(campaign)  # if two GMs create the first map at once, the second one redraws it
    drawn = find_one(CampaignMap.objects.filter(campaign=campaign))
    if drawn is not None:
        text = say(_("The map was replaced: {map}."), map=field.name)
        return redraw_map(by=by, drawn=drawn, field=field, text=text, claims=claims, agreed=agreed)
    with record_changes(by=by, campaign=campaign, kind=OTHER, private=False) as told:
        drawn = CampaignMap(campaign=campaign, name=field.name, columns=field.columns, rows=field.rows)
        drawn.save(force_insert=True)
        write_map_state(drawn, MapState(field, _claims(campaign, field, claims or {})))
        told.made("map", drawn)
        told.text = say(_("Map created: {map}."), map=field.name)
    return drawn


def _blank(name: object, columns: object, rows: object) -> HexMap:
    return blank(clean_text(name, field="/name"), MapKind.CAMPAIGN, columns, rows)  # type: ignore[arg-type]  # it refuses


@gm_only
@transaction.atomic
def redraw_map(
    *,
    by: User,
    drawn: CampaignMap,
    field: HexMap,
    text: Said | None = None,
    claims: Claims | None = None,
    agreed: str | None = None,
) -> CampaignMap:
    """Change the map to this state (GM), by a brush stroke or as a whole. Unchanged parts are not written.

    Claims outside a smaller map are lost; a settlement there has no place until its hex exists again. Armies leave
    hexes that are cut off or have become impassable (HX-9.3); entries of their kingdoms say so. `agreed`: None asks
    nothing; otherwise `Displaced` is raised, with nothing drawn, if armies would leave and `agreed` is not its key (""
    at first). Raises Http404 if the map no longer exists.
    """
    require_gm(by, drawn.campaign)
    campaign = chronicle_changes.lock(drawn.campaign)
    drawn = get_object_or_404(CampaignMap, pk=drawn.pk)
    land = load_map_state(drawn)
    kept = {at: kingdom for at, kingdom in land.claims.items() if at in field}
    after = MapState(field, kept if claims is None else _claims(campaign, field, claims))
    left = list(list_displaced(campaign, land.field, field))
    if left and agreed is not None:
        would = Displaced([change for _kingdom, change in left], list_held(campaign))
        if would.key != agreed:
            raise would
    changes = [*_back_on_the_table(drawn), *_differences(drawn, after), *list_size_changes(campaign, drawn, after)]
    if changes:
        changes += tell_each(campaign, by, left)
        text = text or say(_("The map was changed: {map}."), map=field.name)
        chronicle_changes.apply_held(campaign=campaign, changes=changes, by=by, kind=OTHER, text=text, private=True)
        update_visibility(campaign)
    return CampaignMap.objects.get(pk=drawn.pk)


def _back_on_the_table(drawn: CampaignMap) -> Iterable[Change]:
    if drawn.put_away:
        yield _of_map(drawn, "put_away", True, False)


def _differences(drawn: CampaignMap, after: MapState) -> list[Change]:
    """Return changes place by place for the same map if they are few; else one change of the whole map."""
    land = load_map_state(drawn)
    was, will = dump_map(land), dump_map(after)
    lines = _placed(land.field, after.field)
    if lines or was["map"] == will["map"]:
        return [*lines, *_claim_lines(land.claims, after.claims)]
    return [_of_map(drawn, "document", was, will)]


def _claims(campaign: Campaign, field: HexMap, given: Claims) -> dict[Hex, UUID]:
    """Return the kingdom of each claimed hex. Raises `InvalidInput` below `/claims`."""
    known = {str(pk): pk for pk in Kingdom.objects.filter(campaign=campaign).values_list("pk", flat=True)}
    demand(isinstance(given, Mapping), _("Enter a JSON object here."), field="/claims")
    found: dict[Hex, UUID] = {}
    for kingdom, labels in given.items():
        at = f"/claims/{kingdom}"
        demand(kingdom in known, _("This kingdom isn’t in this campaign."), field=at)
        demand(isinstance(labels, list | tuple), _("Send a list of hexes."), field=at)
        for place, label in enumerate(labels):
            try:
                one = get_hex(field, label)
            except InvalidInput as refusal:
                raise refusal.below(f"{at}/{place}") from refusal
            demand(one not in found, _("{hex} is claimed twice."), field=f"{at}/{place}", hex=label_of(one))
            found[one] = known[kingdom]
    return found


def _placed(now: HexMap, then: HexMap) -> list[Change]:
    """Return the changes of single places; [] if they are too many or do not cover everything."""
    alike = ("name", "columns", "rows", "homes", "zones", "credits", "more")
    if any(getattr(now, name) != getattr(then, name) for name in alike):
        return []
    other = (
        (at, (old, new))
        for at, old, new in zip(now, "".join(now.terrain), "".join(then.terrain), strict=True)
        if old != new
    )
    lines = [
        build_line(key, "terrain", "".join(old for old, _new in run), "".join(new for _old, new in run))
        for key, run in stretches(other)
    ]
    for field, had, has in (("label", now.labels, then.labels), ("height", now.heights, then.heights)):
        lines += [build_line(label_of(at), field, had.get(at), has.get(at)) for at in _unlike(had, has)]
    roads, rivers = ((dict.fromkeys(one, True), dict.fromkeys(two, True)) for one, two in _lines_of(now, then))
    sides = (("obstacle", now.edges, then.edges, None), ("road", *roads, False), ("river", *rivers, False))
    for field, before, after, none in sides:
        for side in _unlike(before, after):
            key = "|".join(map(label_of, side))
            lines.append(build_line(key, field, before.get(side, none), after.get(side, none)))
    return lines if len(lines) <= MOST_LINES else []


def _lines_of(now: HexMap, then: HexMap) -> Iterable[tuple[frozenset[Edge], frozenset[Edge]]]:
    return (now.roads, then.roads), (now.rivers, then.rivers)


def _unlike[Place: tuple[object, ...]](had: Mapping[Place, object], has: Mapping[Place, object]) -> list[Place]:
    return sorted(key for key in {*had, *has} if had.get(key) != has.get(key))


def _of_map(drawn: CampaignMap, field: str, before: Any, after: Any) -> Change:
    return Change("map", str(drawn.pk), field, before, after, "", chronicle_changes.word_of("map", field), drawn.name)


@gm_only
@transaction.atomic
def put_map_away(*, by: User, campaign: Campaign, away: bool = True) -> None:
    """Put the map away (GM), or use it again. Everything on it is kept, and sizes that follow it do so again."""
    require_gm(by, campaign)
    on = [*_itself(campaign), *(() if away else _realms(campaign))]
    with record_changes(by=by, campaign=campaign, kind=OTHER, on=on, private=False) as told:
        drawn = find_one(CampaignMap.objects.filter(campaign=campaign))
        require(drawn, _("This campaign has no map yet. Create one first."))
        assert drawn is not None
        drawn.put_away = bool(away)
        touch(drawn, "put_away")
        if not away:
            _follow(campaign, drawn)
        told.text = _("The map was archived.") if away else _("The map is in use again.")


def _itself(campaign: Campaign) -> list[tuple[str, Any]]:
    return [("map", pk) for pk in CampaignMap.objects.filter(campaign=campaign).values_list("pk", flat=True)]


@gm_only
@transaction.atomic
def configure_map(
    *,
    by: User,
    campaign: Campaign,
    fog: bool | None = None,
    sight: int | None = None,
    sizes: bool | None = None,
) -> CampaignMap:
    """Set what players see of the map, and whether kingdoms' sizes follow their hexes (GM). None leaves a setting as it
    is.

    Raises `InvalidInput`.
    """
    require_gm(by, campaign)
    with record_changes(by=by, campaign=campaign, kind=OTHER, on=[*_itself(campaign), *_realms(campaign)]) as told:
        drawn = get_map(campaign)
        if sight is not None:
            drawn.sight = clean_whole(sight, field="/sight", least=0, most=SIGHT_MOST)
        drawn.fog = drawn.fog if fog is None else bool(fog)
        if sizes is not None:
            demand(
                not sizes or get_extent_figure(campaign),
                _("Kingdoms have no size in this ruleset."),
                field="/sizes",
            )
            drawn.sizes = bool(sizes)
        touch(drawn, "fog", "sight", "sizes")
        _follow(campaign, drawn)
        told.text = say(_("The map’s settings changed."))
    update_visibility(campaign)
    return drawn


def _follow(campaign: Campaign, drawn: CampaignMap) -> None:
    """Set every kingdom's size to its number of hexes, if sizes follow the map. The caller records the kingdoms."""
    for change in list_size_changes(campaign, drawn, load_map_state(drawn)):
        Kingdom.objects.filter(pk=change.subject_id).update(**{change.field: change.after})


def _realms(campaign: Campaign) -> list[tuple[str, UUID]]:
    return [("kingdom", pk) for pk in Kingdom.objects.filter(campaign=campaign).values_list("pk", flat=True)]


def list_size_changes(campaign: Campaign, drawn: CampaignMap, land: MapState) -> list[Change]:
    """Return the changes that set every kingdom's size to its number of hexes, if sizes follow the map."""
    slug, rule = get_extent_figure(campaign), get_realm_law(campaign).rule
    return [
        Change(
            "kingdom",
            str(one.kingdom),
            slug,
            one.size,
            one.hexes,
            rule,
            chronicle_changes.word_of("kingdom", slug),
            one.name,
        )
        for one in all_parted(campaign, drawn, land)
    ]


@gm_only
@transaction.atomic
def claim_hexes(*, by: User, campaign: Campaign, kingdom: Kingdom | None, hexes: Iterable[str]) -> None:
    """Assign these hexes to the kingdom, or to nobody (GM). Raises `InvalidInput`, Http404 if the kingdom is dissolved
    meanwhile.
    """
    require_gm(by, campaign)
    campaign = chronicle_changes.lock(campaign)
    require_not_deleted(kingdom)
    drawn = get_map(campaign)
    land = load_map_state(drawn)
    owner = kingdom.pk if kingdom else None
    wanted = {at for at in _hexes(land.field, hexes) if land.claims.get(at) != owner}
    if not wanted:
        return
    after = {at: whose for at, whose in land.claims.items() if at not in wanted}
    after |= dict.fromkeys(wanted, owner) if owner else {}
    changes = [*_claim_lines(land.claims, after), *list_size_changes(campaign, drawn, MapState(land.field, after))]
    about = {whose for at in wanted if (whose := land.claims.get(at))} | ({owner} if owner else set())
    text = _claimed(kingdom, wanted)
    chronicle_changes.apply_held(
        campaign=campaign, changes=changes, by=by, kind=REALM, text=text, private=True, kingdoms=about
    )
    update_visibility(campaign)


def _hexes(field: HexMap, labels: Iterable[str]) -> set[Hex]:
    found = set()
    for place, label in enumerate(labels):
        try:
            found.add(get_hex(field, label))
        except InvalidInput as refusal:
            raise refusal.below(f"/hexes/{place}") from refusal
    demand(found, _("Enter at least one hex."), field="/hexes")
    return found


def get_hex(field: HexMap, label: object) -> Hex:
    """Return the hex with this name. Raises `InvalidInput` if it is not on the map."""
    at = hex_at(label)  # type: ignore[arg-type]  # it refuses what is no text
    demand(at in field, _("{hex} isn’t on the map."), hex=label_of(at))
    return at


def _claim_lines(was: Mapping[Hex, UUID], will: Mapping[Hex, UUID]) -> Iterable[Change]:
    """Yield changes by runs of hexes with the same old and new kingdom."""
    turned: dict[tuple[UUID | None, UUID | None], list[Hex]] = defaultdict(list)
    for at in {*was, *will}:
        if was.get(at) != will.get(at):
            turned[was.get(at), will.get(at)].append(at)
    for (before, after), hexes in turned.items():
        for key, _run in stretches((at, None) for at in hexes):
            yield build_line(key, "claim", before and str(before), after and str(after))


def _claimed(kingdom: Kingdom | None, hexes: set[Hex]) -> Said:
    labels = [label_of(at) for at in sorted(hexes, key=lambda at: (at.r, at.q))]
    named, more = ", ".join(labels[:NAMED]), len(labels) - NAMED
    if kingdom is None:
        if more > 0:
            return say(_("Claims removed from {hexes} and {more} more."), hexes=named, more=more)
        return say(_("Claims removed from {hexes}."), hexes=named)
    if more > 0:
        return say(_("{kingdom} claimed {hexes} and {more} more."), kingdom=kingdom.name, hexes=named, more=more)
    return say(_("{kingdom} claimed {hexes}."), kingdom=kingdom.name, hexes=named)


@internal
def give_up_claims(told: Recording, kingdoms: Sequence[Kingdom]) -> None:
    """Remove the claims of kingdoms about to be dissolved."""
    drawn, gone = find_one(CampaignMap.objects.filter(campaign=kingdoms[0].campaign_id)), {one.pk for one in kingdoms}
    if drawn and not gone.isdisjoint((land := load_map_state(drawn)).claims.values()):
        kept = {at: whose for at, whose in land.claims.items() if whose not in gone}
        told.wrote(_claim_lines(land.claims, kept))
        write_map_state(drawn, MapState(land.field, kept))


@needs_approval("kingdom.put_settlement", "found")
@transaction.atomic
def put_settlement(*, by: User, settlement: Settlement, hex: str, revealed: bool | None = None) -> Settlement:
    """Put a settlement on this hex, "" for none (whoever runs its kingdom); `revealed`: every member sees it there.

    Raises `InvalidInput`.
    """
    kingdom = settlement.kingdom
    require_runs(by, kingdom)
    on = [("settlement", settlement)]
    with record_changes(by=by, campaign=kingdom.campaign, kind=REALM, on=on) as told:
        settlement.hex = settle_on(kingdom.campaign, hex)
        settlement.revealed = settlement.revealed if revealed is None else bool(revealed)
        settlement.save(update_fields=["hex", "revealed"])
        template = _("{settlement} is now on {hex}.") if settlement.hex else _("{settlement} is no longer on the map.")
        told.text = say(template, settlement=settlement.name, hex=settlement.hex)
    update_visibility(kingdom.campaign)
    return settlement


def settle_on(campaign: Campaign, label: str) -> str:
    """Return the name of the hex in its standard form, "" for none. Raises `InvalidInput` at `/hex`."""
    if not (isinstance(label, str) and not label.strip()):
        try:
            return label_of(get_hex(load_map_state(get_map(campaign)).field, label))
        except InvalidInput as refusal:
            raise refusal.below("/hex") from refusal
    return ""

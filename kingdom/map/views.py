"""Views of the map editor, of replacing the map, and of the map as files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from core.clean_input import read_json
from core.text import load_said
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.map.displacement import Displaced
from kingdom.map.editor_svg import EditorCanvas, draw_svg, png_of
from kingdom.map.forms import LINES, BrushForm, LandForm, SheetForm, SidesForm, another_seed, build_first_land
from kingdom.map.painting_queries import MapPicture, describe_stroke, draw_sheet, list_realms, map_picture, sheet_of
from kingdom.map.painting_services import Stroke, generate_sheet, paint_map, undo_stroke
from kingdom.map.queries import Occupant, find_hex, find_map, list_occupants, load_map_state
from kingdom.map.services import make_map
from kingdom.models import Campaign, CampaignMap
from kingdom.rendering import add_refusal, build_question, get_status, go, read_agreement, render_page, submit
from rules.core.errors import InvalidInput, Refusal, demand_object_file
from rules.core.text import Said
from rules.hexes.geometry import Hex
from rules.hexes.mapfile import HexMap, written
from rules.hexes.reading import NO_MAP_FILE

KEPT = ("brush", "terrain", "size", "away", "text", "kingdom", "start")  # fields of the brush, kept from tap to tap


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def paint(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    if request.method != "POST" and not _lies_on_the_table(request, campaign_id):
        return redirect("kingdom:map_sheet", campaign_id)
    campaign, drawn = _easel(request, campaign_id)
    realms = list_realms(campaign)
    if request.method != "POST":
        return _easel_page(request, campaign, drawn, _brush_in_hand(request, realms))
    sent, agreed = read_agreement(request)
    brush = BrushForm(sent, realms=realms)
    stroke, start = None, ""
    if brush.is_valid():
        try:
            stroke, start = _tap(request, campaign, drawn, brush, agreed=agreed)
        except Displaced as leaving:
            return _ask_first(request, campaign, drawn, brush, leaving)
    return _answer(request, campaign, drawn, brush, stroke, start)


def _lies_on_the_table(request: PageRequest, campaign_id: UUID) -> bool:
    """Return whether there is a map to paint. Raises `PermissionDenied` unless the user is a GM."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    return find_map(campaign) is not None


def _easel(request: PageRequest, campaign_id: UUID) -> tuple[Campaign, CampaignMap]:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    drawn = find_map(campaign)
    if drawn is None:
        raise Http404
    return campaign, drawn


def _brush_in_hand(request: PageRequest, realms: Any) -> BrushForm:
    return BrushForm(initial={name: request.GET[name] for name in KEPT if name in request.GET}, realms=realms)


def _tap(
    request: PageRequest, campaign: Campaign, drawn: CampaignMap, brush: BrushForm, *, agreed: str
) -> tuple[Stroke | None, str]:
    """Return the stroke of a tap, None if it was refused, and the start of the line's next piece. Raises `Displaced`
    unless its key is in `agreed`.
    """
    given = brush.cleaned_data
    goes_on = given["hex"] if given["brush"] in LINES or brush.begins else ""
    if brush.begins or not (given["hex"] or given["hexes"]):
        return Stroke(drawn, frozenset()), goes_on
    try:
        return paint_map(by=request.user, campaign=campaign, command=brush.command(), agreed=agreed), goes_on
    except Refusal as refusal:
        add_refusal(brush, refusal)
        return None, given["start"]


def _ask_first(
    request: PageRequest, campaign: Campaign, drawn: CampaignMap, brush: BrushForm, leaving: Displaced
) -> HttpResponse:
    """Ask before armies leave the map. Nothing is painted yet; the question carries the same stroke."""
    asked = build_question(leaving, brush)
    context = _context(request, campaign, drawn, brush.data.get("start", "")) | {"brush": brush, "asked": asked}
    return render_page(request, "kingdom/map/painting.html", context, partial="stroke")


@login_required
@require_POST
def paint_undo(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign, drawn = _easel(request, campaign_id)
    realms = list_realms(campaign)
    brush = BrushForm(request.POST, realms=realms)
    brush.is_valid()
    try:
        stroke = undo_stroke(by=request.user, campaign=campaign)
    except Refusal as refusal:
        add_refusal(brush, refusal)
        return _answer(request, campaign, drawn, brush, None, "")
    what = say(load_said(stroke.undone.text)) if stroke.undone else ""
    return _answer(request, campaign, drawn, brush, stroke, "", told=_("Undone: {what}").format(what=what))


def _answer(
    request: PageRequest,
    campaign: Campaign,
    drawn: CampaignMap,
    brush: BrushForm,
    stroke: Stroke | None,
    start: str,
    told: str = "",
) -> HttpResponse:
    """Return the hexes that changed; all of them if somebody else has painted since the page was drawn."""
    in_hand = {name: brush.data.get(name, "") for name in KEPT} | {"start": start}
    told = told or _told(request, campaign, brush, stroke, start)
    if not request.htmx:
        return _answer_whole(request, campaign, drawn, brush, stroke, in_hand, told)
    if stroke and stroke.whole:
        return go(request, "kingdom:map_paint", campaign.pk)
    context = _context(request, campaign, stroke.drawn if stroke else drawn, start) | {"brush": brush, "told": told}
    canvas = context["canvas"]
    if stroke is None or _overtaken(drawn, brush, stroke):
        context["anew"] = True
    else:
        ends = canvas.hexes_named(start, brush.cleaned_data.get("start", ""))  # ends of a line, which are highlighted
        context["changed"] = canvas.rows_with(stroke.hexes | ends)
    return render_page(request, "kingdom/map/painting.html", context, partial="stroke", status=get_status(brush))


def _answer_whole(
    request: PageRequest,
    campaign: Campaign,
    drawn: CampaignMap,
    brush: BrushForm,
    stroke: Stroke | None,
    in_hand: dict[str, str],
    told: str,
) -> HttpResponse:
    """Answer a browser without scripts: the same page again, with the same brush."""
    if stroke is None:
        return _easel_page(request, campaign, drawn, brush)
    if told:
        messages.success(request, told)
    address = reverse("kingdom:map_paint", args=[campaign.pk])
    return redirect(f"{address}?{urlencode({name: value for name, value in in_hand.items() if value})}#canvas")


def _overtaken(drawn: CampaignMap, brush: BrushForm, stroke: Stroke) -> bool:
    """Return whether the map had changed before this stroke was applied."""
    painted = bool(stroke.hexes)
    return brush.cleaned_data.get("version") != drawn.version or stroke.drawn.version != drawn.version + painted


def _told(request: PageRequest, campaign: Campaign, brush: BrushForm, stroke: Stroke | None, start: str) -> str:
    if stroke is None:
        return ""
    if stroke.hexes:
        return describe_stroke(request.user, campaign, stroke.text)
    if start and brush.data.get("brush") == "wall":
        return _("Tap the hex on the other side of the wall beside {hex}.").format(hex=start)
    if start:
        return _("The line starts at {hex}. Tap where it goes.").format(hex=start)
    return _("Nothing to change.") if brush.data.get("hex") else ""


def _easel_page(request: PageRequest, campaign: Campaign, drawn: CampaignMap, brush: BrushForm) -> HttpResponse:
    start = str(brush.initial.get("start", "")) if not brush.is_bound else str(brush.data.get("start", ""))
    context = _context(request, campaign, drawn, start) | {"brush": brush}
    return render_page(request, "kingdom/map/painting.html", context, status=get_status(brush))


def _context(request: PageRequest, campaign: Campaign, drawn: CampaignMap, start: str) -> dict[str, Any]:
    land = load_map_state(drawn)
    seen = map_picture(request.user, campaign)
    towns, below = (seen.towns, seen.background) if seen else ({}, None)
    canvas = EditorCanvas(land, list_realms(campaign), towns, start, _armies(campaign, land.field), below)
    return {"campaign": campaign, "drawn": drawn, "canvas": canvas, "start": start}


def _armies(campaign: Campaign, field: HexMap) -> dict[Hex, list[Occupant]]:
    """Return the armies on each hex."""
    found: dict[Hex, list[Occupant]] = defaultdict(list)
    for one in list_occupants(campaign):
        if (at := find_hex(field, one.hex)) is not None:
            found[at].append(one)
    return found


# Replacing the map


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Page to replace the map: generate one with a preview, upload a file, change its size, or download it."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    drawn = find_map(campaign)
    if request.method != "POST":
        return _sheet_page(request, campaign, drawn, land=_land_form(request, drawn))
    sent, agreed = read_agreement(request)
    land = LandForm(sent)
    lay = lambda: generate_sheet(by=request.user, campaign=campaign, choices=land.choices(), agreed=agreed)  # noqa: E731
    return _laid(request, campaign, drawn, lay, said=_("The map is now in use."), land=land)


def _laid(
    request: PageRequest,
    campaign: Campaign,
    drawn: CampaignMap | None,
    lay: Callable[[], object],
    *,
    said: str = "",
    **forms: LandForm | SheetForm | SidesForm,
) -> HttpResponse:
    """Redirect to the editor once `lay` has replaced the map.

    If the submitted form is refused, or armies would leave the map without confirmation, show the page again. An
    uploaded file is then sent along as text, since no browser sends it twice.
    """
    (form,) = forms.values()
    asked = None
    try:
        done = submit(form, lambda _given: lay())
    except Displaced as leaving:
        text = {"text": form.cleaned_data["file"].decode()} if isinstance(form, SheetForm) else {}
        done, asked = None, build_question(leaving, form, **text)
    if done is None:
        return _sheet_page(request, campaign, drawn, asked=asked, **forms)  # type: ignore[arg-type]  # by its own name
    if said:
        messages.success(request, said)
    return redirect("kingdom:map_paint", campaign.pk)


def _land_form(request: PageRequest, drawn: CampaignMap | None) -> LandForm:
    if "kind" not in request.GET:
        return _land_begun(drawn)
    asked = request.GET.dict()
    return LandForm(asked | {"seed": another_seed()} if "another" in asked else asked)


def _land_begun(drawn: CampaignMap | None) -> LandForm:
    return LandForm(initial=build_first_land(drawn.columns, drawn.rows) if drawn else build_first_land())


def _sheet_page(
    request: PageRequest,
    campaign: Campaign,
    drawn: CampaignMap | None,
    *,
    land: LandForm | None = None,
    file: SheetForm | None = None,
    sides: SidesForm | None = None,
    asked: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Render the page. `asked`: the question whether armies may leave the map; nothing is done yet."""
    sent = land or file or sides
    land, file = land or _land_begun(drawn), file or SheetForm()
    sides = sides or SidesForm(initial={"columns": drawn.columns, "rows": drawn.rows} if drawn else {})
    context: dict[str, Any] = {
        "campaign": campaign, "drawn": drawn, "land": land, "file_form": file, "sides": sides,
        "asked": asked, "sent": sent,
    }  # fmt: skip
    if land.is_bound and land.is_valid():
        context["preview"] = urlencode({name: value for name, value in land.cleaned_data.items() if value})
    status = max(map(get_status, (land, file, sides)))
    return render_page(request, "kingdom/map/map_sheet.html", context, status=status)


@login_required
@require_POST
def sheet_file(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    sent, agreed = read_agreement(request)
    form = SheetForm(sent, _sent_before(sent) if agreed else request.FILES)
    lay = lambda: _read_in(request, campaign, form, agreed)  # noqa: E731
    drawn = find_map(campaign)
    return _laid(request, campaign, drawn, lay, said=_("The map is now in use."), file=form)


def _sent_before(sent: QueryDict) -> MultiValueDict[str, UploadedFile]:
    return MultiValueDict({"file": [SimpleUploadedFile("map.json", sent.get("text", "").encode())]})


def _read_in(request: PageRequest, campaign: Campaign, form: SheetForm, agreed: str) -> CampaignMap | None:
    """Create the map from the uploaded file. Faults become errors of the file field, by the document's members."""
    try:
        demand_object_file(form.cleaned_data["file"], NO_MAP_FILE)
        document = read_json(form.cleaned_data["file"])
        return make_map(by=request.user, campaign=campaign, document=document, agreed=agreed)
    except InvalidInput as refusal:
        for pointer, fault in refusal.errors:
            form.add_error("file", _with_member(pointer, fault))
    return None


def _with_member(pointer: str, fault: Said) -> str:
    """Return the sentence, preceded by the faulty member unless it names that or a row itself."""
    member = pointer.strip("/").partition("/")[0]
    if member in ("", "terrain") or member in str(fault):
        return say(fault)
    return _("“{name}”: {fault}").format(name=member, fault=say(fault))


@login_required
@require_POST
def sheet_sides(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign, drawn = _easel(request, campaign_id)
    sent, agreed = read_agreement(request)
    form = SidesForm(sent)
    cut = lambda: paint_map(  # noqa: E731
        by=request.user, campaign=campaign, command={"command": "resize", **form.cleaned_data}, agreed=agreed
    )
    return _laid(request, campaign, drawn, cut, sides=form)


@login_required
@require_GET
def sheet_preview(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """SVG of the map to generate, before it is used."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    form = LandForm(request.GET)
    if not form.is_valid():
        raise Http404
    land = sheet_of(form.choices(), campaign.name)
    return _svg(draw_svg(draw_sheet(land)))


# The map as files


@login_required
@require_GET
def map_file(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """The map's document, for readers of the whole map."""
    picture = _picture(request, campaign_id)
    if picture.known is not None:
        raise Http404
    return _kept(HttpResponse(written(picture.land.field), "application/json"), picture, "json")


@login_required
@require_GET
def map_svg(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    picture = _picture(request, campaign_id)
    return _kept(_svg(draw_svg(picture)), picture, "svg")


@login_required
@require_GET
def map_png(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    picture = _picture(request, campaign_id)
    return _kept(HttpResponse(png_of(picture), "image/png"), picture, "png")


def _picture(request: PageRequest, campaign_id: UUID) -> MapPicture:
    found = map_picture(request.user, get_campaign_for(request.user, campaign_id))
    if found is None:
        raise Http404
    return found


def _svg(text: str) -> HttpResponse:
    return HttpResponse(text, "image/svg+xml")


def _kept(response: HttpResponse, picture: MapPicture, ending: str) -> HttpResponse:
    """Set the file name of a download to the map's name."""
    name = slugify(picture.land.field.name) or "map"
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response

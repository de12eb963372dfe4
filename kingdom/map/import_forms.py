"""Forms for importing another tool's map: the file, and the terrain for each of its names."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext_lazy as _

from core.forms.form_fields import Whole, list_choices
from core.text import dump_said, load_said, render
from kingdom.map.forms import SIDES
from kingdom.map.import_queries import TERRAINS, MapProposal
from kingdom.models import Campaign
from rules.core.errors import InvalidInput, Refusal, demand, pointer
from rules.core.text import Said, by_number, say
from rules.core.text import _ as term
from rules.hexes.imports.files import COLUMNS, FILE_MOST, ReadOptions, read_foreign
from rules.hexes.imports.layout import NOTHING, FileNote, FlatTops, ForeignMap, Tool
from rules.hexes.mapfile import NAME_MOST

SALT, KEPT_SECONDS = "kingdom.map.import.2", 24 * 60 * 60
NO_TERRAIN = "none"
"""Choice on the page for a name that stands for no terrain."""
TURNS = (
    (FlatTops.TURN, _("Turn the map: every hex keeps its neighbors")),
    (FlatTops.REDRAW, _("Redraw it: north stays on top, some hexes change")),
)
HEXES = by_number("{count} hex", "{count} hexes")
EXPIRED = term("This preview has expired. Choose the file again.")


class MapFileForm(forms.Form):
    """A file of another tool."""

    file = forms.FileField(label=_("File"), help_text=_("At most 16 MB."), allow_empty_file=True)
    columns = Whole(
        label=_("Columns"), initial=COLUMNS, required=False, **SIDES,
        help_text=_("For Azgaar’s cells only: how many hexes wide the map becomes."),
    )  # fmt: skip
    turn = forms.ChoiceField(
        label=_("If the file’s hexes have flat tops"), choices=TURNS, initial=FlatTops.TURN, widget=forms.RadioSelect,
        required=False,
    )  # fmt: skip

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.fields["file"].widget.attrs["accept"] = ".tmx,.tmj,.json,.wxx,.geojson"

    def read(self) -> ForeignMap:
        """The map in the file. Raises `InvalidInput`."""
        given = self.cleaned_data
        file = given["file"]
        asked = ReadOptions(given["columns"] or COLUMNS, FlatTops(given["turn"] or FlatTops.TURN))
        return read_foreign(file.read(FILE_MOST + 1), file.name or "", asked)


class TerrainsForm(forms.Form):
    """Terrain for each name in another tool's map, one field per name."""

    name = forms.CharField(label=_("Name of the map"), max_length=NAME_MOST)

    def __init__(self, proposal: MapProposal, data: Any = None):
        super().__init__(data, initial={"name": proposal.name, "empty": proposal.empty})
        self.proposal = proposal
        self.places = {f"terrain-{place}": name for place, name in enumerate(sorted(proposal.foreign.counts()))}
        own = {name: place for place, name in self.places.items()}
        for choice in proposal.choices:
            self.fields[own[choice.name]] = forms.ChoiceField(
                label=render(choice.told), required=False, help_text=render(say(HEXES, count=choice.hexes)),
                choices=[("", _("Choose…")), *list_choices(TERRAINS)(), (NO_TERRAIN, _("No terrain (see below it)"))],
                initial={None: "", NOTHING: NO_TERRAIN}.get(choice.terrain, choice.terrain),
            )  # fmt: skip
        self.fields["empty"] = forms.ChoiceField(
            label=_("Hexes without terrain"), choices=list_choices(TERRAINS)(),
            help_text=render(say(HEXES, count=proposal.empties)),
        )  # fmt: skip

    def chosen(self) -> dict[str, str]:
        """Choices by name, without those that are missing."""
        given = {name: self.cleaned_data.get(place, "") for place, name in self.places.items()}
        return {name: NOTHING if one == NO_TERRAIN else one for name, one in given.items() if one}

    def add_refusal(self, refusal: Refusal) -> None:
        fields = {pointer("/terrains", name): place for place, name in self.places.items()}
        for at, message in refusal.errors:
            own = fields.get(at, at.strip("/"))
            self.add_error(own if own in self.fields else None, render(message))


# A read map on its way from the preview to the confirmation: signed, so that it is what the server has read.


def seal(campaign: Campaign, foreign: ForeignMap) -> str:
    """The map as text, for this campaign alone."""
    notes = [[note.understood, dump_said(note.told)] for note in foreign.notes]
    body = [str(campaign.pk), foreign.tool, foreign.name, foreign.stacks, foreign.rows, notes]
    return signing.dumps(body, salt=SALT, compress=True)


def unseal(campaign: Campaign, text: str) -> ForeignMap:
    """Read a map sealed by `seal`. Raises `InvalidInput` if it was not sealed for this campaign, or is too old."""
    try:
        of, *body = signing.loads(text, salt=SALT, max_age=KEPT_SECONDS)
    except signing.BadSignature:
        raise InvalidInput(EXPIRED, "/file") from None
    demand(of == str(campaign.pk), EXPIRED, field="/file")
    tool, name, stacks, rows, notes = body
    told: list[tuple[bool, Said]] = [(understood, load_said(one)) for understood, one in notes]
    return ForeignMap(
        Tool(tool), name, tuple(map(tuple, stacks)), tuple(map(tuple, rows)), tuple(FileNote(*one) for one in told)
    )

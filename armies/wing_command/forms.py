"""Form for raising or changing a wing, with sample wings to start from and figures beside each type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from armies.documents.drafts import DocumentDraft, EntryDraft
from armies.documents.forms import TypedTroopForm
from core.shapes.forms import CatalogueChoices, FormChoices, JsonDocument
from core.text import render
from rules.core.shapes import shape_of
from rules.wing_command.spec import TroopType
from rules.wing_command.starter import CHARACTERS
from rules.wing_command.wing import CROWN, SAMPLE_HOSTS, SampleWing, WingSheet

SHAPE = shape_of(WingSheet)
FRESH: Mapping[str, JsonDocument] = {"troops": {"type": "foot"}}


def list_starters() -> FormChoices:
    """The sample wings as choices, by host."""
    return [
        (render(name), [(f"{host}-{place}", render(wing.name)) for place, wing in enumerate(wings)])
        for host, (name, wings) in SAMPLE_HOSTS.items()
    ]


def find_starter(slug: str) -> SampleWing | None:
    """The sample wing with this slug ("crown-0"); None if there is none."""
    host, _dash, place = slug.partition("-")
    wings = SAMPLE_HOSTS[host][1] if host in SAMPLE_HOSTS else ()
    return next((wing for number, wing in enumerate(wings) if str(number) == place), None)


def draft_of(wing: SampleWing, head: JsonDocument, law: Any) -> DocumentDraft:
    """The form filled with a sample wing, without types the campaign lacks."""
    document: JsonDocument = SHAPE.write(wing.sheet)
    known = law.armies.catalogues["troops"]
    troops = [one for one in document.pop("troops") if one["type"] in known]
    return DocumentDraft(head, document, {"troops": EntryDraft(troops), "characters": EntryDraft([])})


def describe_type(kind: TroopType) -> str:
    """A type with its figures, as an option of a list."""
    shot = _(", shot %(shot)s/%(range)s") % {"shot": kind.shot, "range": kind.range} if kind.shot else ""
    figures = _("move %(move)s, melee %(melee)s%(shot)s, guard %(guard)s; points: %(points)s") % {
        "move": kind.move, "melee": kind.melee, "shot": shot, "guard": kind.guard, "points": kind.points,
    }  # fmt: skip
    return f"{render(kind.name)} ({figures})"


class WingForm(TypedTroopForm):
    """Form of a wing."""

    troops, kinds = "troops", CHARACTERS

    @property
    def offers(self) -> CatalogueChoices:
        types = [(slug, describe_type(kind)) for slug, kind in self.law.tables.troops.items() if not kind.off]
        return {"troops": types}

    def begun(self) -> DocumentDraft:
        """The starting content of the form for a new army: a wing of the Crown."""
        return draft_of(CROWN[0], {}, self.law)

    def describe_troop(self, entry: Mapping[str, Any]) -> str:
        troop = self.law.armies.value_of({"troops": [entry]}).troops[0]
        kind = self.law.tables.troops[troop.type]
        return _("%(type)s · melee %(melee)s, guard %(guard)s") % {
            "type": render(kind.name), "melee": kind.melee + troop.melee, "guard": kind.guard + troop.guard,
        }  # fmt: skip

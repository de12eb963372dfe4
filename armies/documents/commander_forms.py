"""Form of a commander whose document is a declared shape."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from armies.default.forms import PlainCommanderForm
from armies.documents.forms import offers_of
from armies.models import Commander
from core.shapes.forms import CatalogueChoices, JsonDocument, ShapeForm, add_refusal
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal

EMPTY_ROWS = 2  # of each list, for who has no scripts


class DocumentCommanderForm(PlainCommanderForm):
    """Name and what the shape says; for the GM of one who exists status, absence and ransom too. What the law refuses
    stands beside its field. `cleaned_data` is what the services take: the document is its `sheet`. `offers`: what its
    lists offer, where that is not everything by its name.
    """

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        campaign: Campaign,
        commander: Commander | None = None,
        gm: bool = False,
        offers: CatalogueChoices | None = None,
    ):
        super().__init__(data, commander=commander, gm=gm)
        self.law: Any = get_ruleset(campaign).armies
        self.document_form = ShapeForm(self.law.commander_shape, offers or offers_of(self.law), empty_rows=EMPTY_ROWS)
        kept = self._kept(commander)
        self._members = dict(self.document_form.fields("", kept))
        self.initial.update(self.document_form.flat("", kept))
        self.fields = {"name": self.fields["name"], **self._members, **self.fields}

    def _kept(self, commander: Commander | None) -> JsonDocument:
        """Their document; of a new commander, and of one whose document the law no longer takes, the usual one."""
        try:
            found: JsonDocument = self.law.read_commander(commander.sheet if commander else {})
        except Refusal:
            return {}
        return found

    def clean(self) -> Any:
        sheet = self.document_form.posted(self.data, "")  # type: ignore[arg-type]  # a form that is judged was sent
        try:
            self.law.read_commander(sheet)
        except Refusal as refusal:
            add_refusal(self, refusal)
        rest = {name: value for name, value in (super().clean() or {}).items() if name not in self._members}
        return {**rest, "sheet": sheet}

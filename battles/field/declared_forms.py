"""Form of a command that its law declares."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from battles.field.forms import CommandForm
from core.shapes.forms import CatalogueChoices, ShapeForm, add_refusal
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape


class DeclaredCommandForm(CommandForm):
    """Fields of the command's shape. They judge nothing: what is refused stands beside its field."""

    def __init__(
        self,
        kind: str,
        shape: DeclaredShape,
        version: int,
        data: QueryDict | None = None,
        *,
        offers: CatalogueChoices | None = None,
        initial: dict[str, Any] | None = None,
    ):
        self.kind, self._shape = kind, ShapeForm(shape, offers)
        begun = initial or {}
        super().__init__(version, data, initial=self._shape.flat("", begun))
        self.fields.update(self._shape.fields("", self._shape.posted(data, "") if data is not None else begun))

    def members(self) -> dict[str, Any]:
        sent = self.data if isinstance(self.data, QueryDict) else QueryDict()
        return self._shape.posted(sent, "")

    def refused(self, refusal: Refusal) -> None:
        add_refusal(self, refusal)

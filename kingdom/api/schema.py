"""What the OpenAPI document says of an operation beside its summary."""

from __future__ import annotations

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc


class OperationSchema(AutoSchema):
    """Describes operations by the words of their own view; what its bases say of themselves concerns no client."""

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        said = str(super().get_description() or "")
        bases = {get_doc(base) for base in type(self.view).__mro__[1:]}
        return "" if said in bases else said

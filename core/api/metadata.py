"""Metadata for OPTIONS. Schemas are in the API's document, so they are not repeated here."""

from __future__ import annotations

from typing import Any

from rest_framework.metadata import BaseMetadata
from rest_framework.request import Request
from rest_framework.reverse import reverse


class Methods(BaseMetadata):
    """The methods of an address, its formats, and the address of the API's document."""

    def determine_metadata(self, request: Request, view: Any) -> dict[str, Any]:
        return {
            "methods": view.allowed_methods,
            "takes": [parser.media_type for parser in view.parser_classes],
            "answers": [renderer.media_type for renderer in view.renderer_classes],
            "document": reverse("schema", request=request),
        }

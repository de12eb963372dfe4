"""Documentation pages of the API: its OpenAPI document, and Swagger UI without inline scripts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.utils.csp import CSP
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views.decorators.csp import csp_override
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from core.api.serializers import refuse_unknown
from rules.core.text import _

# Swagger's own style sheet draws its arrows from data: images.
DOCS_CSP: dict[str, Any] = {**settings.SECURE_CSP, "img-src": [CSP.SELF, "data:"]}

ASKED = frozenset({"lang", "format"})
_making = Lock()


class DocumentView(SpectacularAPIView):
    """The API as OpenAPI: YAML or JSON by `Accept` or `format`, in the reader's language or `lang`. It is the same for
    everybody.
    """

    @extend_schema(exclude=True)
    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> HttpResponse:
        refuse_unknown(request, ASKED)
        try:
            language = translation.get_supported_language_variant(request.query_params.get("lang") or get_language())
        except LookupError as unknown:
            raise ValidationError({"lang": [_("This language isn’t available.")]}) from unknown
        renderer = request.accepted_renderer
        form: Any = type(renderer)
        with _making:
            written = _document(language, form)
        kind = f"{renderer.media_type}; charset={renderer.charset}" if renderer.charset else renderer.media_type
        told = {"Content-Disposition": f'inline; filename="Warhost.{renderer.format}"'}
        return HttpResponse(written, content_type=kind, headers=told)


@cache
def _document(language: str, renderer: Callable[[], BaseRenderer]) -> Any:
    """Return the rendered document. It is cached, since rendering takes more than a second."""
    with translation.override(language):
        schema = DocumentView.generator_class().get_schema(request=None, public=True)
        written = renderer()
        return written.render(schema, written.media_type, {})


@method_decorator(csp_override(DOCS_CSP), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    template_name = "config/docs.html"

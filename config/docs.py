"""The API's own pages: Swagger UI without a line of inline script."""

from typing import Any

from django.conf import settings
from django.utils.csp import CSP
from django.utils.decorators import method_decorator
from django.views.decorators.csp import csp_override
from drf_spectacular.views import SpectacularSwaggerSplitView

# Swagger's own style sheet draws its arrows from data: images.
DOCS_CSP: dict[str, Any] = {**settings.SECURE_CSP, "img-src": [CSP.SELF, "data:"]}


@method_decorator(csp_override(DOCS_CSP), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    template_name = "config/docs.html"

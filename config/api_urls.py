"""URL configuration of the REST API."""

from django.urls import include, path, re_path

from config.docs import DocsView, DocumentView
from core.api.problems import answer_not_found

urlpatterns = [
    path("schema/", DocumentView.as_view(), name="schema"),
    path("docs/", DocsView.as_view(), name="docs"),
    path("", include("kingdom.api.urls")),
    path("", include("armies.api.urls")),
    path("", include("battles.api.urls")),
    re_path(r"^.*/$", answer_not_found),  # answers unknown addresses with a problem document
]

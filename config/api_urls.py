from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from config.docs import DocsView
from kingdom.api.problems import not_found

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", DocsView.as_view(), name="docs"),
    path("", include("kingdom.api.urls")),
    path("", include("armies.api.urls")),
    path("", include("battles.api.urls")),
    re_path(r"^.*/$", not_found),  # a problem document for addresses that name nothing
]

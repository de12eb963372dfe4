from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from config.docs import DocsView

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", DocsView.as_view(), name="docs"),
    path("", include("kingdom.api.urls")),
    path("", include("armies.api.urls")),
    path("", include("battles.api.urls")),
]

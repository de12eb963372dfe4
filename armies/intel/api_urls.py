"""URL configuration of the API of intelligence."""

from django.urls import path

from armies.intel.api import ArmyHiddenView, InsightsView, KnownArmiesView

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/known-armies/", KnownArmiesView.as_view({"get": "list"}), name="known-armies"),
    path(
        "campaigns/<uuid:campaign_id>/insights/",
        InsightsView.as_view({"get": "list", "post": "create"}),
        name="insights",
    ),
    path("armies/<uuid:army_id>/hidden/", ArmyHiddenView.as_view(), name="army-hidden"),
]

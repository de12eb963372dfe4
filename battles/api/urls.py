"""URL configuration of the API of battles."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from battles.api.forecast_api import FairnessView, JobView, SupposedView, SweepView
from battles.api.mustered_api import MusteredView
from battles.api.opponent_api import CounselView, OpponentsView, PauseView
from battles.api.views import BattleViewSet, RemindView
from battles.log.branch_views import WhatIfsView
from battles.log.export import LogExportView
from battles.maps.api import BattleMapViewSet
from battles.story.api import StoryChaptersView

router = SimpleRouter()
router.register("battles", BattleViewSet, basename="battle")

urlpatterns = [
    path(
        "campaigns/<uuid:campaign_id>/maps/",
        BattleMapViewSet.as_view({"get": "list", "post": "create"}),
        name="battle_maps",
    ),
    path(
        "campaigns/<uuid:campaign_id>/maps/<uuid:map>/",
        BattleMapViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
        name="battle_map",
    ),
    path("campaigns/<uuid:pk>/story/chapters/", StoryChaptersView.as_view(), name="story_chapters"),
    path("armies/<uuid:army_id>/mustered/", MusteredView.as_view(), name="mustered"),
    path("battles/<uuid:pk>/export/", LogExportView.as_view(), name="log_export"),
    path("battles/<uuid:pk>/fairness/", FairnessView.as_view(), name="fairness"),
    path("battles/<uuid:pk>/opponents/", OpponentsView.as_view(), name="opponents"),
    path("battles/<uuid:pk>/opponents/orders/", CounselView.as_view(), name="opponents_orders"),
    path("battles/<uuid:pk>/opponents/pause/", PauseView.as_view(), name="opponents_pause"),
    path("battles/<uuid:pk>/remind/", RemindView.as_view(), name="remind"),
    path("battles/<uuid:pk>/what-ifs/", WhatIfsView.as_view(), name="what_ifs"),
    path("", include(router.urls)),
    path("forecast/", SupposedView.as_view(), name="supposed"),
    path("forecast/sweep/", SweepView.as_view(), name="forecast-sweep"),
    path("jobs/<uuid:pk>/", JobView.as_view(), name="job"),
]

"""URL configuration of the API of armies."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.arsenal.api import ArsenalViewSet
from armies.bulk.api import ManyArmiesView
from armies.forces.api import ArmyViewSet, CommanderViewSet
from armies.intel.api import urlpatterns as known_urls
from armies.kanka.api import KankaView
from armies.map.api import urlpatterns as map_urls
from armies.ruleset_ui import list_army_uis
from armies.tables.api import TableView
from armies.weeks.api import urlpatterns as time_urls

router = SimpleRouter()
router.register("armies", ArmyViewSet, basename="army")
router.register("commanders", CommanderViewSet, basename="commander")
router.register("arsenal", ArsenalViewSet, basename="arsenal")

urlpatterns = [
    *time_urls,
    path("campaigns/<uuid:pk>/tables/<slug:table>/", TableView.as_view(), name="campaign-table"),
    path("campaigns/<uuid:pk>/kanka/", KankaView.as_view(), name="campaign-kanka"),
    path("armies/bulk/", ManyArmiesView.as_view(), name="armies-bulk"),
    *map_urls,
    *known_urls,
    *(path("", include(ui.api_urls)) for ui in list_army_uis() if ui.api_urls),
    path("", include(router.urls)),
]

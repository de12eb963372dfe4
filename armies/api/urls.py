"""URL configuration of the API of armies."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.bulk.api import ManyArmiesView
from armies.forces.api import ArmyViewSet
from armies.forces.commander_api import CommanderViewSet
from armies.intel.api_urls import urlpatterns as known_urls
from armies.map.api_urls import urlpatterns as map_urls
from armies.ruleset_ui import all_faces
from armies.tables.api import TableView
from armies.weeks.api_urls import urlpatterns as time_urls

router = SimpleRouter()
router.register("armies", ArmyViewSet, basename="army")
router.register("commanders", CommanderViewSet, basename="commander")

urlpatterns = [
    *time_urls,
    path("campaigns/<uuid:pk>/tables/<slug:table>/", TableView.as_view(), name="campaign-table"),
    path("armies/bulk/", ManyArmiesView.as_view(), name="armies-bulk"),
    *map_urls,
    *known_urls,
    *(path("", include(face.api_urls)) for face in all_faces() if face.api_urls),
    path("", include(router.urls)),
]

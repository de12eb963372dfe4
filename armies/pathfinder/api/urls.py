"""URL configuration of the API of mass combat."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.pathfinder.api.army_api import ArmyActions, CommanderActions, StockViewSet
from armies.pathfinder.foundry.api import ActorsView, ArmyActorView, KingdomActorView
from armies.pathfinder.unit_types.api import UnitTypeViewSet
from armies.pathfinder.weeks.api import OutlookView

router = SimpleRouter()
router.register("armies", ArmyActions, basename="army")
router.register("commanders", CommanderActions, basename="commander")
router.register("stores", StockViewSet, basename="stock")
router.register("unit-types", UnitTypeViewSet, basename="unit-type")

urlpatterns = [
    path("armies/<uuid:army_id>/foundry/", ArmyActorView.as_view(), name="army-foundry"),
    path("kingdoms/<uuid:kingdom_id>/foundry/", KingdomActorView.as_view(), name="kingdom-foundry"),
    path("campaigns/<uuid:pk>/foundry/", ActorsView.as_view(), name="campaign-foundry"),
    path("kingdoms/<uuid:kingdom_id>/outlook/", OutlookView.as_view(), name="outlook"),
    path("", include(router.urls)),
]

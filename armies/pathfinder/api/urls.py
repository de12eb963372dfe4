from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.pathfinder.api.armies import ArmyOrders
from armies.pathfinder.api.commanders import CommanderOrders, StockViewSet
from armies.pathfinder.api.unit_types import UnitTypeViewSet
from armies.pathfinder.time.api import AdvanceView, DueView, WeekView
from armies.pathfinder.time.outlook_api import OutlookView

router = SimpleRouter()
router.register("armies", ArmyOrders, basename="army")
router.register("commanders", CommanderOrders, basename="commander")
router.register("stores", StockViewSet, basename="stock")
router.register("unit-types", UnitTypeViewSet, basename="unit-type")

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/advance/", AdvanceView.as_view(), name="advance"),
    path("campaigns/<uuid:campaign_id>/week/", WeekView.as_view(), name="week"),
    path("campaigns/<uuid:campaign_id>/due/", DueView.as_view(), name="due"),
    path("kingdoms/<uuid:kingdom_id>/outlook/", OutlookView.as_view(), name="outlook"),
    path("", include(router.urls)),
]

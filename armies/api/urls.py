from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.api.armies import ArmyViewSet
from armies.api.commanders import CommanderViewSet, StockViewSet
from armies.api.outlook import OutlookView
from armies.api.time import AdvanceView, DueView, WeekView
from armies.api.unit_types import UnitTypeViewSet

router = SimpleRouter()
router.register("armies", ArmyViewSet, basename="army")
router.register("commanders", CommanderViewSet, basename="commander")
router.register("stores", StockViewSet, basename="stock")
router.register("unit-types", UnitTypeViewSet, basename="unit-type")

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/advance/", AdvanceView.as_view(), name="advance"),
    path("campaigns/<uuid:campaign_id>/week/", WeekView.as_view(), name="week"),
    path("campaigns/<uuid:campaign_id>/due/", DueView.as_view(), name="due"),
    path("kingdoms/<uuid:kingdom_id>/outlook/", OutlookView.as_view(), name="outlook"),
    path("", include(router.urls)),
]

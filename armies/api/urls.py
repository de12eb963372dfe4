from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.api.armies import ArmyViewSet
from armies.api.commanders import CommanderViewSet, StockViewSet
from armies.api.outlook import OutlookView
from armies.api.unit_types import UnitTypeViewSet

router = SimpleRouter()
router.register("armies", ArmyViewSet, basename="army")
router.register("commanders", CommanderViewSet, basename="commander")
router.register("stores", StockViewSet, basename="stock")
router.register("unit-types", UnitTypeViewSet, basename="unit-type")

urlpatterns = [
    path("kingdoms/<uuid:kingdom_id>/outlook/", OutlookView.as_view(), name="outlook"),
    path("", include(router.urls)),
]

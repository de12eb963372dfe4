from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.api.armies import ArmyViewSet
from armies.api.commanders import CommanderViewSet, StockViewSet

router = SimpleRouter()
router.register("armies", ArmyViewSet, basename="army")
router.register("commanders", CommanderViewSet, basename="commander")
router.register("stores", StockViewSet, basename="stock")

urlpatterns = [path("", include(router.urls))]

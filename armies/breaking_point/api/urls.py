"""URL configuration of the API of breaking point."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.breaking_point.sieges.api import PlaceViewSet, SiegeViewSet

router = SimpleRouter()
router.register("places", PlaceViewSet, basename="place")
router.register("sieges", SiegeViewSet, basename="siege")

urlpatterns = [path("", include(router.urls))]

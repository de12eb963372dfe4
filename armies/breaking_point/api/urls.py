"""URL configuration of the API of breaking point."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from armies.breaking_point.arsenal.api import ArsenalViewSet
from armies.breaking_point.sieges.api_urls import urlpatterns as of_sieges

router = SimpleRouter()
router.register("arsenal", ArsenalViewSet, basename="arsenal")

urlpatterns = [*of_sieges, path("", include(router.urls))]

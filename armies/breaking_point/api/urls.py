"""URL configuration of the API of breaking point."""

from armies.breaking_point.sieges.api_urls import urlpatterns as of_sieges

urlpatterns = [*of_sieges]

"""URL configuration of the API of time."""

from django.urls import path

from armies.weeks.api import AdvanceView, DueView, WeekView

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/advance/", AdvanceView.as_view(), name="advance"),
    path("campaigns/<uuid:campaign_id>/week/", WeekView.as_view(), name="week"),
    path("campaigns/<uuid:campaign_id>/due/", DueView.as_view(), name="due"),
]

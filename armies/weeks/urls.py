"""URL configuration of time."""

from django.urls import path

from armies.weeks import views

urlpatterns = [
    path("c/<uuid:campaign_id>/time/", views.passage, name="time"),
    path("c/<uuid:campaign_id>/time/undo/", views.undo, name="time_undo"),
]

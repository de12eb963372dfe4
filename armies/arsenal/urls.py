"""URL configuration of arsenals."""

from django.urls import path

from armies.arsenal import views

urlpatterns = [
    path("c/<uuid:campaign_id>/arsenal/", views.arsenal, name="arsenal"),
    path("c/<uuid:campaign_id>/arsenal/<slug:kind>/new/", views.thing_edit, name="arsenal_new"),
    path("c/<uuid:campaign_id>/arsenal/<slug:kind>/<slug:slug>/", views.thing_edit, name="arsenal_edit"),
    path("c/<uuid:campaign_id>/arsenal/<slug:kind>/<slug:slug>/remove/", views.thing_remove, name="arsenal_remove"),
]

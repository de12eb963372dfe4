"""URL configuration of intelligence."""

from django.urls import path

from armies.intel import views

urlpatterns = [
    path("c/<uuid:campaign_id>/known/", views.known, name="known"),
    path("c/<uuid:campaign_id>/known/<uuid:insight_id>/end/", views.known_no_more, name="known_no_more"),
    path("armies/<uuid:army_id>/hide/", views.army_hide, name="army_hide"),
]

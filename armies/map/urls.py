"""URL configuration of the map."""

from django.urls import path

from armies.map import views

urlpatterns = [
    path("c/<uuid:campaign_id>/map/", views.campaign_map, name="map"),
    path("armies/<uuid:army_id>/way/", views.army_way, name="army_way"),
    path("c/<uuid:campaign_id>/map/make/", views.map_make, name="map_make"),
    path("c/<uuid:campaign_id>/map/away/", views.map_away, name="map_away"),
    path("c/<uuid:campaign_id>/map/rules/", views.map_rules, name="map_rules"),
    path("c/<uuid:campaign_id>/map/claim/", views.map_claim, name="map_claim"),
    path("c/<uuid:campaign_id>/map/army/", views.map_stand, name="map_stand"),
    path("c/<uuid:campaign_id>/map/settlement/", views.map_town, name="map_town"),
]

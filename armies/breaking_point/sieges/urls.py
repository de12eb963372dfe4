"""URL configuration of places and sieges, within `armies`."""

from django.urls import path

from armies.breaking_point.sieges import views

urlpatterns = [
    path("c/<uuid:campaign_id>/sieges/", views.sieges, name="sieges"),
    path("kingdoms/<uuid:kingdom_id>/fortified/new/", views.place_new, name="place_new"),
    path("fortified/<uuid:place_id>/", views.place, name="place"),
    path("fortified/<uuid:place_id>/edit/", views.place_edit, name="place_edit"),
    path("fortified/<uuid:place_id>/raze/", views.place_raze, name="place_raze"),
    path("fortified/<uuid:place_id>/enter/", views.place_enter, name="place_enter"),
    path("fortified/<uuid:place_id>/besiege/", views.place_besiege, name="place_besiege"),
    path("armies/<uuid:army_id>/leave/", views.place_leave, name="place_leave"),
    path("sieges/<uuid:siege_id>/", views.siege, name="siege"),
    path("sieges/<uuid:siege_id>/terms/", views.siege_terms, name="siege_terms"),
    path("sieges/<uuid:siege_id>/orders/", views.siege_orders, name="siege_orders"),
    path("sieges/<uuid:siege_id>/battle/", views.siege_battle, name="siege_battle"),
    path("sieges/<uuid:siege_id>/join/", views.siege_join, name="siege_join"),
    path("sieges/<uuid:siege_id>/do/<slug:name>/", views.siege_command, name="siege_command"),
]

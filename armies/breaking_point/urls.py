"""URL configuration of breaking point's armies, arsenal, places and sieges."""

from django.urls import path

from armies.breaking_point.armies import views
from armies.breaking_point.sieges import views as siege_views

urlpatterns = [
    path("c/<uuid:campaign_id>/sieges/", siege_views.sieges, name="sieges"),
    path("kingdoms/<uuid:kingdom_id>/fortified/new/", siege_views.place_new, name="place_new"),
    path("fortified/<uuid:place_id>/", siege_views.place, name="place"),
    path("fortified/<uuid:place_id>/edit/", siege_views.place_edit, name="place_edit"),
    path("fortified/<uuid:place_id>/raze/", siege_views.place_raze, name="place_raze"),
    path("fortified/<uuid:place_id>/enter/", siege_views.place_enter, name="place_enter"),
    path("fortified/<uuid:place_id>/besiege/", siege_views.place_besiege, name="place_besiege"),
    path("armies/<uuid:army_id>/leave/", siege_views.place_leave, name="place_leave"),
    path("sieges/<uuid:siege_id>/", siege_views.siege, name="siege"),
    path("sieges/<uuid:siege_id>/terms/", siege_views.siege_terms, name="siege_terms"),
    path("sieges/<uuid:siege_id>/orders/", siege_views.siege_orders, name="siege_orders"),
    path("sieges/<uuid:siege_id>/battle/", siege_views.siege_battle, name="siege_battle"),
    path("sieges/<uuid:siege_id>/join/", siege_views.siege_join, name="siege_join"),
    path("sieges/<uuid:siege_id>/do/<slug:name>/", siege_views.siege_command, name="siege_command"),
    path("armies/<uuid:army_id>/order-of-battle/", views.order_of_battle, name="army_order_of_battle"),
    path("armies/<uuid:army_id>/units/train/", views.unit_train, name="unit_train"),
    path("armies/<uuid:army_id>/units/recruits/", views.unit_recruits, name="unit_recruits"),
    path("armies/<uuid:army_id>/units/grant/", views.unit_grant, name="unit_grant"),
    path("armies/<uuid:army_id>/units/wounded/", views.unit_wounded, name="unit_wounded"),
    path("armies/<uuid:army_id>/spoils/drop/", views.spoils_drop, name="spoils_drop"),
]

"""URL configuration of breaking point's armies."""

from django.urls import path

from armies.breaking_point.armies import export_views, veteran_views
from armies.breaking_point.sieges.urls import urlpatterns as of_sieges

urlpatterns = [
    *of_sieges,
    path("armies/<uuid:army_id>/order-of-battle/", export_views.order_of_battle, name="army_order_of_battle"),
    path("armies/<uuid:army_id>/units/train/", veteran_views.unit_train, name="unit_train"),
    path("armies/<uuid:army_id>/units/recruits/", veteran_views.unit_recruits, name="unit_recruits"),
    path("armies/<uuid:army_id>/units/grant/", veteran_views.unit_grant, name="unit_grant"),
    path("armies/<uuid:army_id>/units/wounded/", veteran_views.unit_wounded, name="unit_wounded"),
    path("armies/<uuid:army_id>/spoils/drop/", veteran_views.spoils_drop, name="spoils_drop"),
]

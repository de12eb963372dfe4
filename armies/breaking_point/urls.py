from django.urls import path

from armies.breaking_point.sieges.urls import urlpatterns as of_sieges
from armies.breaking_point.views import arsenal, out, veterans

urlpatterns = [
    *of_sieges,
    path("c/<uuid:campaign_id>/arsenal/", arsenal.arsenal, name="arsenal"),
    path("c/<uuid:campaign_id>/arsenal/<slug:kind>/new/", arsenal.thing_edit, name="arsenal_new"),
    path("c/<uuid:campaign_id>/arsenal/<slug:kind>/<slug:slug>/", arsenal.thing_edit, name="arsenal_edit"),
    path("c/<uuid:campaign_id>/arsenal/<slug:kind>/<slug:slug>/remove/", arsenal.thing_remove, name="arsenal_remove"),
    path("armies/<uuid:army_id>/units.csv", out.units_csv, name="units_csv"),
    path("armies/<uuid:army_id>/order-of-battle/", out.order_of_battle, name="army_order_of_battle"),
    path("armies/<uuid:army_id>/units/train/", veterans.unit_train, name="unit_train"),
    path("armies/<uuid:army_id>/units/recruits/", veterans.unit_recruits, name="unit_recruits"),
    path("armies/<uuid:army_id>/units/grant/", veterans.unit_grant, name="unit_grant"),
    path("armies/<uuid:army_id>/units/wounded/", veterans.unit_wounded, name="unit_wounded"),
    path("armies/<uuid:army_id>/spoils/drop/", veterans.spoils_drop, name="spoils_drop"),
]

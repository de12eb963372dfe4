"""URL configuration of mass combat's armies."""

from django.urls import path

from armies.pathfinder.armies import views
from armies.pathfinder.armies import views as armies_views
from armies.pathfinder.commanders import views as commanders_views
from armies.pathfinder.foundry import views as foundry_views
from armies.pathfinder.unit_types import views as unit_types_views

urlpatterns = [
    path("armies/<uuid:army_id>/resources/", armies_views.army_resources, name="army_resources"),
    path("armies/<uuid:army_id>/transfer/", armies_views.army_transfer, name="army_transfer"),
    path("armies/<uuid:army_id>/tactics/", armies_views.army_tactics, name="army_tactics"),
    path("armies/<uuid:army_id>/rest/", armies_views.army_rest, name="army_rest"),
    path("armies/<uuid:army_id>/march/", views.army_march, name="army_march"),
    path("armies/<uuid:army_id>/foundry.json", foundry_views.army_foundry, name="army_foundry"),
    path("kingdoms/<uuid:kingdom_id>/foundry.json", foundry_views.kingdom_foundry, name="kingdom_foundry"),
    path("c/<uuid:campaign_id>/foundry/", foundry_views.foundry_in, name="foundry_in"),
    path("c/<uuid:campaign_id>/units/", unit_types_views.unit_types, name="unit_types"),
    path("c/<uuid:campaign_id>/units/new/", unit_types_views.unit_type_edit, name="unit_type_new"),
    path("c/<uuid:campaign_id>/units/export/", unit_types_views.unit_types_export, name="unit_types_export"),
    path("c/<uuid:campaign_id>/units/import/", unit_types_views.unit_types_import, name="unit_types_import"),
    path("c/<uuid:campaign_id>/units/<slug:slug>/", unit_types_views.unit_type_edit, name="unit_type_edit"),
    path("c/<uuid:campaign_id>/units/<slug:slug>/remove/", unit_types_views.unit_type_remove, name="unit_type_remove"),
    path("commanders/<uuid:commander_id>/ransom/", commanders_views.commander_ransom, name="commander_ransom"),
    path("commanders/<uuid:commander_id>/boons/", commanders_views.commander_boons, name="commander_boons"),
]

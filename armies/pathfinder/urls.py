from django.urls import path

from armies.pathfinder.views import army, commander, foundry, march, unit_types

urlpatterns = [
    path("armies/<uuid:army_id>/resources/", army.army_resources, name="army_resources"),
    path("armies/<uuid:army_id>/transfer/", army.army_transfer, name="army_transfer"),
    path("armies/<uuid:army_id>/tactics/", army.army_tactics, name="army_tactics"),
    path("armies/<uuid:army_id>/rest/", army.army_rest, name="army_rest"),
    path("armies/<uuid:army_id>/march/", march.army_march, name="army_march"),
    path("armies/<uuid:army_id>/foundry.json", foundry.army_foundry, name="army_foundry"),
    path("kingdoms/<uuid:kingdom_id>/foundry.json", foundry.kingdom_foundry, name="kingdom_foundry"),
    path("c/<uuid:campaign_id>/foundry/", foundry.foundry_in, name="foundry_in"),
    path("c/<uuid:campaign_id>/units/", unit_types.unit_types, name="unit_types"),
    path("c/<uuid:campaign_id>/units/new/", unit_types.unit_type_edit, name="unit_type_new"),
    path("c/<uuid:campaign_id>/units/export/", unit_types.unit_types_export, name="unit_types_export"),
    path("c/<uuid:campaign_id>/units/import/", unit_types.unit_types_import, name="unit_types_import"),
    path("c/<uuid:campaign_id>/units/<slug:slug>/", unit_types.unit_type_edit, name="unit_type_edit"),
    path("c/<uuid:campaign_id>/units/<slug:slug>/remove/", unit_types.unit_type_remove, name="unit_type_remove"),
    path("commanders/<uuid:commander_id>/ransom/", commander.commander_ransom, name="commander_ransom"),
    path("commanders/<uuid:commander_id>/boons/", commander.commander_boons, name="commander_boons"),
]

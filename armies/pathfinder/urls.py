from django.urls import path

from armies.pathfinder.time import views as time
from armies.pathfinder.views import army, commander, disband, march, raising, unit_types

app_name = "armies"

urlpatterns = [
    path("c/<uuid:campaign_id>/time/", time.passage, name="time"),
    path("c/<uuid:campaign_id>/time/undo/", time.undo, name="time_undo"),
    path("kingdoms/<uuid:kingdom_id>/armies/new/", raising.army_new, name="army_new"),
    path("kingdoms/<uuid:kingdom_id>/armies/preview/", raising.army_preview, name="army_preview"),
    path("armies/<uuid:army_id>/", army.army, name="army"),
    path("armies/<uuid:army_id>/edit/", raising.army_edit, name="army_edit"),
    path("armies/<uuid:army_id>/correct/", raising.army_correct, name="army_correct"),
    path("armies/<uuid:army_id>/remove/", raising.army_remove, name="army_remove"),
    path("armies/<uuid:army_id>/resources/", army.army_resources, name="army_resources"),
    path("armies/<uuid:army_id>/transfer/", army.army_transfer, name="army_transfer"),
    path("armies/<uuid:army_id>/assign/", army.army_assign, name="army_assign"),
    path("armies/<uuid:army_id>/tactics/", army.army_tactics, name="army_tactics"),
    path("armies/<uuid:army_id>/rest/", army.army_rest, name="army_rest"),
    path("armies/<uuid:army_id>/march/", march.army_march, name="army_march"),
    path("armies/<uuid:army_id>/place/", march.army_place, name="army_place"),
    path("armies/<uuid:army_id>/reveal/", army.army_reveal, name="army_reveal"),
    path("armies/<uuid:army_id>/disband/", disband.army_disband, name="army_disband"),
    path("c/<uuid:campaign_id>/units/", unit_types.unit_types, name="unit_types"),
    path("c/<uuid:campaign_id>/units/new/", unit_types.unit_type_edit, name="unit_type_new"),
    path("c/<uuid:campaign_id>/units/export/", unit_types.unit_types_export, name="unit_types_export"),
    path("c/<uuid:campaign_id>/units/import/", unit_types.unit_types_import, name="unit_types_import"),
    path("c/<uuid:campaign_id>/units/<slug:slug>/", unit_types.unit_type_edit, name="unit_type_edit"),
    path("c/<uuid:campaign_id>/units/<slug:slug>/remove/", unit_types.unit_type_remove, name="unit_type_remove"),
    path("kingdoms/<uuid:kingdom_id>/commanders/new/", commander.commander_new, name="commander_new"),
    path("commanders/<uuid:commander_id>/", commander.commander, name="commander"),
    path("commanders/<uuid:commander_id>/edit/", commander.commander_edit, name="commander_edit"),
    path("commanders/<uuid:commander_id>/remove/", commander.commander_remove, name="commander_remove"),
    path("commanders/<uuid:commander_id>/ransom/", commander.commander_ransom, name="commander_ransom"),
    path("commanders/<uuid:commander_id>/boons/", commander.commander_boons, name="commander_boons"),
]

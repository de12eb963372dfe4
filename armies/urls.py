"""URL configuration of army pages."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from armies.adjustments.views import army_adjust
from armies.arsenal.urls import urlpatterns as arsenal_urls
from armies.bulk import views
from armies.bulk import views as together
from armies.documents.views import army_csv
from armies.forces import views as paper
from armies.forces.views import form, own_addresses, page
from armies.intel.urls import urlpatterns as known_urls
from armies.kanka.views import kanka_in
from armies.map.urls import urlpatterns as map_urls
from armies.ruleset_ui import list_army_uis
from armies.tables import views as files
from armies.weeks.urls import urlpatterns as time_urls

app_name = "armies"

urlpatterns = [
    *time_urls,
    path("c/<uuid:campaign_id>/armies/", together.armies, name="list"),
    path("c/<uuid:campaign_id>/armies/together/", together.together, name="together"),
    path("c/<uuid:campaign_id>/tables/<slug:table>/", files.table_in, name="table_in"),
    path("c/<uuid:campaign_id>/tables/<slug:table>.csv", files.table_out, name="table_out"),
    path("c/<uuid:campaign_id>/kanka/", kanka_in, name="kanka_in"),
    *arsenal_urls,
    *map_urls,
    *known_urls,
    path("kingdoms/<uuid:kingdom_id>/armies/new/", page("army_new"), name="army_new"),
    path("kingdoms/<uuid:kingdom_id>/armies/preview/", page("army_preview"), name="army_preview"),
    path("kingdoms/<uuid:kingdom_id>/armies/cards/", paper.cards, name="cards"),
    path("armies/<uuid:army_id>/", page("army"), name="army"),
    path("armies/<uuid:army_id>/units.csv", army_csv, name="units_csv"),
    path("armies/<uuid:army_id>/duplicate/", views.army_duplicate, name="army_duplicate"),
    path("armies/<uuid:army_id>/edit/", form("army_edit", _("Edit %(name)s"), mends=True), name="army_edit"),
    path("armies/<uuid:army_id>/correct/", page("army_correct"), name="army_correct"),
    path("armies/<uuid:army_id>/remove/", page("army_remove"), name="army_remove"),
    path("armies/<uuid:army_id>/assign/", page("army_assign"), name="army_assign"),
    path("armies/<uuid:army_id>/place/", page("army_place"), name="army_place"),
    path("armies/<uuid:army_id>/reveal/", page("army_reveal"), name="army_reveal"),
    path("armies/<uuid:army_id>/disband/", form("army_disband", _("Disband %(name)s")), name="army_disband"),
    path("armies/<uuid:army_id>/adjustments/", army_adjust, name="army_adjust"),
    path("armies/<uuid:army_id>/reform/", form("army_reform", _("Reform %(name)s")), name="army_reform"),
    path("kingdoms/<uuid:kingdom_id>/commanders/new/", page("commander_new"), name="commander_new"),
    path("commanders/<uuid:commander_id>/", page("commander"), name="commander"),
    path("commanders/<uuid:commander_id>/edit/", form("commander_edit", _("Edit %(name)s")), name="commander_edit"),
    path("commanders/<uuid:commander_id>/remove/", page("commander_remove"), name="commander_remove"),
    *(found for ui in list_army_uis() for found in own_addresses(ui)),
]

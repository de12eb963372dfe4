"""URL configuration of kingdom pages."""

from django.urls import path

from kingdom.access import impersonation
from kingdom.accounts import views as accounts_views
from kingdom.approvals import views as approvals_views
from kingdom.archive import views as archive_views
from kingdom.campaign import views as calendar_views
from kingdom.campaign import views as campaign_views
from kingdom.chronicle import views as chronicle_views
from kingdom.codex import views as codex_views
from kingdom.help import views as help_views
from kingdom.live import stream as live_views
from kingdom.map import background_views
from kingdom.map import views as map_views
from kingdom.map.import_views import map_import
from kingdom.members import guest_views
from kingdom.members import views as members_views
from kingdom.notes import views as notes_views
from kingdom.onboarding import views as onboarding_views
from kingdom.onboarding import views as tour_views
from kingdom.pictures import views as pictures_views
from kingdom.realms import ledger_views, views
from kingdom.realms import views as realms_views
from kingdom.search import views as search_views
from kingdom.sharing import views as sharing_views
from kingdom.story import views as story_views
from kingdom.webhooks import views as webhooks_views

app_name = "kingdom"

urlpatterns = [
    path("", campaign_views.home, name="home"),
    path("help/", help_views.help_page, name="help"),
    path("find/", search_views.page, name="find"),
    path("find/choices/", search_views.choices, name="find_choices"),
    path("rules/<str:rule>/", codex_views.rule, name="rule"),
    path("rules/<slug:ruleset>/<slug:kind>/<str:item>/", codex_views.item, name="rule_item"),
    path("demo/", campaign_views.load_demo, name="demo"),
    path("tour/", tour_views.tour, name="tour"),
    path("tour/end/", tour_views.tour_end, name="tour_end"),
    path("campaigns/new/", campaign_views.campaign_new, name="campaign_new"),
    path("campaigns/import/", archive_views.campaign_import, name="campaign_import"),
    path("campaigns/import/<uuid:import_id>/", archive_views.campaign_arriving, name="campaign_arriving"),
    path("campaigns/import/<uuid:import_id>/stop/", archive_views.campaign_import_stop, name="campaign_import_stop"),
    path("campaigns/begin/", campaign_views.campaign_begin, name="campaign_begin"),
    path("c/<uuid:campaign_id>/", campaign_views.campaign, name="campaign"),
    path("c/<uuid:campaign_id>/edit/", campaign_views.campaign_edit, name="campaign_edit"),
    path("c/<uuid:campaign_id>/calendar/", calendar_views.calendar, name="calendar"),
    path("c/<uuid:campaign_id>/export/", archive_views.campaign_export, name="campaign_export"),
    path("c/<uuid:campaign_id>/delete/", campaign_views.campaign_delete, name="campaign_delete"),
    path("c/<uuid:campaign_id>/restore/", campaign_views.campaign_restore, name="campaign_restore"),
    path("c/<uuid:campaign_id>/hand-over/", members_views.campaign_offer, name="campaign_offer"),
    path("c/<uuid:campaign_id>/hand-over/end/", members_views.campaign_offer_end, name="campaign_offer_end"),
    path("c/<uuid:campaign_id>/hand-over/accept/", members_views.campaign_accept, name="campaign_accept"),
    path("c/<uuid:campaign_id>/first-steps/away/", onboarding_views.first_steps_away, name="first_steps_away"),
    path("c/<uuid:campaign_id>/first-steps/<slug:step>/", onboarding_views.first_step, name="first_step"),
    path("c/<uuid:campaign_id>/members/", members_views.members, name="members"),
    path("c/<uuid:campaign_id>/view-as/", impersonation.view_as, name="view_as"),
    path("c/<uuid:campaign_id>/view-as/stop/", impersonation.view_as_stop, name="view_as_stop"),
    path("c/<uuid:campaign_id>/members/invite/", members_views.invite, name="invite"),
    path("c/<uuid:campaign_id>/members/<uuid:member_id>/role/", members_views.member_role, name="member_role"),
    path(
        "c/<uuid:campaign_id>/members/<uuid:member_id>/kingdoms/", members_views.member_kingdom, name="member_kingdom"
    ),
    path(
        "c/<uuid:campaign_id>/members/<uuid:member_id>/take/<uuid:kingdom_id>/",
        members_views.member_kingdom_take,
        name="member_kingdom_take",
    ),
    path("c/<uuid:campaign_id>/members/<uuid:member_id>/remove/", members_views.member_remove, name="member_remove"),
    path(
        "c/<uuid:campaign_id>/invitations/<uuid:invitation_id>/revoke/",
        members_views.invitation_revoke,
        name="invitation_revoke",
    ),
    path("c/<uuid:campaign_id>/shares/", sharing_views.shares, name="shares"),
    path("c/<uuid:campaign_id>/shares/<uuid:share_id>/revoke/", sharing_views.share_revoke, name="share_revoke"),
    path("s/<str:share_token>/", sharing_views.shared, name="shared"),
    path("s/<str:share_token>/picture.png", sharing_views.shared_picture, name="shared_picture"),
    path("join/<str:token>/", members_views.invitation, name="invitation"),
    path("join/<str:token>/guest/", guest_views.join, name="join_as_guest"),
    path("c/<uuid:campaign_id>/requests/", approvals_views.petitions, name="petitions"),
    path("requests/<uuid:petition_id>/", approvals_views.petition, name="petition"),
    path("requests/<uuid:petition_id>/grant/", approvals_views.grant, name="petition_grant"),
    path("requests/<uuid:petition_id>/refuse/", approvals_views.refuse, name="petition_refuse"),
    path("requests/<uuid:petition_id>/again/", approvals_views.repeat, name="petition_repeat"),
    path("requests/<uuid:petition_id>/withdraw/", approvals_views.withdraw, name="petition_withdraw"),
    path("c/<uuid:campaign_id>/chronicle/", chronicle_views.chronicle, name="chronicle"),
    path("c/<uuid:campaign_id>/chronicle/names/<slug:kind>/", chronicle_views.names, name="chronicle_names"),
    path("c/<uuid:campaign_id>/chronicle/csv/", chronicle_views.chronicle_csv, name="chronicle_csv"),
    path("c/<uuid:campaign_id>/chronicle/<uuid:entry_id>/", chronicle_views.entry, name="entry"),
    path("c/<uuid:campaign_id>/chronicle/<uuid:entry_id>/undo/", chronicle_views.undo, name="undo"),
    path("c/<uuid:campaign_id>/story/", story_views.story, name="story"),
    path("c/<uuid:campaign_id>/story/print/", story_views.story_print, name="story_print"),
    path("c/<uuid:campaign_id>/story/markdown/", story_views.story_markdown, name="story_markdown"),
    path("c/<uuid:campaign_id>/notes/names/", notes_views.note_names, name="note_names"),
    path("notes/<slug:kind>/<uuid:thing_id>/", notes_views.notes, name="notes"),
    path("notes/<uuid:note_id>/", notes_views.note, name="note"),
    path("notes/<uuid:note_id>/edit/", notes_views.note_edit, name="note_edit"),
    path("notes/<uuid:note_id>/delete/", notes_views.note_delete, name="note_delete"),
    path("notes/<uuid:note_id>/restore/", notes_views.note_restore, name="note_restore"),
    path("notes/<uuid:note_id>/versions/<int:number>/", notes_views.note_version, name="note_version"),
    path("c/<uuid:campaign_id>/kingdoms/new/", realms_views.kingdom_new, name="kingdom_new"),
    path("kingdoms/<uuid:kingdom_id>/", realms_views.kingdom, name="kingdom"),
    path("kingdoms/<uuid:kingdom_id>/commanders/", realms_views.kingdom_people, name="people"),
    path("kingdoms/<uuid:kingdom_id>/outlook/", realms_views.kingdom_outlook, name="outlook"),
    path("kingdoms/<uuid:kingdom_id>/edit/", realms_views.kingdom_edit, name="kingdom_edit"),
    path("kingdoms/<uuid:kingdom_id>/arms/", views.arms, name="arms"),
    path("kingdoms/<uuid:kingdom_id>/dissolve/", realms_views.kingdom_dissolve, name="kingdom_dissolve"),
    path("kingdoms/<uuid:kingdom_id>/check/", realms_views.kingdom_check, name="kingdom_check"),
    path("kingdoms/<uuid:kingdom_id>/entry/", realms_views.kingdom_entry, name="kingdom_entry"),
    path("kingdoms/<uuid:kingdom_id>/ledger/", ledger_views.ledger, name="ledger"),
    path("kingdoms/<uuid:kingdom_id>/planned/", ledger_views.plan, name="plan"),
    path("kingdoms/<uuid:kingdom_id>/planned/<str:line>/", ledger_views.planned, name="planned"),
    path("kingdoms/<uuid:kingdom_id>/planned/<str:line>/strike/", ledger_views.strike, name="planned_strike"),
    path("kingdoms/<uuid:kingdom_id>/ledger/csv/", ledger_views.ledger_csv, name="ledger_csv"),
    path("kingdoms/<uuid:kingdom_id>/settlements/new/", realms_views.settlement_new, name="settlement_new"),
    path("settlements/<uuid:settlement_id>/", realms_views.settlement_edit, name="settlement_edit"),
    path("settlements/<uuid:settlement_id>/raze/", realms_views.settlement_raze, name="settlement_raze"),
    path("live/", live_views.stream, name="live_all"),
    path("live/<slug:kind>/<uuid:pk>/", live_views.stream, name="live"),
    path("live/shared/<str:share_token>/", live_views.stream, name="live_shared"),
    path("c/<uuid:campaign_id>/map/paint/", map_views.paint, name="map_paint"),
    path("c/<uuid:campaign_id>/map/paint/undo/", map_views.paint_undo, name="map_paint_undo"),
    path("c/<uuid:campaign_id>/map/sheet/", map_views.sheet, name="map_sheet"),
    path("c/<uuid:campaign_id>/map/sheet/file/", map_views.sheet_file, name="map_sheet_file"),
    path("c/<uuid:campaign_id>/map/sheet/sides/", map_views.sheet_sides, name="map_sheet_sides"),
    path("c/<uuid:campaign_id>/map/sheet/preview.svg", map_views.sheet_preview, name="map_sheet_preview"),
    path("c/<uuid:campaign_id>/map/background/", background_views.map_background, name="map_background"),
    path("c/<uuid:campaign_id>/map/import/", map_import, name="map_import"),
    path("c/<uuid:campaign_id>/map/map.json", map_views.map_file, name="map_file"),
    path("c/<uuid:campaign_id>/map/map.svg", map_views.map_svg, name="map_svg"),
    path("c/<uuid:campaign_id>/map/map.png", map_views.map_png, name="map_png"),
    path("c/<uuid:campaign_id>/pictures/<slug:kind>/<slug:thing>/", pictures_views.picture, name="picture"),
    path(
        "c/<uuid:campaign_id>/pictures/<slug:kind>/<slug:thing>/<slug:digest>.webp",
        pictures_views.picture_file,
        name="picture_file",
    ),
    path("c/<uuid:campaign_id>/webhooks/", webhooks_views.webhooks, name="webhooks"),
    path("webhooks/<uuid:webhook_id>/", webhooks_views.webhook, name="webhook"),
    path("webhooks/<uuid:webhook_id>/switch/", webhooks_views.webhook_switch, name="webhook_switch"),
    path("webhooks/<uuid:webhook_id>/secret/", webhooks_views.webhook_rotate, name="webhook_rotate"),
    path("webhooks/<uuid:webhook_id>/test/", webhooks_views.webhook_test, name="webhook_test"),
    path("webhooks/<uuid:webhook_id>/delete/", webhooks_views.webhook_delete, name="webhook_delete"),
    path("webhooks/<uuid:webhook_id>/<uuid:delivery_id>/again/", webhooks_views.webhook_again, name="webhook_again"),
    path("account/keep-seat/", guest_views.keep, name="keep_seat"),
    path("account/security/", accounts_views.security, name="security"),
    path("account/sessions/end/", accounts_views.sessions_end, name="sessions_end"),
    path("account/sessions/<uuid:session_id>/end/", accounts_views.session_end, name="session_end"),
    path("tokens/", accounts_views.tokens, name="tokens"),
    path("tokens/<uuid:token_id>/revoke/", accounts_views.token_revoke, name="token_revoke"),
    path("account/data/", accounts_views.data, name="account_data"),
    path("account/data/ready/", accounts_views.data_ready, name="account_data_ready"),
    path("account/delete/", accounts_views.delete, name="account_delete"),
    path("account/calls/", accounts_views.call_offer, name="call_offer"),
    path("account/", accounts_views.account, name="account"),
]

from django.urls import path

from kingdom.views import account, calendar, campaigns, chronicle, home, kingdoms, ledger, members, settlements

app_name = "kingdom"

urlpatterns = [
    path("", home.home, name="home"),
    path("demo/", home.load_demo, name="demo"),
    path("campaigns/new/", campaigns.campaign_new, name="campaign_new"),
    path("c/<uuid:campaign_id>/", campaigns.campaign, name="campaign"),
    path("c/<uuid:campaign_id>/edit/", campaigns.campaign_edit, name="campaign_edit"),
    path("c/<uuid:campaign_id>/calendar/", calendar.calendar, name="calendar"),
    path("c/<uuid:campaign_id>/delete/", campaigns.campaign_delete, name="campaign_delete"),
    path("c/<uuid:campaign_id>/members/", members.members, name="members"),
    path("c/<uuid:campaign_id>/members/invite/", members.invite, name="invite"),
    path("c/<uuid:campaign_id>/members/<uuid:member_id>/role/", members.member_role, name="member_role"),
    path("c/<uuid:campaign_id>/members/<uuid:member_id>/remove/", members.member_remove, name="member_remove"),
    path(
        "c/<uuid:campaign_id>/invitations/<uuid:invitation_id>/revoke/",
        members.invitation_revoke,
        name="invitation_revoke",
    ),
    path("join/<str:token>/", members.invitation, name="invitation"),
    path("c/<uuid:campaign_id>/chronicle/", chronicle.chronicle, name="chronicle"),
    path("c/<uuid:campaign_id>/chronicle/csv/", chronicle.chronicle_csv, name="chronicle_csv"),
    path("c/<uuid:campaign_id>/chronicle/<uuid:entry_id>/undo/", chronicle.undo, name="undo"),
    path("c/<uuid:campaign_id>/kingdoms/new/", kingdoms.kingdom_new, name="kingdom_new"),
    path("kingdoms/<uuid:kingdom_id>/", kingdoms.kingdom, name="kingdom"),
    path("kingdoms/<uuid:kingdom_id>/edit/", kingdoms.kingdom_edit, name="kingdom_edit"),
    path("kingdoms/<uuid:kingdom_id>/dissolve/", kingdoms.kingdom_dissolve, name="kingdom_dissolve"),
    path("kingdoms/<uuid:kingdom_id>/check/", kingdoms.kingdom_check, name="kingdom_check"),
    path("kingdoms/<uuid:kingdom_id>/entry/", kingdoms.kingdom_entry, name="kingdom_entry"),
    path("kingdoms/<uuid:kingdom_id>/ledger/", ledger.ledger, name="ledger"),
    path("kingdoms/<uuid:kingdom_id>/ledger/csv/", ledger.ledger_csv, name="ledger_csv"),
    path("kingdoms/<uuid:kingdom_id>/settlements/new/", settlements.settlement_new, name="settlement_new"),
    path("settlements/<uuid:settlement_id>/", settlements.settlement_edit, name="settlement_edit"),
    path("settlements/<uuid:settlement_id>/raze/", settlements.settlement_raze, name="settlement_raze"),
    path("tokens/", account.tokens, name="tokens"),
    path("tokens/<uuid:token_id>/revoke/", account.token_revoke, name="token_revoke"),
    path("account/", account.account, name="account"),
]

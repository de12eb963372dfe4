"""URL configuration of the API of campaigns and kingdoms."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from kingdom.accounts.api import SecurityView, TokenView
from kingdom.approvals.api import ApprovalRequestViewSet
from kingdom.archive.api import ExportView, ImportedView, ImportView
from kingdom.campaign.api import CampaignViewSet
from kingdom.codex.api import RulesetsView, RulesView
from kingdom.map.api import BackgroundView, LandView, PictureView, StrokesView, StrokeUndoView
from kingdom.map.import_api import MapImportView
from kingdom.notes.api import NoteViewSet
from kingdom.pictures.api import PictureFileView, PicturesView
from kingdom.realms.api import KingdomViewSet, SettlementViewSet
from kingdom.search.api import FindView
from kingdom.sharing.api import SharePictureView, ShareViewSet
from kingdom.story.api import StoryDocumentView, StoryView
from kingdom.webhooks.api import CampaignWebhooks, WebhookViewSet

router = SimpleRouter()
router.register("campaigns", CampaignViewSet, basename="campaign")
router.register("kingdoms", KingdomViewSet, basename="kingdom")
router.register("settlements", SettlementViewSet, basename="settlement")
router.register("notes", NoteViewSet, basename="note")
router.register("requests", ApprovalRequestViewSet, basename="request")
router.register("webhooks", WebhookViewSet, basename="webhook")

urlpatterns = [
    path("auth/token/", TokenView.as_view(), name="token"),
    path("account/security/", SecurityView.as_view(), name="security"),
    path("find/", FindView.as_view(), name="find"),
    path("rules/", RulesetsView.as_view(), name="rulesets"),
    path("rules/<slug:ruleset>/", RulesView.as_view(), name="rules"),
    path("campaigns/import/", ImportView.as_view(), name="campaign_import"),
    path("campaigns/import/<uuid:import_id>/", ImportedView.as_view(), name="campaign_imported"),
    path("campaigns/<uuid:pk>/export/", ExportView.as_view(), name="campaign_export"),
    path(
        "campaigns/<uuid:campaign_id>/shares/", ShareViewSet.as_view({"get": "list", "post": "create"}), name="shares"
    ),
    path(
        "campaigns/<uuid:campaign_id>/shares/<uuid:share>/", ShareViewSet.as_view({"delete": "destroy"}), name="share"
    ),
    path("campaigns/<uuid:campaign_id>/shares/picture/", SharePictureView.as_view(), name="share_picture"),
    path(
        "campaigns/<uuid:campaign_id>/webhooks/",
        CampaignWebhooks.as_view({"get": "list", "post": "create"}),
        name="campaign_webhooks",
    ),
    path("campaigns/<uuid:pk>/story/", StoryView.as_view(), name="story"),
    path("campaigns/<uuid:pk>/story/document/", StoryDocumentView.as_view(), name="story_document"),
    path("campaigns/<uuid:pk>/map/strokes/", StrokesView.as_view(), name="map-strokes"),
    path("campaigns/<uuid:pk>/map/strokes/undo/", StrokeUndoView.as_view(), name="map-strokes-undo"),
    path("campaigns/<uuid:pk>/map/background/", BackgroundView.as_view(), name="map-background"),
    path("campaigns/<uuid:pk>/map/import/", MapImportView.as_view(), name="map-import"),
    path("campaigns/<uuid:pk>/map/land/", LandView.as_view(), name="map-land"),
    path("campaigns/<uuid:pk>/map/picture/", PictureView.as_view(), name="map-picture"),
    path("campaigns/<uuid:campaign_id>/pictures/", PicturesView.as_view(), name="pictures"),
    path("campaigns/<uuid:campaign_id>/pictures/<slug:kind>/<slug:thing>/", PictureFileView.as_view(), name="picture"),
    path("", include(router.urls)),
]

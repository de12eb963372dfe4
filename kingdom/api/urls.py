from django.urls import include, path
from rest_framework.routers import SimpleRouter

from kingdom.api.account import SecurityView
from kingdom.api.archive import ExportView, ImportedView, ImportView
from kingdom.api.campaigns import CampaignViewSet
from kingdom.api.find import FindView
from kingdom.api.kingdoms import KingdomViewSet, SettlementViewSet
from kingdom.api.notes import NoteViewSet
from kingdom.api.painting import LandView, PictureView, StrokesView, StrokeUndoView
from kingdom.api.petitions import PetitionViewSet
from kingdom.api.rules import RulesetsView, RulesView
from kingdom.api.shares import ShareViewSet
from kingdom.api.story import StoryDocumentView, StoryView
from kingdom.api.tokens import TokenView
from kingdom.api.webhooks import CampaignWebhooks, WebhookViewSet

router = SimpleRouter()
router.register("campaigns", CampaignViewSet, basename="campaign")
router.register("kingdoms", KingdomViewSet, basename="kingdom")
router.register("settlements", SettlementViewSet, basename="settlement")
router.register("notes", NoteViewSet, basename="note")
router.register("requests", PetitionViewSet, basename="request")
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
    path(
        "campaigns/<uuid:campaign_id>/webhooks/",
        CampaignWebhooks.as_view({"get": "list", "post": "create"}),
        name="campaign_webhooks",
    ),
    path("campaigns/<uuid:pk>/story/", StoryView.as_view(), name="story"),
    path("campaigns/<uuid:pk>/story/document/", StoryDocumentView.as_view(), name="story_document"),
    path("campaigns/<uuid:pk>/map/strokes/", StrokesView.as_view(), name="map-strokes"),
    path("campaigns/<uuid:pk>/map/strokes/undo/", StrokeUndoView.as_view(), name="map-strokes-undo"),
    path("campaigns/<uuid:pk>/map/land/", LandView.as_view(), name="map-land"),
    path("campaigns/<uuid:pk>/map/picture/", PictureView.as_view(), name="map-picture"),
    path("", include(router.urls)),
]

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from kingdom.api.campaigns import CampaignViewSet
from kingdom.api.kingdoms import KingdomViewSet, SettlementViewSet
from kingdom.api.petitions import PetitionViewSet
from kingdom.api.rules import RulesetsView, RulesView
from kingdom.api.tokens import TokenView

router = SimpleRouter()
router.register("campaigns", CampaignViewSet, basename="campaign")
router.register("kingdoms", KingdomViewSet, basename="kingdom")
router.register("settlements", SettlementViewSet, basename="settlement")
router.register("requests", PetitionViewSet, basename="request")

urlpatterns = [
    path("auth/token/", TokenView.as_view(), name="token"),
    path("rules/", RulesetsView.as_view(), name="rulesets"),
    path("rules/<slug:ruleset>/", RulesView.as_view(), name="rules"),
    path("", include(router.urls)),
]

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from kingdom.api.campaigns import CampaignViewSet
from kingdom.api.kingdoms import KingdomViewSet, SettlementViewSet
from kingdom.api.tokens import TokenView

router = SimpleRouter()
router.register("campaigns", CampaignViewSet, basename="campaign")
router.register("kingdoms", KingdomViewSet, basename="kingdom")
router.register("settlements", SettlementViewSet, basename="settlement")

urlpatterns = [
    path("auth/token/", TokenView.as_view(), name="token"),
    path("", include(router.urls)),
]

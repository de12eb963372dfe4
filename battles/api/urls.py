from django.urls import include, path
from rest_framework.routers import SimpleRouter

from battles.api.forecasts import JobView, SupposedView
from battles.api.logs import LogExportView
from battles.api.luck import FairnessView
from battles.api.opponents import CounselView, OpponentsView, PauseView
from battles.api.sweeps import SweepView
from battles.api.views import BattleViewSet

router = SimpleRouter()
router.register("battles", BattleViewSet, basename="battle")

urlpatterns = [
    path("battles/<uuid:pk>/export/", LogExportView.as_view(), name="log_export"),
    path("battles/<uuid:pk>/fairness/", FairnessView.as_view(), name="fairness"),
    path("battles/<uuid:pk>/opponents/", OpponentsView.as_view(), name="opponents"),
    path("battles/<uuid:pk>/opponents/orders/", CounselView.as_view(), name="opponents_orders"),
    path("battles/<uuid:pk>/opponents/pause/", PauseView.as_view(), name="opponents_pause"),
    path("", include(router.urls)),
    path("forecast/", SupposedView.as_view(), name="supposed"),
    path("forecast/sweep/", SweepView.as_view(), name="forecast-sweep"),
    path("jobs/<uuid:pk>/", JobView.as_view(), name="job"),
]

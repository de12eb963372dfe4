"""URL configuration of the API of the map."""

from django.urls import path

from armies.map.api import ArmyPlaceView, MapClaimsView, MapView, SettlementPlaceView

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/map/", MapView.as_view(), name="campaign-map"),
    path("campaigns/<uuid:campaign_id>/map/claims/", MapClaimsView.as_view(), name="campaign-map-claims"),
    path("armies/<uuid:army_id>/place/", ArmyPlaceView.as_view(), name="army-place"),
    path("settlements/<uuid:settlement_id>/place/", SettlementPlaceView.as_view(), name="settlement-place"),
]

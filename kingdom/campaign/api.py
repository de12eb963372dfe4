"""API of `campaigns/` and the addresses below it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from core.api.concurrency import NewestFirst
from core.api.problems import point_at
from core.api.serializers import SINCE, NoInput, read_moment
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, list_campaigns, parse_uuid_or_404, require_gm
from kingdom.api import fields
from kingdom.api.base_views import UUID_PATTERN, ApiViewSet
from kingdom.campaign.queries import invitation_of, invitations_of, members_of
from kingdom.campaign.serializers import (
    CampaignChange,
    CampaignInput,
    CampaignSerializer,
    UndoInput,
)
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle.queries import DAYS, FILTERS, KINDS, entries_since, entry_of, list_entries, read_filters
from kingdom.chronicle.services import undo_after, undo_entry, undo_last
from kingdom.chronicle.wording import ChronicleSerializer, build_context
from kingdom.members.queries import require_owner
from kingdom.members.serializers import InvitationSerializer, InviteInput, MemberSerializer, OfferInput, RoleInput
from kingdom.members.services import (
    accept_campaign,
    bring_campaign_back,
    delete_campaign,
    end_offer,
    invite,
    offer_campaign,
    remove_member,
    revoke_invitation,
    set_role,
)
from kingdom.models import Campaign, ChronicleEntry, Membership, Scope
from rules.registry import RULESETS

CHRONICLE_FILTERS = [
    OpenApiParameter("kind", str, enum=ChronicleEntry.Kind.values),
    *(OpenApiParameter(kind, OpenApiTypes.UUID, description=f"Only entries about this {kind}.") for kind in KINDS),
    *(OpenApiParameter(name, OpenApiTypes.INT, description=f"Only entries {name} this day.") for name in DAYS),
    OpenApiParameter(SINCE, OpenApiTypes.DATETIME, description="Only entries written or undone since this moment."),
]


class CampaignFilter(filters.FilterSet):
    ruleset = filters.ChoiceFilter(choices=lambda: [(slug, law.name) for slug, law in RULESETS.items()])


@extend_schema_view(
    list=extend_schema(summary="Your campaigns"),
    retrieve=extend_schema(summary="A campaign"),
)
class CampaignViewSet(ApiViewSet):
    scope, beyond = Scope.MANAGE, ("create",)
    queryset = Campaign.objects.none()
    serializer_class = CampaignSerializer
    input_class = CampaignInput
    filterset_class = CampaignFilter

    def get_queryset(self) -> Any:
        seat = Membership.objects.filter(campaign=OuterRef("pk"), user=self.request.user.pk).values("role")
        return list_campaigns(self.request.user).annotate(seat=Subquery(seat))

    def get_object(self) -> Campaign:
        return get_campaign_for(self.request.user, self.kwargs["pk"])

    @extend_schema(request=CampaignInput, responses={201: CampaignSerializer}, summary="Open a campaign")
    def create(self, request: ApiRequest) -> Response:
        return self.drawn(create_campaign(by=request.user, **self.input()), 201)

    @extend_schema(request=CampaignChange(partial=True), responses=CampaignSerializer, summary="Change a campaign")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.get_object()
        self.refuse_stale(campaign)
        given = self.change_of(campaign, CampaignChange)
        return self.drawn(update_campaign(by=request.user, campaign=campaign, **given))

    @extend_schema(responses={204: None}, summary="Delete a campaign; for seven days it can be restored (owner)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.get_object()
        self.refuse_stale(campaign)
        delete_campaign(by=request.user, campaign=campaign)
        return Response(status=204)

    @extend_schema(request=None, responses=CampaignSerializer, summary="Restore a deleted campaign (owner)")
    @action(detail=True, methods=["post"])
    def restore(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        return self.drawn(bring_campaign_back(by=request.user, campaign_id=parse_uuid_or_404(pk)))

    @extend_schema(
        methods=["POST"], request=OfferInput, responses={204: None}, summary="Offer the campaign to a member (owner)"
    )
    @extend_schema(methods=["DELETE"], responses={204: None}, summary="Take the offer back, or decline it")
    @action(detail=True, methods=["post", "delete"], url_path="offer")
    def offer(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.get_object()
        if request.method == "DELETE":
            end_offer(by=request.user, campaign=campaign)
            return Response(status=204)
        require_owner(request.user, campaign)
        user = fields.member(campaign, self.input(using=OfferInput)["user"], "/user")
        offer_campaign(by=request.user, campaign=campaign, user=user)
        return Response(status=204)

    @extend_schema(request=None, responses=CampaignSerializer, summary="Accept the campaign that is offered to you")
    @action(detail=True, methods=["post"], url_path="offer/accept")
    def accept_offer(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        campaign = self.get_object()
        accept_campaign(by=request.user, campaign=campaign)
        return self.drawn(campaign)

    @extend_schema(responses=MemberSerializer(many=True), summary="Who sits at the table")
    @action(detail=True, filterset_class=None)
    def members(self, request: ApiRequest, pk: str) -> Response:
        return self.answer_sublist(members_of(self.get_object()), MemberSerializer)

    @extend_schema(
        methods=["PATCH"], request=RoleInput, responses=MemberSerializer, summary="Give a member another role"
    )
    @extend_schema(methods=["DELETE"], responses={204: None}, summary="Take a seat away, or leave")
    @action(detail=True, methods=["patch", "delete"], url_path=r"members/(?P<user>[^/]{1,150})", url_name="member")
    def member(self, request: ApiRequest, pk: str, user: str) -> Response:
        campaign = self.get_object()
        who = fields.member(campaign, user, "")
        if request.method == "DELETE":
            remove_member(by=request.user, campaign=campaign, user=who)
            return Response(status=204)
        role = self.input(using=RoleInput)["role"]
        seat = set_role(by=request.user, campaign=campaign, user=who, role=role)
        return Response(MemberSerializer(seat).data)

    @extend_schema(methods=["GET"], responses=InvitationSerializer(many=True), summary="Invitation links")
    @extend_schema(
        methods=["POST"], request=InviteInput, responses={201: InvitationSerializer}, summary="Make an invitation link"
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None)
    def invitations(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.get_object()
        if request.method == "POST":
            invitation = invite(by=request.user, campaign=campaign, **self.input(using=InviteInput))
            return Response(self._invitations(invitation).data, status=201)
        require_gm(request.user, campaign)
        return self.answer_sublist(invitations_of(campaign), self._invitations)

    @extend_schema(
        parameters=[OpenApiParameter("invitation", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        responses={204: None},
        summary="Revoke an invitation link",
    )
    @action(
        detail=True, methods=["delete"], url_path=rf"invitations/(?P<invitation>{UUID_PATTERN})", url_name="invitation"
    )
    def invitation(self, request: ApiRequest, pk: str, invitation: str) -> Response:
        campaign = self.get_object()
        require_gm(request.user, campaign)
        revoke_invitation(by=request.user, invitation=invitation_of(campaign, invitation))
        return Response(status=204)

    @extend_schema(
        parameters=CHRONICLE_FILTERS, responses=ChronicleSerializer(many=True), summary="What happened, newest first"
    )
    @action(detail=True, filterset_class=None)
    def chronicle(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.get_object()
        look = read_filters(request.query_params.dict())

        def draw(page: list[ChronicleEntry], **options: Any) -> ChronicleSerializer:
            return ChronicleSerializer(page, context=build_context(request.user, campaign, page), **options)

        entries = list_entries(request.user, campaign, look)
        if moment := read_moment(request, SINCE):
            entries = entries_since(entries, moment)
        return self.answer_sublist(entries, draw, NewestFirst, known=(*FILTERS, SINCE))

    @extend_schema(
        request=UndoInput,
        responses=ChronicleSerializer,
        summary="Undo the last world change, the entry named, or all after an entry (GM)",
    )
    @action(detail=True, methods=["post"])
    def undo(self, request: ApiRequest, pk: str) -> Response:
        campaign = self.get_object()
        require_gm(request.user, campaign)
        asked = self.input(using=UndoInput)
        named, after = asked.get("entry"), asked.get("after")
        if after:
            entry = _entry(campaign, after, "/after")
            undo_after(by=request.user, entry=entry)
        elif named:
            entry = undo_entry(by=request.user, entry=_entry(campaign, named))
        else:
            entry = undo_last(by=request.user, campaign=campaign)
        return Response(ChronicleSerializer(entry, context=build_context(request.user, campaign, [entry])).data)

    def _invitations(self, *args: Any, **options: Any) -> InvitationSerializer:
        return InvitationSerializer(*args, context=self.get_serializer_context(), **options)


def _entry(campaign: Campaign, pk: UUID, at: str = "/entry") -> ChronicleEntry:
    with point_at(at):
        return entry_of(campaign, pk)

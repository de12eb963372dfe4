"""Serializers of members and invitations. Services validate and write."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from core.api.serializers import Input
from core.text import build_absolute_url
from kingdom.api.fields import NameField
from kingdom.models import Membership, Role


class MemberSerializer(serializers.ModelSerializer):
    """A member. `owner`: whether they own the campaign. `guest`: they joined without an account."""

    user = serializers.CharField(source="user.username", read_only=True)
    guest = serializers.BooleanField(source="user.guest", read_only=True)
    owner = serializers.SerializerMethodField()

    class Meta:
        model = Membership
        fields = ("user", "role", "owner", "guest")

    def get_owner(self, seat: Membership) -> bool:
        return seat.campaign.owner_id == seat.user_id


class OfferInput(Input):
    user = NameField(help_text="the username of a member")


class RoleInput(Input):
    role = serializers.ChoiceField(choices=Role.choices)


class InviteInput(RoleInput):
    """`uses`: how many people the link seats (default 1); a link for a GM seats one. `kingdom`: the kingdom that
    players who join by the link run. `guests`: people may join by a name alone, without an account.
    """

    uses = serializers.IntegerField(required=False)
    kingdom = serializers.UUIDField(required=False, allow_null=True)
    guests = serializers.BooleanField(required=False)


class InvitationSerializer(serializers.Serializer):
    id = serializers.UUIDField(read_only=True)
    role = serializers.CharField(read_only=True)
    kingdom = serializers.UUIDField(
        source="kingdom_id", read_only=True, allow_null=True, help_text="Run by whoever joins by the link."
    )
    url = serializers.SerializerMethodField()
    expires = serializers.DateTimeField(read_only=True)
    uses = serializers.IntegerField(read_only=True)
    used = serializers.IntegerField(read_only=True)
    open = serializers.BooleanField(read_only=True)
    guests = serializers.BooleanField(read_only=True)

    def get_url(self, invitation: Any) -> str:
        path = reverse("kingdom:invitation", kwargs={"token": invitation.token})
        return build_absolute_url(self.context["request"], path)

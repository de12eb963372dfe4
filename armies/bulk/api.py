"""API of `armies/bulk/`: one order for several armies, proposed and carried out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from armies.bulk.many_deeds import EACH, MOST, TEXT, WHOLE, ManyProposal, get_deed, propose
from armies.bulk.services import order_armies
from armies.forces.access import list_visible_armies
from armies.ruleset_ui import list_army_uis
from core.api.concurrency import require_mark
from core.api.problems import NotVisible
from core.api.serializers import Input
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import SaidField
from kingdom.approvals.serializers import document_approval
from kingdom.chronicle.wording import ChangeSerializer, ChronicleSerializer, build_context
from kingdom.models import Campaign, ChronicleEntry, Scope, User
from rules.core.errors import InvalidInput

SHAPES = {TEXT: "text", WHOLE: "whole number", EACH: "{army: id or null}"}


def _documented() -> str:
    """Options of each deed, for the OpenAPI document."""
    deeds = {deed.slug: deed for ui in list_army_uis() for deed in ui.many}
    told = []
    for slug, deed in deeds.items():
        asks = ", ".join(f"{ask.name} ({SHAPES.get(ask.kind, 'true or false')})" for ask in deed.asks)
        told.append(f"`{slug}`: {asks}" if asks else f"`{slug}`")
    return "; ".join(told) + ". A law without a deed does not know it."


@extend_schema_field({"type": "object", "additionalProperties": {"oneOf": [
    {"type": "string"}, {"type": "integer"}, {"type": "boolean"},
    {"type": "object", "additionalProperties": {"type": "string", "nullable": True}},
]}})  # fmt: skip
class DeedOptionsField(serializers.DictField):
    """The options of the deed, by name."""


class ManyArmiesInput(Input):
    """`armies` of one campaign, and a `deed` of its ruleset with its `options`.

    To confirm, send the `mark` of the proposal: 428 without it, 412 if the proposal would differ by now.
    """

    armies = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MOST)
    deed = serializers.CharField(max_length=40)
    options = DeedOptionsField(required=False, default=dict, help_text=_documented())
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")


class ArmyLineSerializer(serializers.Serializer):
    """One army: the result in words, or why there is none (`done` false). `changes` are listed for a proposal; those of
    a confirmed order are in its `entry`.
    """

    army = serializers.UUIDField(source="army.pk")
    name = serializers.CharField(source="army.name")
    done = serializers.BooleanField()
    text = SaidField()
    changes = ChangeSerializer(many=True)


class ManyArmiesSerializer(serializers.Serializer):
    """`entry`: the chronicle entry of the order, null for a proposal."""

    deed = serializers.CharField(source="proposal.deed.slug")
    mark = serializers.CharField(source="proposal.mark")
    armies = ArmyLineSerializer(many=True, source="proposal.lines")
    notes = serializers.ListField(child=SaidField(), source="proposal.notes")
    entry = ChronicleSerializer(allow_null=True)


class ManyArmiesView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(
        request=ManyArmiesInput,
        responses=document_approval(ManyArmiesSerializer),
        summary="Have many armies do one thing: the proposal, or with confirm what was done",
    )
    def post(self, request: ApiRequest) -> Response:
        given = validate_body(ManyArmiesInput(data=request.data))
        ids = [str(one) for one in dict.fromkeys(given["armies"])]
        campaign = _campaign_of(request.user, ids)
        with _seen():
            return self._done(request, campaign, ids, given)

    def _done(self, request: ApiRequest, campaign: Campaign, ids: list[str], given: dict[str, Any]) -> Response:
        if not given["confirm"]:
            kind = get_deed(campaign, given["deed"])
            return _answer(request, propose(request.user, campaign, kind, ids, given["options"]), None)
        mark = require_mark(request, given["mark"])
        asked: dict[str, Any] = {"deed": given["deed"], "armies": ids, "options": given["options"]}
        done = order_armies(by=request.user, campaign=campaign, mark=mark, **asked)
        return _answer(request, done.proposal, done.entry)


@contextmanager
def _seen() -> Iterator[None]:
    """Turns a refusal that points at an army into a 404, for an army that is not there or not visible to the user."""
    try:
        yield
    except InvalidInput as wrong:
        if wrong.field.startswith("/armies/"):
            raise NotVisible(wrong.field) from wrong
        raise


def _campaign_of(user: User, ids: list[str]) -> Campaign:
    """Campaign of the first army; armies of other campaigns count as not there. Raises `NotVisible`."""
    first = list_visible_armies(user).filter(pk=ids[0]).values_list("campaign", flat=True).first()
    if first is None:
        raise NotVisible("/armies/0")
    return get_campaign_for(user, first)


def _answer(request: ApiRequest, proposal: ManyProposal, entry: ChronicleEntry | None) -> Response:
    body = {"proposal": proposal, "entry": entry}
    context = build_context(request.user, entry.campaign, [entry]) if entry else {}
    response = Response(ManyArmiesSerializer(body, context=context).data)
    response["ETag"] = f'"{proposal.mark}"'
    return response

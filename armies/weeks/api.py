"""API of `campaigns/{id}/advance/` and `campaigns/{id}/due/`: time, proposed and confirmed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.urls import path
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from armies.weeks import services as time
from armies.weeks.passage import DueLine, TimeProposal, TimeStop
from armies.weeks.queries import find_days, list_due
from armies.weeks.ruleset_weeks import get_weeks_ui, list_weeks_uis
from core.api.concurrency import require_mark
from core.api.serializers import Input, refuse_unknown, shapes_of_laws
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import SaidField, WholeField
from kingdom.chronicle.wording import ChangeSerializer, ChronicleSerializer, build_context
from kingdom.models import Campaign, ChronicleEntry, Scope
from rules.core.dice import Roll, TypedDie

MOST_DICE = 2_000
SPANS = ["week", *TimeStop]
ROLLS = ", ".join(dict.fromkeys(roll for life in list_weeks_uis().values() for roll in life.rolls))
CHOICES = " ".join(filter(None, (life.choices_doc for life in list_weeks_uis().values())))
IF_MATCH = OpenApiParameter(
    "If-Match", OpenApiTypes.STR, OpenApiParameter.HEADER,
    description="The `mark` of the proposal that is confirmed, for those who do not name it in the body.",
)  # fmt: skip


class TimeDieInput(Input):
    """Dice typed for an army or a kingdom."""

    army = serializers.UUIDField(required=False)
    kingdom = serializers.UUIDField(required=False)
    roll = serializers.CharField(max_length=40, help_text=ROLLS)
    values = serializers.ListField(child=WholeField(allow_null=True), max_length=MOST_DICE)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if ("army" in given) == ("kingdom" in given):
            raise serializers.ValidationError({"army": [_("Choose either an army or a kingdom, not both.")]})
        return given


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {
            "oneOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "string", "format": "uuid"}}]
        },
    }
)
class ChoicesField(serializers.DictField):
    """Choices by name: lists of ids, or true for all."""


class AdvanceInput(Input):
    """`days`, or `to`: the end of the week, or the first arrival, recovery or empty treasury of the next 52 weeks.
    `choices` by name: lists of ids.

    To confirm, send the `mark` of the proposal: 428 without it, 412 if the proposal would differ by now. `day`: the day
    the proposal was made on; 412 if it is another by now.
    """

    days = WholeField(required=False)
    to = serializers.ChoiceField(choices=[str(span) for span in SPANS], required=False)
    confirm = serializers.BooleanField(required=False, default=False)
    mark = serializers.CharField(required=False, allow_blank=True, max_length=64, default="")
    day = WholeField(required=False, allow_null=True, default=None)
    choices = ChoicesField(required=False, default=dict, help_text=CHOICES)
    dice = TimeDieInput(many=True, required=False, default=list)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if ("days" in given) == ("to" in given):
            raise serializers.ValidationError({"days": [_("Send either “days” or “to”, not both.")]})
        return given


class DieSerializer(serializers.Serializer):
    army = serializers.CharField()
    roll = serializers.CharField()
    die = serializers.IntegerField()
    value = serializers.IntegerField()
    source = serializers.CharField()  # type: ignore[assignment]
    by = serializers.CharField()


class TimeNoteSerializer(serializers.Serializer):
    text = serializers.CharField()
    rule = serializers.CharField()


class TimeEventSerializer(serializers.Serializer):
    """An event up to which time can pass, and the day by which it has happened."""

    event = serializers.ChoiceField(choices=[str(stop) for stop in TimeStop])
    day = serializers.IntegerField()
    text = serializers.CharField()
    rule = serializers.CharField()


class ProposalFrame(serializers.Serializer):
    """Preview of the effects of the days. `mark`: to be sent for confirmation; `version` is the same."""

    mark = serializers.CharField()
    day = serializers.IntegerField()
    until = serializers.IntegerField()
    date = serializers.CharField()
    changes = ChangeSerializer(many=True)
    notes = TimeNoteSerializer(many=True)
    events = TimeEventSerializer(many=True)
    warnings = serializers.ListField(child=serializers.CharField())
    dice = DieSerializer(many=True)
    version = serializers.CharField()


class DueLineSerializer(serializers.Serializer):
    day = serializers.IntegerField()
    date = SaidField()
    kingdom = serializers.UUIDField(allow_null=True)
    text = SaidField()
    rule = serializers.CharField()
    bad = serializers.BooleanField()


PROPOSALS = shapes_of_laws(
    "TimeProposalSerializer", ProposalFrame, {family: life.members for family, life in list_weeks_uis().items()}
)
ADVANCED = PolymorphicProxySerializer("Advanced", [*PROPOSALS.values(), ChronicleSerializer], None)


class AdvanceView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(
        request=AdvanceInput,
        parameters=[IF_MATCH],
        responses={200: ADVANCED},
        summary="Let days pass: the proposal, or with confirm its chronicle entry (GM)",
    )
    def post(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        given = validate_body(AdvanceInput(data=request.data))
        days, day = given.get("days"), given["day"]
        if days is None:
            days, day = _days_to(request, campaign, given), campaign.day if day is None else day
        asked = {"days": days, "choices": given["choices"], "typed": _dice(given["dice"])}
        if not given["confirm"]:
            return _proposed(campaign, time.propose_time(by=request.user, campaign=campaign, **asked))
        require_gm(request.user, campaign)
        mark = require_mark(request, given["mark"])
        entry = time.confirm_time(by=request.user, campaign=campaign, day=day, mark=mark, **asked)
        return _entered(request, campaign, entry)


def _days_to(request: ApiRequest, campaign: Campaign, given: dict[str, Any]) -> int:
    if given["to"] == "week":
        return campaign.days_to_upkeep
    return find_days(by=request.user, campaign=campaign, stop=TimeStop(given["to"]), choices=given["choices"])


class WeekInput(Input):
    """`choices` by name: lists of ids. Choices left out stay as they are."""

    choices = ChoicesField(help_text=CHOICES)


class WeekSerializer(serializers.Serializer):
    """Choices for the rest of the running week: lists of ids by name."""

    week = serializers.IntegerField()
    ends = serializers.IntegerField()
    choices = serializers.DictField(child=serializers.ListField(child=serializers.UUIDField()))


class WeekView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(responses=WeekSerializer, summary="What was chosen for the running week (GM)")
    def get(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        require_gm(request.user, campaign)
        return _week(campaign)

    @extend_schema(
        request=WeekInput, responses=WeekSerializer, summary="Choose, or choose anew, what holds until it ends (GM)"
    )
    def patch(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        body = WeekInput(data=request.data)
        body.is_valid(raise_exception=True)
        choices = body.validated_data["choices"]
        return _week(time.choose_week(by=request.user, campaign=campaign, choices=choices))


def _week(campaign: Campaign) -> Response:
    ends = campaign.day + campaign.days_to_upkeep
    return Response({"week": campaign.week, "ends": ends, "choices": get_weeks_ui(campaign).chosen(campaign)})


class DueView(ApiView):
    @extend_schema(responses=DueLineSerializer(many=True), summary="What falls due in the kingdoms you may read")
    def get(self, request: ApiRequest, campaign_id: UUID) -> Response:
        campaign = get_campaign_for(request.user, campaign_id)
        refuse_unknown(request, set())
        found = [_due(line) for line in list_due(request.user, campaign)]
        return Response(DueLineSerializer(found, many=True).data)


def _dice(given: Iterable[dict[str, Any]]) -> list[TypedDie]:
    return [
        TypedDie(str(die.get("army") or die["kingdom"]), die["roll"], tuple(die["values"]), at=f"/dice/{place}/values")
        for place, die in enumerate(given)
    ]


def _due(line: DueLine) -> dict[str, Any]:
    return {
        "day": line.day,
        "date": line.date.short,
        "kingdom": line.kingdom.pk if line.kingdom else None,
        "text": line.text,
        "rule": line.rule,
        "bad": line.bad,
    }


def _proposed(campaign: Campaign, proposal: TimeProposal) -> Response:
    members = get_weeks_ui(campaign).members
    response = Response(
        {
            "mark": proposal.mark,
            "day": proposal.since,
            "until": proposal.until,
            "date": render(campaign.dates.date(proposal.until).text),
            "changes": ChangeSerializer(proposal.changes, many=True).data,
            "notes": [{"text": render(note.text), "rule": note.rule} for note in proposal.notes],
            "events": [
                {"event": str(event.kind), "day": event.day, "text": render(event.text), "rule": event.rule}
                for event in sorted(proposal.events, key=lambda event: event.day)
            ],
            "warnings": [render(warning) for warning in proposal.warnings],
            "dice": [_die(roll) for roll in proposal.rolls],
            **(members(proposal).data if members else {}),
            "version": proposal.mark,
        }
    )
    response["ETag"] = f'"{proposal.mark}"'
    return response


def _die(roll: Roll) -> dict[str, Any]:
    army, name, die, value, source, by = roll
    return {"army": army, "roll": name, "die": die, "value": value, "source": source, "by": by}


def _entered(request: ApiRequest, campaign: Campaign, entry: ChronicleEntry) -> Response:
    return Response(ChronicleSerializer(entry, context=build_context(request.user, campaign, [entry])).data)


# URL configuration of the API of time.

urlpatterns = [
    path("campaigns/<uuid:campaign_id>/advance/", AdvanceView.as_view(), name="advance"),
    path("campaigns/<uuid:campaign_id>/week/", WeekView.as_view(), name="week"),
    path("campaigns/<uuid:campaign_id>/due/", DueView.as_view(), name="due"),
]

"""Base classes of all API views."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from core.api.concurrency import Cursor, answer_conditionally, check_if_match, make_etag
from core.api.serializers import READ, Input, StrictFilters, read_moment, refuse_unknown
from kingdom.access.decorators import ApprovalRequested
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import campaign_ids_of, get_campaign_for, require_runs
from kingdom.accounts.authentication import Scoped
from kingdom.api.idempotency import Idempotent
from kingdom.approvals.serializers import build_request_response
from kingdom.chronicle.changes import lock
from kingdom.chronicle.last_changes import build_changed_condition, load_updated
from kingdom.models import Campaign

UUID_PATTERN = "[0-9a-fA-F-]{36}"


class ChangedFilter(filters.FilterSet):
    """Filters of a list whose things the chronicle tracks, as this kind (`tracked`)."""

    tracked: ClassVar[str]
    campaign = filters.UUIDFilter(field_name="campaign")
    changed_since = filters.IsoDateTimeFilter(method="filter_changed")

    def filter_changed(self, rows: QuerySet[Any], name: str, _value: Any) -> QuerySet[Any]:
        """Return the rows that were made or changed since this moment, as far as their reader is told."""
        moment = read_moment(self.request, name)
        if moment is None:
            return rows
        campaign = self.form.cleaned_data.get("campaign")
        return rows.filter(build_changed_condition(self.request.user, self.tracked, moment, campaign))


class TellsChanges:
    """View mixin: answers tell when each row was made or last changed. `tracked`: its kind in the chronicle."""

    tracked: ClassVar[str]

    def get_serializer(self, *rows: Any, many: bool = False, **options: Any) -> Any:
        if rows:
            load_updated(self.tracked, self.request.user, rows[0] if many else rows)  # type: ignore[attr-defined]
        return super().get_serializer(*rows, many=many, **options)  # type: ignore[misc]


class Leaving:
    """View mixin: an action that needs the GM's approval is answered with its request (202)."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, ApprovalRequested):
            return build_request_response(exc.petition, self.request)  # type: ignore[attr-defined]
        return super().handle_exception(exc)  # type: ignore[misc]


class ApiView(Leaving, Idempotent, Scoped, APIView):
    """Base view for members: problem documents, Idempotency-Key on POST."""

    permission_classes = (IsAuthenticated,)
    request: ApiRequest


def validate_body(sent: Input) -> dict[str, Any]:
    """Return the validated body. Raises a 400 with pointers."""
    sent.is_valid(raise_exception=True)
    return sent.validated_data


class ApiActions(Leaving, Idempotent, Scoped, GenericViewSet):
    """Actions on one resource, without lists and single reads.

    `serializer_class` renders answers, `input_class` validates bodies.
    """

    permission_classes = (IsAuthenticated,)
    filter_backends = (StrictFilters,)
    pagination_class = Cursor
    lookup_value_regex = UUID_PATTERN
    input_class: type[Input]
    request: ApiRequest

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the filtered queryset, limited to the reader's campaigns if no campaign is given.

        The access condition implies that limit, but PostgreSQL cannot estimate it: it would scan the table in the order
        of ids to find the first fifty rows.
        """
        rows = super().filter_queryset(queryset)
        if "campaign" in self.request.query_params:
            return rows
        known = {field.name for field in rows.model._meta.concrete_fields}
        path = "campaign__in" if "campaign" in known else "pk__in"
        return rows.filter(**{path: campaign_ids_of(self.request.user)})

    def input(self, using: type[Input] | None = None) -> dict[str, Any]:
        """Return the request's body, validated by `input_class`. Raises a 400 with pointers."""
        return validate_body((using or self.input_class)(data=self.request.data))

    def change_of(self, instance: Any, using: type[Input] | None = None) -> dict[str, Any]:
        """Return the validated members of a PATCH. Read-only members are accepted if they are unchanged."""
        context = {READ: lambda: self.get_serializer(instance).data}
        return validate_body((using or self.input_class)(data=self.request.data, partial=True, context=context))

    def drawn(self, instance: Any, code: int = status.HTTP_200_OK) -> Response:
        """Return the instance as a response, with its ETag."""
        response = Response(self.get_serializer(instance).data, status=code)
        response["ETag"] = make_etag(response.data)
        return response

    def refuse_stale(self, instance: Any) -> None:
        """Raise a 412 if If-Match names another version than the present one. The campaign is locked until the request
        ends, so only one of two requests for the same version succeeds.
        """
        if "If-Match" in self.request.headers:
            self.begin()
            lock(instance if isinstance(instance, Campaign) else instance.campaign)
            check_if_match(self.request, make_etag(self.get_serializer(self.get_object()).data))

    def ordered(self) -> Any:
        """Return the object to change, for whoever runs its kingdom, after `refuse_stale`."""
        found = self.get_object()
        require_runs(self.request.user, found.kingdom)
        self.refuse_stale(found)
        return found

    def answer_list(
        self, rows: QuerySet[Any], draw: Callable[..., Any], pagination: type[Cursor] | None = None
    ) -> Response:
        """Return one page of rows, rendered by `draw`: a serializer class, or a callable like one."""
        if pagination:
            self._paginator = pagination()
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(draw(page, many=True).data)

    def answer_sublist(
        self,
        rows: QuerySet[Any],
        draw: Callable[..., Any],
        pagination: type[Cursor] | None = None,
        known: Iterable[str] = (),
    ) -> Response:
        """Return a list below a resource, with the same paging. `known`: its own filters, applied by the caller."""
        refuse_unknown(self.request, {"limit", "cursor", *known})
        return self.answer_list(rows, draw, pagination)


class CampaignActions(ApiActions):
    """Actions below a campaign: `campaigns/{campaign_id}/…`."""

    def campaign(self) -> Campaign:
        return get_campaign_for(self.request.user, self.kwargs["campaign_id"])


class ApiViewSet(ApiActions):
    """A resource: lists with cursors and known filters only, single reads with an ETag."""

    def list(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        return self.answer_list(self.filter_queryset(self.get_queryset()), self.get_serializer)

    def retrieve(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        return answer_conditionally(request, self.drawn(self.get_object()))

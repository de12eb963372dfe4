"""Serializers for approval requests, and the requests that a user may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from core.api.serializers import Input
from core.markdown import Known
from core.text import load_said, render
from kingdom.access.permissions import KINDS, ApiRequest, Leave, Permission, read_choices, refuse_kept
from kingdom.access.queries import (
    READERS,
    get_one,
    get_role,
    is_gm,
    list_assigned,
    list_readable_kingdom_ids,
    list_seats,
    reads_all,
    run_kingdom_ids,
)
from kingdom.access.redaction import names_known, names_known_anywhere
from kingdom.campaign.awaiting_counts import WAITS
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.wording import ChangeInWords, ChangeSerializer, changes_in_words_by
from kingdom.models import ApprovalRequest, Campaign, Kingdom, Role, Settlement, User
from kingdom.notes.queries import find_known
from kingdom.notes.targets import list_note_targets, make_ref
from rules.core.text import Said, Term, _, say

# Queries for approvals: a user's permission for each kind of action, and requests that wait for the GM.

GIST_LINES = 3
TOLD_BY_KINGDOM = (Campaign, Kingdom, Settlement)  # a request links its kingdoms anyway


def leave_of(user: User, campaign: Campaign) -> dict[str, Leave]:
    """Return the permissions by kind: the GM may do everything, a player what the GM chose, others nothing."""
    match get_role(user, campaign):
        case Role.GM:
            chosen = dict.fromkeys(KINDS, Permission.FREE.value)
        case Role.PLAYER:
            chosen = read_choices(campaign.players_may)
        case _:
            chosen = dict.fromkeys(KINDS, Permission.NO.value)
    return {kind: Leave(kind, Permission(choice)) for kind, choice in chosen.items()}


def require_offered(user: User, campaign: Campaign, kind: str) -> None:
    """Raise `Forbidden` if only the GM may do this kind: for pages with forms."""
    if get_role(user, campaign) == Role.PLAYER:
        refuse_kept(kind, Permission(read_choices(campaign.players_may)[kind]))


def list_visible_requests(user: User) -> QuerySet[ApprovalRequest]:
    """Return the visible requests of all campaigns: every one for GM and viewers; for players their own, and those of
    their kingdoms that name nothing they may not know.
    """
    return ApprovalRequest.objects.filter(_told(user)).select_related("campaign", "by", "answered_by")


def _told(user: User) -> Q:
    own = Q(by=user.pk, campaign__in=list_seats(user))
    read = Q(campaign__in=list_seats(user, READERS)) | own
    if not (plays := list_assigned(user)):
        return read
    return read | (Q(kingdoms__overlap=plays) & names_known_anywhere(user))


def get_request_for(user: User, petition_id: UUID | str) -> ApprovalRequest:
    """Return the request for a user who may read it. Raises Http404."""
    return get_one(list_visible_requests(user), petition_id)


def list_visible_changes(user: User, petition: ApprovalRequest) -> list[chronicle_changes.Change]:
    """Return the changes the user may read: all of them for the requester and for readers of all its kingdoms."""
    changes = chronicle_changes.list_changes(petition)
    if petition.by_id == user.pk or get_role(user, petition.campaign) in READERS:
        return changes
    if list_readable_kingdom_ids(user, petition.campaign).issuperset(petition.kingdoms):
        return changes
    seen = {
        kind: chronicle_changes.visible_ids(
            kind, user, petition.campaign, {change.subject_id for change in changes if change.subject_kind == kind}
        )
        for kind in {change.subject_kind for change in changes}
    }
    return [change for change in changes if change.subject_id in seen[change.subject_kind]]


class RequestSubject(NamedTuple):
    """An army or a commander that a request is about, with the address of their page."""

    name: str
    url: str
    icon: str


TOLD: Mapping[str, Term] = {
    ApprovalRequest.State.WAITING: _("If approved: “{what}”"),
    ApprovalRequest.State.GRANTED: Term("{what}"),
}


@dataclass(frozen=True, slots=True)
class RequestLine:
    """A request for one reader. `answers` (grant, refuse), `withdraws` and `repeats` say what they may do with it.

    `subjects`: what it is about, as far as it exists and the reader may see it; a granted one has what it created.
    """

    petition: ApprovalRequest
    kind: Said
    text: Any
    changes: list[ChangeInWords]
    kingdoms: tuple[Kingdom, ...]
    answers: bool
    withdraws: bool
    repeats: bool
    subjects: tuple[RequestSubject, ...] = ()

    @property
    def told(self) -> Said:
        """The chronicle's sentence about it; unless it is granted, marked as not done."""
        return say(TOLD.get(self.petition.status, _("Requested: “{what}”")), what=self.text)

    @property
    def gist(self) -> list[ChangeInWords]:
        """The first lines that characterise it, without those of creation and deletion, which its text names."""
        return self._telling[:GIST_LINES]

    @property
    def more(self) -> int:
        """Number of lines that `gist` leaves out."""
        return len(self._telling) - len(self.gist)

    @property
    def _telling(self) -> list[ChangeInWords]:
        return [change for change in self.changes if not isinstance(change.after, bool)]


def list_request_lines(user: User, petitions: Sequence[ApprovalRequest], campaign: Campaign) -> list[RequestLine]:
    """Return the campaign's requests for one of its members."""
    for petition in petitions:
        petition.campaign = campaign  # this object knows the reader's seat
    ids = {pk for petition in petitions for pk in petition.kingdoms}
    kingdoms = Kingdom.objects.in_bulk(ids)
    lines = {petition.pk: list_visible_changes(user, petition) for petition in petitions}
    changes = changes_in_words_by(user, campaign, lines)
    refs = {pk: _refs_of(own) for pk, own in lines.items()}
    found = find_known(user, campaign, {ref for own in refs.values() for ref in own})
    return [
        _line(user, petition, kingdoms, changes[petition.pk], _subjects_of(refs[petition.pk], found))
        for petition in petitions
    ]


def _refs_of(changes: Iterable[chronicle_changes.Change]) -> list[str]:
    """Return what these changes are about, except what a request's kingdoms tell anyway; each once."""
    kinds = {kind for kind, target in list_note_targets().items() if target.model not in TOLD_BY_KINGDOM}
    told = (change for change in changes if change.subject_kind in kinds)
    return list(dict.fromkeys(make_ref(change.subject_kind, change.subject_id) for change in told))


def _subjects_of(refs: Iterable[str], found: Mapping[str, Known]) -> tuple[RequestSubject, ...]:
    icons = {kind: target.icon for kind, target in list_note_targets().items()}
    return tuple(RequestSubject(*found[ref], icons[ref.partition(":")[0]]) for ref in refs if ref in found)


def _line(
    user: User,
    petition: ApprovalRequest,
    kingdoms: dict[UUID, Kingdom],
    changes: list[ChangeInWords],
    subjects: tuple[RequestSubject, ...],
) -> RequestLine:
    return RequestLine(
        petition=petition,
        kind=KINDS[petition.kind].name,
        text=load_said(petition.text),
        changes=changes,
        kingdoms=tuple(kingdoms[pk] for pk in petition.kingdoms if pk in kingdoms),
        answers=petition.waiting and is_gm(user, petition.campaign),
        withdraws=petition.waiting and petition.by_id == user.pk,
        repeats=petition.may_repeat and petition.by_id == user.pk,
        subjects=subjects,
    )


def waiting_for(user: User, campaign: Campaign) -> list[RequestLine]:
    """Return the waiting requests, oldest first: all for the GM, the visible ones for others."""
    return list_request_lines(user, list(_waiting(user, campaign)), campaign)


def list_first_waiting(user: User, campaign: Campaign, most: int) -> tuple[list[RequestLine], int]:
    """Return the newest waiting requests, and the number of all."""
    if not count_waiting(campaign):
        return [], 0
    rows = _waiting(user, campaign).order_by("-id")
    first = list(rows[: most + 1])
    count = rows.count() if len(first) > most else len(first)
    return list_request_lines(user, first[:most], campaign), count


def _waiting(user: User, campaign: Campaign) -> QuerySet[ApprovalRequest]:
    rows = ApprovalRequest.objects.filter(campaign=campaign, status=ApprovalRequest.State.WAITING)
    rows = rows.select_related("by").order_by("id")
    if reads_all(user, campaign):
        return rows
    if get_role(user, campaign) is None:
        return rows.none()
    theirs = Q(kingdoms__overlap=list(run_kingdom_ids(user, campaign))) & names_known(user, campaign.pk)
    return rows.filter(Q(by=user) | theirs)


def count_waiting(campaign: Campaign) -> int:
    """Return the number of waiting requests. Queried once per campaign object, unless read with the campaign."""
    known = campaign.__dict__
    if WAITS not in known:
        waiting = ApprovalRequest.objects.filter(campaign=campaign, status=ApprovalRequest.State.WAITING)
        known[WAITS] = waiting.count()
    return int(known[WAITS])


def list_answered(user: User, campaign: Campaign) -> QuerySet[ApprovalRequest]:
    """Return the visible requests that were answered or withdrawn, latest first."""
    answered = list_visible_requests(user).filter(campaign=campaign).exclude(status=ApprovalRequest.State.WAITING)
    return answered.order_by("-answered_at", "-id")


@extend_schema_serializer(component_name="ApprovalRequest")
class ApprovalRequestSerializer(serializers.ModelSerializer):
    """An action a player asked of the GM: its kind, its text, and the fields it would change (or has changed, if
    granted).

    `status`: waiting, granted, refused (perhaps with a `reason`) or withdrawn. `entry` is the chronicle entry of the
    answer.
    """

    by = serializers.CharField(source="by.username", default=None, read_only=True, allow_null=True)
    text = serializers.SerializerMethodField()
    changes = serializers.SerializerMethodField()
    answered_by = serializers.CharField(source="answered_by.username", default=None, read_only=True, allow_null=True)

    class Meta:
        model = ApprovalRequest
        fields = (
            "id", "campaign", "by", "day", "at", "kind", "text", "changes", "kingdoms", "status", "reason",
            "answered_by", "answered_at", "entry",
        )  # fmt: skip

    def get_text(self, petition: ApprovalRequest) -> str:
        return render(load_said(petition.text))

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changes(self, petition: ApprovalRequest) -> Any:
        changes = list_visible_changes(self.context["request"].user, petition)
        return self._lines.to_representation(changes)

    @cached_property
    def _lines(self) -> Any:
        """The serializer of lines, built once for all requests."""
        return ChangeSerializer(many=True)


class RefuseInput(Input):
    reason = serializers.CharField(required=False, allow_blank=True)


def build_request_response(petition: ApprovalRequest, request: ApiRequest) -> Response:
    """Return a 202 with the waiting request."""
    response = Response(ApprovalRequestSerializer(petition, context={"request": request}).data, status=202)
    response["Location"] = request.build_absolute_uri(reverse("request-detail", args=[petition.pk]))
    return response


def document_approval(answer: Any, code: int = 200) -> dict[int, Any]:
    """Return the documented responses of an action: its answer, or 202 with the request if a player needs approval."""
    return {code: answer, 202: ApprovalRequestSerializer}

"""Services that grant, refuse or withdraw requests, each once."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404

from core import text as words
from core.clean_input import REASON_MAX, clean_text
from core.live import notify_campaign
from kingdom.access.decorators import gm_only, internal, unrestricted
from kingdom.access.queries import require_gm, require_member
from kingdom.approvals.submission import answer, ask_again, build_request_fields, run
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.context import captured_entries
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry, User
from rules.core.errors import IllegalCommand, Refusal, require
from rules.core.text import Said, _, say

ANSWERED = {
    ApprovalRequest.State.GRANTED: _("This request has already been approved."),
    ApprovalRequest.State.REFUSED: _("This request has already been refused."),
    ApprovalRequest.State.WITHDRAWN: _("This request was withdrawn."),
}

WAITS = _("This request is still waiting for the GM.")


@gm_only
@transaction.atomic
def grant_request(*, by: User, petition: ApprovalRequest) -> ApprovalRequest:
    """Run the requested action in the requester's name, on the present state (GM). The chronicle names both.

    Raises `IllegalCommand`, and the request waits on, if it is no longer possible, would overwrite a later change, or
    has been answered.
    """
    require_gm(by, petition.campaign)
    petition = _locked(petition)
    entries = _done(by, petition)
    _refuse_overwriting(petition, entries)
    require(entries, _("This request would no longer change anything. Refuse it."))
    done = build_request_fields(entries)
    answer(petition, ApprovalRequest.State.GRANTED, by, entry=entries[-1], changes=done["changes"], names=done["names"])
    return petition


def _done(by: User, petition: ApprovalRequest) -> list[ChronicleEntry]:
    """Run the action. A refusal by the service is a conflict now, since the arguments were valid when requested."""
    asker = petition.by
    if asker is None:
        raise IllegalCommand(_("The player who requested this no longer has an account. Refuse it."))

    def wording(text: Said) -> Said:
        return say(_("{what} (Requested by {player}, approved by {gm}.)"), what=text, player=str(asker), gm=str(by))

    try:
        with captured_entries(wording) as entries:
            run(by=asker, campaign=petition.campaign, command=petition.command, arguments=petition.arguments)
    except Refusal as refusal:
        raise IllegalCommand(refusal.message) from refusal
    except (PermissionDenied, Http404) as error:
        raise IllegalCommand(
            say(_("{player} is no longer allowed to do this. Refuse the request."), player=str(asker))
        ) from error
    return entries


def _refuse_overwriting(petition: ApprovalRequest, entries: list[ChronicleEntry]) -> None:
    """Raise `IllegalCommand` if a field to be set has changed since the request. A field that moves by an amount may
    differ.
    """
    asked = {change.place: change for change in chronicle_changes.list_changes(petition)}
    for change in (change for entry in entries for change in chronicle_changes.list_changes(entry)):
        then = asked.get(change.place)
        require(
            then is None or then.before == change.before or then.after != change.after,
            _(
                "{subject} changed since this request ({label}: {before} then, {now} "
                "now). Ask the player to request it again."
            ),
            subject=change.subject or change.subject_id,
            label=change.label,
            before=chronicle_changes.show(then.before if then else None),
            now=chronicle_changes.show(change.before),
        )


@gm_only
@transaction.atomic
def refuse_request(*, by: User, petition: ApprovalRequest, reason: str = "") -> ApprovalRequest:
    """Refuse the request, with a `reason` if given (GM). The chronicle entry is for readers of the kingdoms."""
    require_gm(by, petition.campaign)
    reason = clean_text(reason, field="/reason", most=REASON_MAX) if reason.strip() else ""
    petition = _locked(petition)
    entry = chronicle_changes.write_entry(
        campaign=petition.campaign,
        day=petition.campaign.day,
        by=by,
        kind=ChronicleEntry.Kind.OTHER,
        text=_refused(petition, reason),
        changes=(),
        kingdoms=petition.kingdoms,
        private=True,
    )
    answer(petition, ApprovalRequest.State.REFUSED, by, reason=reason, entry=entry)
    return petition


def _refused(petition: ApprovalRequest, reason: str) -> Said:
    what, player = words.load_said(petition.text), str(petition.by or "–")
    if reason:
        return say(_("Request by {player} refused: “{what}” Reason: {reason}"), player=player, what=what,
                   reason=reason)  # fmt: skip
    return say(_("Request by {player} refused: “{what}”"), player=player, what=what)


@unrestricted("It is his own request.")
@transaction.atomic
def withdraw_request(*, by: User, petition: ApprovalRequest) -> ApprovalRequest:
    """Withdraw one's own waiting request. Raises `PermissionDenied` for another user's, `IllegalCommand` if it was
    answered.
    """
    require_member(by, petition.campaign)
    if petition.by_id != by.pk:
        raise PermissionDenied
    petition = _locked(petition)
    answer(petition, ApprovalRequest.State.WITHDRAWN, by)
    notify_campaign(petition.campaign_id)
    return petition


@unrestricted("It is their own request, and the action asks for approval as before.")
def repeat_request(*, by: User, petition: ApprovalRequest) -> None:
    """Request one's own withdrawn or refused action once more; see `ask_again`. Raises `PermissionDenied` for another
    user's, and `IllegalCommand` for one that waits or is granted.
    """
    require_member(by, petition.campaign)
    if petition.by_id != by.pk:
        raise PermissionDenied
    if not petition.may_repeat:
        raise IllegalCommand(ANSWERED.get(ApprovalRequest.State(petition.status), WAITS))
    ask_again(by=by, campaign=petition.campaign, command=petition.command, arguments=petition.arguments)


@internal
def withdraw_requests(*, campaign: Campaign, user: User) -> None:
    """Withdraw the waiting requests of a member who leaves or becomes a viewer. The campaign is locked."""
    waiting = ApprovalRequest.objects.select_for_update().filter(
        campaign=campaign, by=user, status=ApprovalRequest.State.WAITING
    )
    for petition in waiting.order_by("pk"):
        answer(petition, ApprovalRequest.State.WITHDRAWN, None)


def _locked(petition: ApprovalRequest) -> ApprovalRequest:
    """Lock the campaign and the request, and return the request. Raises Http404, and `IllegalCommand` unless it
    waits.
    """
    campaign = chronicle_changes.lock(petition.campaign)
    rows = ApprovalRequest.objects.select_for_update(of=("self",)).select_related("by")
    fresh = get_object_or_404(rows, pk=petition.pk)
    fresh.campaign = campaign
    if not fresh.waiting:
        raise IllegalCommand(ANSWERED[ApprovalRequest.State(fresh.status)])
    return fresh

"""Queries for approvals: what a user may do of each kind of deed, and what waits for the GM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from core.db.compiled_queries import CompiledCondition, CompiledQuery, CompiledQueryForUser
from core.text import from_json
from kingdom.access.permissions import KINDS, Leave, Permission, all_choices, refuse_kept
from kingdom.access.queries import (
    ASSIGNED,
    READERS,
    WAITS,
    is_gm,
    one_asked,
    readable_kingdom_ids,
    reads_all,
    role_of,
    run_kingdom_ids,
    seats,
    waiting_in,
)
from kingdom.access.redaction import names_known, names_known_anywhere
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.wording import ChangeInWords, changes_in_words_by
from kingdom.models import Campaign, Kingdom, Petition, Role, User
from rules.core.text import Said, Term, _, say

GIST_LINES = 3


def leave_of(user: User, campaign: Campaign) -> dict[str, Leave]:
    """By kind, for pages: the GM everything, a player as the GM chose, others nothing."""
    match role_of(user, campaign):
        case Role.GM:
            chosen = dict.fromkeys(KINDS, Permission.FREE.value)
        case Role.PLAYER:
            chosen = all_choices(campaign.players_may)
        case _:
            chosen = dict.fromkeys(KINDS, Permission.NO.value)
    return {kind: Leave(kind, Permission(choice)) for kind, choice in chosen.items()}


def require_offered(user: User, campaign: Campaign, kind: str) -> None:
    """For the forms of deeds: raise `Forbidden` where the GM keeps this kind to themselves."""
    if role_of(user, campaign) == Role.PLAYER:
        refuse_kept(kind, Permission(all_choices(campaign.players_may)[kind]))


def petitions_visible_to(user: User) -> QuerySet[Petition]:
    """Requests of all campaigns: the GM and viewers read every one, players their own, and those of their kingdoms that
    name nothing they may not know of.
    """
    return Petition.objects.filter(_readable(user)).select_related("campaign", "by", "answered_by")


def _told(user: User) -> Q:
    own = Q(by=user.pk, campaign__in=seats(user))
    theirs = Q(kingdoms__overlap=ASSIGNED.array(user)) & names_known_anywhere(user)
    return Q(campaign__in=seats(user, READERS)) | own | theirs


_readable = CompiledCondition(Petition, _told)


def petition_for(user: User, petition_id: UUID | str) -> Petition:
    """The request, for whoever may read it. Raises Http404."""
    petition: Petition = one_asked(_ask_petition, user, petition_id)
    return petition


_ask_petition = CompiledQueryForUser(lambda user, key: petitions_visible_to(user).filter(pk=key), UUID)


def share_petition_campaigns(petitions: Sequence[Petition]) -> None:
    """Give petitions of one campaign one campaign object, so that the reader's seat is asked for once."""
    shared = {petition.campaign_id: petition.campaign for petition in petitions}
    for petition in petitions:
        petition.campaign = shared[petition.campaign_id]


def visible_petition_changes(user: User, petition: Petition) -> list[chronicle_changes.Change]:
    """The lines the user may read: the asker and readers of all its kingdoms every one."""
    changes = chronicle_changes.changes_of(petition)
    if petition.by_id == user.pk or role_of(user, petition.campaign) in READERS:
        return changes
    if readable_kingdom_ids(user, petition.campaign).issuperset(petition.kingdoms):
        return changes
    seen = {
        kind: chronicle_changes.visible_ids(
            kind, user, petition.campaign, {change.subject_id for change in changes if change.subject_kind == kind}
        )
        for kind in {change.subject_kind for change in changes}
    }
    return [change for change in changes if change.subject_id in seen[change.subject_kind]]


@dataclass(frozen=True, slots=True)
class PetitionLine:
    """A request for one reader; `answers` (grant, refuse) and `withdraws` say what they may do with it."""

    petition: Petition
    kind: Said
    text: Any
    changes: list[ChangeInWords]
    kingdoms: tuple[Kingdom, ...]
    answers: bool
    withdraws: bool

    @property
    def told(self) -> Said:
        """What it asks for, told so that nobody takes it for done before it is granted."""
        done = self.petition.status == Petition.State.GRANTED
        return say(Term("{what}") if done else _("Asked: {what}"), what=self.text)

    @property
    def gist(self) -> list[ChangeInWords]:
        """The first lines that tell it from its like; that something comes into being, its text says."""
        return self._telling[:GIST_LINES]

    @property
    def more(self) -> int:
        """How many lines the gist leaves out."""
        return len(self._telling) - len(self.gist)

    @property
    def _telling(self) -> list[ChangeInWords]:
        return [change for change in self.changes if not isinstance(change.after, bool)]


def petition_lines(user: User, petitions: Sequence[Petition], campaign: Campaign) -> list[PetitionLine]:
    """The campaign's requests for one of its members."""
    for petition in petitions:
        petition.campaign = campaign  # its object knows the reader's seat
    ids = {pk for petition in petitions for pk in petition.kingdoms}
    kingdoms = Kingdom.objects.in_bulk(ids)
    lines = {petition.pk: visible_petition_changes(user, petition) for petition in petitions}
    changes = changes_in_words_by(user, campaign, lines)
    return [_line(user, petition, kingdoms, changes[petition.pk]) for petition in petitions]


def _line(user: User, petition: Petition, kingdoms: dict[UUID, Kingdom], changes: list[ChangeInWords]) -> PetitionLine:
    return PetitionLine(
        petition=petition,
        kind=KINDS[petition.kind].name,
        text=from_json(petition.text),
        changes=changes,
        kingdoms=tuple(kingdoms[pk] for pk in petition.kingdoms if pk in kingdoms),
        answers=petition.waiting and is_gm(user, petition.campaign),
        withdraws=petition.waiting and petition.by_id == user.pk,
    )


def waiting_for(user: User, campaign: Campaign) -> list[PetitionLine]:
    """Those that wait, oldest first: for the GM everybody's, for the others what they may read."""
    return petition_lines(user, list(_waiting(user, campaign)), campaign)


def first_waiting(user: User, campaign: Campaign, most: int) -> tuple[list[PetitionLine], int]:
    """The newest of them, and how many there are."""
    if not count_waiting(campaign):
        return [], 0
    rows = _waiting(user, campaign).order_by("-id")
    first = _ask_first(most + 1)(campaign.pk) if reads_all(user, campaign) else list(rows[: most + 1])
    count = rows.count() if len(first) > most else len(first)
    return petition_lines(user, first[:most], campaign), count


def _waiting(user: User, campaign: Campaign) -> QuerySet[Petition]:
    rows = _all_waiting(campaign.pk)
    if reads_all(user, campaign):
        return rows
    if role_of(user, campaign) is None:
        return rows.none()
    theirs = Q(kingdoms__overlap=list(run_kingdom_ids(user, campaign))) & names_known(user, campaign.pk)
    return rows.filter(Q(by=user) | theirs)


def _all_waiting(campaign: UUID) -> QuerySet[Petition]:
    rows = Petition.objects.filter(campaign=campaign, status=Petition.State.WAITING)
    return rows.select_related("by").order_by("id")


@cache
def _ask_first(most: int) -> CompiledQuery:
    return CompiledQuery(lambda campaign: _all_waiting(campaign).order_by("-id")[:most], UUID)


def count_waiting(campaign: Campaign) -> int:
    """How many wait for the GM. Asked once per campaign object, if it was not read with it."""
    known = campaign.__dict__
    if WAITS not in known:
        ((known[WAITS],),) = _ask_count(campaign.pk)
    return int(known[WAITS])


_ask_count = CompiledQuery(
    lambda campaign: Campaign.objects.filter(pk=campaign).order_by().values_list(waiting_in("pk")), UUID
)


def answered_for(user: User, campaign: Campaign) -> QuerySet[Petition]:
    """Those that were answered or withdrawn, the latest first."""
    answered = petitions_visible_to(user).filter(campaign=campaign).exclude(status=Petition.State.WAITING)
    return answered.order_by("-answered_at", "-id")

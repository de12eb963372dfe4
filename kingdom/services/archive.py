"""Bringing a campaign in from its document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import BinaryIO, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from kingdom import selectors, world
from kingdom.archive.bringing import Document, PersonNamed, bring
from kingdom.archive.progress import Progress
from kingdom.errors import TooOften
from kingdom.land import land_of
from kingdom.models import Campaign, ChronicleEntry, Kingdom, Membership, Role, User
from kingdom.services.maps import size_changes
from kingdom.services.rate_limits import Limit, knock
from kingdom.warrants import freely, within
from rules.errors import IllegalCommand
from rules.text import Said, _, say

BROUGHT = Limit("import", 20, 60)
NAMES_TOLD = 20
ONE_AT_A_TIME = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 7))"


class Arrival(NamedTuple):
    """A campaign that was brought in, and what of its document has no place here."""

    campaign: Campaign
    warnings: tuple[Said, ...]


@freely("It is his own campaign.")
def import_campaign(*, by: User, file: BinaryIO, progress: Progress | None = None, counted: bool = False) -> Arrival:
    """A campaign from its document (`file`, as it is or packed by gzip), whole or not at all; `by` is its GM.

    Whoever else is named in it gets no seat and is no author here: names say nothing about accounts, and nobody is
    seated unasked. `progress` is told how far it is; `counted`: `count_import` was asked. Raises `InvalidInput` with
    pointers into the document, `IllegalCommand` for two at once, `TooOften` for too many in an hour.
    """
    if not counted:
        count_import(by)
    return _brought(by, file, everybody=False, progress=progress)


def count_import(user: User) -> None:
    """Raises `TooOften` for too many imports in an hour."""
    if wait := knock(BROUGHT, str(user.pk)):
        told = {"most": BROUGHT.most, "minutes": math.ceil(wait / 60)}
        raise TooOften.after(
            wait, say(_("{most} campaigns an hour are enough: try again in {minutes} minutes."), **told)
        )


@within
def restore_campaign(*, by: User, file: BinaryIO, everybody: bool, progress: Progress | None = None) -> Arrival:
    """The same for whoever runs the server. `everybody`: whom the document names and who has an account of that name
    here is seated as he was there, and is the author of what he wrote.
    """
    return _brought(by, file, everybody=everybody, progress=progress)


@transaction.atomic
def _brought(by: User, file: BinaryIO, *, everybody: bool, progress: Progress | None) -> Arrival:
    with connection.cursor() as cursor:
        cursor.execute(ONE_AT_A_TIME, [str(by.pk)])
        if not cursor.fetchone()[0]:
            raise IllegalCommand(_("You are bringing in another campaign just now: wait until it is there."))
    document = Document(file)
    known = _accounts(by, document.people, everybody=everybody)
    campaign = bring(document, people=known, own={"created_by": by, "owner": by}, progress=progress)
    Membership.objects.update_or_create(campaign=campaign, user=by, defaults={"role": Role.GM})
    strangers = [one.name for one in document.people if one.id not in known]
    warnings = (*_warnings(strangers), *_sizes_follow(by, campaign))
    return Arrival(Campaign.objects.get(pk=campaign.pk), warnings)


def _sizes_follow(by: User, campaign: Campaign) -> tuple[Said, ...]:
    """Where sizes follow the map and a document has others, the map goes before: told to who brought it in and in the
    chronicle, by an entry that nobody undoes, as that would part them again.
    """
    campaign = world.lock(campaign)
    drawn = selectors.map_on_table(campaign)
    changes = size_changes(campaign, drawn, land_of(drawn)) if drawn else []
    if not changes:
        return ()
    for change in changes:
        Kingdom.objects.filter(pk=change.subject_id).update(**{change.field: change.after})
    told = ", ".join(f"{change.subject} {world.show(change.before)} → {change.after}" for change in changes)
    world.chronicle(
        campaign=campaign, day=campaign.day, by=by, kind=ChronicleEntry.Kind.OTHER, private=True, changes=(),
        kingdoms=[UUID(change.subject_id) for change in changes],
        text=say(_("Brought in, kingdoms are as large as they have hexes on the map: {kingdoms}."), kingdoms=told),
    )  # fmt: skip
    said = _("Sizes follow the hexes here, and the document had others: {kingdoms}. The chronicle tells it, too.")
    return (say(said, kingdoms=told),)


def _accounts(by: User, people: Sequence[PersonNamed], *, everybody: bool) -> dict[str, UUID]:
    """The accounts of these people, by their ids in the document."""
    here = {by.username: by.pk}
    if everybody:
        found = User.objects.filter(username__in=[one.name for one in people])
        here |= dict(found.values_list("username", "pk"))
    return {one.id: here[one.name] for one in people if one.name in here}


def _warnings(strangers: Sequence[str]) -> tuple[Said, ...]:
    if not strangers:
        return ()
    told = [*strangers[:NAMES_TOLD], *(["…"] if len(strangers) > NAMES_TOLD else [])]
    said = _("The document names {people}: they have no seat here until you invite them.")
    return (say(said, people=", ".join(told)),)

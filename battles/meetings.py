"""Armies that met on the map, as the GM is told of them: with the way to the setup of their battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from armies.meetings import Encounter, meetings_of
from battles import faces
from kingdom.models import Campaign, User
from kingdom.selectors import is_gm
from rules.text import Said


class ProposedBattle(NamedTuple):
    """`setup`: the address of the setup with both armies and the ground in it."""

    meeting: Encounter
    setup: str

    @property
    def ground(self) -> Said:
        return self.meeting.terrain.name


def proposed_battles(user: User, campaign: Campaign) -> Iterator[ProposedBattle]:
    """For the GM, and nobody else: players are not told of armies they may not see."""
    face = faces.known_face(campaign) if is_gm(user, campaign) else None
    if face is not None:
        for meeting in meetings_of(campaign):
            yield ProposedBattle(meeting, _address(campaign, meeting, face))


def _address(campaign: Campaign, meeting: Encounter, face: faces.BattleFace) -> str:
    query = QueryDict(mutable=True)
    query["name"], query["add"] = _("Battle at %(hex)s") % {"hex": meeting.hex}, "picked"
    for name, value in face.setup_at(meeting).items():
        query.setlist(name, [value] if isinstance(value, str) else [*value])
    return f"{reverse('battles:battle_new', args=[campaign.pk])}?{query.urlencode()}"

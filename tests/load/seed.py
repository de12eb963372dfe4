"""Many campaigns with people, as the load needs them: copies of the demonstration's, each with a table of its own."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from battles.models import Battle
from kingdom.archive.export_rows import write_document
from kingdom.archive.services import restore_campaign
from kingdom.models import ApiToken, Campaign, Kingdom, KingdomPlayer, Membership, Role, User
from tests.everyday import opened_session

PEOPLE = 6  # a GM, four players and a viewer


def seed(path: str, campaigns: int) -> None:
    """So many campaigns; at `path` a JSON list of their tables: addresses, sessions, the GM's token."""
    document = b"".join(write_document(Campaign.objects.earliest("pk"), named=False))
    Path(path).write_text(json.dumps([_table(number, document) for number in range(campaigns)]))


def _table(number: int, document: bytes) -> dict[str, Any]:
    people = [User(username=f"load-{number}-{seat}") for seat in range(PEOPLE)]
    for one in people:
        one.set_unusable_password()
    User.objects.bulk_create(people)
    gm, *players, viewer = people
    campaign = restore_campaign(by=gm, file=io.BytesIO(document), everybody=False).campaign
    roles = [*((player, Role.PLAYER) for player in players), (viewer, Role.VIEWER)]
    Membership.objects.bulk_create(Membership(campaign=campaign, user=user, role=role) for user, role in roles)
    kingdoms = list(Kingdom.objects.filter(campaign=campaign).order_by("pk"))
    KingdomPlayer.objects.bulk_create(
        KingdomPlayer(campaign=campaign, kingdom=kingdoms[place % len(kingdoms)], user=player)
        for place, player in enumerate(players)
    )
    battle = Battle.objects.filter(campaign=campaign, status__in=Battle.OPEN).exclude(status="setup").first()
    _token, key = ApiToken.objects.create(user=gm, name="load")
    return {
        "campaign": str(campaign.pk), "kingdoms": [str(kingdom.pk) for kingdom in kingdoms], "token": key,
        "battle": str(battle.pk) if battle else "", "sessions": [opened_session(user, BACKEND) for user in people],
    }  # fmt: skip


BACKEND = "django.contrib.auth.backends.ModelBackend"

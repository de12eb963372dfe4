"""Pages are the same by queries put together once and by those put together for their reader."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from armies.models import Army, Commander, Insight
from core.db import compiled_queries
from kingdom.models import Campaign, Knowledge, Role, User
from kingdom.notes.page import build_subject
from kingdom.notes.services import write_note
from kingdom.onboarding import templates
from kingdom.realms.services import assign_player
from tests.kingdom.conftest import client_of, make_user, seat

ONCE = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"|"X-CSRFToken": ?"[^"]*"|data-at="[^"]*"')


@pytest.fixture
def campaign(db: None) -> Campaign:
    """A war of which a player knows one army whole, one at a glance, one by its name, and one not at all."""
    gm = make_user("gm")
    campaign = templates.make(owner=gm)
    crown, vale = campaign.kingdoms.order_by("pk")
    armies = list(Army.objects.filter(kingdom=vale).order_by("pk"))
    assert len(armies) >= 3
    armies[0].hidden = True
    armies[1].revealed = True
    Insight.objects.create(campaign=campaign, kingdom=crown, army=armies[2], level=Knowledge.GLANCE)
    Army.objects.bulk_update(armies, ["hidden", "revealed"])
    for army in armies:
        for audience in ("public", f"kingdom:{crown.pk}", "gm"):
            write_note(by=gm, about=build_subject("army", army), text=f"Of @[{army.name}].", audience=audience)
    return campaign


@pytest.mark.slow
def test_pages_are_the_same_by_prepared_questions(campaign, monkeypatch):
    gm = campaign.memberships.get(role=Role.GM).user
    told = 0
    for user in readers(gm, campaign):
        browser = client_of(user)
        for page in pages(campaign):
            quick = browser.get(page)
            with monkeypatch.context() as patch:
                patch.setattr(compiled_queries, "_is_himself", lambda user: False)
                whole = browser.get(page)
            assert (quick.status_code, ONCE.sub(b"", quick.content)) == (
                whole.status_code, ONCE.sub(b"", whole.content)), (user.username, page)  # fmt: skip
            told += quick.status_code == 200
    assert told > 40


def readers(gm: User, campaign: Campaign) -> Iterator[User]:
    crown, vale = campaign.kingdoms.order_by("pk")
    for number, kingdom in enumerate((crown, vale, None)):
        player = seat(gm, campaign, make_user(f"player-{number}"), Role.PLAYER)
        if kingdom:
            assign_player(by=gm, kingdom=kingdom, player=player)
        yield player
    yield seat(gm, campaign, make_user("viewer"), Role.VIEWER)
    yield make_user("stranger")


def pages(campaign: Campaign) -> Iterator[str]:
    yield from (f"/c/{campaign.pk}/{place}" for place in ("", "chronicle/", "story/", "armies/", "map/"))
    yield from (f"/kingdoms/{kingdom.pk}/" for kingdom in campaign.kingdoms.all())
    yield from (f"/armies/{army.pk}/" for army in Army.objects.filter(campaign=campaign))
    yield from (f"/commanders/{one.pk}/" for one in Commander.objects.filter(campaign=campaign))

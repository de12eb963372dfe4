"""The table of the latest changes: made anew where an earlier version left another; a kingdom’s players move it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from kingdom.members.services import remove_member
from kingdom.models import Kingdom, LastChange
from kingdom.realms.services import found_kingdom, update_kingdom
from tests.kingdom.conftest import api_of, make_user, seat

pytestmark = pytest.mark.django_db

EARLIER = """
CREATE TABLE kingdom_lastchange (
    id uuid PRIMARY KEY, kind varchar(40) NOT NULL, thing varchar(64) NOT NULL, at timestamptz NOT NULL,
    campaign_id uuid NOT NULL, CONSTRAINT last_change_once UNIQUE (campaign_id, kind, thing)
)
"""


def test_the_table_of_an_earlier_version_gives_way(campaign, gm):
    update_kingdom(by=gm, kingdom=found_kingdom(by=gm, campaign=campaign, name="Crown"), name="Crown of Restov")
    noted = list_noted()
    assert noted
    loader = MigrationLoader(connection)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DROP TABLE kingdom_lastchange")
        cursor.execute(EARLIER)
    before = loader.project_state(("kingdom", "0044_background_pictures"))
    with connection.schema_editor(atomic=False) as editor:
        loader.get_migration("kingdom", "0045_told_changes").apply(before, editor)
    assert list_noted() == noted


def list_noted() -> list[tuple[str, str]]:
    return sorted(LastChange.objects.values_list("kind", "part"))


def test_whoever_joins_or_leaves_a_kingdom_moves_its_moment(campaign, gm):
    """Its players stand in what the API tells of a kingdom."""
    crown, other = (found_kingdom(by=gm, campaign=campaign, name=name) for name in ("Crown", "Horde"))
    alice = seat(gm, campaign, make_user("alice"), "player")
    moments = [updated(gm, crown)]
    quiet = updated(gm, other)
    for players in ([alice], [], [alice]):
        update_kingdom(by=gm, kingdom=crown, players=players)
        moments.append(updated(gm, crown))
    remove_member(by=gm, campaign=campaign, user=alice)
    moments.append(updated(gm, crown))
    assert moments == sorted(set(moments))
    assert updated(gm, other) == quiet


def test_the_same_players_again_change_nothing(campaign, gm):
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown")
    alice = seat(gm, campaign, make_user("alice"), "player")
    update_kingdom(by=gm, kingdom=crown, players=[alice])
    before = updated(gm, crown)
    update_kingdom(by=gm, kingdom=crown, players=[alice])
    assert updated(gm, crown) == before


def updated(user: Any, kingdom: Kingdom) -> str:
    return api_of(user).get(f"/api/v1/kingdoms/{kingdom.pk}/").json()["updated_at"]

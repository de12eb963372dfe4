"""The table of the latest changes: it is made anew where an earlier version left one of another shape."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from kingdom.models import LastChange
from kingdom.realms.services import found_kingdom, update_kingdom

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

"""A world that was built once is put back as it was for every test, whatever the one before did to it."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from types import SimpleNamespace

import pytest
from django.db import connection
from django.db.models import Model

from armies.models import Army
from battles.forecast import job_services
from battles.forecast.job_runner import CLERK, JobTask
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from kingdom.models.base import uuid7
from kingdom.realms.services import update_kingdom
from rules.odds.tasks import Task
from tests import databases, worlds
from tests.armies.conftest import war  # noqa: F401 - fixtures
from tests.battles.conftest import make_table
from tests.kingdom.conftest import campaign, crown, gm, make_user, table  # noqa: F401 - fixtures
from tests.worlds import built_once


def stored(thing: Model) -> dict[str, object]:
    return type(thing).objects.filter(pk=thing.pk).values().get()


def known(thing: Model) -> dict[str, object]:
    return {field.attname: getattr(thing, field.attname) for field in type(thing)._meta.concrete_fields}


def ruin(war: SimpleNamespace) -> None:  # noqa: F811
    """In the database and in this process, as a test may."""
    update_kingdom(by=war.gm, kingdom=war.crown, unrest=9)
    war.raiders.delete()
    war.levy.name = war.gm.username = "somebody else"
    war.campaign.players_may["treasury"] = "never"
    war.crown = None


@pytest.mark.parametrize("time", ["first", "second", "third"])
def test_no_test_sees_what_another_did_to_its_world(war, gm, crown, time):  # noqa: F811
    assert war.gm is gm
    assert war.crown is crown
    army = war.levy
    army.refresh_from_db()
    things = {name: thing for name, thing in vars(war).items() if isinstance(thing, Model)}
    assert (crown.unrest, army.name, gm.username) == (3, "Levy", "gm")
    assert war.campaign.players_may["treasury"] == "free"
    for name in ("gm", "ana", "stranger", "levy", "raiders", "vell"):
        assert known(things[name]) == stored(things[name]), name
    assert ChronicleEntry.objects.exists()
    ruin(war)


def test_nobody_else_finds_a_world_he_did_not_ask_for(db):
    assert not User.objects.exists()
    assert not Campaign.objects.exists()


def test_migrations_fill_no_other_table(db):
    assert {name for name, rows in worlds.everything().items() if rows} == databases.STANDING


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_a_test_committed_is_gone_after_it(transactional_db, time):
    before = worlds.everything()
    assert {name for name, rows in before.items() if rows} == databases.STANDING
    build = make_table(make_user("gm"))
    assert Army.objects.filter(pk=build.watch.pk).exists()
    databases.take_out_rows()
    assert worlds.everything() == before
    make_user("gm")


def test_who_never_leaves_a_table_is_sent_away_and_named(transactional_db, monkeypatch):
    """A run would wait for them until somebody broke it off."""
    monkeypatch.setattr(databases, "AT_WORK", 1)
    make_user("gm")
    other = connection.copy()
    try:
        other.ensure_connection()
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"SELECT username FROM {User._meta.db_table}")
        with pytest.raises(AssertionError, match=r"still at work .* SELECT username"):
            databases.take_out_rows()
    finally:
        other.close()
    assert not User.objects.exists()


def test_rows_are_put_back_to_the_last_letter(war):  # noqa: F811
    before = worlds.everything()
    statements = worlds.statements({name: set() for name in before}, before)
    with connection.cursor() as cursor:
        cursor.execute(";".join(f'DELETE FROM "{name}"' for name in before))
        assert not Kingdom.objects.exists()
        cursor.execute(statements)
    assert worlds.everything() == before


@pytest.fixture
def patched(monkeypatch):
    return monkeypatch


def test_a_world_stands_on_worlds_alone(request):
    def built_on(patched) -> None: ...

    assert built_once(built_on)
    definition = SimpleNamespace(func=built_on)
    node = SimpleNamespace(_fixtureinfo=SimpleNamespace(name2fixturedefs={"built_on": [definition]}))
    with pytest.raises(TypeError, match="patched"):
        worlds._asked(SimpleNamespace(node=node))


def test_workers_tell_each_other_what_they_remember(war, tmp_path):  # noqa: F811
    key, kept = next((key, kept) for key, kept in worlds._remembered.items() if "war" in str(kept.builds))
    worlds._tell(tmp_path / "told", kept)
    assert worlds._read(tmp_path / "told", key) == kept
    assert worlds._read(tmp_path / "nobody", key) is None
    assert worlds._name(key) != worlds._name((key[0], frozenset({("law", "'coin'")})))


def test_rows_that_the_database_numbers_are_told_to_nobody(gm, tmp_path):  # noqa: F811
    assert {"kingdom_idempotencyrecord", "account_emailaddress"} <= worlds._numbering()
    numbered = worlds.Remembered('INSERT INTO "account_emailaddress" ("id") VALUES (1);', (), b"")
    worlds._tell(tmp_path / "told", numbered)
    assert not (tmp_path / "told").exists()


def test_nobody_carries_on_with_a_job_after_its_test(gm):  # noqa: F811
    job_services.clerk.take(JobTask(uuid7(), "somebody", [Task("builtins.bool", (1,), "never")], {0: Future()}))
    databases.send_clerks_home()
    assert not job_services.clerk._errands
    assert CLERK not in {thread.name for thread in threading.enumerate()}


def test_two_runs_in_one_folder_have_a_database_each(db):
    ours = connection.settings_dict["NAME"]
    theirs = databases.nobody_elses(ours)
    databases._keepers.pop().close()
    assert theirs.startswith(ours)
    assert theirs != ours

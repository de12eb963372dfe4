"""A database of before armies and commanders had a table that every law shares: all of it is there, as it was."""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, transaction

from armies.models import Army, Commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.weeks import passage
from battles.models import Battle
from kingdom.approvals import submission as approvals_arguments
from kingdom.chronicle.last_changes import rebuild_last_changes
from kingdom.models import ApprovalRequest, Campaign, LastChange
from rules.core.dice import Pinned
from tests import databases
from tests.everyday import FULL, everyday
from tests.fixtures import asking

pytestmark = pytest.mark.django_db
PREFIX = "warhost_yesterday_"
FIXTURES = Path(asking.__file__).parent
SHARED = ("kingdom", "armies", "pathfinder", "battles")

SCHEMA = {
    "columns": """SELECT table_name, column_name, data_type, udt_name, is_nullable, column_default,
            character_maximum_length
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2""",
    "constraints": """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2""",
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2",
    "storage": """SELECT relname, reloptions FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i', 'S') ORDER BY 1""",
}


def kept(name: str) -> str:
    return lzma.decompress((FIXTURES / name).read_bytes()).decode()


DUMP = kept("before_shell.sql.xz")
THEN: dict[str, Any] = json.loads(kept("before_shell.json.xz"))
CAMPAIGN: str = THEN["campaign"]


@pytest.fixture(scope="module")
def fresh(django_db_setup, django_db_blocker) -> set[str]:
    """What the tables of a new database are like."""
    with django_db_blocker.unblock():
        return schema()


@pytest.fixture(scope="module", autouse=True)
def _yesterday(fresh, django_db_blocker) -> Iterator[None]:
    """The tests of this module read the dump, brought up to date as `make run` does it: every day after any migration
    has changed, and in the full run whatever has changed.
    """
    new = connection.settings_dict["NAME"]
    old = f"{new}_yesterday"
    digest = hashlib.sha256((databases.digest() + DUMP).encode()).hexdigest()[:16]
    with django_db_blocker.unblock():
        with patch.dict(connection.settings_dict["TEST"], TEMPLATE="template0"):  # no copy of the test database
            whole = databases.kept(PREFIX, digest, bring_up_to_date, anew=FULL)
        make(old, whole)
        turn_to(old)
    yield
    with django_db_blocker.unblock():
        turn_to(new)
        drop(old)


def bring_up_to_date() -> None:
    with connection.cursor() as cursor:
        cursor.execute(DUMP)
    connection.close()  # a dump leaves its own search path behind
    call_command("migrate", verbosity=0)


def turn_to(database: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = database


def make(database: str, whole: str) -> None:
    """A copy of the whole one, whatever the test database is a copy of."""
    drop(database)
    with patch.dict(connection.settings_dict["TEST"], TEMPLATE=whole), connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{database}" {connection.creation.sql_table_creation_suffix()}')


def drop(database: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')


ARRIVED = re.compile(r" reaches .+ on day \d+\.$")
CAST = re.compile(r"::[a-z ]+(\[\])?|[() ]")  # a dump writes a condition with others than the server was given


UNCOUNTED = re.compile(r"(?!everything/gm/)[^/]+/\w+/chronicle/\d+/seq$")
"""Gaps in the numbers of entries told players how much they were not told."""


MENDED = {("ranged", "next")}
"""Of `legal`, which tells types of commands: `ranged` is none, but a kind of `next`."""


SENTENCES = ("text", "why", "label", "detail")


def schema() -> set[str]:
    with connection.cursor() as cursor:
        rows = ((what, row) for what, query in SCHEMA.items() for row in cursor.execute(query).fetchall())
        return {CAST.sub("", f"{what}: {row}") for what, row in rows}


def _told_then(line: Any) -> bool:
    """Whether it is none of the lines that tell who arrives: nobody was told of those."""
    if not isinstance(line, dict):
        return True
    return line.get("field") not in ("away", "marching") and not ARRIVED.search(line.get("text", ""))


def _worded_anew(told: dict[str, Any]) -> set[str]:
    """Sentences, which are told in the words of today. What they tell of is compared."""
    return {name for name in SENTENCES if isinstance(told.get(name), str)}


def differences(then: Any, now: Any, place: str = "") -> Iterator[str]:
    """What is no longer what it was. A newer API may say more of a thing, never less or otherwise."""
    match then, now:
        case dict(), dict():
            for name in then.keys() - _worded_anew(then):
                yield from differences(then[name], now.get(name, "nothing"), f"{place}/{name}")
        case list(), list() if len(then) < len(now) and len(then) == len(before := [*filter(_told_then, now)]):
            yield from differences(then, before, place)
        case list(), list() if len(then) == len(now):
            for number, (was, is_now) in enumerate(zip(then, now, strict=True)):
                yield from differences(was, is_now, f"{place}/{number}")
        case _ if UNCOUNTED.match(place) and now is None:
            return
        case str(), str() if "/warnings/" in place:
            return
        case str(), str() if "/legal/" in place and (then, now) in MENDED:
            return
        case _ if then != now:
            yield f"{place}: {str(then)[:200]} → {str(now)[:200]}"


def compared(part: str, told: Any, then: Any = None) -> None:
    then = then or THEN[part]
    found = list(differences(asking.named(then, DUMP), asking.named(told, DUMP), part))
    assert not found, f"{len(found)} differ: " + "\n".join(found[:12])


def test_every_figure_battle_and_replay_is_as_it_was():
    """Every day as lists tell it to the GM; in full by what players are told, one by one, and what can be done, too."""
    if FULL:
        compared("everything", asking.everything(CAMPAIGN))
    else:
        then = {part: THEN["everything"][part] for part in ("gm", "battles")}
        battles = {battle: asking.battle_told(battle) for battle in then["battles"]}
        compared("everything", {"gm": asking.figures(CAMPAIGN), "battles": battles}, then)


@pytest.fixture
def seen(monkeypatch) -> Callable[[str], Any]:
    """What was told then of this part; every day of a whole campaign its armies, commanders and treasuries alone."""
    if FULL:
        return THEN.__getitem__
    monkeypatch.setattr(asking, "figures", asking.state)
    return lambda part: of_armies(THEN[part])


def of_armies(then: Any) -> Any:
    match then:
        case dict() if "settlements" in then:
            return {name: then[name] for name in ("armies", "commanders", "kingdoms", "stores")}
        case dict():
            return {name: of_armies(value) for name, value in then.items()}
        case list():
            return [of_armies(value) for value in then]
    return then


def test_what_was_done_is_taken_back_as_it_would_have_been(seen):
    compared("undone", asking.undone(CAMPAIGN, len(THEN["undone"]) - 1), seen("undone"))


def test_the_running_battle_is_taken_back_as_it_would_have_been():
    compared("battle undone", asking.battle_undone(THEN["running"], len(THEN["battle undone"]) - 1))


def test_the_week_passes_as_it_would_have_passed_and_is_taken_back(seen, monkeypatch):
    monkeypatch.setattr(passage, "Pinned", Pinned)  # the dice of this secret, whatever a test's usually are
    compared("lived", asking.lived(CAMPAIGN, THEN["dice"]), seen("lived"))


def test_what_players_asked_for_is_granted_with_the_rows_of_their_law(seen):
    waiting = [(one.arguments, one.campaign) for one in ApprovalRequest.objects.select_related("campaign")]
    kinds = {
        type(approvals_arguments.load_argument(one, campaign)) for given, campaign in waiting for one in given.values()
    }
    assert {kind for kind in kinds if issubclass(kind, Army | Commander)} == {PathfinderArmy, PathfinderCommander}
    compared("granted", asking.granted(CAMPAIGN), seen("granted"))


def test_its_tables_are_those_of_a_new_database(fresh):
    now = schema()
    assert (now - fresh, fresh - now) == (set(), set())


LEFT = {"kingdom_webhookdelivery": {"body": False}}  # what goes with the next release: the one before still writes it


@pytest.mark.parametrize("app", SHARED)
def test_its_tables_are_what_the_models_say(app):
    for model in apps.get_app_config(app).get_models():
        fields = model._meta.local_concrete_fields
        columns, constraints = table(model._meta.db_table)
        assert columns == {field.column: field.null for field in fields} | LEFT.get(model._meta.db_table, {}), model
        assert {one.name for one in (*model._meta.constraints, *model._meta.indexes)} <= constraints.keys(), model
        tied = {one["columns"][0]: one["foreign_key"] for one in constraints.values() if one["foreign_key"]}
        assert tied == {field.column: there(field) for field in fields if getattr(field, "db_constraint", False)}, model


def table(name: str) -> tuple[dict[str, bool], dict[str, Any]]:
    """Its columns, and whether they may be empty; its constraints and indexes."""
    look = connection.introspection
    with connection.cursor() as cursor:
        columns = {column.name: column.null_ok for column in look.get_table_description(cursor, name)}
        return columns, look.get_constraints(cursor, name)


def there(field: Any) -> tuple[str, str]:
    return field.target_field.model._meta.db_table, field.target_field.column


def test_no_model_waits_for_a_migration():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_army_and_commander_has_its_row_in_both_tables():
    assert PathfinderArmy.objects.count() == Army.objects.count() == 12
    assert PathfinderCommander.objects.count() == Commander.objects.count() == 10
    shapes = {(*sorted(army.sheet), army.sheet.get("version")) for army in Army.objects.all()}
    assert shapes == {("count", "mount", "unit", "version", 1)}


def test_it_knows_when_its_things_changed():
    """As a new database would have noted it: the migration read the chronicle."""
    noted = set(LastChange.objects.values_list("campaign", "kind", "thing", "part", "at"))
    assert {part for _campaign, _kind, _thing, part, _at in noted} >= {"", "where", "own"}
    for campaign in Campaign.objects.all():
        rebuild_last_changes(campaign)
    assert set(LastChange.objects.values_list("campaign", "kind", "thing", "part", "at")) == noted


def rows() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_app_config("pathfinder").get_models()}


@pytest.mark.parametrize("whole", everyday(["campaign", "kingdom", "army"], first=1))
def test_what_goes_takes_the_rows_of_its_law_along(whole):
    campaign = Campaign.objects.get(pk=CAMPAIGN)
    kingdom, army = campaign.kingdoms.first(), Army.objects.get(name="Wild company")
    Battle.objects.all().delete()
    left: Any = {"campaign": campaign, "kingdom": kingdom, "army": army}[whole]
    own = Army.objects.all()
    gone = {"campaign": own, "kingdom": own.filter(kingdom=kingdom), "army": own.filter(pk=army.pk)}[whole]
    ids = set(gone.values_list("pk", flat=True))
    assert ids
    with transaction.atomic():
        left.delete()
    assert not PathfinderArmy.objects.filter(pk__in=ids).exists()
    assert not Army.objects.filter(pk__in=ids).exists()
    assert not [name for name, count in rows().items() if whole == "campaign" and count]

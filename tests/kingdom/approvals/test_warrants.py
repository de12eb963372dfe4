"""Every write says who may do it; no new one is forgotten."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

import armies
import battles
import kingdom
from kingdom.access.decorators import WARRANTS, ApprovalRequested, Warrant, app_of, is_service_module, needs_approval
from kingdom.access.permissions import KINDS, Forbidden
from kingdom.approvals import submission
from kingdom.approvals.services import grant_request
from kingdom.models import campaign
from tests.databases import tried
from tests.everyday import by_turns
from tests.kingdom.approvals.conftest import DEEDS, DOCUMENT_DEEDS, PLAIN_DEEDS, UNIT_DEEDS, players_may, world_of

ALL_DEEDS = {**DEEDS, **PLAIN_DEEDS, **UNIT_DEEDS, **DOCUMENT_DEEDS}
ROOT = Path(__file__).resolve().parents[3]
APPS = (kingdom, armies, battles)
ROOMS = ("views", "api")
WRITES = {
    "save", "create", "update", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "apply",
}  # fmt: skip
# Not of the world: an answer kept for a repeated request; a list in memory; keys of a dict.
OWN_TABLES = {"kingdom/api/idempotency.py"}

FREE = {
    "armies.breaking_point": {
        "begin_assault", "begin_siege", "begin_sortie", "enter_place", "join_siege", "leave_place",
        "lift_siege", "offer_terms", "order_siege", "part_with", "surrender_place",
    },
    "battles": {
        "foretell", "forward", "look_back", "order_together", "play",
        "start_job", "start_sweep",
        "stop_job", "stop_jobs_about", "undo",
    },
    "kingdom": {
        "accept_campaign", "accept_invitation", "bring_back_version", "bring_campaign_back",
        "answer_call_offer", "choose_settings", "create_campaign", "create_share", "create_token", "delete_account",
        "delete_campaign", "delete_note", "edit_note", "end_offer", "end_other_sign_ins", "end_sign_in", "end_tour",
        "import_campaign", "join_as_guest", "keep_seat", "offer_campaign", "remove_member", "remove_picture",
        "restore_note", "revoke_share", "revoke_token", "roll_check", "save_picture", "start_import", "stop_import",
        "repeat_request", "withdraw_request", "write_note",
    },
}  # fmt: skip
"""What everybody may do, by the app of its service."""


def modules() -> Iterator[object]:
    for app in APPS:
        for found in pkgutil.walk_packages(app.__path__, f"{app.__name__}."):
            if is_service_module(found.name):
                yield importlib.import_module(found.name)


def guarded_of(warrant: Warrant) -> object:
    """The service as its module has it, with its guard."""
    return getattr(sys.modules[warrant.service.__module__], warrant.service.__name__)


def writes() -> dict[str, object]:
    """Every function of the service modules that is told who does it, by the name of its warrant."""
    listed = list(modules())
    slugs = {guarded_of(warrant): name for name, warrant in WARRANTS.items()}
    return {
        slugs.get(function, f"{app_of(module.__name__)}.{name}"): function
        for module in listed
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and "by" in inspect.signature(function).parameters
    }


def test_every_write_says_who_may_do_it():
    """A service without a decorator of `kingdom.access.decorators` is one whose leave nobody thought of."""
    assert len(writes()) > 45
    assert sorted(writes().keys() - WARRANTS.keys()) == []


def test_every_deed_a_player_may_do_is_tried_below():
    assert {name for name, warrant in WARRANTS.items() if warrant.kinds} == ALL_DEEDS.keys()


def test_every_kind_has_a_deed_and_what_needs_no_leave_says_why():
    assert {kind for warrant in WARRANTS.values() for kind in warrant.kinds} == KINDS.keys()
    assert set(campaign.KINDS) == KINDS.keys(), "what the database takes"
    assert all(warrant.kinds or warrant.why for warrant in WARRANTS.values())


def test_what_is_free_for_everybody_is_this_and_no_more():
    assert list(modules())  # all of them, whoever asked for them before
    free = {name for name, warrant in WARRANTS.items() if not warrant.kinds and warrant.why not in ("gm", "within")}
    assert free == {f"{room}.{name}" for room, names in FREE.items() for name in names}


STORED_SLUGS = [
    "armies.appoint_commander",
    "armies.assign_commander",
    "armies.breaking_point.appoint_commander",
    "armies.breaking_point.take_in_recruits",
    "armies.breaking_point.train_unit",
    "armies.breaking_point.update_commander",
    "armies.change_army",
    "armies.disband_army",
    "armies.documents.appoint_commander",
    "armies.documents.reform_armies",
    "armies.documents.update_commander",
    "armies.files.bring_in_table",
    "armies.halt_army",
    "armies.march_along",
    "armies.pathfinder.appoint_commander",
    "armies.pathfinder.assign_commander",
    "armies.pathfinder.buy_resource",
    "armies.pathfinder.change_army",
    "armies.pathfinder.disband_army",
    "armies.pathfinder.forget_boon",
    "armies.pathfinder.forget_tactic",
    "armies.pathfinder.issue_from_stores",
    "armies.pathfinder.learn_boon",
    "armies.pathfinder.march_army",
    "armies.pathfinder.place_army",
    "armies.pathfinder.promote_soldier",
    "armies.pathfinder.raise_armies",
    "armies.pathfinder.raise_army",
    "armies.pathfinder.ransom_commander",
    "armies.pathfinder.call_up_army",
    "armies.pathfinder.reform_armies",
    "armies.pathfinder.regroup_army",
    "armies.pathfinder.reserve_army",
    "armies.pathfinder.rest_army",
    "armies.pathfinder.transfer_resource",
    "armies.pathfinder.update_army",
    "armies.pathfinder.update_commander",
    "armies.place_army",
    "armies.raise_armies",
    "armies.raise_army",
    "armies.together.order_armies",
    "armies.update_army",
    "armies.update_commander",
    "kingdom.change_line",
    "kingdom.found_settlement",
    "kingdom.plan_line",
    "kingdom.put_settlement",
    "kingdom.raze_settlement",
    "kingdom.record_entry",
    "kingdom.strike_line",
    "kingdom.update_kingdom",
    "kingdom.update_settlement",
]
"""What requests that wait for leave may have kept as their command: each has to be known for ever."""


def test_a_request_that_waits_finds_its_service_by_its_slug():
    assert {name for name in STORED_SLUGS if not WARRANTS[name].kinds} == set()


def test_two_services_never_share_a_slug():
    with pytest.raises(ValueError, match=r"two services have the slug armies\.raise_army"):
        needs_approval("armies.raise_army", "raise")


def test_what_services_take_is_stored_by_these_names():
    """`kingdom.approvals.submission`: rows and named tuples are kept by the name of their class."""
    names = {
        "Army",
        "Campaign",
        "Commander",
        "Disposal",
        "Kingdom",
        "KingdomStock",
        "ReformedPart",
        "Road",
        "Settlement",
        "Share",
        "TakenTroops",
        "WantedArmy",
    }
    assert submission.list_types().keys() >= names


def test_a_warrant_of_an_unknown_kind_is_not_written():
    with pytest.raises(ValueError, match="teleport"):
        needs_approval("kingdom.teleport", "teleport")


def pages_and_api() -> Iterator[Path]:
    for app in ("kingdom", "armies", "battles"):
        for room in ROOMS:
            yield from sorted((ROOT / app).rglob(f"{room}/**/*.py"))
            yield from sorted((ROOT / app).rglob(f"{room}.py"))
            yield from sorted((ROOT / app).rglob(f"*_{room}.py"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text())))


def calls_of(path: Path) -> list[ast.expr]:
    """What is called there."""
    return [node.func for node in nodes_of(path) if isinstance(node, ast.Call)]


def test_pages_and_api_write_through_services_only():
    """They call services; a row saved or made in a view would have no warrant."""
    found = []
    for path in pages_and_api():
        name = path.relative_to(ROOT).as_posix()
        for called in () if name in OWN_TABLES else calls_of(path):
            if isinstance(called, ast.Attribute) and called.attr in WRITES:
                owner = ast.unparse(called.value)
                if "objects" in owner or (owner.islower() and called.attr == "save"):
                    found.append(f"{name}:{called.lineno} {ast.unparse(called)}")
    assert found == []


def services_called(path: Path) -> Iterator[str]:
    """What a page or an endpoint calls of the services it imports, by the names of their warrants."""
    named: dict[str, str] = {}
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if is_service_module(whole) or is_service_module(node.module):
                    named[alias.asname or alias.name] = whole
    for called in calls_of(path) if named else ():
        first, _dot, rest = dotted(called).partition(".")
        whole = f"{named[first]}.{rest}".rstrip(".") if first in named else ""
        if whole and whole.rpartition(".")[2].islower():
            yield name_of(*whole.rpartition(".")[::2])


def name_of(module: str, function: str) -> str:
    """The name of its warrant, or what it would be."""
    found = getattr(importlib.import_module(module), function, None)
    known = {guarded_of(warrant): name for name, warrant in WARRANTS.items()}
    return known.get(found, f"{app_of(module)}.{function}")


def dotted(called: ast.expr) -> str:
    """The name a call is made by, or nothing where it is made by no name."""
    names: list[str] = []
    while isinstance(called, ast.Attribute):
        names.append(called.attr)
        called = called.value
    return ".".join([called.id, *reversed(names)]) if isinstance(called, ast.Name) else ""


def test_pages_and_api_call_no_service_without_a_warrant():
    names = {name for path in pages_and_api() for name in services_called(path)}
    reads = {
        f"armies.pathfinder.{name}"
        for name in (
            "combine",
            "preview_disband",
            "preview_reform",
            "preview_regroup",
            "reckon_march",
            "get_army_actor",
            "get_kingdom_actor",
        )
    }
    reads.add("armies.preview_reform")
    # they count attempts and uses, and change nothing else
    tries = {"password_was_right", "try_password", "knock", "wait_at", "note_failed", "update_last_used"}
    doors = {f"kingdom.{name}" for name in tries}
    assert len(names) > 40
    assert sorted(names - WARRANTS.keys() - reads - doors) == []


def do(court, name, by=None):
    found = WARRANTS[name].service
    service = getattr(sys.modules[found.__module__], found.__name__)  # with its guard
    return service(by=by or court.ana, **ALL_DEEDS[name](court))


@pytest.fixture
def court_of(court, plain_court, unit_court, wing_court):
    """Where a deed is done: in a campaign of its law."""
    courts = ((PLAIN_DEEDS, plain_court), (UNIT_DEEDS, unit_court), (DOCUMENT_DEEDS, wing_court))
    return lambda name: next((found for deeds, found in courts if name in deeds), court)


def all_set(court, choice):
    """Everything else of it was read when it was built, and nothing changed since."""
    players_may(court, **dict.fromkeys(KINDS, choice))
    court.campaign.refresh_from_db()
    return court


def deeds(way):
    """Every deed; every day a third of them this way: what a warrant asks before a deed is the same for all. By leave
    each is done every day.
    """
    return [name for name in ALL_DEEDS if way in by_turns(name, ("freely", "the GM", "neither"))]


@pytest.fixture
def set_to(court, plain_court, unit_court, wing_court):
    """Sets every kind of deed to a choice, whatever the law; the answer is the world as it then is."""

    def setting(choice):
        for each in (court, plain_court, unit_court, wing_court):
            all_set(each, choice)
        return world_of()

    return setting


def test_freely_means_at_once(court_of, set_to):
    before = set_to("free")
    for name in deeds("freely"):
        with tried():
            do(deepcopy(court_of(name)), name)
            assert world_of() != before, name


def test_by_leave_means_that_nothing_happens_until_the_gm_grants_it(court_of, set_to):
    before = set_to("ask")
    waiting = {name: asked(deepcopy(court_of(name)), name) for name in ALL_DEEDS}
    assert world_of() == before
    for name, petition in waiting.items():
        with tried():
            grant_request(by=court_of(name).gm, petition=petition)
            assert world_of() != before, name


def asked(court, name):
    """What waits for the GM now."""
    with pytest.raises(ApprovalRequested) as made:
        do(court, name)
    petition = made.value.petition
    assert (petition.status, petition.by, petition.kind in WARRANTS[name].kinds) == ("waiting", court.ana, True), name
    assert petition.kingdoms == [court.crown.pk], name
    assert petition.changes, name
    return petition


def test_not_at_all_means_never(court_of, set_to):
    before = set_to("no")
    for name in ALL_DEEDS:
        with pytest.raises(Forbidden, match="only the GM can do this"):
            do(court_of(name), name)
    assert world_of() == before


def test_the_gm_needs_no_leave(court_of, set_to):
    before = set_to("no")
    for name in deeds("the GM"):
        with tried():
            court = deepcopy(court_of(name))
            do(court, name, by=court.gm)
            assert world_of() != before, name

"""What keeps the everyday run short: dear things that no test looks at are done by a cheaper way to the same end.

    @pytest.mark.parametrize("law", everyday(LAWS, first=1))

gives every case of a matrix to `make test-full` and its first to `make test`. Tests under several laws need no such
thing: what asks for a `driver` is tried every day under one law, by turns, every second one under the law most are
played by; `@under(*FORETOLD)` leaves out the laws that have nothing of what it tries.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.test.client import ClientMixin
from django.utils.crypto import get_random_string

from config.accounts.adapter import SessionStore
from kingdom.models import SignIn
from rules.breaking_point.forecast import exact
from rules.breaking_point.forecast import simulate as host
from rules.breaking_point.workshop.workshop_law import HostWorkshop
from rules.core.workshop import WorkshopLaw
from rules.odds import tasks
from rules.pathfinder.forecast import choices, simulate

FULL = os.environ.get("HYPOTHESIS_PROFILE") == "full"
FOREMOST = "combat-de-masse"
OF_THE_RULES = Path(__file__).resolve().parent / "rules"
under = pytest.mark.under
VALID = "abcdefghijklmnopqrstuvwxyz0123456789"


def everyday(cases: Sequence[Any], *, first: int = 0, keep: Callable[[Any], bool] = lambda case: False) -> list[Any]:
    """All of them, of which the first and those to keep are tried every day and the others in the full run.

    A case that is itself a tuple stands in another one.
    """
    kept = [place < first or keep(case) for place, case in enumerate(cases)]
    marks = {True: (), False: pytest.mark.slow}
    return [pytest.param(*_values(case), marks=marks[stays]) for case, stays in zip(cases, kept, strict=True)]


def at_most[Much](number: Much, *, full: Much) -> Much:
    """So many every day, and so many in the full run: examples, phases a battle is followed, who asks for what."""
    return full if FULL else number


def spread[Case](cases: Sequence[Case], number: int) -> Sequence[Case]:
    """So many of them every day: the first, the last and others at even steps. All of them in the full run."""
    if FULL or len(cases) <= number:
        return cases
    return [cases[round(place * (len(cases) - 1) / (number - 1))] for place in range(number)]


FEW = {  # of what a forecast throws, enough to draw a page of it
    (simulate, "WORK"): at_most(20_000, full=60_000),
    (simulate, "PLAYED_WORK"): at_most(200, full=600),
    (simulate, "FIRST"): at_most(64, full=128),
    (simulate, "FEWEST_FIRST"): at_most(64, full=128),
    (exact, "MOST_WORK"): at_most(2_000, full=exact.MOST_WORK),
    (host, "WORK"): at_most(200, full=2_700),
    (host, "WORK_AT_ONCE"): at_most(160, full=2_400),
    (host, "FEWEST"): at_most(8, full=host.FEWEST),
    (WorkshopLaw, "thrown"): at_most(100, full=200),
    (HostWorkshop, "thrown"): at_most(12, full=40),
    (HostWorkshop, "swept"): 20,
    (tasks, "SLICES"): at_most((tasks.BattleRange(0, 2),), full=(tasks.BattleRange(0, 3), tasks.BattleRange(3, 3))),
    (choices, "BATTLES"): at_most(30, full=60),
}


def by_turns[Case](where: str, alike: Sequence[Case]) -> Sequence[Case]:
    """Of those that are treated alike there: every day one, by where it is, so that each has its turn in one run; in
    the full run all of them.
    """
    return alike if FULL else alike[crc32(where.encode()) % max(1, len(alike)) :][:1]


def pytest_itemcollected(item: Any) -> None:
    if law := _driven(item):
        laws = item._fixtureinfo.name2fixturedefs["driver"][-1].params
        if law not in laws_of_the_day(item.nodeid.partition("[")[0], [slug for slug in laws if _tries(item, slug)]):
            item.add_marker(pytest.mark.slow)


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Under a law that has nothing of what it tries a test is none. No test waits for what would do nothing for it."""
    items[:] = [item for item in items if not (law := _driven(item)) or _tries(item, law)]
    for item in (one for one in items if hasattr(one, "fixturenames")):
        item.fixturenames = [name for name in item.fixturenames if name not in FOR_SOME or _does_something(name, item)]


# What pytest-django has for every test, and what makes it do anything: a fixture of this name, or a marker.
FOR_SOME = {
    "_live_server_helper": "live_server",
    "_django_db_marker": "django_db",
    "_django_set_urlconf": "urls",
    "_django_isolate_apps": "django_isolate_apps",
    "_template_string_if_invalid_marker": "ignore_template_errors",
    "_django_clear_site_cache": "sites",
    "_django_setup_unittest": "",
}


def _does_something(fixture: str, item: Any) -> bool:
    wanted = FOR_SOME[fixture]
    if not wanted:  # it asks the class
        return hasattr(item.cls, "databases")
    return wanted in item.fixturenames or item.get_closest_marker(wanted) is not None


def _driven(item: Any) -> str:
    return item.callspec.params.get("driver", "") if hasattr(item, "callspec") else ""


def _tries(item: Any, law: str) -> bool:
    said = item.get_closest_marker("under")
    return said is None or law in said.args


def laws_of_the_day(test: str, laws: Sequence[str]) -> set[str]:
    """Under which of these laws a test is tried every day: however many there are, all of them have their turn, and the
    foremost every second one.
    """
    others, turn = sorted({*laws} - {FOREMOST}), crc32(test.encode())
    if FOREMOST in laws and (turn % 2 or not others):
        return {FOREMOST}
    return {*others[turn // 2 % max(1, len(others)) :][:1]}


def _values(case: Any) -> tuple[Any, ...]:
    return tuple(case) if isinstance(case, tuple | list) else (case,)


MANY = {place: getattr(*place) for place in FEW}  # as anybody gets it
_thrown = [MANY]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Whoever asks for a forecast through the server gets one that threw few. What one is worth, the tests of the rules
    hold.
    """
    wanted = MANY if item.path.is_relative_to(OF_THE_RULES) else FEW
    if _thrown[-1] is not wanted:
        _thrown[:] = [wanted]
        for (room, name), much in wanted.items():
            setattr(room, name, much)


@pytest.fixture(autouse=True, scope="session")
def _signed_in_by_a_row() -> Iterator[None]:
    """`force_login` writes the session Django's would have written, once instead of three times."""
    whole = ClientMixin._login  # type: ignore[attr-defined]

    def sign_in(client: Any, user: Any, backend: str | None = None) -> None:
        if backend is None or settings.SESSION_COOKIE_NAME in client.cookies:
            whole(client, user, backend)
        else:
            session = SimpleNamespace(session_key=opened_session(user, backend))
            client._set_login_cookies(SimpleNamespace(session=session))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientMixin, "_login", sign_in)
        yield


def opened_session(user: Any, backend: str) -> str:
    """The key of a new session of theirs, noted as such: their first page writes nothing."""
    pk = user._meta.pk.value_to_string(user)
    kept = {SESSION_KEY: pk, BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: user.get_session_auth_hash()}
    store, key = SessionStore(), get_random_string(32, VALID)
    Session(session_key=key, session_data=store.encode(kept), expire_date=store.get_expiry_date()).save(
        force_insert=True
    )
    SignIn.objects.create(session_id=key, user_id=user.pk)
    return key

"""kill -9 at any moment of a deed: all of it was saved or nothing, and to send it again does it once."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import pytest

from tests.config.house import Answer, Postgres, until
from tests.faults.report import rounds, spread, told
from tests.faults.site import Site

pytestmark = pytest.mark.slow
KILLS, DATABASE_KILLS = 20, 10


@pytest.fixture(scope="module")
def alone(home: Path) -> Iterator[Site]:
    """One process, so that the one that is killed is the one that works."""
    with Site(home) as found:
        yield found


class Deed(Protocol):
    """Something sent with a key. `count`: how often such a thing has been done, as the site tells it."""

    def send(self, key: str) -> Answer: ...
    def count(self) -> int: ...
    def sound(self) -> None: ...


class Resolving:
    """A phase of a battle, taken back before the next time."""

    def __init__(self, site: Site):
        self.site, self.battle = site, site.battle()
        self.version = site.version(self.battle)

    def send(self, key: str) -> Answer:
        return self.site.command(self.battle, "resolve", self.version, key)

    def count(self) -> int:
        return self.site.version(self.battle)

    def sound(self) -> None:
        assert self.site.json(f"battles/{self.battle}/events/")["results"]
        assert self.site.command(self.battle, "undo", self.count()).status == 200
        self.version = self.count()


class Week:
    """Seven days of a campaign."""

    def __init__(self, site: Site):
        self.site, self.campaign = site, site.campaign
        self.kingdoms = site.json(f"kingdoms/?campaign={self.campaign}")["results"]
        self.propose()

    def propose(self) -> None:
        answer = self.site.post(f"campaigns/{self.campaign}/advance/", {"days": 7, "confirm": False})
        assert answer.status == 200, answer.body[:500]
        self.body = {"days": 7, "confirm": True, "mark": answer.json["mark"]}

    def send(self, key: str) -> Answer:
        return self.site.post(f"campaigns/{self.campaign}/advance/", self.body, key)

    def count(self) -> int:
        return int(self.site.json(f"campaigns/{self.campaign}/")["day"]) // 7

    def sound(self) -> None:
        for kingdom in self.kingdoms:
            paid = sum(entry["amount"] for entry in self.site.every(f"kingdoms/{kingdom['id']}/ledger/?limit=200"))
            assert paid == self.site.json(f"kingdoms/{kingdom['id']}/")["treasury"]
        self.propose()


class Import:
    """A campaign's document brought in."""

    def __init__(self, site: Site):
        self.site = site
        self.document = site.json(f"campaigns/{site.campaign}/export/")
        self.forgiven()

    def forgiven(self) -> None:
        """As if nobody had brought in anything: so many in an hour are let nobody."""
        with Postgres(self.site.home).connect() as line:
            line.execute("DELETE FROM kingdom_tally")

    def send(self, key: str) -> Answer:
        return self.site.post("campaigns/import/", self.document, key)

    def count(self) -> int:
        return sum(1 for _each in self.site.every("campaigns/?limit=200"))

    def sound(self) -> None:
        """The one that came in last is whole."""
        self.forgiven()
        newest = max(self.site.every("campaigns/?limit=200"), key=lambda one: one["id"])
        again = self.site.json(f"campaigns/{newest['id']}/export/")
        assert {part: len(rows) for part, rows in again.items() if isinstance(rows, list)} == {
            part: len(rows) for part, rows in self.document.items() if isinstance(rows, list)
        }


DEEDS: dict[str, Callable[[Site], Any]] = {"resolve": Resolving, "week": Week, "import": Import}


def broken_off(deed: Deed, key: str, after: float, strike: Callable[[], None]) -> None:
    """Send it and strike so many seconds later, whatever it comes to."""

    def send() -> None:
        with suppress(OSError, http.client.HTTPException):
            deed.send(key)

    thread = threading.Thread(target=send)
    thread.start()
    time.sleep(after)
    strike()
    thread.join()


def whole_or_nothing(deed: Deed, usual: float, strike: Callable[[], None]) -> bool:
    """Whether it had been done when it was struck; it is done once when it is sent again."""
    before, key = deed.count(), uuid4().hex
    broken_off(deed, key, random.uniform(0, 1.2 * usual), strike)
    struck = deed.count()
    assert struck in (before, before + 1)
    again = deed.send(key)
    assert again.status in (200, 201), again.body[:500]
    assert deed.count() == before + 1
    deed.sound()
    return struck > before


def usual(deed: Deed) -> float:
    """Seconds it takes when nobody strikes."""
    answer = deed.send(uuid4().hex)
    assert answer.status in (200, 201), answer.body[:500]
    deed.sound()
    return answer.seconds


@pytest.mark.parametrize("name", DEEDS)
def test_a_server_killed_at_any_moment_leaves_nothing_half_done(alone: Site, name: str) -> None:
    deed = DEEDS[name](alone)
    length, back, done = usual(deed), [], 0
    for _round in range(rounds(KILLS)):

        def strike() -> None:
            began = time.monotonic()
            alone.killed()
            back.append(time.monotonic() - began)

        done += whole_or_nothing(deed, length, strike)
    told(f"kill -9 of the server in {name}", rounds=rounds(KILLS), saved=done, half=0, **spread(back))


@pytest.mark.parametrize("name", DEEDS)
def test_a_database_killed_at_any_moment_leaves_nothing_half_done(alone: Site, name: str) -> None:
    deed, postgres = DEEDS[name](alone), Postgres(alone.home)
    length, back, done = usual(deed), [], 0
    for _round in range(rounds(DATABASE_KILLS)):
        starts = postgres.starts()

        def strike(starts: int = starts) -> None:
            postgres.kill()
            began = time.monotonic()
            until(lambda: postgres.starts() > starts)
            until(lambda: alone.house.ask("/readyz/").status == 200)
            back.append(time.monotonic() - began)

        done += whole_or_nothing(deed, length, strike)
    told(f"kill -9 of PostgreSQL in {name}", rounds=rounds(DATABASE_KILLS), saved=done, half=0, **spread(back))

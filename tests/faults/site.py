"""A site with the demonstration campaign and its first user, asked by programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from tests.config.house import ROOT, Answer, House

BUSY = ("closed", "setup")


class Site:
    """What serves may be killed and started again: the home and the token stay. Nobody counts what is asked of it:
    here one program asks more than the limits let anybody.
    """

    def __init__(self, home: Path, root: Path = ROOT, **environ: str):
        self.home, self.root, self.environ = home, root, {"WARHOST_DEMO": "on", "WARHOST_THROTTLE": "off", **environ}
        self.house = House(home, root, **self.environ)

    def __enter__(self) -> Self:
        self.house.ready()
        self.token = self.house.token()
        return self

    def __exit__(self, *exc: object) -> None:
        self.house.stop()

    def killed(self) -> None:
        """kill -9 of what serves; it is started again by the same command."""
        self.house.process.kill()
        self.house.process.wait()
        self.house.output.close()
        self.house = House(self.home, self.root, **self.environ).ready()

    def ask(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
        return self.house.ask(f"/api/v1/{path}", method, body, Authorization=self.token, **headers)

    def post(self, path: str, body: Any, key: str = "", **headers: str) -> Answer:
        return self.ask(path, "POST", body, Idempotency_Key=key or uuid4().hex, **headers)

    def json(self, path: str) -> Any:
        answer = self.ask(path)
        assert answer.status == 200, answer.body[:500]
        return answer.json

    def every(self, path: str) -> Iterator[dict[str, Any]]:
        """The rows of all pages of a list."""
        following: str | None = path
        while following:
            page = self.json(following)
            yield from page["results"]
            following = page["next"] and page["next"].partition("/api/v1/")[2]

    @property
    def campaign(self) -> str:
        return str(self.json("campaigns/")["results"][0]["id"])

    def battle(self) -> str:
        """One that awaits its next phase."""
        found = self.json(f"battles/?campaign={self.campaign}")["results"]
        return next(str(one["id"]) for one in found if one["status"] not in BUSY)

    def version(self, battle: str) -> int:
        return int(self.json(f"battles/{battle}/")["version"])

    def command(self, battle: str, kind: str, version: int, key: str = "") -> Answer:
        return self.post(f"battles/{battle}/commands/", {"type": kind}, key, If_Match=f'"{version}"')


def at_once[T](count: int, deed: Callable[[int], T]) -> list[T]:
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(deed, range(count)))

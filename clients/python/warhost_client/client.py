"""Client of a Warhost site: every operation, and what makes an evening short to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, Self, TypedDict, cast

import httpx

from warhost_client import types as t
from warhost_client.live import News, follow
from warhost_client.operations import Operations
from warhost_client.problems import DiceNeeded, Stale

if TYPE_CHECKING:
    from typing_extensions import TypeIs

type Throw = Callable[[list[t.Ask]], list[t.DieInputRequest]]
"""Throws the dice a command asks for: at the table, in a chat, by chance."""
EVENTS = 200


class Page[T](TypedDict):
    """One page of any list of the API."""

    next: str | None
    results: list[T]


class Warhost(Operations):
    """A Warhost site as the owner of one token sees it. `language`: of texts in answers, never of names in the API."""

    @classmethod
    def sign_in(
        cls, site: str, username: str, password: str, body: t.TokenInputRequest | None = None, **options: Any
    ) -> Self:
        """Return a client with a new token, made for a password. The token stays until it ends or is revoked."""
        with cls(site, **options) as nobody:
            made: t.Token = nobody.call("POST", "/api/v1/auth/token/", body=body or {}, auth=(username, password))
        return cls(site, made["token"], **options)

    def each[T](self, page: Page[T]) -> Iterator[T]:
        """Yield the rows of a list, this page's and those of the pages after it."""
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            page = self.call("GET", httpx.URL(page["next"]).raw_path.decode())

    def battle(self, id: str) -> Battle:
        return Battle(self, self.battles_retrieve(id))

    def open_battle(self, body: t.BattleInputRequest) -> Battle:
        return Battle(self, self.battles_create(body))

    def follow(self, kind: Literal["battle", "campaign"], id: str, version: int | None = None) -> Iterator[News]:
        """Yield news of a battle or campaign as they happen (`warhost_client.live.follow`)."""
        return follow(self, kind, id, version)


class Battle:
    """A battle at the version last seen. Commands name that version, and the answer brings the next one."""

    def __init__(self, site: Warhost, state: t.Battle):
        self._site = site
        self.id: str = state["id"]
        self.state = state

    @property
    def version(self) -> int:
        return self.state["version"]

    @property
    def status(self) -> str:
        """`setup`, `running`, `aftermath` or `closed`."""
        return self.state["status"]

    def read(self) -> t.Battle:
        """Read the battle again and return its present state."""
        self.state = self._site.battles_retrieve(self.id)
        return self.state

    def command(self, command: t.CommandInputRequest, throw: Throw | None = None) -> t.Answer:
        """Give a command; return the battle after it, with what happened.

        With `throw` every die is asked for: it gets the dice that are needed and returns their faces, once more for
        dice that those lead to. Without, the site rolls. Raises `Stale` if the battle has moved on (`read` it, look,
        and decide again), `Illegal` for what is not legal now.
        """
        sent = {**command, "ask": True} if throw else {**command}
        while True:
            try:
                asked = cast("t.CommandInputRequest", sent)
                answer = self._site.battles_commands_create(self.id, asked, if_match=self.version)
            except DiceNeeded as needed:
                if throw is None:
                    raise
                sent["dice"] = [*cast("list[Any]", sent.get("dice") or []), *throw(needed.asks)]
            else:
                self.state = cast("t.Battle", answer)
                return answer

    def command_now(self, command: t.CommandInputRequest, throw: Throw | None = None) -> t.Answer:
        """Give a command in whatever version the battle is: for what means the same whoever came first."""
        while True:
            try:
                return self.command(command, throw)
            except Stale:
                self.read()

    def settle(self, choices: dict[str, str | None] | None = None, throw: Throw | None = None) -> t.Answer:
        """Propose the aftermath of a battle that is over, confirm it as proposed, and return the closed battle."""
        chosen = choices or {}
        self.command({"type": "aftermath", "confirm": False, "choices": chosen}, throw)
        return self.command({"type": "aftermath", "confirm": True, "choices": chosen}, throw)

    def events(self, after: int = 0) -> Iterator[t.Event]:
        """Yield what happened, in order; only what came after an event, by its `seq`."""
        return self._site.each(self._site.battles_events_retrieve(self.id, after=after, limit=EVENTS))

    def follow(self) -> Iterator[t.Battle]:
        """Yield the battle as it is, then again whenever it has changed."""
        yield self.state
        for news in self._site.follow("battle", self.id, self.version):
            if news.version is None or news.version != self.version:
                yield self.read()


def is_request(answer: object) -> TypeIs[t.ApprovalRequest]:
    """Whether an answer is a request for the GM's approval: nothing has been done yet."""
    return isinstance(answer, dict) and answer.keys() >= t.ApprovalRequest.__required_keys__

"""The Discord bot of the docs, run as a program of its own beside a stand-in for Discord."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from battles.models import Battle
from tests.battles.conftest import Client, make_table, open_ford, seat_everybody
from tests.browsing import PATIENCE, Server
from tests.kingdom.conftest import key_of, make_user

ROOT = Path(__file__).resolve().parents[2]
BOT = ROOT / "clients" / "python" / "examples" / "discord_bot.py"
CHANNEL = "42"


class Discord(ThreadingHTTPServer):
    """One channel: what was said there, oldest first, and how often it was read. Its first answer asks to wait."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.said: list[dict[str, Any]] = []
        self.reads = 0
        self.busy = True
        self._saying = Lock()

    def say(self, content: str, *, bot: bool = False, picture: bytes | None = None) -> None:
        author = {"username": "ana", **({"bot": True} if bot else {})}
        with self._saying:  # the bot's thread and the test's: no two messages have one id
            self.said.append({"id": str(len(self.said) + 1), "content": content, "author": author, "picture": picture})

    @property
    def told(self) -> list[str]:
        """What the bot said."""
        return [message["content"] for message in self.said if message["author"].get("bot")]


class Handler(BaseHTTPRequestHandler):
    server: Discord

    def log_message(self, *_words: Any) -> None:
        pass

    def answer(self, status: int, body: Any) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def asked(self) -> dict[str, list[str]] | None:
        """The query of a request that is let in."""
        address = urlsplit(self.path)
        if address.path != f"/channels/{CHANNEL}/messages" or self.headers["Authorization"] != "Bot sesame":
            return self.answer(401, {"message": "401: Unauthorized"})
        if self.server.busy:
            self.server.busy = False
            return self.answer(429, {"retry_after": 0.0})
        return parse_qs(address.query)

    def do_GET(self) -> None:
        if (asked := self.asked()) is not None:
            after, most = int(asked.get("after", ["0"])[0]), int(asked["limit"][0])
            fresh = [
                {name: value for name, value in message.items() if name != "picture"}
                for message in self.server.said[after:]
            ]
            self.answer(200, fresh[::-1][:most])
            self.server.reads += 1

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.asked() is not None:
            sent = message_from_bytes(f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode() + body)
            parts = {part.get_param("name", header="Content-Disposition"): part for part in sent.get_payload()}
            words = json.loads(parts["payload_json"].get_payload(decode=True))
            assert words["allowed_mentions"] == {"parse": []}
            picture = parts["files[0]"].get_payload(decode=True) if "files[0]" in parts else None
            self.server.say(words["content"], bot=True, picture=picture)
            self.answer(200, self.server.said[-1]["id"])


@pytest.fixture
def discord() -> Iterator[Discord]:
    standing_in = Discord()
    Thread(target=standing_in.serve_forever, daemon=True).start()
    yield standing_in
    standing_in.shutdown()
    standing_in.server_close()


@pytest.fixture
def bot(server: Server, discord: Discord, tmp_path: Path) -> Iterator[SimpleNamespace]:
    """The bot on a battle just begun, with a viewer's token that reads and one of the GM that plays."""
    table = seat_everybody(make_table(make_user("gm")))
    gm = Client(table.gm, open_ford(table))
    gm.ok(type="next")
    discord.say("!resolve", bot=False)  # said before the bot came
    known = {
        "DISCORD_API": f"http://127.0.0.1:{discord.server_port}", "DISCORD_CHANNEL": CHANNEL,
        "DISCORD_TOKEN": "sesame", "WARHOST": server.url, "WARHOST_BATTLE": str(gm.battle.pk),
        "WARHOST_READER_TOKEN": key_of(table.viewer, scope="read"),
        "WARHOST_GM_TOKEN": key_of(table.gm, scope="play"), "PYTHONPATH": str(ROOT / "clients" / "python"),
    }  # fmt: skip
    errors = (tmp_path / "errors").open("w+")
    program = subprocess.Popen([sys.executable, str(BOT)], env={**os.environ, **known}, stderr=errors)

    def until(met: Callable[[], bool]) -> None:
        """Wait for the bot, as long as it runs."""
        deadline = time.monotonic() + PATIENCE
        while not met():
            assert program.poll() is None, Path(errors.name).read_text()
            assert time.monotonic() < deadline, discord.told
            time.sleep(0.05)

    until(lambda: discord.reads >= 2)
    events = lambda: gm.api.get(f"{gm.url}events/").json()["results"]  # noqa: E731
    yield SimpleNamespace(gm=gm, table=table, until=until, events=events)
    program.kill()
    program.wait()
    errors.close()


def test_it_takes_the_dice_of_the_channel_and_tells_what_they_did(bot, discord):
    assert discord.told == [], "what was said before is not done"
    discord.say("!resolve")
    bot.until(lambda: Battle.objects.get().version == 3)
    bot.gm.ok(type="order", army=str(bot.table.raiders.pk), target=None)
    discord.say("!resolve 15")
    bot.until(lambda: Battle.objects.get().version == 5)
    bot.until(lambda: "Ranged phase 1 ends." in discord.told)
    assert any("of Ironwatch" in words and "Raiders" in words for words in discord.told), discord.told
    thrown = [roll for event in bot.events() for roll in event["rolls"]]
    assert [(roll["source"], roll["values"]) for roll in thrown] == [("typed", [15])]


def test_it_asks_for_dice_that_are_missing_and_says_what_the_site_refuses(bot, discord):
    bot.gm.ok(type="resolve")
    discord.say("!resolve 21")
    bot.until(lambda: any(words.startswith("400 ") for words in discord.told))
    missed = {"army": str(bot.table.watch.pk), "roll": "attack", "values": [2]}
    bot.gm.ok(type="resolve", dice=[missed])  # nobody falls, and both attack in melee
    version = Battle.objects.get().version
    discord.say("!resolve 15")
    bot.until(lambda: any(words.startswith("Throw d20 (") for words in discord.told))
    assert Battle.objects.get().version == version
    discord.say("Good luck!")
    discord.say("!resolve")
    bot.until(lambda: Battle.objects.get().version > version)


def test_it_shows_a_picture_when_the_battle_is_over_and_tells_nothing_its_reader_may_not_know(bot, discord):
    bot.gm.ok(type="order", army=str(bot.table.watch.pk), tactic="standard")
    bot.gm.ok(type="end", winner="Crown", reason="The horde has had enough.")
    bot.until(lambda: "It is over." in discord.told)
    shown = next(message for message in discord.said if message["content"] == "It is over.")
    assert shown["picture"].startswith(b"\x89PNG")
    assert not any("tandard" in words for words in discord.told)

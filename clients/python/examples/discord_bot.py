"""A bot that tells a Discord channel of a battle and takes its dice: “!resolve 14 9” there resolves the phase."""

import json
import os
import re
import time
from typing import Any

import httpx
from warhost_client import Problem, Warhost
from warhost_client import types as t

API = os.environ.get("DISCORD_API", "https://discord.com/api/v10")
MESSAGES = f"{API}/channels/{os.environ['DISCORD_CHANNEL']}/messages"
DISCORD = httpx.Client(headers={"Authorization": f"Bot {os.environ['DISCORD_TOKEN']}"}, timeout=30)
READER, GM = (Warhost(os.environ["WARHOST"], os.environ[f"WARHOST_{who}_TOKEN"]) for who in ("READER", "GM"))
BATTLE = READER.battle(os.environ["WARHOST_BATTLE"])


def ask(method: str, **sent: Any) -> Any:
    while (answer := DISCORD.request(method, MESSAGES, **sent)).status_code == 429:
        time.sleep(answer.json()["retry_after"])
    return answer.raise_for_status().json()


def say(text: str, picture: bytes | None = None) -> None:
    words = json.dumps({"content": text[:2000], "allowed_mentions": {"parse": []}})
    files = {"files[0]": ("battle.png", picture)} if picture else {}
    ask("POST", files={"payload_json": (None, words), **files})


def resolve(faces: list[int]) -> None:
    def throw(asks: list[t.Ask]) -> list[t.DieInputRequest]:
        if len(faces) < len(asks):
            raise ValueError("Throw " + ", ".join(f"{one['die']} ({one['label']})" for one in asks))
        return [{"army": one["army"], "roll": one["roll"], "values": [faces.pop(0)]} for one in asks]

    GM.battle(BATTLE.id).command_now({"type": "resolve"}, throw if faces else None)


last = next((message["id"] for message in ask("GET", params={"limit": 1})), "0")
seen, over = max((event["seq"] for event in BATTLE.events()), default=0), BATTLE.status == "aftermath"
while True:
    for message in reversed(ask("GET", params={"after": last, "limit": 100})):
        last = message["id"]
        if message["content"].startswith("!resolve") and not message["author"].get("bot"):
            try:
                resolve([int(face) for face in re.findall(r"\d+", message["content"])])
            except (Problem, ValueError) as refused:
                say(str(refused))
    now = BATTLE.read()
    for event in BATTLE.events(after=seen):
        seen = event["seq"]
        say(event["text"])
    was, over = over, now["status"] == "aftermath"
    if over and not was:
        say("It is over.", GM.campaigns_shares_picture_retrieve(now["campaign"], kind="live", thing=BATTLE.id))
    time.sleep(2)

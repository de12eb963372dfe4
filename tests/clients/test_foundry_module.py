"""The module for Foundry VTT: its own tests run, and the answers they use are those of our API."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import Any

import pytest

from armies.pathfinder.armies.services import teach_tactic
from kingdom.campaign.services import update_campaign
from tests.battles.conftest import Client, api_of, open_ford, table  # noqa: F401 - a fixture
from tests.test_house import ROOT

MODULE = ROOT / "clients/foundry"
ANSWERS = MODULE / "test/fixtures/answers.json"
WRITES = "WARHOST_WRITE_FIXTURES"
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
MARK = re.compile(r'"mark": "[0-9a-f]{32}"')
USED = {
    "campaigns": ("id", "name", "ruleset", "role"), "kingdoms": ("id", "name"), "armies": ("id", "name", "kingdom"),
    "battles": ("id", "name", "status"),
    "events": ("seq", "type", "army", "target", "text", "rolls", "numbers", "undone"),
}  # fmt: skip
"""Members of lists that the module reads."""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_modules_own_tests_pass():
    done = subprocess.run(["node", "--test"], cwd=MODULE, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-5000:]
    assert int(re.search(r"^# pass (\d+)", done.stdout, re.MULTILINE)[1]) > 20


def test_the_manifest_names_files_that_are_there():
    manifest = json.loads((MODULE / "module.json").read_text())
    named = [*manifest["esmodules"], *(one["path"] for one in manifest["languages"])]
    assert [name for name in named if not (MODULE / name).is_file()] == []
    assert manifest["id"] == "warhost"


@pytest.mark.django_db
def test_the_answers_its_tests_use_are_those_of_the_api(table):  # noqa: F811
    """After a change of the API: WARHOST_WRITE_FIXTURES=1 writes them anew."""
    answers = settled(answered(table))
    if os.environ.get(WRITES):
        ANSWERS.write_text(json.dumps(answers, ensure_ascii=False, indent=1) + "\n")
    assert json.loads(ANSWERS.read_text()) == answers


def answered(table: Any) -> dict[str, Any]:  # noqa: F811
    """What the module asks in an evening: actors out, a changed one in, and two phases of a battle."""
    teach_tactic(by=table.gm, army=table.watch, tactic="taunt", granted=False)
    update_campaign(by=table.gm, campaign=table.campaign, name="Marches of <Restov>")
    api, campaign = api_of(table.gm), table.campaign.pk
    battle = open_ford(table)
    found = {
        "campaigns": api.get("/api/v1/campaigns/").json(),
        "kingdoms": api.get(f"/api/v1/kingdoms/?campaign={campaign}").json(),
        "armies": api.get(f"/api/v1/armies/?campaign={campaign}").json(),
        "battles": api.get(f"/api/v1/battles/?campaign={campaign}").json(),
        "kingdom_actor": api.get(f"/api/v1/kingdoms/{table.crown.pk}/foundry/").json(),
        "army_actor": api.get(f"/api/v1/armies/{table.spare.pk}/foundry/").json(),
        "tactics_actor": api.get(f"/api/v1/armies/{table.watch.pk}/foundry/").json(),
    }
    return found | _sent(api, campaign, found["army_actor"]) | _fought(table, battle)


def _sent(api: Any, campaign: Any, actor: dict[str, Any]) -> dict[str, Any]:
    url, changed = f"/api/v1/campaigns/{campaign}/foundry/", json.loads(json.dumps(actor))
    changed["system"]["morale"]["base"] = 2
    body = {"file": json.dumps([changed])}
    wrong = {"file": json.dumps([{**changed, "system": {**changed["system"], "hd": "d7"}}])}
    proposal = api.post(url, body).json()
    done = api.post(url, {**body, "confirm": True, "mark": proposal["mark"]}).json()
    stale = api.post(url, {**body, "confirm": True, "mark": "old"}).json()
    return {"proposal": proposal, "done": {**done, "entry": None}, "problems": api.post(url, wrong).json(),
            "stale": stale}  # fmt: skip


def _fought(table: Any, battle: Any) -> dict[str, Any]:  # noqa: F811
    bot, watch, raiders = Client(table.gm, battle), str(table.watch.pk), str(table.raiders.pk)
    bot.ok(type="next")
    bot.ok(type="resolve")
    bot.ok(type="order", army=watch, tactic="standard", target=raiders)
    bot.ok(type="resolve", dice=[{"army": watch, "roll": "attack", "values": [14]}])
    events = f"/api/v1/battles/{battle.pk}/events/"
    return {"events": bot.api.get(events).json(), "no_events": bot.api.get(f"{events}?after=999").json()}


def settled(found: dict[str, Any]) -> dict[str, Any]:
    """The answers with the members that are read, and with ids and marks that are the same every time."""
    for name, members in USED.items():
        rows = found[name]["results"]
        found[name]["results"] = [{member: row[member] for member in members} for row in rows]
    text, ids = json.dumps(found, ensure_ascii=False), dict[str, str]()
    text = ID.sub(lambda one: ids.setdefault(one[0], f"00000000-0000-7000-8000-{len(ids) + 1:012d}"), text)
    return json.loads(MARK.sub(f'"mark": "{"0" * 32}"', text))

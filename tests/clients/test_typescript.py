"""A client in TypeScript: its types are generated from the document, it compiles strictly and plays a battle of each
ruleset.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from battles.models import Battle
from tests.browsing import Server
from tests.kingdom.conftest import key_of, make_user

ROOT = Path(__file__).resolve().parents[2]
PLAYED = {"combat-de-masse", "breaking-point", "wing-command", "thucidide-fantasy"}


@pytest.mark.slow
def test_it_compiles_strictly_and_plays_a_battle_of_each_ruleset(server: Server):
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("NOT CHECKED: the client in TypeScript needs node (20 or later).")
    known = {"WARHOST": server.url, "WARHOST_TOKEN": key_of(make_user("gm"))}
    script = ROOT / "config" / "launch" / "typescript.sh"
    done = subprocess.run(["sh", str(script)], env={**os.environ, **known}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    played = re.findall(r"^(The \w+): closed$", done.stdout, re.M)
    assert played == ["The ford", "The bridge", "The raid", "The pass"], done.stdout
    assert {battle.ruleset for battle in Battle.objects.filter(status=Battle.Status.CLOSED)} == PLAYED

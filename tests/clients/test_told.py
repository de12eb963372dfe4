"""The examples of the client's texts: they run, and are the files they say they are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.battles.conftest import Client, make_table, open_ford
from tests.browsing import Server
from tests.kingdom.conftest import key_of, make_user

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def programs(name: str) -> list[str]:
    return PROGRAM.findall((ROOT / name).read_text())


def test_the_bot_of_the_docs_is_the_one_that_is_tested_and_has_sixty_lines_at_most():
    (told,) = programs("docs/discord-bot.md")
    assert told == (ROOT / "clients/python/examples/discord_bot.py").read_text()
    assert len(told.splitlines()) <= 60


def test_the_program_of_the_readme_runs(server: Server):
    table = make_table(make_user("gm"))
    Client(table.gm, open_ford(table)).ok(type="next")
    known = {"WARHOST": server.url, "WARHOST_TOKEN": key_of(table.gm, scope="play")}
    known |= {"PYTHONPATH": str(ROOT / "clients/python")}
    program = programs("clients/python/README.md")[0]
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **known}, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "The ford tactics 2"
    assert "Ranged phase 1 begins." in done.stdout

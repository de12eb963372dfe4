"""Making the environment: by uv where it can be had and finds what pip would, else by pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PYTHON = f"""#!/bin/sh
case "$1$2$3" in
    -c*) exec {sys.executable} "$@" ;;
    -mpipconfig) echo "$CONFIGURED" ;;
    -mpipinstall)
        for file; do :; done
        echo "pip $file" >>log
        [ "$file" != requirements-env.txt ] || [ -z "$HAS_UV" ] || cp uv .venv/bin/uv ;;
esac
"""
UV = """#!/bin/sh
for file; do :; done
echo "uv $file" >>log
[ -z "$FAILS" ]
"""


@pytest.fixture
def folder(tmp_path):
    """One with an environment whose Python and uv write down what they are asked to install."""
    shutil.copytree(ROOT / "config/launch", tmp_path / "config/launch")
    for name in ("requirements", "requirements-dev", "requirements-env"):
        (tmp_path / f"{name}.txt").write_text(f"# {name}\n")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    for path, script in ((".venv/bin/python", PYTHON), ("uv", UV)):
        (tmp_path / path).write_text(script)
        (tmp_path / path).chmod(0o755)
    return tmp_path


def made(folder, *, has_uv: str = "1", fails: str = "", configured: str = "") -> list[str]:
    """What was installed, and by what."""
    (folder / "log").write_text("")
    asked = {**os.environ, "HAS_UV": has_uv, "FAILS": fails, "CONFIGURED": configured}
    subprocess.run(["sh", "config/launch/env.sh", "dev"], cwd=folder, env=asked, check=True, capture_output=True)
    return (folder / "log").read_text().splitlines()


def test_pip_installs_uv_which_installs_the_rest_once(folder):
    assert made(folder) == ["pip requirements-env.txt", "uv requirements.txt", "uv requirements-dev.txt"]
    assert made(folder) == []
    (folder / "requirements.txt").write_text("# newer\n")
    assert made(folder) == ["uv requirements.txt"]


def test_what_uv_cannot_install_pip_does(folder):
    assert made(folder, fails="1")[-1] == "pip requirements-dev.txt"


def test_where_there_is_no_uv_pip_installs_all(folder):
    installed = made(folder, has_uv="")
    assert [line for line in installed if "env" not in line] == ["pip requirements.txt", "pip requirements-dev.txt"]


@pytest.mark.parametrize(
    "told", ["global.index-url='https://example.org'", ":env:.index-url='x'", ":env:.no-index='1'"]
)
def test_whoever_told_pip_of_an_index_of_his_own_is_served_from_there(folder, told):
    assert made(folder, configured=told) == ["pip requirements.txt", "pip requirements-dev.txt"]


def test_an_index_beside_the_usual_one_is_none_of_that(folder):
    assert made(folder, configured="global.extra-index-url='https://example.org'")[-1] == "uv requirements-dev.txt"

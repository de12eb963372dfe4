"""The public linter of the API's document: a wrong document fails, and what cannot be checked says so."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.config.house import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """By a machine that has what is in this folder, and no other program."""
    (folder / "dirname").symlink_to(shutil.which("dirname") or "")
    way = {**os.environ, "PATH": str(folder)}
    script = ["/bin/sh", "config/launch/lint-openapi.sh"]
    return subprocess.run(script, cwd=ROOT, env=way, capture_output=True, text=True)


def test_the_full_run_lints_the_document():
    assert "config/launch/lint-openapi.sh" in MAKEFILE.partition("test-full:")[2].partition("\n\n")[0]


def test_without_node_it_says_that_nothing_was_checked(tmp_path):
    done = lint(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("NOT CHECKED")


def test_a_linter_that_cannot_be_installed_never_passes(tmp_path):
    for program, script in (("node", "exit 0"), ("npm", "exit 1"), ("grep", "exit 1"), ("mkdir", "exit 0")):
        (tmp_path / program).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / program).chmod(0o755)
    done = lint(tmp_path)
    assert done.returncode == 2
    assert "could not be installed" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="openapi.yaml is linted by node, which is not here")
def test_a_document_that_is_none_fails(tmp_path):
    wrong = tmp_path / "openapi.yaml"
    wrong.write_text("openapi: 3.0.3\ninfo: {title: X}\npaths: {/a/: {get: {}}}\n")
    done = subprocess.run(["sh", "config/launch/lint-openapi.sh", str(wrong)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1

"""The load test starts as the Makefile starts it: without Django's settings, for the site is another process."""

from __future__ import annotations

import os
import subprocess
import sys

from config.ops.data_directory import BASE_DIR


def test_the_load_test_starts_without_settings_of_its_own():
    bare = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-c", "import tests.load.__main__"]
    done = subprocess.run(command, cwd=BASE_DIR, env=bare, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")

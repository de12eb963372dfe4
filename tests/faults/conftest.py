from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.site import Site


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    # not tmp_path: as root the database runs as another user, who may not enter pytest's directories
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        yield Path(directory)


@pytest.fixture(scope="module")
def site(home: Path) -> Iterator[Site]:
    with Site(home, WARHOST_WORKERS="2") as found:
        yield found

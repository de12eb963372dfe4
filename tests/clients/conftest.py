"""A site that the clients call as they call any other, and the people whose tokens they have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from warhost_client import Warhost

from tests.browsing import Server
from tests.kingdom.conftest import make_user

PASSWORD = "correct horse battery"


@pytest.fixture
def gm(server: Server) -> Iterator[Warhost]:
    """The GM's client, its token made for a password."""
    make_user("gm")
    with Warhost.sign_in(server.url, "gm", PASSWORD, {"name": "Program", "scope": "manage"}) as site:
        yield site

"""The tables of tests/kingdom and tests/armies."""

from tests.armies.conftest import war  # noqa: F401 - fixtures
from tests.kingdom.conftest import campaign, crown, gm, table  # noqa: F401 - fixtures

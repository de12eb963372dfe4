"""The table of tests/armies/weeks."""

from tests.armies.weeks.conftest import quiet  # noqa: F401 - fixtures

"""The table of tests/manners, where every kind of thing exists once."""

from tests.manners.conftest import no_demo, table  # noqa: F401 - fixtures

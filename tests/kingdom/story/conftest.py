"""The table of tests/battles: crown and horde, with everybody who may look."""

from tests.battles.conftest import table  # noqa: F401 - fixtures

"""The table of the battles: crown and horde, with everybody who may look."""

from tests.battles.conftest import battle, demonstration, table  # noqa: F401 - fixtures

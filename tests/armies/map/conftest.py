"""The map of tests/kingdom/map."""

from tests.kingdom.map.conftest import _pictures_are_small, marches  # noqa: F401 - fixtures

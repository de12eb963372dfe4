from tests.kingdom.conftest import campaign, crown, gm  # noqa: F401 - fixtures

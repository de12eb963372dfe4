from tests.kingdom.conftest import campaign, crown, gm, table  # noqa: F401 - fixtures

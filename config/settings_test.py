"""Settings of the test suite: its own home, fast hashing, no connection pool, no rate limits."""

from __future__ import annotations

import os
from pathlib import Path

_own_home = "WARHOST_HOME" not in os.environ
os.environ.setdefault("WARHOST_HOME", str(Path(__file__).resolve().parent.parent / ".warhost-test"))

from config.settings import *  # noqa: E402, F403
from config.settings import (  # noqa: E402
    ARMY_UIS,
    BASE_DIR,
    BATTLE_UIS,
    CONTRIBUTIONS,
    DATABASES,
    LAWS,
    PER_MINUTE,
    STORAGES,
    TEMPLATES,
)

DEBUG = False
SECRET_KEY = "only the tests use this key"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 3600  # no test changes a style sheet, so browsers need not check each again after a minute
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
ACCOUNT_RATE_LIMITS = False
PER_MINUTE = dict.fromkeys(PER_MINUTE, 0)
RECKONERS = 0
HTTPS = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = False

# Tests need no durability. The whole server gives it up only in a home used by tests alone.
DATABASES["default"]["TEST"] = {"TEMPLATE": "template0", "CHARSET": "UTF8"}
DATABASES["default"]["EMBEDDED_DURABLE"] = not _own_home
# Their tables are small: a statement is planned once, not anew for the first five times it is executed.
_hasty = "-c synchronous_commit=off -c plan_cache_mode=force_generic_plan"
# A busy machine delays connections, which is not what tests of pages are about.
DATABASES["default"]["OPTIONS"] |= {"options": _hasty, "connect_timeout": 30}

# Three rulesets of the tests, registered like any other.
_own_laws = ("coin", "turns", "skirmish")
LAWS = [*LAWS, *(f"tests.rulesets.{law}.law.{law.upper()}_LAW" for law in _own_laws)]
_own_armies = [f"tests.rulesets.{law}.ui.ARMIES" for law in _own_laws]
ARMY_UIS, CONTRIBUTIONS = [*ARMY_UIS, *_own_armies], [*CONTRIBUTIONS, *_own_armies]
BATTLE_UIS = [*BATTLE_UIS, *(f"tests.rulesets.{law}.ui.UI" for law in _own_laws)]
_own_templates = [BASE_DIR / "templates", BASE_DIR / "tests/rulesets/turns/templates"]
TEMPLATES = [{**TEMPLATES[0], "DIRS": _own_templates}, *TEMPLATES[1:]]

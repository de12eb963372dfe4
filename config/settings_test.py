"""Settings of the test suite: its own home, fast hashing, no pool, no limits but our own."""

from __future__ import annotations

import os
from pathlib import Path

_own_home = "WARHOST_HOME" not in os.environ
os.environ.setdefault("WARHOST_HOME", str(Path(__file__).resolve().parent.parent / ".warhost-test"))

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STORAGES  # noqa: E402

DEBUG = False
SECRET_KEY = "only the tests use this key"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
ACCOUNT_RATE_LIMITS = False
HTTPS = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = False

# Tests need no durability. The whole server gives it up only where it serves nothing but tests.
DATABASES["default"]["TEST"] = {"TEMPLATE": "template0", "CHARSET": "UTF8"}
DATABASES["default"]["EMBEDDED_DURABLE"] = not _own_home
DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"

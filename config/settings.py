"""Settings of Warhost. What differs between sites comes from the environment (docs/running.md)."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.utils.csp import CSP

from config.api_guide import GUIDE, SERVERS, TAGS
from config.enum_names import ENUM_NAMES
from config.limits import *  # noqa: F403  # noqa: F403
from config.limits import env, parse_proxies
from config.mail_settings import build_mailers, find_site_url, leaves
from config.ops.data_directory import BASE_DIR, get_home, keep_secret
from config.ops.logs import build_formatters, read_format

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or keep_secret("secret-key", bits=384)
HTTPS = env.bool("WARHOST_HTTPS", default=False)

# Host names of every installation; health checks and the test client rely on them.
PUBLIC_NAMES = env.list("ALLOWED_HOSTS", default=[])
ALLOWED_HOSTS = ["localhost", ".localhost", "127.0.0.1", "[::1]", "testserver", *PUBLIC_NAMES]
# The site's address in mails, invitations and links. "": the one by which the request reached the site.
SITE_URL = find_site_url(
    env.str("WARHOST_URL", default=""),
    origins=env.list("CSRF_TRUSTED_ORIGINS", default=[]) if HTTPS else [],
    names=PUBLIC_NAMES if HTTPS else [],
)
if SITE_URL:
    ALLOWED_HOSTS.append(str(urlsplit(SITE_URL).hostname))
# Trusted proxies, whose X-Forwarded-For is believed: addresses and networks. HTTPS implies a proxy, by default one on
# this machine.
TRUSTED_PROXIES = parse_proxies(env.list("WARHOST_TRUSTED_PROXIES", default=["127.0.0.1", "::1"] if HTTPS else []))
# Access to /metrics/: by this token, and from these addresses and networks. Nobody if both are empty.
METRICS_TOKEN = env.str("WARHOST_METRICS_TOKEN", default="")
METRICS_FROM = parse_proxies(env.list("WARHOST_METRICS_FROM", default=[]), variable="WARHOST_METRICS_FROM")
METRICS = bool(METRICS_TOKEN or METRICS_FROM)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
CORS_ALLOWED_ORIGINS = env.list("WARHOST_ORIGINS", default=[])

# Apps of rulesets with tables of their own for armies; each has its UI.
LAW_APPS = ["armies.pathfinder", "armies.breaking_point"]
INSTALLED_APPS = [
    "config",
    "battles",
    *LAW_APPS,
    "armies",
    "kingdom",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "corsheaders",
    "django_htmx",
    "django_filters",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_tasks_db",
]

# The rulesets of campaigns (rules/registry.py).
LAWS = [
    "rules.pathfinder.ruleset.COMBAT_DE_MASSE",
    "rules.pathfinder.ruleset.ULTIMATE_CAMPAIGN",
    "rules.breaking_point.ruleset.BREAKING_POINT",
    "rules.wing_command.ruleset.WING_COMMAND",
    "rules.thucidide_fantasy.ruleset.THUCIDIDE_FANTASY",
]
# UIs of armies and battles by ruleset (armies/ruleset_ui.py, battles/ruleset_ui.py).
ARMY_UIS = [*(f"{app}.ui.UI" for app in LAW_APPS), "armies.wing_command.ui.UI", "armies.thucidide_fantasy.ui.UI"]
BATTLE_UIS = [
    "battles.pathfinder.ui.UI",
    "battles.breaking_point.ui.UI",
    "battles.wing_command.ui.UI",
    "battles.thucidide_fantasy.ui.UI",
]
# What apps and rulesets add to each other's pages and services (kingdom/contributions.py), in this order.
CONTRIBUTIONS = [
    "battles.own_contribution.BATTLES", *ARMY_UIS, "armies.own_contribution.ARMIES", "kingdom.own_contribution.KINGDOM",
]  # fmt: skip

MIDDLEWARE = [
    "config.web.access_log.AccessLogMiddleware",
    "kingdom.middleware.KeptMethod",
    "kingdom.middleware.ClientAddress",
    "kingdom.middleware.Origins",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "config.web.responses.Compression",
    "config.ops.health_checks.Supervision",
    "kingdom.middleware.OneCharset",
    "kingdom.middleware.KeptNowhere",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "kingdom.middleware.Slashes",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "kingdom.middleware.AccountLanguage",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "kingdom.accounts.rate_limits.PageLimits",
    "config.accounts.adapter.Gates",
    "django_htmx.middleware.HtmxMiddleware",
    "kingdom.middleware.GuestGate",
    "kingdom.middleware.ShowApprovalRequest",
    "config.web.error_pages.ToldOnAPage",
    "config.app.readers.Readers",
    "kingdom.access.impersonation.ImpersonationMiddleware",
    "core.request_memo.RequestMemo",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "jinja2"],
        "OPTIONS": {
            "environment": "config.web.jinja.environment",
            "context_processors": [
                "django.template.context_processors.csrf",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

FORM_RENDERER = "django.forms.renderers.Jinja2"
MESSAGE_STORAGE = "kingdom.chronicle.context.Notices"

# Database: the server in DATABASE_URL, else the embedded one (config/ops/embedded_postgres.py).
if env.str("DATABASE_URL", default=""):
    _database = env.db_url("DATABASE_URL", engine="config.postgres")
else:
    _database = {"ENGINE": "config.postgres", "NAME": "warhost", "USER": "postgres", "EMBEDDED": str(get_home())}
# Detects a server that went away silently. Options in DATABASE_URL (?connect_timeout=5) take precedence.
_patience = {"connect_timeout": 2, "keepalives_idle": 10, "keepalives_interval": 3, "keepalives_count": 3}
# What a connection asks again is planned once, which takes most of the time of a query with many joins.
_options = {"server_side_binding": True, "prepare_threshold": 2} | _patience | _database.get("OPTIONS", {})
DATABASES = {"default": {**_database, "OPTIONS": _options, "CONN_HEALTH_CHECKS": True}}
# The server uses a pool of connections; commands and tests open their own (config/ops/serve.py). No request waits
# longer than `timeout` for one. The pool gives up an attempt soon, since each new request starts one.
DATABASE_POOL = {
    "min_size": 1,
    "max_size": env.int("WARHOST_POOL", default=16),
    "timeout": 1.5,
    "reconnect_timeout": 2,
    "check": None,  # config/postgres/base.py checks connections itself
}
WORKER_THREADS = env.int("WARHOST_THREADS", default=12)
QUEUE = env.int("WARHOST_QUEUE", default=100)  # requests that may wait for a thread (config/web/gate.py)
# Processes beside the server that compute forecasts which take longer than a request may wait
# (battles/forecast/single_flight.py).
RECKONERS = env.int("WARHOST_RECKONERS", default=os.cpu_count() or 1)
# Dask scheduler that gets the sweeps instead, "tcp://host:8786" (battles/forecast/job_runner.py).
DASK = env.str("WARHOST_DASK", default="")

DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT  # noqa: F405 (from config.limits); whoever takes more reads it from disk
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Background tasks: queued in the database in the transaction of their cause, run by a worker (config/ops/worker.py).
TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": ["webhooks", "engine", "mail"],
        "OPTIONS": {"id_function": "kingdom.models.base.uuid7"},
    }
}
# Whether `serve` runs them too; off if `manage.py worker` runs as a process of its own.
WORKS = env.bool("WARHOST_WORKS", default=True)
# Private addresses and networks of your own that webhooks may reach, also by plain HTTP.
WEBHOOKS_TO = parse_proxies(env.list("WARHOST_WEBHOOKS_TO", default=[]), variable="WARHOST_WEBHOOKS_TO")

# Accounts
AUTH_USER_MODEL = "kingdom.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
    ),
    {"NAME": "config.accounts.adapter.NotOurWords"},
]
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
# The demo campaign is loaded at the first start, except in a database set up on purpose.
DEMO = env.bool("WARHOST_DEMO", default="EMBEDDED" in _database)
SIGNUP_OPEN = env.bool("WARHOST_SIGNUP", default=True)
ACCOUNT_ADAPTER = "config.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before the mail address changes, by which passwords are reset
ACCOUNT_FORMS = {
    "signup": "config.accounts.forms.SignupForm",
    "set_password": "config.accounts.forms.SetPasswordForm",
    "change_password": "config.accounts.forms.ChangePasswordForm",
    "reset_password_from_key": "config.accounts.forms.ResetPasswordKeyForm",
}
# kingdom.accounts.rate_limits counts these, for all processes
ACCOUNT_RATE_LIMITS: dict[str, None] | bool = {"login": None, "login_failed": None}
MFA_TOTP_ISSUER = "Warhost"
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RATE_LIMITS = {"webauthn_login": None}
MFA_FORMS = {
    "authenticate": "config.accounts.forms.AuthenticateForm",
    "add_webauthn": "config.accounts.passkeys.AddForm",
    "edit_webauthn": "config.accounts.passkeys.RenameForm",
    "authenticate_webauthn": "config.accounts.passkeys.SecondStepForm",
    "login_webauthn": "config.accounts.passkeys.SignInForm",
    "reauthenticate_webauthn": "config.accounts.passkeys.AgainForm",
}

# Mail: printed on the console unless EMAIL_URL names a server.
MAILERS = build_mailers(env.email_url("EMAIL_URL", default="consolemail://"))
# Without a mail server nobody can confirm an address, so that is not required for a second factor.
MFA_ALLOW_UNVERIFIED_EMAIL = not leaves(MAILERS)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="warhost@localhost")

# Languages
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")

# Static files
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.web.asset_bundles.JoinedFinder",
]
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(get_home() / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Security: nothing inline, nothing from other sites.
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_ENGINE = "config.accounts.adapter"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Subdomains are not ours to bind: only the owner of the domain knows what they serve.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS and env.bool("WARHOST_HSTS_SUBDOMAINS", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)/?$"]

THROTTLE = env.bool("WARHOST_THROTTLE", default=True)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "kingdom.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["kingdom.accounts.rate_limits.Throttle"],
    "DEFAULT_PARSER_CLASSES": ["core.api.serializers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "core.api.concurrency.Cursor",
    "DEFAULT_SCHEMA_CLASS": "core.api.schema.OperationSchema",
    "DEFAULT_METADATA_CLASS": "core.api.serializers.Methods",
    "EXCEPTION_HANDLER": "core.api.problems.problem_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
KNOX_TOKEN_MODEL = "kingdom.ApiToken"
MIGRATION_MODULES = {"knox": None}  # knox's own table would stay empty
TOKEN_LIFE = timedelta(days=90)  # default life of a token
REST_KNOX = {"TOKEN_TTL": TOKEN_LIFE, "AUTH_HEADER_PREFIX": "Token", "EXPIRY_DATETIME_FORMAT": None}
# Requests per minute (kingdom/accounts/rate_limits.py); 0: no limit, as for all with WARHOST_THROTTLE off.
PER_MINUTE = {
    what: env.int(f"WARHOST_PER_MINUTE_{what.upper().replace('-', '_')}", default=most) if THROTTLE else 0
    for what, most in {
        "api-token": 600,
        "api-account": 1200,
        "api-address": 300,  # by address of an anonymous client
        "page-account": 1200,
        "page-address": 1200,  # by address of an anonymous client: the phones of a table may share one
        "wrong-token": 30,  # by address
        "costly": 120,  # forecasts, exports, reports
        "search": 240,  # requested while one types
    }.items()
}
TOKEN_DAYS_MOST = env.int("WARHOST_TOKEN_DAYS", default=365)  # longest life of a token
SPECTACULAR_SETTINGS = {
    "TITLE": "Warhost",
    "DESCRIPTION": GUIDE,
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"},
    "SERVERS": SERVERS,
    "TAGS": TAGS,
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "GET_LIB_DOC_EXCLUDES": "core.api.schema.bases_without_words",
    "POSTPROCESSING_HOOKS": [
        "battles.api.serializers.battle_shapes.add_ruleset_names",
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.api.serializers.add_types",
        "core.api.schema.add_nulls",
        "core.api.schema.add_required_bodies",
        "core.api.schema.add_headers",
        "core.api.schema.add_refusals",
        "battles.api.serializers.battle_shapes.add_examples",
    ],
    "ENUM_NAME_OVERRIDES": ENUM_NAMES,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

REFUSED_QUIETLY = ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
# Format of log lines: text for people, or JSON for log collectors; the access log has a line for each request
# (config/web/access_log.py).
LOG_FORMAT = env.str("LOG_FORMAT", default="text")
ACCESS_LOG = env.bool("WARHOST_ACCESS_LOG", default=False)
ADMINS = env.list("ADMINS", default=[])  # who gets a mail about errors
SENTRY_DSN = env.str("SENTRY_DSN", default="")
SEEN = ["request", "pattern"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "trouble": {"()": "config.ops.infrastructure_errors.OneLineFilter"},
        "request": {"()": "config.ops.logs.WithRequest"},
        "pattern": {"()": "config.ops.logs.ByPattern"},
    },
    "formatters": build_formatters(),
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": read_format(LOG_FORMAT), "filters": SEEN},
        "mail": {"class": "config.ops.error_reports.ErrorMail", "level": "ERROR", "formatter": "text", "filters": SEEN},
    },
    "root": {"handlers": ["console", "mail"] if ADMINS else ["console"], "level": env.str("LOG_LEVEL", "WARNING")},
    # A 404 is an answer, not an event. The pulse of the database logs once what the pool would log for each attempt.
    "loggers": {
        "django": {"handlers": []},  # root logs these: Django's own handlers are for a development server
        "django.request": {"level": "ERROR", "filters": ["trouble"]},
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},  # for `manage.py runserver`
        **{f"django.security.{name}": {"level": "CRITICAL"} for name in REFUSED_QUIETLY},
        "django.tasks": {"level": "WARNING"},  # without lines for each start and end
        "psycopg.pool": {"level": "ERROR"},
        "warhost.access": {"level": "INFO" if ACCESS_LOG else "WARNING"},
    },
}

"""App configuration of `config`."""

import contextlib

from django.apps import AppConfig


class WarhostConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from django.conf import settings
        from django.core.checks.mail import NON_PRODUCTION_EMAIL_BACKENDS

        from config.mail_settings import PRINTED
        from config.ops import error_reports
        from config.translation import compile_stale
        from kingdom.contributions import contributed
        from rules import registry

        error_reports.start_sentry(settings.SENTRY_DSN)
        registry.register_all(settings.LAWS)
        contributed()  # loads the contributions, so that a fault in one stops the start
        NON_PRODUCTION_EMAIL_BACKENDS.add(PRINTED)
        with contextlib.suppress(OSError):  # a read-only installation has compiled its catalogues when it was built
            compile_stale()

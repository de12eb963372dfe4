import contextlib

from django.apps import AppConfig


class WarhostConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from django.conf import settings

        from config.translation.catalogue import compile_stale
        from kingdom import demo
        from rules import registry

        registry.register_all(settings.LAWS)
        demo.register(settings.DEMO_CAMPAIGN)
        with contextlib.suppress(OSError):  # a read-only installation compiled its catalogues when it was built
            compile_stale()

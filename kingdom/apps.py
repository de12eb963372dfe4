"""App configuration of `kingdom`."""

from django.apps import AppConfig

from core.forms.form_fields import guard_text_fields

guard_text_fields()  # apps are read before any form is


class KingdomConfig(AppConfig):
    name = "kingdom"

    def ready(self) -> None:
        from kingdom.map.queries import follows_map
        from kingdom.realms import annotations

        annotations.register("follows_map", follows_map())

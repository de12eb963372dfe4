"""App configuration of `armies`."""

from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from kingdom.access import decorators

        decorators.import_services("armies")

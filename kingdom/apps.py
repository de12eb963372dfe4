from django.apps import AppConfig


class KingdomConfig(AppConfig):
    name = "kingdom"

    def ready(self) -> None:
        from kingdom import commands, worldly
        from kingdom.models import Kingdom, Settlement

        worldly.register()
        commands.know(Kingdom, Settlement)

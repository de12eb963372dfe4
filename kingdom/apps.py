from django.apps import AppConfig


class KingdomConfig(AppConfig):
    name = "kingdom"

    def ready(self) -> None:
        from kingdom import worldly

        worldly.register()

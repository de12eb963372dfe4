from django.apps import AppConfig


class KingdomConfig(AppConfig):
    name = "kingdom"

    def ready(self) -> None:
        from kingdom import changeable, stored_arguments
        from kingdom.models import Kingdom, Settlement

        changeable.register()
        stored_arguments.know(Kingdom, Settlement)

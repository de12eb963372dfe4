from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies import panels, worldly
        from armies.time import undoing

        worldly.register()
        undoing.register()
        panels.register()

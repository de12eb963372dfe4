from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies import amended, panels, worldly
        from armies.time import undoing

        worldly.register()
        amended.register()
        undoing.register()
        panels.register()

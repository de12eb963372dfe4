from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies import amended, panels, worldly
        from armies.time import chosen, undoing

        worldly.register()
        amended.register()
        chosen.register()
        undoing.register()
        panels.register()

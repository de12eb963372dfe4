from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies import amended, panels, worldly
        from armies.marching import Road
        from armies.models import Army, Commander, KingdomStock
        from armies.services import Disposal, Share
        from armies.time import chosen, undoing
        from kingdom import commands

        worldly.register()
        amended.register()
        chosen.register()
        undoing.register()
        panels.register()
        commands.know(Army, Commander, KingdomStock, Disposal, Road, Share)

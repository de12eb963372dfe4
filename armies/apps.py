from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies.models import Army, Commander, KingdomStock
        from armies.pathfinder import amended, panels, worldly
        from armies.pathfinder.marching import Road
        from armies.pathfinder.services.disband import Disposal
        from armies.pathfinder.services.transfer import Share
        from armies.pathfinder.time import chosen, undoing
        from kingdom import stored_arguments, warrants

        warrants.gather("armies")

        worldly.register()
        amended.register()
        chosen.register()
        undoing.register()
        panels.register()
        stored_arguments.know(Army, Commander, KingdomStock, Disposal, Road, Share)

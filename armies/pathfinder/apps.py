from django.apps import AppConfig


class PathfinderArmiesConfig(AppConfig):
    """Mass combat's own tables, and what of them the chronicle and requests know."""

    name = "armies.pathfinder"
    label = "pathfinder"

    def ready(self) -> None:
        from armies.pathfinder import archived, law_changes, subjects
        from armies.pathfinder.marching import Road
        from armies.pathfinder.models import KingdomStock
        from armies.pathfinder.services.disband import Disposal
        from armies.pathfinder.services.transfer import Share
        from armies.pathfinder.time import choices, troops
        from kingdom import stored_arguments

        archived.register()
        subjects.register()
        law_changes.register()
        choices.register()
        troops.register()
        stored_arguments.know(KingdomStock, Disposal, Road, Share)

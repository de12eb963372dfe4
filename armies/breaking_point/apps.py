from django.apps import AppConfig


class BreakingPointArmiesConfig(AppConfig):
    """The law's own tables, places and sieges, and what of them the chronicle and other apps know."""

    name = "armies.breaking_point"
    label = "breaking_point"

    def ready(self) -> None:
        from armies import locks
        from armies.breaking_point import archived, law_changes
        from armies.breaking_point.sieges import subjects
        from armies.breaking_point.sieges.holding import held_in, why_besieging

        archived.register()
        subjects.register()
        law_changes.register()
        locks.register(why_besieging, held_in)

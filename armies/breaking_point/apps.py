from django.apps import AppConfig


class BreakingPointArmiesConfig(AppConfig):
    """The law's own tables, places and sieges, and what of them the chronicle and other apps know."""

    name = "armies.breaking_point"
    label = "breaking_point"

    def ready(self) -> None:
        from armies import access, engagements, locks
        from armies.breaking_point import archived, law_changes
        from armies.breaking_point.sieges import subjects
        from armies.breaking_point.sieges.engaged import engaged
        from armies.breaking_point.sieges.holding import held_in, in_sieges, met_in_siege, why_besieging

        archived.register()
        subjects.register()
        law_changes.register()
        engagements.register(engaged, yields=True)
        locks.register(why_besieging, held_in)
        access.met_through(met_in_siege, in_sieges)

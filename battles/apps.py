from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from armies import engagements, locks
        from armies import fights as army_deeds
        from battles import deeds, engaged, faces, locking, panels
        from battles.services.undoing import reopen
        from kingdom import world

        faces.register_all()
        locks.register(locking.why_in_battle)
        army_deeds.register(deeds.deeds)
        engagements.register(engaged.engaged)
        world.follow_undo(reopen)
        panels.register()

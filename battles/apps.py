from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from armies import access, engagements, locks
        from armies import fights as army_fights
        from battles import (
            acquaintance,
            archived,
            cards,
            engaged,
            faces,
            fights,
            finders,
            hooks,
            journal,
            locking,
            panels,
            personal,
            shared,
            steps,
        )
        from battles.selectors.access import battle_for, version_of
        from battles.services.undoing import reopen
        from kingdom import world
        from kingdom.live import kinds

        faces.register_all()
        archived.register()
        locks.register(locking.why_in_battle, locking.held_in)
        army_fights.register(fights.fights)
        engagements.register(engaged.engaged)
        access.met_through(acquaintance.met_in_battle, acquaintance.on_the_field)
        kinds.register("battle", kinds.Followable(battle_for, version_of))
        world.follow_undo(reopen)
        panels.register()
        cards.register()
        steps.register()
        journal.register()
        shared.register()
        personal.register()
        finders.register()
        hooks.register()

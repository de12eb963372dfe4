"""App configuration of `battles`: registers what it tells kingdoms and armies."""

from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from armies.forces import access, busy, current_battles
        from armies.forces import recent_battles as army_fights
        from battles import (
            archive_tables,
            note_targets,
            onboarding_steps,
            personal_data,
            ruleset_ui,
            search,
            share_links,
            slots,
            webhook_events,
        )
        from battles.maps import tracked_fields
        from battles.play import army_status
        from battles.play.undo_services import reopen
        from battles.queries import get_battle_for, version_of
        from battles.setup import open_battles
        from kingdom.chronicle import changes
        from kingdom.live import topics

        ruleset_ui.register_all()
        archive_tables.register()
        tracked_fields.register()
        busy.register(army_status.why_in_battle, army_status.list_held_armies)
        army_fights.register(army_status.load_recent_battles)
        current_battles.register(army_status.list_engaged)
        access.register_meetings(army_status.list_met_in_battle, army_status.list_on_the_field)
        topics.register("battle", topics.Followable(get_battle_for, version_of))
        changes.follow_undo(reopen)
        slots.register()
        open_battles.register()
        onboarding_steps.register()
        note_targets.register()
        share_links.register()
        personal_data.register()
        search.register()
        webhook_events.register()

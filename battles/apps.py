"""App configuration of `battles`: registers what it tells kingdoms and armies."""

from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
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
        from battles.play.undo_services import reopen
        from battles.queries import get_battle_for, version_of
        from battles.setup import open_battles
        from kingdom.chronicle import changes
        from kingdom.live import topics

        ruleset_ui.register_all()
        archive_tables.register()
        tracked_fields.register()
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

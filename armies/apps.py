"""App configuration of `armies`: registers what it tells kingdoms."""

from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies import ruleset_ui
        from armies.forces import archive_tables, ruleset_check, tracked_fields
        from armies.forces import search as forces_search
        from armies.forces import slots as forces_slots
        from armies.map import panel as map_panel
        from armies.models import Army, Commander
        from armies.onboarding import casts, steps
        from armies.weeks import page
        from armies.weeks import undo as weeks_undo
        from kingdom.access import decorators
        from kingdom.approvals import arguments
        from kingdom.onboarding import templates

        ruleset_ui.register_all()
        archive_tables.register()
        decorators.import_services("armies")
        tracked_fields.register()
        forces_search.register()
        weeks_undo.register()
        forces_slots.register()
        page.register()
        ruleset_check.register()
        templates.register(casts.beginnings)
        steps.register()
        map_panel.register()
        arguments.register_type(Army, Commander, read=ruleset_ui.find_row)

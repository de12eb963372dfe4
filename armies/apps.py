"""App configuration of `armies`."""

from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies.forces import tracked_fields
        from armies.marches import position_services
        from armies.ruleset_ui import list_army_uis
        from kingdom.access import decorators

        for ui in list_army_uis():
            ui.own.make_known()
        decorators.import_services("armies")
        tracked_fields.register()
        position_services.register()

"""App configuration of `battles`."""

from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from armies.forces import access, busy, current_battles
        from armies.forces import recent_battles as army_fights
        from battles import slots
        from battles.play import army_status

        busy.register(army_status.why_in_battle, army_status.list_held_armies)
        army_fights.register(army_status.load_recent_battles)
        current_battles.register(army_status.list_engaged)
        access.register_meetings(army_status.list_met_in_battle, army_status.list_on_the_field)
        slots.register()

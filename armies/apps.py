from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies import archived, faces, finders, law_guard, panels, subjects
        from armies.beginnings import casts, steps
        from armies.map import panel as map_panel
        from armies.models import Army, Commander
        from armies.services import places
        from armies.time import panel, undoing
        from kingdom import beginnings, stored_arguments, warrants

        faces.register_all()
        archived.register()
        warrants.gather("armies")
        subjects.register()
        finders.register()
        undoing.register()
        panels.register()
        panel.register()
        law_guard.register()
        places.register()
        beginnings.register(casts.beginnings)
        steps.register()
        map_panel.register()
        stored_arguments.know(Army, Commander, read=faces.in_its_law)

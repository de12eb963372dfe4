from django.apps import AppConfig


class ArmiesConfig(AppConfig):
    name = "armies"

    def ready(self) -> None:
        from armies import faces, law_guard, panels, subjects
        from armies.models import Army, Commander
        from armies.time import panel, undoing
        from kingdom import stored_arguments, warrants

        faces.register_all()
        warrants.gather("armies")
        subjects.register()
        undoing.register()
        panels.register()
        panel.register()
        law_guard.register()
        stored_arguments.know(Army, Commander, read=faces.in_its_law)

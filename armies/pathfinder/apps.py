"""App configuration of mass combat's armies."""

from django.apps import AppConfig


class PathfinderArmiesConfig(AppConfig):
    """Mass combat's own tables. What the frame needs of it is in its UI (`Contribution`)."""

    name = "armies.pathfinder"
    label = "pathfinder"

"""App configuration of breaking point's armies."""

from django.apps import AppConfig


class BreakingPointArmiesConfig(AppConfig):
    """The ruleset's own tables for places and sieges. What the frame needs of it is in its UI (`Contribution`)."""

    name = "armies.breaking_point"
    label = "breaking_point"

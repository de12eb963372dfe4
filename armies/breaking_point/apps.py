"""App configuration of breaking point's armies."""

from django.apps import AppConfig


class BreakingPointArmiesConfig(AppConfig):
    """The law's own tables, places and sieges; what the house learns of them is in its UI (`Contribution`)."""

    name = "armies.breaking_point"
    label = "breaking_point"

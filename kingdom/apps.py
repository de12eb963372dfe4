from django.apps import AppConfig


class KingdomConfig(AppConfig):
    name = "kingdom"

"""App configuration of `kingdom`."""

from django.apps import AppConfig

from core.forms.form_fields import guard_text_fields

guard_text_fields()  # apps are read before any form is


class KingdomConfig(AppConfig):
    name = "kingdom"

"""App configuration of `kingdom`."""

from django.apps import AppConfig

from core.forms.form_fields import guard_text_fields

guard_text_fields()  # must run before any form is created


class KingdomConfig(AppConfig):
    name = "kingdom"

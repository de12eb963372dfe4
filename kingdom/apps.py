"""App configuration of `kingdom`."""

from django.apps import AppConfig

from core.forms.error_messages import set_error_messages
from core.forms.form_fields import guard_text_fields

set_error_messages()  # both must run before any form is created
guard_text_fields()


class KingdomConfig(AppConfig):
    name = "kingdom"

"""App configuration of `kingdom`."""

from django.apps import AppConfig

from core.api.field_messages import set_api_messages
from core.forms.error_messages import set_error_messages
from core.forms.form_fields import guard_text_fields, name_empty_choice

set_error_messages()  # all four must run before any form or serializer is created
set_api_messages()
guard_text_fields()
name_empty_choice()


class KingdomConfig(AppConfig):
    name = "kingdom"

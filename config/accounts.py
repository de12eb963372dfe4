"""Who may sign up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """WARHOST_SIGNUP=off closes the door; the GM then makes accounts with `manage.py createsuperuser`."""
        return bool(settings.SIGNUP_OPEN)

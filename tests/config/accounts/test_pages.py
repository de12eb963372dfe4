"""Account pages speak in the site's voice."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.kingdom.conftest import client_of

pytestmark = pytest.mark.django_db


def test_an_account_without_an_email_address_is_told_what_that_means(django_user_model):
    page = client_of(django_user_model.objects.create_user("ana")).get(reverse("account_email")).content.decode()
    assert "No email address yet. Without one, a forgotten password can’t be reset." in page
    assert "Warning:" not in page
    assert "Email Addresses" not in page


def test_my_account_opens_the_settings_first(django_user_model):
    page = client_of(django_user_model.objects.create_user("ana")).get(reverse("kingdom:home")).content.decode()
    assert f'<a href="{reverse("kingdom:account")}">' in page
    assert reverse("account_email") not in page


def test_an_added_address_can_be_confirmed_and_removed(django_user_model):
    client = client_of(django_user_model.objects.create_user("ana", password="cold-iron-77"))
    client.post(reverse("account_reauthenticate"), {"password": "cold-iron-77"})
    client.post(reverse("account_email"), {"email": "ana@example.org", "action_add": ""})
    page = client.get(reverse("account_email")).content.decode()
    assert "ana@example.org" in page
    assert "not confirmed yet" in page
    assert {f'name="action_{deed}"' in page for deed in ("primary", "send", "remove")} == {True}

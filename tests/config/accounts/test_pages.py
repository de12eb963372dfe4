"""Account pages speak in the site's voice."""

from __future__ import annotations

import pytest
from django.test import Client
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


def test_pages_about_passwords_say_what_to_do(django_user_model):
    """The words of allauth itself promise a contact that the site does not have."""
    client = client_of(django_user_model.objects.create_user("ana", password="cold-iron-77"))
    change = reverse("account_change_password")
    sent = {"oldpassword": "hot-iron-77", "password1": "cold-iron-78", "password2": "cold-iron-78"}
    assert "This isn’t your current password. Enter it again." in client.post(change, sent).content.decode()
    again = client.get(reverse("account_reauthenticate")).content.decode()
    assert "<h1>Confirm that it’s you</h1>" in again
    assert again.count("Password") == 1, "a label, and no other line that asks for it"
    stranger = Client()
    told = stranger.get(reverse("account_reset_password")).content.decode()
    assert "Without a confirmed address, ask whoever runs this site" in told
    done = stranger.post(reverse("account_reset_password"), {"email": "nobody@example.org"}, follow=True)
    for page in (told, again, done.content.decode(), client.get(change).content.decode()):
        assert "contact us" not in page
        assert "Change Password" not in page


def test_a_name_with_a_space_is_answered_with_one_that_works():
    """Guests type their whole name first."""
    sent = {"username": "Zoé  Martin", "password1": "cold-iron-78", "password2": "cold-iron-78"}
    page = Client().post(reverse("account_signup"), sent).content.decode()
    assert "A name has no spaces. You could write “Zoé_Martin”." in page

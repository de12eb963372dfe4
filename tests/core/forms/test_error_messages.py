"""Form fields answer wrong input in the site's own words, not in Django's."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.urls import reverse
from django.utils.translation import override

from core.forms.form_fields import Whole
from kingdom.models import Campaign, User

pytestmark = pytest.mark.django_db


def text_of(response: Any) -> str:
    return response.content.decode()


WRONG = [
    (forms.CharField(), "", "Fill this in."),
    (Whole(least=1, most=20), "21", "At most 20."),
    (Whole(least=1, most=20), "0", "At least 1."),
    (forms.CharField(max_length=3), "Harrow", "At most 3 characters; this has 6."),
    (forms.ChoiceField(choices=[("a", "A")]), "", "Choose one."),
    (forms.ChoiceField(choices=[("a", "A")]), "b", "This choice isn’t available. Choose another one."),
    (forms.TypedChoiceField(choices=[("a", "A")]), "b", "This choice isn’t available. Choose another one."),
    (forms.MultipleChoiceField(choices=[("a", "A")]), [], "Choose at least one."),
    (forms.FileField(), None, "Choose a file."),
]


@pytest.mark.parametrize(("field", "sent", "said"), WRONG)
def test_a_field_says_what_to_do(field, sent, said):
    with pytest.raises(forms.ValidationError) as refused:
        field.clean(sent)
    assert refused.value.messages == [said]


def test_signing_up_says_that_a_name_is_taken_and_that_passwords_differ(client, django_user_model):
    django_user_model.objects.create_user("ana")
    sent = {"username": "ana", "password1": "cold-iron-77", "password2": "cold-iron-78"}
    page = text_of(client.post(reverse("account_signup"), sent))
    assert "This username is taken. Choose another one." in page
    assert "The two passwords differ. Enter them again." in page


def test_signing_in_says_what_may_be_wrong(client):
    page = text_of(client.post(reverse("account_login"), {"login": "nobody", "password": "cold-iron-77"}))
    assert "Wrong username or password." in page


def test_the_form_to_sign_up_gives_no_advice_about_a_password_nobody_typed(client):
    assert "Choose another one" not in text_of(client.get(reverse("account_signup")))


@pytest.mark.parametrize(("language", "word"), [("en", "Choose…"), ("fr", "Choisir…")])
def test_an_empty_choice_is_in_the_sites_own_words_too(language, word):
    of_rows = forms.ModelChoiceField(Campaign.objects.none())
    of_a_model = User._meta.get_field("units").formfield()
    with override(language):
        for field in (of_rows, of_a_model):
            assert next(iter(field.choices))[1] == word

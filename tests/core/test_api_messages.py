"""The API answers wrong input in the site's own words, not in REST framework's."""

from __future__ import annotations

import inspect

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework import exceptions, fields, relations, serializers
from rest_framework.test import APIClient

from core.api.field_messages import FIELD_MESSAGES
from tests.kingdom.conftest import api_of, make_user

UNUSED = {"SlugField", "IPAddressField", "BigIntegerField", "TimeField", "DurationField", "FilePathField", "ModelField",
          "HyperlinkedRelatedField"}  # fmt: skip
OF_PROGRAMMERS = {"make_aware", "max_digits", "max_decimal_places", "max_whole_digits"}

WRONG = [
    (serializers.IntegerField(max_value=20), 21, "At most 20."),
    (serializers.IntegerField(min_value=1), 0, "At least 1."),
    (serializers.IntegerField(), "x", "Enter a whole number."),
    (serializers.CharField(), "", "This is empty. Enter text here."),
    (serializers.CharField(), [], "Enter text here."),
    (serializers.CharField(max_length=3), "Harrow", "Too long. Characters allowed: 3."),
    (serializers.CharField(), None, "This can’t be null. Send a value."),
    (serializers.BooleanField(), "x", "Use true or false."),
    (serializers.UUIDField(), "x", "Send an id as the API gives it."),
    (serializers.ChoiceField(choices=["a"]), "b", "“b” isn’t one of the choices. The API’s document lists them."),
    (serializers.ListField(max_length=1), "b", "Send a list here."),
    (serializers.ListField(max_length=1), [1, 2], "Too many entries. Allowed: 1."),
    (serializers.ListField(allow_empty=False), [], "This list is empty. Send at least one entry."),
    (serializers.DictField(), 3, "Enter a JSON object here."),
    (serializers.DateField(), "x", "Enter a date, such as 2026-11-29."),
    (serializers.FileField(), SimpleUploadedFile("a.txt", b""), "This file is empty. Choose another one."),
]


@pytest.mark.parametrize(("field", "sent", "said"), WRONG)
def test_a_field_says_what_to_do(field, sent, said):
    with pytest.raises(exceptions.ValidationError) as refused:
        field.run_validation(sent)
    assert [str(one) for one in refused.value.detail] == [said]


def test_every_message_of_a_field_that_can_be_used_is_the_site_s():
    known = {
        field for module in (fields, relations, serializers) for field in vars(module).values()
        if inspect.isclass(field) and field.__module__ == module.__name__ and "default_error_messages" in vars(field)
    }  # fmt: skip
    used = {field for field in known if field.__name__ not in UNUSED}
    assert set(FIELD_MESSAGES) >= used - {serializers.SlugField}
    left = {
        (field.__name__, name)
        for field in used
        for name in field.default_error_messages
        if name not in FIELD_MESSAGES[field] and name not in OF_PROGRAMMERS
    }
    assert left == set()


@pytest.mark.django_db
def test_requests_are_refused_in_words_that_say_what_to_do():
    gm = make_user("gm")
    french = {"headers": {"accept-language": "fr"}}
    missing = api_of(gm).post("/api/v1/campaigns/", {}, format="json")
    assert missing.json()["errors"][0]["detail"] == "This is missing. Send a value."
    said = api_of(gm).post("/api/v1/campaigns/", {}, format="json", **french).json()["errors"][0]["detail"]
    assert said == "Cette valeur manque. Envoyez-la."
    assert api_of(gm).delete("/api/v1/campaigns/").json()["detail"] == (
        "DELETE isn’t possible here. The header Allow lists what is."
    )
    nobody = APIClient().post("/api/v1/campaigns/", {"name": "x"}, format="json").json()["detail"]
    assert nobody == "Sign in, or send a token in the header Authorization."
    strange = api_of(gm).post("/api/v1/campaigns/", b"x", content_type="text/x-odd").json()["detail"]
    assert strange == "“text/x-odd” can’t be read here. The API’s document lists what can."

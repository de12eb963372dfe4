"""`url` in templates gives the addresses Django's own tag gives."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.template import Context, Template
from django.urls import NoReverseMatch, reverse


def drawn(text: str, **known: object) -> str:
    return Template(text).render(Context(known))


def test_an_address_is_the_one_of_its_view():
    key = uuid4()
    wanted = reverse("kingdom:campaign", args=[key])
    for _again in range(2):
        assert drawn("{% url 'kingdom:campaign' key %}", key=key) == wanted
    assert drawn("{% url view key %}", view="kingdom:campaign", key=key) == wanted
    assert drawn("{% url 'kingdom:campaign' campaign_id=key %}", key=key) == wanted
    assert drawn("{% url 'kingdom:campaign' key as there %}<{{ there }}>", key=key) == f"<{wanted}>"


def test_an_address_that_is_not_there_is_an_error_unless_it_is_put_aside():
    with pytest.raises(NoReverseMatch):
        drawn("{% url 'kingdom:campaign' key %}", key="")
    assert drawn("{% url 'kingdom:campaign' key as there %}<{{ there }}>", key="") == "<>"

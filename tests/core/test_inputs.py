"""What a name may be made of: whatever people write, as long as others can read it and what stands beside it."""

from __future__ import annotations

import pytest
from django.test import Client

from core.clean_input import clean_text
from kingdom.models import User
from rules.core.errors import TURNING, InvalidInput

EMPTY, UNSHOWN = "This can’t be empty.", "This text contains characters that can’t be displayed. Remove them."
BLANKS = ["", " \n", "\u200b", "\u00ad\u2060", "\u3164", "\u2800 \u2800", "\u115f\u1160", "\ufe0f", "\u0301"]

READABLE = [
    "L’Aube",
    "近衛兵",
    "حرس الملك",
    "משמר",
    "می‌خواهم",
    "👨‍👩‍👧 Household",
    "🏴‍☠️",
    "e\u0301",
    "-",
    "…",
    "a\u200eb",
]


@pytest.mark.parametrize("text", BLANKS)
def test_a_name_of_which_nothing_is_seen_is_none(text):
    with pytest.raises(InvalidInput) as refused:
        clean_text(text, field="/name")
    assert (refused.value.message, refused.value.field) == (EMPTY, "/name")


@pytest.mark.parametrize("text", ["a\0b", "\x1b", "a\udc00", *(f"a{sign}b" for sign in sorted(TURNING))])
def test_a_name_turns_nothing_that_stands_behind_it(text):
    with pytest.raises(InvalidInput) as refused:
        clean_text(text, field="/name")
    assert refused.value.message == UNSHOWN


@pytest.mark.parametrize("text", READABLE)
def test_names_of_every_alphabet_stay_as_they_are(text):
    assert clean_text(text, field="/name") == text


@pytest.mark.django_db
def test_nobody_signs_up_under_a_name_of_which_nothing_is_seen():
    password = "a long enough one"
    form = {"username": "\u3164", "password1": password, "password2": password}
    answer = Client().post("/accounts/signup/", form)
    assert answer.context["form"].errors["username"] == [EMPTY]
    assert not User.objects.exists()


@pytest.mark.parametrize("text", ["\u200b", "\u202eevening"])
def test_a_name_that_is_kept_already_is_not_lost_for_how_it_reads(text):
    assert clean_text(text, field="/name", kept=True) == text
    with pytest.raises(InvalidInput):
        clean_text("a\0b", field="/name", kept=True)

"""Nobody signs up under a name that looks like another's."""

from __future__ import annotations

import pytest
from django.test import Client

from kingdom.accounts.queries import find_latin_twin, looks_like_another
from kingdom.models import User

FINE = [
    "ana", "Émile", "e\u0301mile", "анна", "Ελένη", "近衛兵", "ひらがなカタカナ漢字",
    "田中Taro", "김Kim", "حرس", "משמר", "हिन्दी", "ana-2.b_c", "ж1",
]  # fmt: skip
ALIKE = ["аna", "anа", "аnna1", "ａｎａ", "ana１", "𝐚na", "ⓐna", "ﬁn", "gοd", "κing", "anaひ한", "Аna"]


@pytest.mark.parametrize("name", FINE)
def test_a_name_in_one_script_is_fine(name):
    assert not looks_like_another(name)


@pytest.mark.parametrize("name", ALIKE)
def test_a_name_of_mixed_scripts_or_dressed_up_letters_is_not(name):
    assert looks_like_another(name)


def test_a_whole_name_may_look_latin():
    assert find_latin_twin("сорр") == "copp"
    assert find_latin_twin("ЕВА") == "eba"
    assert find_latin_twin("жора") == find_latin_twin("ana") == find_latin_twin("12") == ""


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["аna", "ａｎａ", "сор"])
def test_it_is_refused_at_sign_up(name):
    User.objects.create_user("Cop", password="correct horse battery")
    form = {"username": name, "password1": "correct horse battery", "password2": "correct horse battery"}
    answer = Client().post("/accounts/signup/", form)
    (said,) = answer.context["form"].errors["username"]
    assert said.startswith(("This name mixes alphabets", "This name looks too much like another account"))
    assert User.objects.count() == 1

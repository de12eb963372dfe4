"""People are asked for by their keys as Django asks for them, only sooner."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.core.exceptions import ValidationError
from django.db.models import Manager
from django.db.models.expressions import Value

from kingdom.models import User
from kingdom.realms.services import assign_player
from tests.kingdom.conftest import make_user


def as_django(**asked):
    """Of the same rows, by a manager of Django's."""
    manager: Manager = Manager()
    manager.model = User
    return manager.get(**asked)


def test_by_his_key_he_is_who_django_finds(db):
    ana = make_user("ana")
    for key in (ana.pk, str(ana.pk), ana.pk.hex):
        found = User.objects.get(pk=key)
        assert {name: value for name, value in vars(found).items() if name != "_state"} == {
            name: value for name, value in vars(as_django(pk=key)).items() if name != "_state"
        }
        assert (found._state.adding, found._state.db) == (False, "default")
    assert User.objects.get(username="ana") == User.objects.get(pk=ana.pk, username="ana") == ana
    assert User.objects.get(pk=Value(ana.pk)) == ana


@pytest.mark.parametrize("key, error", [(UUID(int=1), User.DoesNotExist), (None, User.DoesNotExist),
                                        ("nobody", ValidationError)])  # fmt: skip
def test_who_is_not_there_is_told_as_ever(db, key, error):
    for ask in (User.objects.get, as_django):
        with pytest.raises(error):
            ask(pk=key)


def test_below_something_only_who_is_there_is_found(table):
    cyd, bo = make_user("cyd"), table.gm
    assign_player(by=bo, kingdom=table.crown, player=bo)
    assert table.crown.players.get(pk=bo.pk) == bo
    with pytest.raises(User.DoesNotExist):
        table.crown.players.get(pk=cyd.pk)

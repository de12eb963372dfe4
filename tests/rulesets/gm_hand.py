"""The GM's hand as tests use it: the same deed by the page's form and by the API, each taken back to the digit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from tests.battles.conftest import Client
from tests.everyday import FULL, spread
from tests.rulesets.browsing import Reader, plain

PAGE, API = "page", "api"
WAYS = (PAGE, API)
REASON = "the story"


def of_the_day(deeds: Sequence[Any], way: str) -> Sequence[Any]:
    """All of them by the page, some by the API; in the full run all by both."""
    return deeds if way == PAGE else spread(deeds, 4)


class Deed(NamedTuple):
    """`on` and `form`: what the page sends; `field` and `value`: what the API does. `done`: what has to be so then."""

    on: str
    form: dict[str, Any]
    field: str
    value: Any
    done: Callable[[Any], bool]


class GMHand:
    def __init__(self, user: Any, battle: Battle):
        self.battle, self.reader, self.client = battle, Reader(user), Client(user, battle)

    @property
    def state(self) -> Any:
        return play_battle_state.load_state(Battle.objects.get(pk=self.battle.pk))

    @property
    def frozen(self) -> Any:
        """The whole state as it is stored."""
        return play_battle_state.get_law(self.battle).battle.freeze(self.state)

    def post(self, kind: str, **fields: Any) -> Any:
        """What a form of the page sends."""
        version = Battle.objects.get(pk=self.battle.pk).version
        told = {"type": kind, "version": version, **fields}
        return self.reader.client.post(f"/battles/{self.battle.pk}/command/", told)

    def page(self, query: str) -> str:
        return self.reader.markup(f"/battles/{self.battle.pk}/?rail=tools{query}")

    def send(self, way: str, deed: Deed) -> Any:
        if way == PAGE:
            return self.post("by_hand", on=deed.on, reason=REASON, **deed.form)
        return self.client.send(type="override", what=deed.on, field=deed.field, value=deed.value, reason=REASON)

    def do(self, way: str, deed: Deed) -> None:
        """Done, as the page offers it."""
        if way == PAGE and FULL:
            assert f'value="{deed.form["deed"]}"' in self.page(f"&do=by_hand&army={deed.on}"), deed
        answer = self.send(way, deed)
        assert answer.status_code in (200, 302), (deed, plain(answer.content.decode())[-600:])
        assert deed.done(self.state), deed

    def do_and_undo(self, way: str, deed: Deed) -> None:
        before = self.frozen
        self.do(way, deed)
        self.client.ok(type="undo")
        assert self.frozen == before, deed

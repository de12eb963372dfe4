"""Orders for several armies at once: form, page object, orders given so far."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.codec import storage
from battles.field.forms import CommandForm
from battles.field.page import BattlePage
from battles.field.table import TOGETHER, waits
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import READ_MOST, RecordRead, read_standing
from battles.ruleset_ui import ArmyCard


class TogetherForm(CommandForm):
    """One order for several armies, chosen by side or one by one among those the reader can order now. A ruleset adds
    the order's fields in `add_order`.
    """

    kind = "together"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.page = page
        self.mine = [card for card in page.cards if card.orderable]
        sides = [(str(side.index), side.name) for side in page.sides if any(c.orderable for c in side.cards)]
        self.fields["sides"] = _several(_("Entire sides"), sides)
        self.fields["armies"] = _several(_("Individual armies"), [(card.id, card.name) for card in self.mine])
        self.add_order()

    @abstractmethod
    def add_order(self) -> None:
        """Adds the fields of the order. An empty field leaves that part of an army's order as it is."""

    @abstractmethod
    def command(self, card: ArmyCard) -> Any:
        """The ruleset's command that gives this order to an army."""

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not (data.get("sides") or data.get("armies")):
            self.add_error("armies", _("Choose a side or at least one army."))
        said = [name for name in data if name not in ("sides", "armies") and data[name]]
        if not self.errors and not said:
            self.add_error(None, _("Choose an order."))
        return data

    def commands(self) -> Mapping[str, Any]:
        data = self.cleaned_data
        meant = [card for card in self.mine if str(card.side) in data["sides"] or card.id in data["armies"]]
        return {card.id: self.command(card) for card in meant}


def _several(label: Any, choices: list[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)


class Many:
    """Orders for several armies on the battle page. `sent`: the submitted form; without it a fresh form is made."""

    def __init__(self, page: BattlePage, sent: TogetherForm | None = None):
        self.page, self._sent = page, sent

    @property
    def possible(self) -> bool:
        """Whether the reader can order several armies, and the ruleset has such orders."""
        several = sum(card.orderable for card in self.page.cards) > 1
        return self.page.ui.many is not None and several and not self.page.borrowed

    @property
    def open(self) -> bool:
        """Whether the form is shown."""
        return self.possible and (self._sent is not None or self.page.look.doing == TOGETHER)

    @property
    def asking(self) -> str:
        """Address of the battle page with this form open."""
        return self.page.url + replace(self.page.look, doing=TOGETHER, what="").query()

    @cached_property
    def form(self) -> TogetherForm | None:
        return self._sent or self.bound(None)

    def bound(self, data: QueryDict | None) -> TogetherForm | None:
        page = self.page
        return page.ui.many.form(page, data) if page.ui.many and self.possible else None

    def sent_for(self, data: QueryDict) -> TogetherForm | None:
        """The sent form of whoever repeats or copies orders, which they can with a single army. None for others."""
        page = self.page
        able = not page.borrowed and any(card.orderable for card in page.cards)
        return page.ui.many.form(page, data) if page.ui.many and able else None

    @cached_property
    def neighbour(self) -> str:
        """Name of the army whose order the selected one could copy: the army of its side that was ordered last. "" for
        none.
        """
        page = self.page
        if page.ui.many is None or page.picked is None or not page.picked.orderable or page.borrowed:
            return ""
        found = page.ui.many.like(page, page.picked, list_orders_since(page.battle, page.field.standing))
        return page.names[found[0]] if found else ""

    @cached_property
    def repeatable(self) -> bool:
        """Whether armies without orders could repeat those of the last phase."""
        page = self.page
        if page.ui.many is None or page.strip is None or page.borrowed or not any(map(waits, page.cards)):
            return False
        return not page.ui.many.lapse or bool(repeat_orders(page, page.field.standing))


# Recent orders: since the last decision, and in the phase before it.


def list_orders_since(battle: Battle, standing: Iterable[RecordRead]) -> list[Any]:
    """Commands since the last decision, latest first. `standing`: the records that are not undone, latest first."""
    return list(_phases(battle, standing, phases=1))


def repeat_orders(page: BattlePage, standing: Iterable[RecordRead] | None = None) -> Mapping[str, Any]:
    """Commands that repeat the orders of the last phase, by army without orders. `standing`: see `list_orders_since`;
    without it all records are read.
    """
    many = page.ui.many
    assert many is not None
    rows = list(read_standing(page.battle, READ_MOST) if standing is None else standing)
    given = list_earlier_orders(page.battle, rows)
    found = {card.id: many.again(page, card, given) for card in page.cards if waits(card)}
    return {army: command for army, command in found.items() if command is not None}


def list_earlier_orders(battle: Battle, rows: Sequence[RecordRead]) -> list[Any]:
    """Commands of the phase that was decided last, latest first, without those given since."""
    since = len(list_orders_since(battle, rows))
    return list(_phases(battle, rows, phases=2))[since:]


def _phases(battle: Battle, standing: Iterable[RecordRead], *, phases: int) -> Iterator[Any]:
    """Commands of the last `phases` phases, latest first, the running one included. Decisions are left out."""
    engine, state = play_battle_state.get_engine(battle), play_battle_state.load_state(battle)
    keeper = storage.get_keeper(engine)
    for record in standing:
        if engine.decisive(state, record.events):
            phases -= 1
            if not phases:
                return
        else:
            yield keeper.load_command(record.command)

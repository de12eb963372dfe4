"""Form of mass combat's orders for several armies: strategy, target, and a tactic that all of them may take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.field.bulk_forms import TogetherForm
from battles.field.page import BattlePage
from battles.pathfinder.field.cards import Card
from battles.pathfinder.field.order_forms import HOLD
from core.text import render
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.orders.legal import ArmyChoices
from rules.pathfinder.battle.state.battle_state import KEEP, Order

type Options = list[tuple[str, Any]]
AS_IT_IS: tuple[str, Any] = ("", _("each as it is"))


class OrdersForm(TogetherForm):
    def add_order(self) -> None:
        choices = [card.choices for card in self.mine]
        self._add("strategy", _("Strategy"), _strategies(choices))
        targets = {target.slug: render(target.label) for known in choices for target in known.targets}
        self._add("target", _("Target"), [*targets.items(), (HOLD, _("nobody: hold"))] if targets else [])
        self._add("tactic", _("Tactic"), _shared_tactics(choices))

    def _add(self, name: str, label: Any, options: Options) -> None:
        if options:
            self.fields[name] = forms.ChoiceField(label=label, choices=[AS_IT_IS, *options], required=False)

    def command(self, card: Any) -> GiveOrder:
        data, order = self.cleaned_data, _own(card)
        target = data.get("target") or order.target
        return GiveOrder(
            replace(
                order,
                strategy=data.get("strategy") or order.strategy,
                tactic=data.get("tactic") or order.tactic,
                target=None if target == HOLD else target,
            )
        )


class PathfinderOrdersForMany:
    def form(self, page: BattlePage, data: QueryDict | None = None) -> OrdersForm:
        return OrdersForm(page, data)

    def again(self, page: BattlePage, card: Card, given: Sequence[Any]) -> GiveOrder:
        """What this phase has no room for is left out; whether the rest is possible now, the law says."""
        assert card.choices is not None
        order = next((order for order in _orders(given) if order.army == card.id), _own(card))
        strategy = order.strategy if card.choices.strategies else None
        order = replace(
            order,
            surrender=False,  # it is given army by army
            stay_at_range=order.stay_at_range and card.choices.may_stay_at_range,
        )
        if not card.choices.targets:
            return GiveOrder(replace(order, strategy=strategy, target=KEEP, use=()))
        return GiveOrder(replace(order, strategy=strategy))

    def like(self, page: BattlePage, card: Card, given: Sequence[Any]) -> tuple[str, GiveOrder] | None:
        """Strategy and target as its neighbour’s, and the tactic where it may take it; all else stays its own."""
        side = {known.id for known in page.cards if known.side == card.side and known.id != card.id}
        model = next((o for o in _orders(given) if o.army in side and page.viewer.commands(o.army)), None)
        if model is None or card.choices is None:
            return None
        order = _own(card)
        known = {choice.slug for choice in card.choices.tactics if choice.available}
        tactic = model.tactic if model.tactic in known else order.tactic
        return model.army, GiveOrder(replace(order, strategy=model.strategy, target=model.target, tactic=tactic))


def _orders(given: Iterable[Any]) -> Iterable[Order]:
    return (command.order for command in given if isinstance(command, GiveOrder))


def _own(card: Any) -> Order:
    """What it is ordered now, else that it goes on as it is."""
    choices: ArmyChoices = card.choices
    return choices.current or Order(card.id, hold_the_line=choices.may_hold_the_line)


def _strategies(choices: Sequence[ArmyChoices]) -> Options:
    """Those of the phase; an army that cannot take one of them says so."""
    shown = next((known.strategies for known in choices if known.strategies), ())
    return [(choice.slug, render(choice.label)) for choice in shown]


def _shared_tactics(choices: Sequence[ArmyChoices]) -> Options:
    able = [{choice.slug for choice in known.tactics if choice.available} for known in choices]
    shared = set.intersection(*able) if able else set()
    return (
        [(choice.slug, render(choice.label)) for choice in choices[0].tactics if choice.slug in shared] if able else []
    )

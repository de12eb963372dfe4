"""Order form on an army's card, with the choices that the rules allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.field.bulk_orders import TogetherForm
from battles.field.forms import CommandForm
from battles.field.page import BattlePage
from battles.pathfinder.field.cards import Card
from core.clean_input import parse_whole
from core.text import render
from rules.core.errors import Refusal
from rules.core.text import Said, signed
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.orders.legal import ArmyChoices, OrderChoice, UseChoice
from rules.pathfinder.battle.state.battle_state import KEEP, Order, UseOrder

HOLD, SURRENDER = "hold", "surrender"
NOBODY: Mapping[str, Any] = {}
WITHDRAW = (("leave", _("leave the field")), ("range", _("stay, at range")))
TILES_MOST = 8  # targets shown as tiles; with more, one is picked from a select
SPAWN = (("heal", _("heal")), ("army", _("raise an army")))


@dataclass(frozen=True)
class Option:
    """Option of a select, a track or a row of tiles. `short` is its label on the track. `price` and `means` are its
    cost and effect. `bearer` is the army it names.
    """

    value: str
    label: str
    id: str
    chosen: bool = False
    disabled: bool = False
    note: str = ""
    short: str = ""
    price: str = ""
    means: str = ""
    bearer: Any = None


@dataclass(frozen=True)
class UseRow:
    """Something the army can use: a checkbox, with option and target if it takes them."""

    choice: UseChoice
    on: forms.BoundField
    option: forms.BoundField | None
    target: forms.BoundField | None

    @property
    def errors(self) -> list[str]:
        fields = [field for field in (self.on, self.option, self.target) if field is not None]
        return [str(error) for field in fields for error in field.errors]


class OrderForm(CommandForm):
    kind = "order"

    def __init__(
        self,
        choices: ArmyChoices,
        version: int,
        data: QueryDict | None = None,
        *,
        field: Mapping[str, Any] = NOBODY,
    ):
        """Build the form. `field` holds the armies' cards, to draw their arms beside their names."""
        self.choices, self.field = choices, field
        self.concerns = choices.army
        self.order = choices.current or Order(choices.army)
        super().__init__(version, data, auto_id=f"o-{choices.army}-%s")
        tactic = SURRENDER if self.order.surrender else _now(self.order.tactic, choices.tactics)
        self._select("tactic", _("Tactic"), choices.tactics, tactic)
        if choices.may_surrender:
            self.fields["tactic"].choices = [*self.fields["tactic"].choices, (SURRENDER, _("Surrender"))]  # type: ignore[attr-defined]
        if choices.strategies:
            self._select("strategy", _("Strategy"), choices.strategies, _now(self.order.strategy, choices.strategies))
        if choices.targets:
            self._add_target()
        for use in choices.uses:
            self._add_use(use)
        self._add_rest()

    # Fields.
    def _select(self, name: str, label: Any, choices: Iterable[OrderChoice], initial: str) -> None:
        options = [(choice.slug, render(choice.label)) for choice in choices]
        self.fields[name] = forms.ChoiceField(label=label, choices=options, initial=initial, required=False)

    def _add_target(self) -> None:
        slugs = [choice.slug for choice in self.choices.targets]
        ordered = HOLD if self.order.target is None else self.order.target
        now = ordered if ordered != KEEP else _now(None, self.choices.targets) or slugs[0]
        options = [(choice.slug, render(choice.label)) for choice in self.choices.targets]
        hold = (HOLD, _("hold (no target)"))
        self.fields["target"] = forms.ChoiceField(
            label=_("Target"), choices=[*options, hold], initial=now, required=False
        )

    def _add_use(self, use: UseChoice) -> None:
        name, ordered = use_name(use), self._ordered(use)
        self.fields[name] = forms.BooleanField(
            label=render(use.label), required=False, initial=ordered is not None, disabled=not use.available
        )
        if use.available and use.options:
            initial = ordered.option if ordered else use.options[0].slug
            self.fields[f"{name}-option"] = _little_select(_("Option"), use.options, initial)
        if use.available and use.targets:
            initial = ordered.target if ordered and ordered.target else use.targets[0].slug
            self.fields[f"{name}-target"] = _little_select(_("Target"), use.targets, initial)

    def _ordered(self, use: UseChoice) -> UseOrder | None:
        return next((u for u in self.order.use if (u.kind, u.slug) == (use.kind, use.slug)), None)

    def _add_rest(self) -> None:
        if self.choices.may_keep_range and any(c.slug == "withdraw" and c.available for c in self.choices.tactics):
            ways = WITHDRAW if self.choices.why_it_stays is None else WITHDRAW[1:]
            self.fields["withdraw"] = forms.ChoiceField(
                label=_("Withdraw to"), choices=ways, initial=self.order.withdraw, required=False
            )
        if self.choices.may_stay_at_range:
            self.fields["stay_at_range"] = forms.BooleanField(
                label=_("Stay at range"), initial=self.order.stay_at_range, required=False
            )
        if self.choices.may_let_go:
            self.fields["let_go"] = forms.BooleanField(
                label=_("Let enemies withdraw"), initial=self.order.let_go, required=False
            )
        if self.choices.may_hold_the_line:
            holds = self.order.hold_the_line or self.choices.current is None
            self.fields["hold_the_line"] = forms.BooleanField(
                label=_("Hold the line: reroll a failed rout check"), initial=holds, required=False
            )
        if self.choices.may_spawn:
            self.fields["spawn"] = forms.ChoiceField(
                label=_("Spawn"), choices=SPAWN, initial=self.order.spawn, required=False
            )

    # For the template.
    @cached_property
    def tactics(self) -> list[Option]:
        """The tactics, and surrender as an alternative (R-88)."""
        options, field = self._options("tactic", self.choices.tactics), self["tactic"]
        if self.choices.may_surrender:
            chosen, note = (
                str(field.value()) == SURRENDER,
                str(_("captured with its commander at the end of the phase")),
            )
            options.append(Option(SURRENDER, str(_("Surrender")), f"{field.auto_id}-{SURRENDER}", chosen, note=note))
        return options

    @cached_property
    def strategies(self) -> list[Option]:
        options = self._options("strategy", self.choices.strategies)
        middle = len(options) // 2
        return [replace(option, short=_place(index - middle)) for index, option in enumerate(options)]

    @cached_property
    def aims(self) -> list[Option]:
        """Targets as tiles if they are few, with "nobody" last."""
        field = self["target"]
        offered: Any = self.fields["target"]
        slugs = [(str(slug), str(label)) for slug, label in offered.choices]
        chosen = str(field.value() or "")
        tiles = (
            Option(slug, label, f"{field.auto_id}-{slug}", slug == chosen, bearer=self.field.get(slug))
            for slug, label in slugs
        )
        return list(tiles) if len(slugs) <= TILES_MOST + 1 else []

    def _options(self, name: str, choices: Iterable[OrderChoice]) -> list[Option]:
        if name not in self.fields:
            return []
        field = self[name]
        return [_option(choice, field, str(field.value() or "")) for choice in choices]

    @cached_property
    def uses(self) -> list[UseRow]:
        return [self._use_row(use) for use in self.choices.uses]

    def _use_row(self, use: UseChoice) -> UseRow:
        name = use_name(use)
        option, target = (
            self[f"{name}-{part}"] if f"{name}-{part}" in self.fields else None for part in ("option", "target")
        )
        return UseRow(use, self[name], option, target)

    @cached_property
    def far_note(self) -> str:
        """Cost of a hatched step of the strategy track."""
        return next((option.note for option in self.strategies if option.note and not option.disabled), "")

    @property
    def given(self) -> bool:
        return self.choices.current is not None

    # In the API's members.
    def members(self) -> dict[str, Any]:
        data = self.cleaned_data
        order: dict[str, Any] = {"army": self.choices.army}
        for name in ("tactic", "strategy", "withdraw", "spawn"):
            if data.get(name):
                order[name] = data[name]
        if self.choices.may_surrender:
            order["surrender"] = order.get("tactic") == SURRENDER
        if order.get("tactic") == SURRENDER:
            del order["tactic"]
        if data.get("target"):
            order["target"] = None if data["target"] == HOLD else data["target"]
        for name in ("let_go", "hold_the_line", "stay_at_range"):
            if name in self.fields:
                order[name] = bool(data[name])
        order["use"] = [self._use_json(use) for use in self._used()]
        return order

    def _used(self) -> list[UseChoice]:
        return [use for use in self.choices.uses if self.cleaned_data.get(use_name(use))]

    def _use_json(self, use: UseChoice) -> dict[str, str]:
        name, told = use_name(use), {use.kind: use.slug}
        for part in ("option", "target"):
            if value := self.cleaned_data.get(f"{name}-{part}"):
                told[part] = value
        return told

    def refused(self, refusal: Refusal) -> None:
        used = self._used() if hasattr(self, "cleaned_data") else []
        for pointer, message in refusal.errors:
            first, *rest = pointer.strip("/").split("/")
            name = first if first in self.fields else "tactic" if first == SURRENDER else None
            number = parse_whole(rest[0]) if first == "use" and rest else None
            if number is not None and number < len(used):
                name = use_name(used[number])
            self.add_error(name, render(message))


def use_name(use: UseChoice) -> str:
    return f"use-{use.kind}-{use.slug}"


def _now(ordered: str | None, choices: Iterable[OrderChoice]) -> str:
    """Return what is ordered, else what is in force."""
    return ordered or next((choice.slug for choice in choices if choice.current), "")


def _little_select(label: Any, choices: Iterable[OrderChoice], initial: str) -> forms.ChoiceField:
    options = [(choice.slug, render(choice.label)) for choice in choices]
    return forms.ChoiceField(label=label, choices=options, initial=initial, required=False)


def _option(choice: OrderChoice, field: forms.BoundField, chosen: str) -> Option:
    note: Said | None = choice.note if choice.available else choice.why
    return Option(
        value=choice.slug,
        label=render(choice.label),
        id=f"{field.auto_id}-{choice.slug}",
        chosen=choice.slug == chosen,
        disabled=not choice.available,
        note=render(note) if note else "",
        price=render(choice.price) if choice.price else "",
        means=render(choice.means) if choice.means else "",
    )


def _place(step: int) -> str:
    return signed(step) if step else "0"


# Form of orders for several armies: strategy, target, and a tactic that all of them may take.

type Options = list[tuple[str, Any]]
AS_IT_IS: tuple[str, Any] = ("", _("each unchanged"))


class OrdersForm(TogetherForm):
    def add_order(self) -> None:
        choices = [card.choices for card in self.mine]
        self._add("strategy", _("Strategy"), _strategies(choices))
        targets = {target.slug: render(target.label) for known in choices for target in known.targets}
        self._add("target", _("Target"), [*targets.items(), (HOLD, _("hold (no target)"))] if targets else [])
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
    lapse = False

    def form(self, page: BattlePage, data: QueryDict | None = None) -> OrdersForm:
        return OrdersForm(page, data)

    def again(self, page: BattlePage, card: Card, given: Sequence[Any]) -> GiveOrder:
        """Return the order again, without what this phase has no room for. The law checks the rest."""
        assert card.choices is not None
        order = next((order for order in _orders(given) if order.army == card.id), _own(card))
        strategy = order.strategy if card.choices.strategies else None
        order = replace(
            order,
            surrender=False,  # given for each army alone
            stay_at_range=order.stay_at_range and card.choices.may_stay_at_range,
        )
        if not card.choices.targets:
            return GiveOrder(replace(order, strategy=strategy, target=KEEP, use=()))
        return GiveOrder(replace(order, strategy=strategy))

    def like(self, page: BattlePage, card: Card, given: Sequence[Any]) -> tuple[str, GiveOrder] | None:
        """Return an order with the strategy and target of another army of the side, and its tactic if available.
        Everything else stays.
        """
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
    """Return its current order, else one that changes nothing."""
    choices: ArmyChoices = card.choices
    return choices.current or Order(card.id, hold_the_line=choices.may_hold_the_line)


def _strategies(choices: Sequence[ArmyChoices]) -> Options:
    """Return the strategies of the phase. If an army cannot take one, the law says so."""
    shown = next((known.strategies for known in choices if known.strategies), ())
    return [(choice.slug, render(choice.label)) for choice in shown]


def _shared_tactics(choices: Sequence[ArmyChoices]) -> Options:
    able = [{choice.slug for choice in known.tactics if choice.available} for known in choices]
    shared = set.intersection(*able) if able else set()
    return (
        [(choice.slug, render(choice.label)) for choice in choices[0].tactics if choice.slug in shared] if able else []
    )

"""Order form of an army for a round: the action of each body, its answers to enemy actions, and orders of the whole
army such as a withdrawal (B-22).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from battles.breaking_point.field.cards import KEY_NAMES
from battles.field.bulk_orders import TogetherForm
from battles.field.forms import CommandForm
from battles.field.page import BattlePage
from core.forms.form_fields import Whole
from core.text import render
from rules.breaking_point.battle.aftermath.tolls import may_share, own_shares
from rules.breaking_point.battle.battle_law import as_possible, repeat_order
from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.orders.legal import AimChoice, BodyChoices, HostChoices, is_possible
from rules.breaking_point.battle.state.battle_state import (
    AFTERMATH,
    FIGHTING,
    HOLD,
    ROUND,
    BattleNow,
    Body,
    BodyOrder,
    Order,
)
from rules.breaking_point.battle.telling.words import body_name
from rules.breaking_point.forecast.choices import AT, COMMITS, LEAVES, choices_of, slug_of
from rules.core.errors import Refusal
from rules.core.text import Said
from rules.law import Viewer

ATTACK, SHOOT, DEFEND, WITHDRAW = "attack", "shoot", "hold", "withdraw"
BETWEEN = "|"  # separates a deed and its target in a field's value
WITHDRAW_NOW = pgettext_lazy("troops", "Withdraw")
TILES_MOST = 9  # deeds shown as tiles; with more, one is picked from a select
WISHES = (("", _("keep the distance")), ("close", _("close")), ("open", _("open")))
NO_CARDS: Mapping[str, Any] = {}


@dataclass(frozen=True)
class DeedTile:
    """Tile of an action of a body. `bearer` is the army it is directed at."""

    value: str
    label: str
    id: str
    icon: str
    chosen: bool = False
    bearer: Any = None


@dataclass(frozen=True)
class BodyRow:
    """Fields of a body. `deeds` is empty if there are too many for tiles. `notes` say what it cannot do, and why."""

    choices: BodyChoices
    name: Said
    do: forms.BoundField
    deeds: list[DeedTile]
    pursue: forms.BoundField | None
    riposte: forms.BoundField
    notes: list[str]


class OrderForm(CommandForm):
    kind = "order"

    def __init__(
        self, choices: HostChoices, version: int, data: QueryDict | None = None, *, field: Mapping[str, Any] = NO_CARDS
    ):
        """Build the form. `field` holds the armies' cards, to draw their arms beside their names."""
        self.choices, self.field = choices, field
        self.concerns = choices.army
        self.order = choices.current or Order(choices.army)
        super().__init__(version, data, auto_id=f"o-{choices.army}-%s")
        for body in choices.bodies:
            self._add_body(body)
        self._add_army()

    # Fields.
    def _add_body(self, body: BodyChoices) -> None:
        given = self.order.bodies.get(body.key, HOLD)
        known = list(_deeds_of(body))
        self.fields[f"do-{body.key}"] = forms.ChoiceField(
            label=render(body.name),
            choices=[(value, label) for value, label, _icon, why in known if why is None],
            initial=_value(given.do, given.target),
            required=False,
        )
        if body.may_pursue:
            self.fields[f"pursue-{body.key}"] = forms.BooleanField(
                label=_("Pursue enemies that break"), initial=given.pursue, required=False
            )
        self.fields[f"riposte-{body.key}"] = forms.BooleanField(
            label=_("Turn on its pursuers"), initial=given.riposte, required=False
        )

    def _add_army(self) -> None:
        if self.choices.may_withdraw:
            before = not self.choices.bodies  # before the command test only a withdrawal can be ordered
            self.fields["withdraw"] = forms.BooleanField(
                label=_("Withdraw before battle") if before else WITHDRAW_NOW, initial=self.order.withdraw,
                help_text=_(
                    "A lead of 2 in the command test lets the army get away. If 5 behind, it routs; otherwise it "
                    "fights at −2."
                )
                if before else "", required=False,
            )  # fmt: skip
        if self.choices.may_commit:
            self.fields["commit"] = forms.BooleanField(
                label=_("Commit the reserve"), initial=self.order.commit, required=False
            )
        if self.choices.may_change_distance:
            self.fields["distance"] = forms.ChoiceField(
                label=_("Distance"), choices=WISHES, initial=self.order.distance, required=False
            )
        if len(self.choices.rally) > 1:
            names = {body.key: render(body.name) for body in self.choices.bodies}
            bodies = [(key, names.get(key, key)) for key in self.choices.rally]
            self.fields["rally"] = forms.ChoiceField(
                label=_("Rally first"), choices=[("", _("the first to break")), *bodies],
                initial=self.order.rally, required=False,
            )  # fmt: skip

    # For the template.
    @cached_property
    def rows(self) -> list[BodyRow]:
        return [self._row(body) for body in self.choices.bodies]

    def _row(self, body: BodyChoices) -> BodyRow:
        field, deeds = self[f"do-{body.key}"], list(_deeds_of(body))
        chosen = str(field.value() or DEFEND)
        open_now = [deed for deed in deeds if deed[3] is None]
        tiles = [
            DeedTile(value, label, f"{field.auto_id}-{index}", icon, value == chosen,
                 self.field.get(value.partition(BETWEEN)[2].partition(":")[0]))
            for index, (value, label, icon, _why) in enumerate(open_now)
        ]  # fmt: skip
        never = [str(render(why)) for why in (body.cannot_attack, body.cannot_shoot) if why is not None]
        barred = dict.fromkeys(why for _value, _label, _icon, why in deeds if why is not None)
        pursue = f"pursue-{body.key}"
        return BodyRow(
            body,
            KEY_NAMES.get(body.key) or body.name,
            field,
            tiles if len(tiles) <= TILES_MOST else [],
            self[pursue] if pursue in self.fields else None,
            self[f"riposte-{body.key}"],
            [*(never if len(never) > 1 else ()), *barred],
        )

    @cached_property
    def whole_army(self) -> list[forms.BoundField]:
        return [self[name] for name in ("withdraw", "commit", "rally", "distance") if name in self.fields]

    # In the API's members.
    def members(self) -> dict[str, Any]:
        data = self.cleaned_data
        told: dict[str, Any] = {"army": self.choices.army}
        for name in ("withdraw", "commit"):
            if data.get(name):
                told[name] = True
        for name in ("rally", "distance"):
            if data.get(name):
                told[name] = data[name]
        coming = [body for body in self.choices.bodies if data.get("commit") or not body.waits or self._acts(body)]
        told["bodies"] = {body.key: self._body_json(body, withdraws=bool(data.get("withdraw"))) for body in coming}
        told["bodies"] |= {key: _told(value) for key, value in self._strange()}
        return told

    def _acts(self, body: BodyChoices) -> bool:
        """Whether the body is ordered to act. A waiting reserve cannot, and the law says so."""
        data = self.cleaned_data
        return not data.get("withdraw") and (data.get(f"do-{body.key}") or DEFEND) != DEFEND

    def _strange(self) -> Iterator[tuple[str, str]]:
        """Yield bodies that no longer exist or take no orders. The law refuses them."""
        for name, value in self.data.items():
            if name.startswith("do-") and name not in self.fields and value:
                yield name.removeprefix("do-"), str(value)

    def _body_json(self, body: BodyChoices, *, withdraws: bool) -> dict[str, Any]:
        """Return a body's order. In an army that withdraws nobody attacks, whatever was ticked before."""
        data = self.cleaned_data
        do, _between, target = (data.get(f"do-{body.key}") or DEFEND).partition(BETWEEN)
        if withdraws:
            do, target = DEFEND, ""
        told = {"do": do, "riposte": bool(data[f"riposte-{body.key}"])}
        if target:
            told["target"] = target
        return {**told, "pursue": True} if data.get(f"pursue-{body.key}") else told

    def refused(self, refusal: Refusal) -> None:
        """Add the problems to their fields. `/bodies/contact/target` belongs to the contact group's action."""
        for pointer, message in refusal.errors:
            first, *rest = pointer.strip("/").split("/")
            name: str | None = first
            if first == "bodies" and rest:
                what = rest[1] if len(rest) > 1 else "do"
                name = f"{what if what in ('pursue', 'riposte') else 'do'}-{rest[0]}"
            self.add_error(name if name in self.fields else None, render(message))


def _deeds_of(body: BodyChoices) -> Iterator[tuple[str, str, str, str | None]]:
    """Yield what it may do and what it may not do now: value, label, icon, why not."""
    yield DEFEND, str(_("Hold")), "hold", None
    for aim in body.attack:
        yield _aimed(ATTACK, str(_("Attack %(body)s")), "battle", aim)
    for aim in body.shoot:
        yield _aimed(SHOOT, str(_("Shoot at %(body)s")), "ranged", aim)
    if body.may_withdraw:
        yield WITHDRAW, str(WITHDRAW_NOW), "withdraw", None


def _aimed(do: str, label: str, icon: str, aim: AimChoice) -> tuple[str, str, str, str | None]:
    why = None if aim.why_not is None else str(render(aim.why_not))
    return _value(do, aim.body), label % {"body": render(aim.name)}, icon, why


def _told(value: str) -> dict[str, Any]:
    do, _between, target = value.partition(BETWEEN)
    return {"do": do, "target": target} if target else {"do": do}


def _value(do: str, target: str) -> str:
    return f"{do}{BETWEEN}{target}" if target else do


# Orders for several armies: hold, attack one enemy, withdraw, commit the reserve; and last round's again.


class OrdersForm(TogetherForm):
    def add_order(self) -> None:
        choices = [("", _("each unchanged")), *self._choices()]
        self.fields["order"] = forms.ChoiceField(label=_("Order"), choices=choices, required=False)

    def _choices(self) -> list[tuple[str, str]]:
        battle = self.page.state
        fights = battle.phase.kind == ROUND
        known = {
            one.slug: capfirst(render(one.name))
            for card in self.mine
            for one in choices_of(battle, card.id)
            if not one.barred and (fights or not one.slug.startswith(AT))
        }
        return list(known.items())

    def command(self, card: Any) -> GiveOrder:
        return GiveOrder(_as_chosen(self.page.state, card, self.cleaned_data["order"]))


class HostOrdersForMany:
    lapse = True  # an order is for one round (B-22)

    def form(self, page: BattlePage, data: QueryDict | None = None) -> OrdersForm:
        return OrdersForm(page, data)

    def again(self, page: BattlePage, card: Any, given: Sequence[Any]) -> GiveOrder | None:
        """Return the order again, without groups that are gone; those whose target is gone hold."""
        order = next((order for order in _orders(given) if order.army == card.id), None)
        if order is None or page.state.phase.kind != ROUND:
            return None
        return GiveOrder(as_possible(page.state, repeat_order(page.state, order)))

    def like(self, page: BattlePage, card: Any, given: Sequence[Any]) -> tuple[str, GiveOrder] | None:
        """Return the order against the enemy that another army of the side attacks with all its groups, or to hold, or
        to withdraw.
        """
        side = {known.id for known in page.cards if known.side == card.side and known.id != card.id}
        model = next((o for o in _orders(given) if o.army in side and page.viewer.commands(o.army)), None)
        slug = slug_of(page.state, model.army) if model else ""
        if model is None or not slug or slug == COMMITS:
            return None
        return model.army, GiveOrder(_as_chosen(page.state, card, slug))


def _orders(given: Iterable[Any]) -> Iterable[Order]:
    return (command.order for command in given if isinstance(command, GiveOrder))


def _as_chosen(battle: BattleNow, card: Any, slug: str) -> Order:
    """Return the army's order with this choice. Groups that can’t reach the enemy hold; if none can, the law refuses
    with the reason.
    """
    order = replace(card.choices.current or Order(card.id), withdraw=slug == LEAVES, commit=slug == COMMITS)
    own = [body for body in battle.of_army(card.id) if body.status == FIGHTING]
    if slug == LEAVES:
        return replace(order, bodies={})
    if slug == COMMITS:
        return order
    given = {body.key: _aimed_at(battle, body, slug.removeprefix(AT) if slug.startswith(AT) else "") for body in own}
    if slug.startswith(AT) and not any(do for do, _target in given.values()):
        given = {body.key: (SHOOT if body.shoots_only else ATTACK, slug.removeprefix(AT)) for body in own[:1]}
    held = order.bodies
    bodies = {key: held.get(key, HOLD)._replace(do=do or DEFEND, target=to) for key, (do, to) in given.items()}
    return replace(order, bodies=bodies)


def _aimed_at(battle: BattleNow, body: Body, foe: str) -> tuple[str, str]:
    """Return what a body can do to this enemy, and the enemy; nothing if it can’t reach it."""
    kinds = (SHOOT, ATTACK) if body.shoots_only else (ATTACK, SHOOT)
    return next(((do, foe) for do in kinds if foe and is_possible(battle, body, BodyOrder(do, foe))), ("", ""))


# Form that shares an army's losses among its units after the battle (B-78).

STEM = "unit-"


class SharingForm(CommandForm):
    """Form of the points that each unit of one army bears in one body. It is bound if the data have any of them."""

    kind = "share"
    own_template = "battles/breaking_point/field/sharing.html"

    def __init__(self, battle: BattleNow, army: str, body: Body, version: int, data: QueryDict | None = None):
        self.place = f"share-{army}-{body.key}"
        sent = data is not None and any(name.startswith(f"{self.place}-{STEM}") for name in data)
        super().__init__(version, data if sent else None, auto_id="%s", prefix=self.place)
        self.army, self.body, self.concerns = army, body.id, army
        self.title, self.name = body_name(battle, body), battle.armies[army].name
        own = own_shares(battle, body, army)
        self.total = sum(share.points for share in own)
        for share in own:
            unit = battle.armies[army].units[share.unit]
            self.fields[f"{STEM}{share.unit}"] = Whole(
                label=unit.name, least=0, most=share.most, initial=share.points, show_hidden_initial=True
            )  # what its sender saw goes along, so that only what they changed counts

    def members(self) -> dict[str, Any]:
        units = {name.removeprefix(STEM): points for name, points in self.cleaned_data.items()}
        return {"army": self.army, "body": self.body, "units": units}

    @property
    def shares(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields]

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = f"{STEM}{pointer.rpartition('/')[2]}"
            self.add_error(name if name in self.fields else None, render(message))


def sharing_forms(
    battle: BattleNow, viewer: Viewer, version: int, data: QueryDict | None = None
) -> Iterator[SharingForm]:
    """Yield a form for each army this reader runs and each body in which its losses can be shared."""
    if battle.phase.kind != AFTERMATH:
        return
    for army in battle.armies:
        for body in battle.bodies.values():
            if viewer.commands(army) and may_share(battle, body, army):
                yield SharingForm(battle, army, body, version, data)

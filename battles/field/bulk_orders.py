"""Bulk orders: what the reader of a battle's page can order of several armies at once."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from django.http import QueryDict

from battles.field.page import BattlePage
from battles.field.recent_orders import list_orders_since
from battles.field.table import TOGETHER, waits

if TYPE_CHECKING:
    from battles.field.bulk_forms import TogetherForm


class Many:
    """`sent`: the form as it came back; else a fresh one is drawn."""

    def __init__(self, page: BattlePage, sent: TogetherForm | None = None):
        self.page, self._sent = page, sent

    @property
    def possible(self) -> bool:
        """Whether they have several armies to order, and the law knows how."""
        several = sum(card.orderable for card in self.page.cards) > 1
        return self.page.ui.many is not None and several and not self.page.borrowed

    @property
    def open(self) -> bool:
        """Whether they are about to order several."""
        return self.possible and (self._sent is not None or self.page.look.doing == TOGETHER)

    @property
    def asking(self) -> str:
        """The page where they are."""
        return self.page.url + replace(self.page.look, doing=TOGETHER, what="").query()

    @cached_property
    def form(self) -> TogetherForm | None:
        return self._sent or self.bound(None)

    def bound(self, data: QueryDict | None) -> TogetherForm | None:
        page = self.page
        return page.ui.many.form(page, data) if page.ui.many and self.possible else None

    @cached_property
    def neighbour(self) -> str:
        """The army whose orders the picked one could have: the one of its side that was ordered last."""
        page = self.page
        if page.ui.many is None or page.picked is None or not page.picked.orderable or page.borrowed:
            return ""
        found = page.ui.many.like(page, page.picked, list_orders_since(page.battle, page.field.standing))
        return page.names[found[0]] if found else ""

    @cached_property
    def repeatable(self) -> bool:
        """Whether armies without orders could have those of the phase before."""
        return self.page.strip is not None and any(waits(card) for card in self.page.cards)

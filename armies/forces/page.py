"""Page objects of armies under any ruleset: the notice in place of a busy army's form, and printed cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404

from armies.forces.access import (
    list_armies,
)
from armies.forces.portraits import list_card_pictures
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.base import Natural
from kingdom.models.heraldry import Arms
from kingdom.pictures.queries import ShownPicture
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.text import Said


class BusyNotice(NamedTuple):
    """Notice in place of a form. `deed`: the purpose of the form; `title`: its subject. `why`: the reason; `url`: the
    page of what holds the army, "" for none. `leads`: name of the army, where the form is about its commander.
    """

    deed: str
    title: str
    kingdom: Kingdom
    back: str
    why: Said
    icon: str = "warning"
    url: str = ""
    leads: str = ""

    @property
    def campaign(self) -> Campaign:
        return self.kingdom.campaign


A_PAGE = 4


@dataclass(frozen=True, slots=True)
class PaperCard:
    """An army's card, with the arms and the name of its kingdom."""

    army: OnPaper
    arms: Arms
    kingdom: str
    picture: ShownPicture | None = None


@dataclass(frozen=True, slots=True)
class CardsPage:
    """`sheets`: cards by page of A4, four on each. `aids`: reference tables on every card."""

    campaign: Campaign
    kingdom: Kingdom
    sheets: tuple[tuple[PaperCard, ...], ...]
    aids: Sequence[PaperAid]
    stages: Sequence[Said]
    armies: tuple[Army, ...]
    chosen: frozenset[str]


def cards_page(user: User, kingdom: Kingdom, wanted: Collection[str] = ()) -> CardsPage:
    """Cards of the kingdom's standing armies whose sheets the user may read; only those `wanted`, if any is named.

    Raises `Http404` for a wanted army that is not among them.
    """
    campaign, ui = kingdom.campaign, get_army_ui(kingdom.campaign)
    readable = list_armies(user, campaign, ui.army).filter(kingdom=kingdom, status__in=Army.STANDING)
    armies = tuple(readable.order_by(Natural("name"), "id"))
    known = {str(army.pk): army for army in armies}
    if not known.keys() >= set(wanted):
        raise Http404
    chosen = frozenset(wanted) or frozenset(known)
    for army in armies:
        army.campaign = campaign  # One campaign object, so that its ruleset is loaded once.
    whole = (ui.on_paper(army) for key, army in known.items() if key in chosen)
    pictures = list_card_pictures(campaign, [army for key, army in known.items() if key in chosen])
    printed = (card for army in whole for card in (army, *army.more))
    cards = [PaperCard(army, kingdom.arms_borne, kingdom.name, pictures.get(army.id)) for army in printed]
    sheets = tuple(tuple(cards[start : start + A_PAGE]) for start in range(0, len(cards), A_PAGE))
    return CardsPage(campaign, kingdom, sheets, ui.aids(campaign), ui.stages, armies, chosen)

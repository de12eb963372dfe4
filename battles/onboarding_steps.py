"""Onboarding: the first step that opens a battle between two free armies, and the tour's stop at a battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy

from armies.forces import busy
from armies.forces.access import list_named_armies
from armies.models import Army
from armies.onboarding.steps import raise_enemy
from battles.models import Battle
from battles.queries import list_battles
from battles.setup.eligible import FEW
from battles.setup.services import open_battle
from kingdom.models import Campaign, Kingdom, User
from kingdom.onboarding import name_suggestions
from kingdom.onboarding.checklist import FirstStep
from kingdom.onboarding.steps import build_name_field, list_names
from kingdom.onboarding.tour import TourStop
from rules.core.errors import demand
from rules.core.text import _

ENEMY = "enemy"


class FirstBattle(FirstStep):
    slug, icon, after, order = "battle", "battle", ("army",), 50
    title, told = _("Open the first battle"), _("The first battle is open")
    about = _("Two armies face each other. Use “New battle” above for conditions and more armies.")
    button = _("Start the battle")

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        return Battle.objects.filter(campaign=campaign)

    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        armies = self._ready(campaign)
        ours, theirs = _opponents(armies)
        listed = [(str(army.pk), f"{army.name} ({army.kingdom.name})") for army in armies]
        enemy = [(ENEMY, gettext_lazy("a new enemy, with an army of its own"))]
        name = name_suggestions.suggest_name(name_suggestions.BATTLES, list_names(Battle, campaign))
        second = forms.ChoiceField(label=gettext_lazy("Second army"), choices=[*listed, *enemy], initial=theirs)
        yield "name", build_name_field(gettext_lazy("Name of the battle"), name)
        yield "ours", forms.ChoiceField(label=gettext_lazy("First army"), choices=listed, initial=ours)
        yield "theirs", second

    def _ready(self, campaign: Campaign) -> list[Army]:
        rows = busy.untouched(campaign, list_named_armies(campaign))
        return list(rows.select_related("kingdom").order_by("kingdom_id", "pk")[:FEW])

    @transaction.atomic
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        demand(given["ours"] != given["theirs"], _("An army can’t fight itself: choose another."), field="/theirs")
        ready = {str(army.pk): army for army in self._ready(campaign)}
        if given["theirs"] == ENEMY:
            enemy = raise_enemy(
                by, campaign, name_suggestions.suggest_name(name_suggestions.ENEMIES, list_names(Kingdom, campaign))
            )
            ready[ENEMY] = enemy
        sides = _sides(ready[given["ours"]], ready[given["theirs"]])
        battle = open_battle(by=by, campaign=campaign, name=given["name"], sides=sides)
        return reverse("battles:battle", args=[battle.pk])


def _opponents(armies: list[Army]) -> tuple[str, str]:
    """Initial choices of the form: the id of the first army, and of the first army of another kingdom, else `ENEMY`."""
    if not armies:
        return "", ENEMY
    first = armies[0]
    other = next((army for army in armies if army.kingdom_id != first.kingdom_id), None)
    return str(first.pk), str(other.pk) if other else ENEMY


def _sides(*armies: Army) -> list[dict[str, Any]]:
    """One side for each army, named after its kingdom, or after the army where all are of one kingdom."""
    one = len({army.kingdom_id for army in armies}) == 1
    return [{"name": army.name if one else army.kingdom.name, "armies": [str(army.pk)]} for army in armies]


# Stop of the tour at a battle.


def _battle(user: User, campaign: Campaign) -> str:
    """Address of the newest battle that is not closed, else of the newest one; "" where there is none."""
    found = list_battles(user).filter(campaign=campaign).order_by("-id")
    battle = found.exclude(status=Battle.Status.CLOSED).first() or found.first()
    return reverse("battles:battle", args=[battle.pk]) if battle else ""


TOUR_STOP = TourStop(
    "battle",
    50,
    _("A battle"),
    _("Select an army, choose its orders and give them. The foot of the page shows what comes next."),
    _battle,
)

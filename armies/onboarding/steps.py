"""First steps of a campaign about armies: commanders, then armies for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from armies.models import Army, Commander
from armies.onboarding.starting_armies import Built, HostPlan, Troop, fund_first_weeks, muster
from armies.ruleset_ui import get_army_ui
from core.text import render
from kingdom.models import Campaign, Kingdom, User
from kingdom.onboarding import checklist
from kingdom.onboarding.checklist import FirstStep
from kingdom.onboarding.steps import (
    build_name_field,
    found_young_kingdom,
    list_bare_and_taken,
    list_first_without,
    list_names,
    name_step_field,
    point_refusals,
)
from rules.core.errors import require
from rules.core.text import Term, _, say

FOOT, HORDE = "foot", "horde"
LEADER_OF, ARMY_OF = _("Commander of {kingdom}"), _("Army of {kingdom}")


class FirstCommanders(FirstStep):
    slug, icon, after, order = "commander", "commander", ("kingdom",), 20
    title, told = _("Appoint a commander"), _("Commanders appointed")
    about = _("One for each kingdom, with starting values. Leave a name empty to skip.")
    button = _("Appoint")

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        return Commander.objects.filter(campaign=campaign)

    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        bare, taken = list_bare_and_taken(campaign, "commanders", Commander)
        names = checklist.several(checklist.COMMANDERS, taken, len(bare))
        for kingdom, name in zip(bare, names, strict=True):
            yield name_step_field(kingdom, "leader"), build_name_field(_told(LEADER_OF, kingdom), name, required=False)

    @transaction.atomic
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        ui = get_army_ui(campaign)
        for kingdom in list_first_without(campaign, "commanders"):
            field = name_step_field(kingdom, "leader")
            if name := given.get(field):
                leader = {"name": name, **ui.starts.leader(campaign)}
                point_refusals(f"/{field}", lambda k=kingdom, g=leader: ui.api.appoint_commander(by, k, g))
        return ""


class FirstArmies(FirstStep):
    slug, icon, after, order = "army", "army", ("kingdom",), 30
    title, told = _("Raise an army"), _("Armies raised")
    about = _("One for each kingdom, led by its commander. Edit it later on its sheet.")
    button = _("Raise")

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        return Army.objects.filter(campaign=campaign)

    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        (bare, taken), troops = (
            list_bare_and_taken(campaign, "armies", Army),
            get_army_ui(campaign).starts.troops(campaign),
        )
        names = checklist.several(checklist.ARMIES, taken, len(bare))
        choices = [(slug, render(troop.name)) for slug, troop in troops.items()]
        for kingdom, name in zip(bare, names, strict=True):
            yield name_step_field(kingdom, "army"), build_name_field(_told(ARMY_OF, kingdom), name, required=False)
            yield (
                name_step_field(kingdom, "troops"),
                forms.ChoiceField(
                    label=gettext_lazy("Troops"), choices=choices, initial=usual_of(troops, kingdom.name)
                ),
            )

    @transaction.atomic
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        troops = get_army_ui(campaign).starts.troops(campaign)
        require(troops, _("This ruleset has no ready-made armies. Raise one on the kingdom’s page."))
        kingdoms = list(list_first_without(campaign, "armies"))
        for kingdom in kingdoms:
            field = name_step_field(kingdom, "army")
            if name := given.get(field):
                body = troops[given[name_step_field(kingdom, "troops")]].body
                point_refusals(f"/{field}", lambda k=kingdom, n=name, b=body: raise_first(by, k, n, b))
        fund_first_weeks(by, kingdoms)
        return ""


def _told(label: Term, kingdom: Kingdom) -> str:
    return render(say(label, kingdom=kingdom.name))


def usual_of(troops: Mapping[str, Troop], kingdom: str) -> str:
    """Slug of the preselected starting army of a kingdom by this name: a horde for the suggested enemy that is one."""
    wanted = HORDE if kingdom == render(checklist.ENEMIES[0]) else FOOT
    return wanted if wanted in troops else next(iter(troops), "")


def raise_first(by: User, kingdom: Kingdom, name: str, body: Mapping[str, Any]) -> Army:
    """Raises an army of the kingdom under its first free commander, if there is one."""
    free = Commander.objects.filter(kingdom=kingdom, status=Commander.Status.FREE, army=None).order_by("pk").first()
    given = {"name": name, **body, **({"commander": free.pk} if free else {})}
    army: Army = get_army_ui(kingdom.campaign).api.raise_army(by, kingdom, given)
    return army


def raise_enemy(by: User, campaign: Campaign, name: str) -> Army:
    """Creates a kingdom with a commander and an army, for a user who has no enemy yet."""
    starts = get_army_ui(campaign).starts
    troops = starts.troops(campaign)
    require(troops, _("This ruleset has no ready-made armies. Raise one on the kingdom’s page."))
    kingdom = found_young_kingdom(by, campaign, name)
    leader = {
        "name": checklist.suggest_name(checklist.COMMANDERS, list_names(Commander, campaign)),
        **starts.leader(campaign),
    }
    body = {"name": checklist.suggest_name(checklist.ARMIES, list_names(Army, campaign)),
            **troops[usual_of(troops, name)].body}  # fmt: skip
    army = muster(by, Built(campaign), kingdom, HostPlan(body, leader))
    fund_first_weeks(by, [kingdom])
    return army

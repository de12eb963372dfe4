"""First steps of kingdoms: founding, first settlements, invitations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.contrib.postgres.expressions import ArraySubquery
from django.db import transaction
from django.db.models import OuterRef, QuerySet
from django.utils.translation import gettext_lazy

from core.clean_input import NAME_MAX
from core.forms.form_fields import Whole
from core.text import render
from core.text_search import fold_name
from kingdom.campaign.queries import open_invitations
from kingdom.members.services import USES_MAX, invite
from kingdom.models import Campaign, Invitation, Kingdom, Role, Settlement, User
from kingdom.onboarding import checklist
from kingdom.onboarding.checklist import FirstStep
from kingdom.realms.figures import get_realm_law
from kingdom.realms.services import found_kingdom, found_settlement
from rules.core.errors import InvalidInput, demand
from rules.core.text import _, say
from rules.realm import TownStart

MOST = 6  # kingdoms a step asks about at once
PLAYERS = 4
SIZES = ("city", "town")


def build_name_field(label: Any, suggested: str, required: bool = True) -> forms.CharField:
    return forms.CharField(label=label, max_length=NAME_MAX, initial=suggested, required=required)


def name_step_field(kingdom: Kingdom, what: str) -> str:
    """Return the name of a step's field about this kingdom."""
    return f"{what}-{kingdom.pk}"


def found_young_kingdom(by: User, campaign: Campaign, name: str) -> Kingdom:
    """Create a kingdom with the ruleset's initial figures."""
    realm = get_realm_law(campaign)
    figures: dict[str, Any] = {"alignment": "N"} if realm.alignments else {}
    return found_kingdom(by=by, campaign=campaign, name=name, **{**figures, **realm.young})


def young_town(by: User, kingdom: Kingdom, name: str, size: str) -> Settlement:
    """Create a settlement with the ruleset's initial buildings."""
    start = get_realm_law(kingdom.campaign).towns.get(size, TownStart())
    return found_settlement(
        by=by, kingdom=kingdom, name=name, districts=start.districts, buildings=list(start.buildings)
    )


class FirstKingdoms(FirstStep):
    slug, icon, order = "kingdom", "castle", 0
    title, told = _("Found a kingdom"), _("Kingdoms founded")
    about = _("One kingdom for your players and one as their enemy. Leave the second empty if you want only one.")
    button = _("Create")

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        return Kingdom.objects.filter(campaign=campaign)

    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        taken = list_names(Kingdom, campaign)
        yield (
            "name",
            build_name_field(gettext_lazy("Kingdom"), checklist.suggest_name(checklist.KINGDOMS, taken)),
        )
        yield (
            "enemy",
            build_name_field(
                gettext_lazy("Enemy kingdom"),
                checklist.suggest_name(checklist.ENEMIES, taken),
                required=False,
            ),
        )

    @transaction.atomic
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        alike = fold_name(given["name"]) == fold_name(given["enemy"])
        demand(not alike, _("The two kingdoms need different names."), field="/enemy")
        for name in ("name", "enemy"):
            if given[name]:
                point_refusals(f"/{name}", lambda name=name: found_young_kingdom(by, campaign, given[name]))
        return ""


class FirstSettlements(FirstStep):
    slug, icon, after, order = "settlement", "watchtower", ("kingdom",), 10
    title, told = _("Found a settlement"), _("Settlements founded")
    about = _("A city for the first kingdom, a town for the others. Leave a name empty to skip.")
    button = _("Create")

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        return Settlement.objects.filter(campaign=campaign)

    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        bare, taken = list_bare_and_taken(campaign, "settlements", Settlement)
        names = checklist.several(checklist.SETTLEMENTS, taken, len(bare))
        for kingdom, name in zip(bare, names, strict=True):
            label = render(say(_("Town of {kingdom}"), kingdom=kingdom.name))
            yield name_step_field(kingdom, "town"), build_name_field(label, name, required=False)

    @transaction.atomic
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        for place, kingdom in enumerate(list_first_without(campaign, "settlements")):
            field = name_step_field(kingdom, "town")
            if name := given.get(field):
                size = SIZES[min(place, 1)]
                point_refusals(f"/{field}", lambda k=kingdom, n=name, s=size: young_town(by, k, n, s))
        return ""


class FirstInvitations(FirstStep):
    slug, icon, order = "invite", "invite", 40
    title, told = _("Invite your players"), _("Players invited")
    about = _("One link for all. Send it to your group. It is valid for 14 days.")
    button = _("Create link")

    def rows(self, campaign: Campaign) -> QuerySet[Any]:
        """Return the invitations: any of them makes the step done."""
        return Invitation.objects.filter(campaign=campaign)

    def fields(self, campaign: Campaign) -> Iterator[tuple[str, forms.Field]]:
        yield "uses", Whole(label=gettext_lazy("Number of players"), least=1, most=USES_MAX, initial=PLAYERS)

    @transaction.atomic
    def do(self, by: User, campaign: Campaign, given: Mapping[str, Any]) -> str:
        invite(by=by, campaign=campaign, role=Role.PLAYER, uses=given["uses"])
        return ""

    def shown(self, campaign: Campaign) -> Mapping[str, Any]:
        """Return the latest link that still seats somebody."""
        links = [link for link in open_invitations(campaign) if link.role == Role.PLAYER]
        return {"invitation": links[-1] if links else None}


def list_names(kind: Any, campaign: Campaign) -> list[str]:
    """Return the names of the campaign's objects of this kind."""
    return list(kind.objects.filter(campaign=campaign).values_list("name", flat=True))


def list_first_without(campaign: Campaign, what: str) -> list[Kingdom]:
    """Return the first kingdoms, by founding, without objects of this relation."""
    return list(list_bare(campaign, what)[:MOST])


def list_bare(campaign: Campaign, what: str) -> QuerySet[Kingdom]:
    return Kingdom.objects.filter(campaign=campaign, **{what: None}).select_related("campaign").order_by("pk")


def list_bare_and_taken(campaign: Campaign, what: str, kind: Any) -> tuple[list[Kingdom], list[str]]:
    """Return the first kingdoms without objects of this relation, and the names of the campaign's objects of this kind.
    One query.
    """
    names = kind.objects.filter(campaign=OuterRef("campaign")).order_by().values("name")
    bare: list[Any] = list(list_bare(campaign, what).annotate(taken=ArraySubquery(names))[:MOST])
    return bare, bare[0].taken if bare else []


def point_refusals(field: str, action: Any) -> Any:
    """Run the action. `InvalidInput` is raised again at this field."""
    try:
        return action()
    except InvalidInput as refusal:
        raise InvalidInput(refusal.message, field) from None

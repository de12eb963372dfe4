"""Webhook events of campaigns and armies."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from core import text as words
from core.queries import find_one
from kingdom.access.impersonation_queries import newcomer_in
from kingdom.chronicle.queries import chronicle_for_all
from kingdom.models import ApprovalRequest, Campaign, Role, User
from kingdom.webhooks.event_types import ANSWERED, ARMY, REQUEST, TAKEN_BACK, TEST, TIME, About, HookEvent, Letter


def players_of(campaign: Campaign) -> list[User]:
    """Return the campaign's players: a message to all contains only facts that each of them may know. Without players,
    return a made-up newcomer.
    """
    return list(User.objects.filter(memberships__campaign=campaign, memberships__role=Role.PLAYER)) or [
        newcomer_in(campaign)
    ]


def _chronicle(campaign: Campaign, _about: About) -> str:
    return f"{reverse('campaign-detail', args=[campaign.pk])}chronicle/"


def _entry(campaign: Campaign, about: About) -> str:
    return reverse("kingdom:entry", args=[campaign.pk, about["entry"]])


def _campaign(campaign: Campaign, _about: About) -> str:
    return reverse("kingdom:campaign", args=[campaign.pk])


def _api_campaign(campaign: Campaign, _about: About) -> str:
    return reverse("campaign-detail", args=[campaign.pk])


def _test(campaign: Campaign, _about: About) -> str:
    return gettext("Test message from “{campaign}”.").format(campaign=campaign.name)


def _time(campaign: Campaign, about: About) -> str:
    said = gettext("The passage of time was undone. It is day {day} again, {date}.") if about[TAKEN_BACK] else gettext(
        "Time has passed. It is day {day}, {date}.")  # fmt: skip
    return said.format(day=about["day"], date=words.render(campaign.dates.date(about["day"]).text))


def _army(campaign: Campaign, about: About) -> str | None:
    """Return the text of the chronicle entry; None unless every player may read it."""
    entry = find_one(chronicle_for_all(players_of(campaign), campaign).filter(pk=about["entry"]))
    if entry is None:
        return None
    said = words.render(words.load_said(entry.text))
    return gettext("Undone: {what}").format(what=said) if about[TAKEN_BACK] else said


def _request(_campaign: Campaign, _about: About) -> str:
    """Return a sentence without names: the request is between a player and the GM."""
    return gettext("A request is waiting for the GM.")


def _answered(_campaign: Campaign, _about: About) -> str:
    return gettext("The GM has answered a request.")


def _api_request(_campaign: Campaign, about: About) -> str:
    return reverse("request-detail", args=[about["request"]])


def _page_of_request(_campaign: Campaign, about: About) -> str:
    return reverse("kingdom:petition", args=[about["request"]])


def members_of(campaign: Campaign, _about: About) -> QuerySet[User]:
    """Return all members of the campaign."""
    return User.objects.filter(memberships__campaign=campaign)


def _asker(campaign: Campaign, about: About) -> list[User]:
    petition = _petition(campaign, about)
    return [petition.by] if petition and petition.by else []


def _petition(campaign: Campaign, about: About) -> ApprovalRequest | None:
    return find_one(ApprovalRequest.objects.filter(campaign=campaign, pk=about["request"]).select_related("by"))


def _answer(campaign: Campaign, about: About) -> str | None:
    """Return the text for the requester only; None if the request is deleted."""
    petition = _petition(campaign, about)
    if petition is None:
        return None
    granted, refused = gettext("Your request was approved: “{what}”"), gettext("Your request was refused: “{what}”")
    said = (granted if petition.status == ApprovalRequest.State.GRANTED else refused).format(
        what=words.render(words.load_said(petition.text))
    )
    return f"{said}\n{petition.reason}" if petition.reason else said


EVENTS = {
    TEST: HookEvent(gettext_lazy("Test message"), _api_campaign, _campaign, _test),
    TIME: HookEvent(
        gettext_lazy("Time has passed"), _chronicle, _entry, _time,
        letter=Letter(gettext_lazy("time passes in a campaign"), members_of),
    ),
    ARMY: HookEvent(gettext_lazy("Armies have changed"), _chronicle, _entry, _army),
    REQUEST: HookEvent(gettext_lazy("A player asks for approval"), _api_request, _page_of_request, _request),
    ANSWERED: HookEvent(
        gettext_lazy("The GM answers a request"), _api_request, _page_of_request, _answered,
        letter=Letter(gettext_lazy("the GM answers my request"), _asker, _answer),
    ),
}  # fmt: skip

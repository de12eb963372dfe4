"""Every address there is, from the resolver, with real ids in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, NamedTuple

from django.contrib.admindocs.views import simplify_regex
from django.urls import URLPattern, get_resolver
from django.urls.resolvers import RoutePattern

from armies.adjustments.services import adjust_army
from armies.arsenal.services import save_thing
from armies.breaking_point.sieges.services import begin_siege
from armies.intel.services import let_know
from armies.pathfinder.armies.services import teach_tactic
from armies.pathfinder.models import KingdomStock
from armies.pathfinder.unit_types.services import save_unit_type
from battles.maps.services import keep_map
from battles.models import Job
from kingdom.access.decorators import ApprovalRequested
from kingdom.campaign.services import update_campaign
from kingdom.map.services import make_map
from kingdom.members.services import invite
from kingdom.models import (
    ApiToken,
    ApprovalRequest,
    CampaignImport,
    ChronicleEntry,
    Knowledge,
    Membership,
    Webhook,
    WebhookDelivery,
)
from kingdom.notes.queries import get_thing_for
from kingdom.notes.services import write_note
from kingdom.notes.targets import make_ref
from kingdom.pictures.services import save_picture
from kingdom.realms.planned_services import plan_line
from kingdom.realms.services import found_settlement
from kingdom.realms.treasury_services import record_entry
from kingdom.sharing.services import create_share
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import document
from tests.armies.breaking_point.sieges.tables import under_walls
from tests.battles.conftest import RAIDER, make_table, open_ford, seat_everybody
from tests.kingdom.conftest import make_user
from tests.pictures_sent import make_picture

PART = re.compile(r"<(?:\w+:)?(\w+)>")


class Door(NamedTuple):
    """An address, and the pattern it was made from."""

    pattern: str
    url: str

    @property
    def api(self) -> bool:
        return self.url.startswith("/api/")


def is_kept(door: Door) -> bool:
    """Whether a browser may keep what is answered: a picture, whose address changes with it."""
    return door.pattern.endswith("<digest>.webp")


def patterns() -> list[str]:
    """Every pattern of the urlconf, as in "/armies/<army_id>/"."""
    return sorted({f"/{found}".replace("/./", "/nowhere/") for found in _walk(get_resolver().url_patterns)})


def _walk(found: Any, above: str = "") -> Iterator[str]:
    for pattern in found:
        here = str(pattern.pattern)
        plain = here if isinstance(pattern.pattern, RoutePattern) else simplify_regex(here).lstrip("/")
        plain = PART.sub(r"<\1>", above + plain)
        if isinstance(pattern, URLPattern):
            yield plain
        else:
            yield from _walk(pattern.url_patterns, plain)


def settle() -> SimpleNamespace:
    """A table where every kind of thing exists once."""
    table = furnish(seat_everybody(make_table(make_user("gm"))))
    gm, campaign = table.gm, table.campaign
    table.drawn = make_map(by=gm, campaign=campaign, columns=8, rows=8)
    table.battle_map = keep_map(by=gm, campaign=campaign, document=document(STARTERS["the-ford"]))
    table.adjustment = adjust_army(by=gm, army=table.watch, figure="om", amount=1, reason="Blessed")
    table.battle = open_ford(table)
    table.share, table.share_token = create_share(by=gm, campaign=campaign, kind="live", thing=table.battle.pk)
    table.invitation = invite(by=gm, campaign=campaign, role="viewer")
    teach_tactic(by=gm, army=table.spare, tactic="dirty-fighters", granted=True)
    table.unit_type = save_unit_type(by=gm, campaign=campaign, unit=RAIDER)
    table.picture = save_picture(by=gm, campaign=campaign, kind="commander", key=str(table.watch.commander_id),
                                 sent=make_picture())  # fmt: skip
    table.token, table.key = ApiToken.objects.create(user=gm)
    table.petition = _asked(table)
    table.insight = let_know(by=gm, kingdom=table.crown, army=table.spare, level=Knowledge.NAME)
    table.line = plan_line(by=gm, kingdom=table.crown, name="Tribute", amount=2)
    table.note = write_note(by=gm, about=get_thing_for(gm, make_ref("campaign", campaign.pk)), text="A note")
    table.walls = walls = under_walls(table)
    save_thing(by=gm, campaign=walls.campaign, kind="weapons", thing={"name": "Blunderbuss", "damage": 9})
    walls.campaign.refresh_from_db()
    table.siege, table.place = begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host]), walls.ker
    table.webhook = Webhook.objects.create(
        campaign=campaign, name="Bot", url="https://bot.example.org/", events=["time.advanced"], language="en",
        origin="https://warhost.example.org",
    )  # fmt: skip
    table.told = WebhookDelivery.objects.create(campaign=campaign, webhook=table.webhook, event="webhook.test")
    table.arriving = CampaignImport.objects.create(owner=gm)
    table.job = Job.objects.create(owner=gm, campaign=campaign, kind="forecast", of=1, state="done")
    return table


def _asked(table: SimpleNamespace) -> ApprovalRequest:
    """A player's wish that waits for the GM."""
    update_campaign(by=table.gm, campaign=table.campaign, players_may={"treasury": "ask"})
    with suppress(ApprovalRequested):
        record_entry(by=table.ana, kingdom=table.crown, amount=5, reason="Found it")
    update_campaign(by=table.gm, campaign=table.campaign, players_may={"treasury": "free"})
    return ApprovalRequest.objects.get()


def furnish(table: SimpleNamespace) -> SimpleNamespace:
    """The table with a town and something in store."""
    table.town = found_settlement(by=table.gm, kingdom=table.crown, name="Restov", buildings=["smithy"])
    table.stock = KingdomStock.objects.create(
        campaign=table.campaign, kingdom=table.crown, resource="healing-potions", size="huge", quantity=1
    )
    return table


def doors(table: SimpleNamespace) -> list[Door]:
    ids = _ids(table)
    return [Door(one, PART.sub(lambda part, one=one: str(_named(table, ids, one, part[1])), one)) for one in patterns()]


SECOND_LAW = (
    "/c/<campaign_id>/arsenal/", "/c/<campaign_id>/sieges/", "/kingdoms/<kingdom_id>/fortified/",
    "/armies/<army_id>/leave/", "/armies/<army_id>/order-of-battle/", "/armies/<army_id>/spoils/",
    "/armies/<army_id>/units",
)  # fmt: skip
"""What there is under that law alone."""


def _named(table: SimpleNamespace, found: dict[str, Any], pattern: str, name: str) -> Any:
    """The id that stands for a part of a pattern. A part nobody knows fails the test: name it here."""
    if pattern.startswith(SECOND_LAW):
        walls = table.walls
        found = found | {"campaign_id": walls.campaign.pk, "kingdom_id": walls.crown.pk, "army_id": walls.guard.pk,
                  "kind": "weapons", "slug": "blunderbuss"}  # fmt: skip
    if pattern.startswith("/notes/<kind>/"):
        found = found | {"kind": "campaign"}
    if "/pictures/<kind>/" in pattern:
        found = found | {"kind": "commander", "thing": table.picture.key, "digest": table.picture.digest}
    return found[name if name != "pk" else pattern.removeprefix("/api/v1").split("/")[1]]


def _ids(table: SimpleNamespace) -> dict[str, Any]:
    campaign, crown, army, battle = table.campaign.pk, table.crown.pk, table.watch.pk, table.battle.pk
    commander = table.watch.commander_id
    return {
        "campaign_id": campaign, "kingdom_id": crown, "army_id": army, "battle_id": battle, "commander_id": commander,
        "settlement_id": table.town.pk, "invitation_id": table.invitation.pk, "invitation": table.invitation.pk,
        "member_id": Membership.objects.get(campaign=table.campaign, user=table.ana).pk, "user": "ana",
        "entry_id": ChronicleEntry.objects.filter(campaign=table.campaign).latest("seq").pk,
        "token_id": table.token.public_id, "slug": table.unit_type.slug, "token": table.invitation.token,
        "seq": 1, "side": "a", "table": "armies", "version": "1",
        "import_id": table.arriving.pk, "rule": "PF-3.6", "kind": "conditions", "item": "rain",
        "tactic": "dirty-fighters", "adjustment": table.adjustment["id"],
        "ruleset": "combat-de-masse", "uidb36": "1", "key": "set-password",
        "provider": "none", "reauthentication": "1",
        "campaigns": campaign, "kingdoms": crown, "armies": army, "battles": battle, "commanders": commander,
        "jobs": table.job.pk, "job_id": table.job.pk, "settlements": table.town.pk, "stores": table.stock.pk,
        "places": table.place.pk, "place_id": table.place.pk, "sieges": table.siege.pk, "siege_id": table.siege.pk,
        "name": "lift", "requests": table.petition.pk, "petition_id": table.petition.pk,
        "insight_id": table.insight.pk,
        "step": "kingdom", "line": table.line.id, "live": campaign, "thing_id": campaign,
        "share_id": table.share.pk, "share": table.share.pk, "share_token": table.share_token,
        "map": table.battle_map.pk, "map_id": table.battle_map.pk,
        "webhooks": table.webhook.pk, "webhook_id": table.webhook.pk, "delivery_id": table.told.pk,
        "delivery": table.told.pk, "notes": table.note.pk, "note_id": table.note.pk, "number": 1,
        "accounts": 1, "session_id": table.petition.pk,  # nobody's
        "unit-types": table.unit_type.slug, "arsenal": "weapons:blunderbuss",
    }  # fmt: skip

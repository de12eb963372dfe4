"""What moves where somebody may not look changes nothing of what they are sent: every way out, before and after."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from armies.forces.services import reveal_army
from armies.marches.services import march_along, place_army, put_army
from armies.weeks import services as time
from kingdom.map.painting_services import paint_map
from kingdom.map.queries import forget_map
from kingdom.map.services import claim_hexes, configure_map, make_map, put_settlement
from kingdom.models.base import uuid7
from kingdom.pictures.services import save_picture
from kingdom.realms.planned_services import plan_line
from kingdom.realms.services import found_settlement
from tests.access.people import is_read
from tests.battles.conftest import SPEARMAN, muster
from tests.databases import tried
from tests.everyday import FULL, at_most, by_turns, everyday
from tests.kingdom.conftest import api_of, make_user, seat
from tests.kingdom.map.conftest import drawing
from tests.manners import doors
from tests.markup import NEW_EACH_TIME
from tests.pictures_sent import make_picture
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
ELSEWHERE = ("/accounts/", "/live/", "/api/v1/docs", "/api/v1/schema", "/demo/", "/i18n/", "/rules/", "/credits/",
             "/offline/", "/worker.js", "/manifest", "/tokens/", "/join/", "/odds/", "/forecast/",
             "/account/")  # fmt: skip  # which tells the hour, and of the sign-ins of each asking, to the minute
SELDOM = ("/battles/", "/fortified/", "/sieges/", "/places/", "units", "-types/", "/arsenal/", "/codex/", "/members/",
          "/first-steps/", "/invitations/", "/account/", "/stores/", "/jobs/", "/boons/", "/rules/", "/new/",
          "/forecast", "/ransom/", "/notes/", "/requests/", "/check/")  # fmt: skip
MADE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|20\d\d-\d\d-\d\dT[0-9:.]+(Z|\+[0-9:]+)?"
    r'|data-seen="[^"]*"|\d{1,2} [A-Z][a-z]{2} 20\d\d, \d\d:\d\d'  # which a slow machine reads as two minutes
)  # ids and hours of what is made anew in each of two worlds
# Live pages are told that something has changed, an id and a version, never what: they look again, and may find
# nothing new (decision 17).
CHANGING = re.compile(rf'{NEW_EACH_TIME}|data-version="\d+"|\?version=\d+')
MOVED = ("/armies/", "/api/v1/armies/", "/settlements/", "/api/v1/settlements/", "/kingdoms/", "/api/v1/kingdoms/")
KINDS = at_most(("svg",), full=("svg", "png"))  # the points are drawn from the same lines
NOT_READ = 405
TOLD = ("Content-Type", "ETag", "Last-Modified", "Location", "Content-Disposition")


@built_once
def secret(db) -> SimpleNamespace:
    """The crown's Scouts and its town in the west; the horde's hidden Spare and its Lair in the east, and a third."""
    table = doors.settle()
    gm, campaign = table.gm, table.campaign
    table.scouts = muster(gm, table.crown, "Scouts", SPEARMAN, 500)
    table.lair = found_settlement(by=gm, kingdom=table.horde, name="Canary Lair")
    table.cai = seat(gm, campaign, make_user("cai"), "player")
    make_map(by=gm, campaign=campaign, document=drawing())
    forget_map(campaign)
    claim_hexes(by=gm, campaign=campaign, kingdom=table.crown, hexes=["B2", "C2"])
    claim_hexes(by=gm, campaign=campaign, kingdom=table.horde, hexes=["L10"])
    put_settlement(by=gm, settlement=table.town, hex="C3")
    put_settlement(by=gm, settlement=table.lair, hex="L10")
    put_army(by=gm, army=table.scouts, hex="D3")
    put_army(by=gm, army=table.spare, hex="M10")
    table.since = timezone.now().isoformat()
    table.below = save_picture(by=gm, campaign=campaign, kind="map", key=str(campaign.map.pk), sent=make_picture())
    return table


def reread(table: SimpleNamespace) -> SimpleNamespace:
    """Every row as it is now."""
    found = {name: type(row)._default_manager.get(pk=row.pk) if hasattr(row, "pk") else row
             for name, row in vars(table).items()}  # fmt: skip
    return SimpleNamespace(**found)


def in_turn(world: str, asked: Sequence[str]) -> Sequence[str]:
    """Every day every second one of them in one of `WORLDS`, the others in the other; where none is named, all."""
    return asked if FULL or not world else asked[WORLDS.index(world) :: len(WORLDS)]


def addresses(table: SimpleNamespace, world: str = "") -> list[str]:
    """Every address with the crown's ids and with the horde's, and what can be asked of a map and of a search.

    In one of `WORLDS`: every day each in the one whose turn it is there; the lists, and what is asked of the horde, its
    army and its town, to which all of it happens, in both.
    """
    theirs = SimpleNamespace(**{**vars(table), "crown": table.horde, "watch": table.spare, "town": table.lair})
    ours = SimpleNamespace(**{**vars(table), "watch": table.scouts})
    all_doors = doors.doors(ours)
    there = [door for door in all_doors if not world or world in by_turns(door.pattern, WORLDS)]
    horde_s = [door for door in {*doors.doors(theirs)} - {*all_doors} if not world or door.pattern.startswith(MOVED)
               or world in by_turns(f"{door.pattern} of the horde", WORLDS)]  # fmt: skip
    found = {door.url for door in (*there, *horde_s) if is_read(door.pattern)}
    on_map, api = f"/c/{table.campaign.pk}/map/", "/api/v1"
    hexes = ("M10", "F9", "E4", "L10")
    asked = [
        *(f"?army={table.scouts.pk}&hex={hex_}" for hex_ in hexes), "?layers=letters,coordinates",
        f"?army={table.scouts.pk}&hex=N11", f"?army={table.spare.pk}", "?hex=M10",
    ]  # fmt: skip
    found |= {on_map + query for query in in_turn(world, asked)}
    found |= {f"{api}/campaigns/{table.campaign.pk}/map/picture/?as={kind}" for kind in KINDS}
    found.add(f"{api}/campaigns/{table.campaign.pk}/pictures/map/{table.below.key}/")
    rooms, words = ("/find", "/find/choices", f"{api}/find"), ("spare", "canary", "lair", "m10")
    searches = [f"{room}/?q={word}&campaign={table.campaign.pk}" for word in words for room in rooms]
    found.update(in_turn(world, searches[:: at_most(2, full=1)]))  # each room and each word
    found |= {f"/c/{table.campaign.pk}/armies/?{query}" for query in ("state=marching", "q=canary", "state=all")}
    found |= {f"{api}/{kind}/?campaign={table.campaign.pk}&limit=100"
              for kind in ("armies", "kingdoms", "settlements", "commanders", "notes", "requests")}  # fmt: skip
    since = f"campaign={table.campaign.pk}&changed_since={quote(table.since)}"
    lists = ("armies", "kingdoms", "settlements", "commanders", f"campaigns/{table.campaign.pk}/chronicle")
    found |= {f"{api}/{kind}/?{since if '/' not in kind else since.partition('&')[2]}" for kind in lists}
    away = ELSEWHERE if FULL else ELSEWHERE + SELDOM
    return sorted(url for url in found if not any(part in url for part in away))


def sent(user: Any, table: SimpleNamespace, urls: Sequence[str], world: str = "") -> dict[str, tuple[Any, ...]]:
    """What each of these answers this user, but for what is new in every answer."""
    pages, programs = Client(headers={"Accept-Language": "en"}), api_of(user)
    pages.force_login(user)
    found = {url: _told((programs if url.startswith("/api/") else pages).get(url)) for url in urls}
    army = f"/api/v1/armies/{table.scouts.pk}/march/"
    for target in in_turn(world, ("M10", "L10", "F9", "N11")):
        found[f"march to {target}"] = _told(programs.post(army, {"to": target, "confirm": False}, format="json"))
    return found


def _told(response: Any) -> tuple[Any, ...]:
    body = response.getvalue()
    headers = tuple((name, response.headers.get(name)) for name in TOLD)
    if response["Content-Type"] in ("image/png", "image/webp"):
        return response.status_code, headers, body
    return response.status_code, headers, CHANGING.sub("", body.decode())


def unlike(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Where they differ, and how."""
    return [f"{url}: {_first(before[url], told)}" for url, told in after.items() if before[url] != told]


def _first(one: Any, other: Any) -> str:
    if isinstance(one[2], bytes) or one[2] == other[2]:
        return f"{one[:2]} / {other[:2]}"
    return _line(one[2], other[2])


def _line(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f" …{one[max(0, at - 80) : at + 120]!r} / {other[max(0, at - 80) : at + 120]!r}"


# What happens out of sight


def army_moves(table):
    put_army(by=table.gm, army=table.spare, hex="F9")


def army_marches(table):
    put_army(by=table.gm, army=table.spare, hex="M10")
    march_along(by=table.gm, army=table.spare, path=["M9", "L9", "K9", "J9", "I9"])


def army_meets(table):
    put_army(by=table.gm, army=table.spare, hex="D3")


def army_is_somewhere(table):
    place_army(by=table.bo, army=table.spare, place="Canary Mill")


def town_moves(table):
    put_settlement(by=table.gm, settlement=table.lair, hex="E4")


def purse_is_planned(table):
    plan_line(by=table.bo, kingdom=table.horde, name="Canary tribute", amount=5)


HIDDEN: list[Callable[[Any], None]] = [
    army_moves, army_meets, army_is_somewhere, army_marches, town_moves, purse_is_planned,
]  # fmt: skip


# What happens under fog: to what the crown has never seen, or sees no longer


@built_once
def fogged(secret) -> SimpleNamespace:
    """The crown sees the west; the horde's army and its town are shown to everybody, far away in the east."""
    gm, campaign = secret.gm, secret.campaign
    configure_map(by=gm, campaign=campaign, fog=True, sight=1)
    reveal_army(by=gm, army=secret.spare, revealed=True)
    put_settlement(by=gm, settlement=reread(secret).lair, hex="L10", revealed=True)
    return reread(secret)


def ground_is_painted(table):
    for command in (
        {"command": "paint", "at": "F9", "terrain": "lake"},
        {"command": "label", "hex": "J9", "text": "Canary Deep"},
        {"command": "road", "start": "J9", "to": "L9"},
        {"command": "river", "start": "J9", "to": "K9"},
    ):
        paint_map(by=table.gm, campaign=table.campaign, command=command)


def border_is_drawn(table):
    claim_hexes(by=table.gm, campaign=table.campaign, kingdom=table.horde, hexes=["J9", "K9"])


def town_out_of_sight_moves(table):
    put_settlement(by=table.gm, settlement=table.lair, hex="M11", revealed=True)


UNDER_FOG = [
    army_moves, army_is_somewhere, army_marches, ground_is_painted, border_is_drawn, town_out_of_sight_moves,
]  # fmt: skip


def all_at_once(table):
    for change in UNDER_FOG if table.spare.revealed else HIDDEN:
        change(reread(table))


WORLDS = ("hidden", "under fog")
READERS = everyday(["ana", "cai"], first=1)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("change", everyday([all_at_once, *HIDDEN], first=1))
def test_what_is_hidden_moves_and_nobody_else_is_sent_anything_else(secret, change, reader):
    assert_unchanged(secret, change, reader, "hidden")


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("change", everyday([all_at_once, *UNDER_FOG], first=1))
def test_what_moves_out_of_sight_under_fog_changes_nothing_of_what_is_sent(fogged, change, reader):
    assert_unchanged(fogged, change, reader, "under fog")


@pytest.mark.parametrize("change", everyday([army_marches, army_meets]))
def test_days_that_pass_tell_nothing_of_marches_that_are_hidden(secret, change):
    """Arrivals, meetings, numbers of entries: what follows from days is told alike with and without them."""
    urls = addresses(secret)
    with tried():
        days_pass(secret)
        without = [(url, MADE.sub("", str(told[2]))) for url, told in sent(secret.ana, secret, urls).items()]
    with tried():
        change(reread(secret))
        days_pass(secret)
        told = {url: MADE.sub("", str(told[2])) for url, told in sent(secret.ana, secret, urls).items()}
    assert [f"{url}: {_line(one, told[url])}" for url, one in without if one != told[url]] == []


def days_pass(table: SimpleNamespace) -> None:
    march_along(by=table.ana, army=reread(table).scouts, path=["E3", "F3", "G3"])
    time.confirm_time(by=table.gm, campaign=reread(table).campaign, days=2)


def assert_unchanged(table: SimpleNamespace, change: Callable[[Any], None], reader: str, world: str) -> None:
    urls, who = addresses(table, world), getattr(table, reader)
    before = sent(who, table, urls, world)
    urls = [url for url in urls if before[url][0] != NOT_READ]
    with tried():
        change(reread(table))
        assert unlike(before, sent(who, table, urls, world)) == []


def test_whoever_may_see_it_is_sent_it(secret):
    """That the others are sent nothing new, at the same addresses, means something only if this is."""
    urls = [url for url in addresses(secret) if url.endswith("/map/") or "/map/?" in url or "/map/picture/" in url]
    before = sent(secret.bo, secret, urls, "hidden")
    with tried():
        army_moves(reread(secret))
        assert len(unlike(before, sent(secret.bo, secret, urls, "hidden"))) > 5


def stand_in(table: SimpleNamespace, **other: Any) -> SimpleNamespace:
    return SimpleNamespace(
        **{**vars(table), **{name: SimpleNamespace(pk=pk, commander_id=pk) for name, pk in other.items()}}
    )


def test_a_hidden_army_and_one_that_never_was_are_refused_alike(secret):
    """By every address of an army or a town, read and written to; nothing in the words tells that it is there. To a
    player, and to a stranger: every day at every second address, by turns, for they are refused as whoever is no
    member.
    """
    nobody = uuid7()
    real = {
        door.pattern: door.url for door in doors.doors(stand_in(secret, watch=secret.spare.pk, town=secret.lair.pk))
    }
    none = {door.pattern: door.url for door in doors.doors(stand_in(secret, watch=nobody, town=nobody))}
    askers = {who: asker(who) for who in (secret.ana, secret.stranger)}
    wanted = [pattern for pattern in real if real[pattern] != none[pattern] and "commander" not in pattern]
    assert len(wanted) > 30
    for pattern in wanted:
        for who in (secret.ana, *filter(None, by_turns(pattern, (secret.stranger, None)))):
            for ask in askers[who](pattern):
                told = [_told(ask(url[pattern])) for url in (real, none)]
                words = [str(answer[2]).replace(str(pk), "id") for answer, pk in
                         zip(told, (secret.spare.pk, nobody), strict=True)]  # fmt: skip
                words[0] = words[0].replace(str(secret.lair.pk), "id")
                assert (told[0][0], words[0]) == (told[1][0], words[1]), (pattern, who)
                assert told[0][0] in (400, 403, 404, 405), (pattern, who)


def asker(who: Any) -> Callable[[str], tuple[Callable[[str], Any], ...]]:
    """How they read and how they write at an address: by a page or by a program."""
    pages, programs = Client(headers={"Accept-Language": "en"}), api_of(who)
    pages.force_login(who)

    def ways(pattern: str) -> tuple[Callable[[str], Any], ...]:
        if pattern.startswith("/api/"):
            return programs.get, lambda url: programs.post(url, {}, format="json")
        return pages.get, lambda url: pages.post(url, {})

    return ways

"""What is kept from somebody stands in nothing they are sent: pages, API, files, pictures, headers, at every
address.
"""

from __future__ import annotations

import json
import re
from difflib import unified_diff
from types import SimpleNamespace

import pytest

from armies.intel.services import hide_army, let_know
from armies.marches.services import put_army
from armies.models import Army, Sighting
from kingdom.campaign.services import update_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import Kingdom, Knowledge, User
from kingdom.models.base import uuid7
from kingdom.notes.queries import get_thing_for
from kingdom.notes.services import write_note
from kingdom.notes.targets import make_ref
from kingdom.realms.services import found_settlement
from rules.core.text import Message
from tests.access.people import Knock, client_of, gather, is_read, knocks, said_to
from tests.battles.conftest import RAIDER, muster
from tests.databases import tried
from tests.everyday import at_most, by_turns, everyday
from tests.kingdom.access.test_impersonation import is_page, looking, of, plain
from tests.manners.doors import is_kept
from tests.markup import NEW_EACH_TIME

PLACE, TOWN, TREASURY, NOTE, OURS = "Zanthic Ford", "Quillhaven", 918273, "Wyvernsecret plans", 746352
THEIRS = {PLACE, TOWN, str(TREASURY), "918,273", "918 273"}
NAMES = {"Bogdanova", "Anaximander"}  # what the players call themselves
CHANGING = re.compile(rf'{NEW_EACH_TIME}|data-seen="[^"]*"')
KEPT_FROM = {
    "player": {*THEIRS, NOTE},
    "other": {str(OURS), "746,352", NOTE},
    "viewer": {NOTE},
    "link": {*THEIRS, str(OURS), "746,352", NOTE, *NAMES},
    "removed": {*THEIRS, str(OURS), NOTE},
}
SCHEMA = "/api/v1/schema/"
UNKNOWING = ("player", "link", "removed")  # the others read all of the horde


def hide(table: SimpleNamespace) -> None:
    """The horde has an army somewhere (its name is known), a town and a purse, the crown a purse, the GM their plans. A
    player has told the GM something.
    """
    Army.objects.filter(pk=table.spare.pk).update(place=PLACE)
    found_settlement(by=table.gm, kingdom=table.horde, name=TOWN)
    for kingdom, treasury in ((table.horde, TREASURY), (table.crown, OURS)):
        Kingdom.objects.filter(pk=kingdom.pk).update(treasury=treasury)
    for user, name in zip((table.bo, table.ana), sorted(NAMES, reverse=True), strict=True):
        User.objects.filter(pk=user.pk).update(username=name)
    about = get_thing_for(table.gm, make_ref("campaign", table.campaign.pk))
    write_note(by=table.gm, about=about, text=NOTE, audience="gm")
    write_note(by=table.ana, about=about, text="We think so", audience="gm")


def sent(knock: Knock, said: object) -> str:
    headers = " ".join(f"{name}: {value}" for name, value in said.headers.items())  # type: ignore[attr-defined]
    return headers + said.body.decode(errors="replace")  # type: ignore[attr-defined]


def shadows(table: SimpleNamespace) -> set[str]:
    """Two armies of the horde with a leader each, on the map, named by an entry, a note and its mention: of one nobody
    was told anything, the other is hidden though it was shown to all and met before. What stands of them nowhere.
    """
    gm, campaign = table.gm, table.campaign
    secrets = set()
    for name, leader, place in (("Umbrafang", "Zhulkhan", "Gloomfen"), ("Nihilwatch", "Orsinax", "Duskmere")):
        army = muster(gm, table.horde, name, RAIDER, 917, commander=leader, revealed=name == "Umbrafang")
        put_army(by=gm, army=army, hex="C3")
        given = [{"id": "1", "figure": "om", "amount": 1, "reason": f"Blessed at {place}", "until": None}]
        Army.objects.filter(pk=army.pk).update(place=place, health=7, adjustments=given)
        said = Message("{army} was seen in {place}.", {"army": name, "place": place})
        chronicle_changes.apply(campaign=campaign, changes=(), by=gm, kind="other", text=said)
        about = get_thing_for(gm, make_ref("campaign", campaign.pk))
        write_note(by=gm, about=about, text=f"Beware of @{name} in {place}.")
        write_note(by=gm, about=get_thing_for(gm, make_ref("army", army.pk)), text=f"{place} is theirs.")
        if army.revealed:
            let_know(by=gm, kingdom=table.crown, army=army, level=Knowledge.ALL)
            Sighting.objects.create(campaign=campaign, kingdom=table.crown, army=army, hex="C3", day=0)
            hide_army(by=gm, army=army, hidden=True)
        secrets |= {name, leader, place, str(army.pk), str(army.pk)[-8:], str(army.commander_id)}
    update_campaign(by=gm, campaign=campaign, others_known=Knowledge.NOTHING)
    return secrets


@pytest.mark.parametrize("role", everyday(list(KEPT_FROM), first=1))
def test_what_is_kept_from_him_stands_nowhere(table, role):
    """Nor do armies they may not know of; the one whose name they know stands there, and no more of it. And nothing
    they are sent may be stored. Through a player's eyes the GM reads on every page what the player does, every day on
    every second one, by turns. In the full run alone the document of the API, which takes long to make and is the same
    for everybody (tests/config/test_openapi.py).
    """
    hide(table)
    shadowed = shadows(table)
    secrets = KEPT_FROM[role] | (shadowed if role in UNKNOWING else set())
    people, told, otherwise, compared = gather(table), {}, {}, 0
    opened = {api: client_of(role, people, api=api) for api in (False, True)}
    places = (table.campaign, table.walls.campaign) if role == "player" else ()
    eyes = {place.pk: looking(table.gm, place, table.ana.pk) for place in places}
    reads = (knock for knock in knocks(table) if knock.method == "GET" and is_read(knock.door.pattern))
    left = ("logout", *at_most((SCHEMA,), full=()))
    asked = [knock for knock in reads if not any(part in knock.door.url for part in left)]
    assert len(asked) > 150
    for knock in asked:
        turn = True in by_turns(knock.name, [True, False])
        by = eyes.get(of(knock)) if eyes and turn and is_page(knock) else None
        with tried():
            said = said_to(*opened[knock.door.api], knock)
            seen = said_to(by, {}, knock) if by else None
        assert "no-store" in said.headers.get("Cache-Control", "") or is_kept(knock.door), knock.name
        text = sent(knock, said)
        if found := sorted(secret for secret in secrets if secret in text):
            told[knock.name] = found
        if seen is not None:
            compared += 1
            assert b"<html" not in seen.body or b'<div class="guise"' in seen.body, knock.name
            if (said.status_code, plain(said)) != (seen.status_code, plain(seen)):
                otherwise[knock.name] = said.status_code, seen.status_code
    assert told == {}
    assert otherwise == {}
    assert compared > at_most(25, full=60) or not eyes


def test_who_asks_for_an_army_he_may_not_know_of_is_told_what_nobody_is(table):
    """By its id and by its name, in every way, it answers as what never was: but for the words they sent themselves."""
    secrets, strange = shadows(table), {"Wherenot": str(uuid7())}
    army = Army.objects.get(name="Umbrafang")
    client, headers = client_of("player", gather(table), api=False)
    program, key = client_of("player", gather_again(table), api=True)
    campaign = table.campaign.pk
    found = {}
    for name, pk in ((army.name, str(army.pk)), *strange.items()):
        urls = (
            f"/armies/{pk}/", f"/armies/{pk}/hide/", f"/find/?q={name}&campaign={campaign}",
            f"/c/{campaign}/armies/?q={name}", f"/c/{campaign}/chronicle/?army={pk}",
            f"/c/{campaign}/story/?army={name}", f"/c/{campaign}/map/?army={pk}", f"/notes/army/{pk}/",
            f"/c/{campaign}/notes/names/?q={name[:4]}", f"/c/{campaign}/chronicle/names/army/?q={name[:4]}",
        )  # fmt: skip
        asked = [client.get(url, headers=headers) for url in urls]
        api = [program.get(f"/api/v1/{url}", headers=key) for url in (
            f"armies/{pk}/", f"armies/{pk}/place/", f"armies/{pk}/march/", f"find/?q={name}&campaign={campaign}",
            f"campaigns/{campaign}/chronicle/?army={pk}", f"armies/?kingdom={table.horde.pk}")]  # fmt: skip
        api += [program.post(f"/api/v1/armies/{pk}/{deed}/", "{}", "application/json", headers=key)
                for deed in ("march", "halt", "hidden", "duplicate")]  # fmt: skip
        bulk = json.dumps({"deed": "place", "armies": [pk], "options": {"place": "here"}})
        api.append(program.post("/api/v1/armies/bulk/", bulk, "application/json", headers=key))
        found[name] = [(said.status_code, plainly(said, name, pk)) for said in (*asked, *api)]
    hidden, never = found.values()
    for one, other in zip(hidden, never, strict=True):
        assert [*unified_diff(other[1].splitlines(), one[1].splitlines(), lineterm="", n=0)] == []
        assert one == other
    assert any(status == 404 for status, _text in hidden)
    assert secrets


def gather_again(table: SimpleNamespace) -> dict:
    return {"player": table.ana}


def plainly(said: object, *words: str) -> str:
    text = said.content.decode() if not said.streaming else ""  # type: ignore[attr-defined]
    for word in (*words, *(word[:4] for word in words), *(word.lower() for word in words)):
        text = text.replace(word, "…")
    return CHANGING.sub("", text)


def test_the_canaries_sing_where_they_may_be_seen(table):
    """So that the other test can fail."""
    hide(table)
    client, headers = client_of("gm", gather(table), api=False)
    campaign, horde = f"/c/{table.campaign.pk}/", f"/kingdoms/{table.horde.pk}/"
    pages = (
        f"/armies/{table.spare.pk}/",
        horde,
        f"{horde}ledger/",
        f"{campaign}story/",
        f"/kingdoms/{table.crown.pk}/",
    )
    text = "".join(client.get(page, headers=headers).content.decode() for page in pages)
    for secret in (PLACE, TOWN, NOTE):
        assert secret in text
    assert all(any(form in text for form in (str(found), f"{found:,}")) for found in (TREASURY, OURS))

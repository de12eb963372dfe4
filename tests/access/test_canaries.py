"""What is kept from somebody stands in nothing he is sent: pages, API, files, pictures, headers, at every address."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from armies.models import Army
from kingdom.models import Kingdom, User
from kingdom.selectors.notes import thing_for
from kingdom.services.notes import write_note
from kingdom.services.settlements import found_settlement
from kingdom.topics import ref_of
from tests.access.people import Knock, answer, client_of, gather, knocks
from tests.everyday import everyday

PLACE, TOWN, TREASURY, NOTE, OURS = "Zanthic Ford", "Quillhaven", 918273, "Wyvernsecret plans", 746352
THEIRS = {PLACE, TOWN, str(TREASURY), "918,273", "918 273"}
NAMES = {"Bogdanova", "Anaximander"}  # what the players call themselves
KEPT_FROM = {
    "player": {*THEIRS, NOTE},
    "other": {str(OURS), "746,352", NOTE},
    "viewer": {NOTE},
    "link": {*THEIRS, str(OURS), "746,352", NOTE, *NAMES},
    "removed": {*THEIRS, str(OURS), NOTE},
}


def hide(table: SimpleNamespace) -> None:
    """The horde has an army somewhere (its name is known), a town and a purse, the crown a purse, the GM his plans."""
    Army.objects.filter(pk=table.spare.pk).update(place=PLACE)
    found_settlement(by=table.gm, kingdom=table.horde, name=TOWN)
    for kingdom, treasury in ((table.horde, TREASURY), (table.crown, OURS)):
        Kingdom.objects.filter(pk=kingdom.pk).update(treasury=treasury)
    for user, name in zip((table.bo, table.ana), sorted(NAMES, reverse=True), strict=True):
        User.objects.filter(pk=user.pk).update(username=name)
    about = thing_for(table.gm, ref_of("campaign", table.campaign.pk))
    write_note(by=table.gm, about=about, text=NOTE, audience="gm")


def sent(knock: Knock, said: object) -> str:
    headers = " ".join(f"{name}: {value}" for name, value in said.headers.items())  # type: ignore[attr-defined]
    return headers + said.body.decode(errors="replace")  # type: ignore[attr-defined]


@pytest.mark.parametrize("role", everyday(list(KEPT_FROM), first=1))
def test_what_is_kept_from_him_stands_nowhere(table, role):
    hide(table)
    people, told = gather(table), {}
    opened = {api: client_of(role, people, api=api) for api in (False, True)}
    asked = [knock for knock in knocks(table) if knock.method == "GET" and "logout" not in knock.door.url]
    assert len(asked) > 200
    for knock in asked:
        text = sent(knock, answer(*opened[knock.door.api], knock))
        if found := sorted(secret for secret in KEPT_FROM[role] if secret in text):
            told[knock.name] = found
    assert told == {}


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

"""If-Match holds against whoever asks at the same moment, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from core.client_info import parse_networks
from kingdom.map.services import make_map
from kingdom.models import ChronicleEntry
from kingdom.notes.queries import get_thing_for
from kingdom.notes.services import write_note
from kingdom.realms.services import found_settlement
from kingdom.webhooks.services import create_webhook
from rules.hexes.mapfile import blank, document
from rules.hexes.terrain import MapKind
from tests.battles.conftest import make_table
from tests.battles.play.test_versions import at_once
from tests.everyday import at_most
from tests.kingdom.conftest import api_of, make_user

SEVERAL = at_most(3, full=4)


def asked(user: Any, path: str, change: Callable[[int], Any], *, put: bool = False) -> Counter[int]:
    """What each of several programs that have seen the same version is answered for a change of its own."""
    seen = api_of(user).get(path)
    assert seen.status_code == 200, seen.content
    apis, answers = [api_of(user) for _program in range(SEVERAL)], Counter[int]()
    numbers = iter(range(SEVERAL))

    def one() -> None:
        number = next(numbers)
        send = apis[number].put if put else apis[number].patch
        answer = send(path, change(number), format="json", headers={"If-Match": seen["ETag"]})
        answers[answer.status_code] += 1

    at_once(one, SEVERAL)
    return answers


@pytest.mark.django_db(transaction=True)
def test_of_several_who_have_seen_the_same_version_one_changes_it(settings):
    """The others hear that it changed (412), and nothing of theirs is done or entered."""
    table = make_table(make_user("gm"))
    field = document(blank("Marches", MapKind.CAMPAIGN, 9, 8))
    make_map(by=table.gm, campaign=table.campaign, document=field)
    town = found_settlement(by=table.gm, kingdom=table.crown, name="Ker")
    note = write_note(by=table.gm, about=get_thing_for(table.gm, f"kingdom:{table.crown.pk}"), text="Once")
    settings.WEBHOOKS_TO = parse_networks(["127.0.0.1"])
    told = {"url": "http://127.0.0.1:9/", "events": ["battle.ended"], "origin": "http://testserver"}
    hook = create_webhook(by=table.gm, campaign=table.campaign, **told).webhook
    changes: dict[str, Callable[[int], Any]] = {
        f"kingdoms/{table.crown.pk}/": lambda number: {"unrest": 5 + number},
        f"armies/{table.watch.pk}/": lambda number: {"name": f"Watch {number}"},
        f"campaigns/{table.campaign.pk}/": lambda number: {"name": f"Marches {number}"},
        f"settlements/{town.pk}/": lambda number: {"districts": 2 + number},
        f"notes/{note.pk}/": lambda number: {"text": f"Twice {number}"},
        f"webhooks/{hook.pk}/": lambda number: {"name": f"Bot {number}"},
    }
    for path, change in changes.items():
        entered = ChronicleEntry.objects.count()
        assert asked(table.gm, f"/api/v1/{path}", change) == {200: 1, 412: SEVERAL - 1}, path
        assert ChronicleEntry.objects.count() - entered <= 1
    sheet = f"/api/v1/campaigns/{table.campaign.pk}/map/"
    drawn = asked(table.gm, sheet, lambda number: {**field, "name": f"Sheet {number}"}, put=True)
    assert drawn == {200: 1, 412: SEVERAL - 1}

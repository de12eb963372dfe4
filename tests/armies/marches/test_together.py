"""Many armies march over the map to one hex, each by its own way: proposed, done, told and taken back as one."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.bulk.many_deeds import get_deed, list_deeds, propose
from armies.bulk.services import order_armies
from armies.marches.services import put_army
from armies.models import Army
from kingdom.access.queries import get_campaign_for
from kingdom.chronicle.services import undo_entry
from kingdom.map.services import put_map_away
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.marches.conftest import fresh, pass_days, where
from tests.armies.marches.test_services import told

pytestmark = pytest.mark.django_db


def order(table, *armies, to="C7", mark=None):
    ids = [str(army.pk) for army in armies]
    given = {"campaign": table.campaign, "deed": "cross", "armies": ids, "options": {"to": to}}
    return order_armies(by=table.gm, mark=mark, **given)


def proposed(table, *armies, to="C7"):
    ids = [str(army.pk) for army in armies]
    return propose(table.gm, table.campaign, get_deed(table.campaign, "cross"), ids, {"to": to})


def test_each_goes_its_own_way_and_who_stands_nowhere_stays(marches):
    shown = proposed(marches, marches.watch, marches.raiders, marches.spare)
    assert not Army.objects.filter(marching_until__isnull=False).exists()
    done = order(marches, marches.watch, marches.raiders, marches.spare, mark=shown.mark)
    assert {line.army.name: line.done for line in done.proposal.lines} == {
        "Ironwatch": True, "Raiders": True, "Spare": False,
    }  # fmt: skip
    assert fresh(marches.watch).way.path == ("A7", "B7", "C7")
    assert fresh(marches.raiders).way.path[-1] == "C7"
    assert told(done.entry) == "Some armies set out for C7."
    pass_days(marches, 7)
    assert where(marches.watch, marches.raiders) == ["C7", "C7"]


def test_it_is_taken_back_as_one(marches):
    before = [fresh(army).__dict__ | {"_state": None} for army in (marches.watch, marches.raiders)]
    entry = order(marches, marches.watch, marches.raiders).entry
    undo_entry(by=marches.gm, entry=entry)
    now = [fresh(army).__dict__ | {"_state": None} for army in (marches.watch, marches.raiders)]
    for was, after in zip(before, now, strict=True):
        assert {name: was[name] for name in ("hex", "place", "route", "marching_until", "health")} == {
            name: after[name] for name in ("hex", "place", "route", "marching_until", "health")
        }


def test_on_the_march_it_takes_the_new_way(marches):
    order(marches, marches.watch, to="G7")
    order(marches, marches.watch, to="A6")
    assert fresh(marches.watch).way.path == ("A7", "A6")


def test_who_stands_there_already_is_told_so_and_the_others_go(marches):
    put_army(by=marches.gm, army=marches.spare, hex="C7")
    done = order(marches, marches.watch, marches.spare)
    assert [(line.army.name, line.done) for line in done.proposal.lines if not line.done] == [("Spare", False)]
    with pytest.raises(IllegalCommand, match="already there"):
        order(marches, marches.spare)


NO_HEXES = ["Z99", "", "7C", "nowhere", 7, None]


def test_a_hex_there_is_not_is_wrong_for_all(marches):
    for to in NO_HEXES:
        with pytest.raises(InvalidInput) as refused:
            order(marches, marches.watch, to=to)
        assert refused.value.errors[0][0] == "/options/to", to
        assert where(marches.watch) == ["A7"], to


def test_it_is_offered_only_where_there_is_a_map(marches):
    def offered() -> bool:
        campaign = get_campaign_for(marches.gm, marches.campaign.pk)
        return "cross" in [deed.slug for deed in list_deeds(marches.gm, campaign)]

    assert offered()
    put_map_away(by=marches.gm, campaign=marches.campaign)
    assert not offered()
    marches.campaign.__dict__.pop("_map", None)
    with pytest.raises(IllegalCommand, match="no map yet"):
        order(marches, marches.watch)


def test_more_armies_ask_no_more_of_the_map(marches):
    def asked(*armies) -> int:
        marches.campaign.__dict__.pop("_map", None)
        with CaptureQueriesContext(connection) as queries:
            proposed(marches, *armies)
        return len(queries)

    proposed(marches, marches.watch)
    assert asked(marches.watch) == asked(marches.watch, marches.raiders)

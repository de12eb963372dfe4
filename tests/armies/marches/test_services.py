"""Setting out along a path, halting, taking another way; days move armies, and undoing puts them back."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from armies.marches.services import halt_army, march_along, place_army, put_army
from armies.models import Army
from armies.weeks import army_moves
from armies.weeks import services as time
from armies.weeks.queries import list_due
from core.text import load_said, render
from kingdom.chronicle.services import undo_entry
from kingdom.map.queries import hexes_of
from kingdom.map.services import configure_map
from kingdom.models import ChronicleEntry, MapKnowledge
from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexes.geometry import label_of
from tests.armies.marches.conftest import WAY, fresh, pass_days, where

pytestmark = pytest.mark.django_db


def told(entry) -> str:
    return render(load_said(entry.text))


def last(table) -> ChronicleEntry:
    return ChronicleEntry.objects.filter(campaign=table.campaign, undone_at=None).order_by("-seq").first()


def test_an_army_sets_out_and_stands_each_day_where_its_speed_has_brought_it(marches):
    army = march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    assert told(last(marches)) == "Ironwatch set out for G7, 6 hexes away. It arrives on day 3."
    assert (army.hex, army.marching_until, army.way.stops) == ("A7", 3, ("A7", "C7", "E7", "G7"))
    stood = []
    for _day in range(4):
        stood += where(marches.watch)
        pass_days(marches, 1)
    assert stood == ["A7", "C7", "E7", "G7"]
    assert not fresh(marches.watch).marching


def test_a_week_brings_it_there_at_once_and_is_taken_back_with_all_it_moved(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    week = pass_days(marches, 7)
    assert where(marches.watch) == ["G7"]
    undo_entry(by=marches.gm, entry=week)
    assert where(marches.watch) == ["A7"]
    first = pass_days(marches, 2)
    pass_days(marches, 2)
    assert where(marches.watch) == ["G7"]
    undo_entry(by=marches.gm, entry=last(marches))
    assert where(marches.watch) == ["E7"]
    undo_entry(by=marches.gm, entry=first)
    assert (where(marches.watch), fresh(marches.watch).marching) == (["A7"], True)
    out = last(marches)
    undo_entry(by=marches.gm, entry=out)
    army = fresh(marches.watch)
    assert (army.hex, army.route, army.marching_until) == ("A7", None, None)


def test_setting_out_is_not_undone_below_the_days_that_passed_since(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    out = last(marches)
    pass_days(marches, 1)
    with pytest.raises(IllegalCommand, match="Ironwatch"):
        undo_entry(by=marches.gm, entry=out)
    halt_army(by=marches.ana, army=fresh(marches.watch))
    days = ChronicleEntry.objects.get(campaign=marches.campaign, kind="week", undone_at=None)
    with pytest.raises(IllegalCommand, match="Ironwatch"):
        undo_entry(by=marches.gm, entry=days)


def test_it_halts_where_it_stands_today_and_may_take_another_way(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    pass_days(marches, 1)
    halted = halt_army(by=marches.ana, army=fresh(marches.watch))
    assert (halted.hex, halted.route, halted.marching_until) == ("C7", None, 2), (
        "it has marched today: it does not rest"
    )
    pass_days(marches, 3)
    assert where(marches.watch) == ["C7"]
    march_along(by=marches.ana, army=fresh(marches.watch), path=["D7", "E7"])
    other = march_along(by=marches.ana, army=fresh(marches.watch), path=["B8", "A8"])
    assert (other.way.end, other.way.path) == ("A8", ("C7", "B8", "A8"))
    pass_days(marches, 1)
    assert where(marches.watch) == ["A8"]
    with pytest.raises(IllegalCommand, match="not on the march"):
        halt_army(by=marches.ana, army=fresh(marches.watch))


def test_whoever_puts_it_somewhere_else_ends_its_march(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    pass_days(marches, 1)
    put_army(by=marches.gm, army=fresh(marches.watch), hex="K8")
    pass_days(marches, 2)
    assert (where(marches.watch), fresh(marches.watch).route) == (["K8"], None)
    march_along(by=marches.ana, army=fresh(marches.watch), path=["J8", "I8", "H8"])
    place_army(by=marches.ana, army=fresh(marches.watch), place="the old mill")
    pass_days(marches, 1)
    assert where(marches.watch) == ["K8"]


def test_a_player_marches_his_own_armies_only_and_only_from_the_map(marches):
    with pytest.raises(PermissionDenied):
        march_along(by=marches.bo, army=fresh(marches.watch), path=WAY)
    with pytest.raises(IllegalCommand, match="Spare: not on the map"):
        march_along(by=marches.bo, army=fresh(marches.spare), path=WAY)
    for path, why in ((["C7"], InvalidInput), (["B7", "Q7"], InvalidInput), ([], InvalidInput), (["?"], InvalidInput)):
        with pytest.raises(why):
            march_along(by=marches.ana, army=fresh(marches.watch), path=path)
    assert fresh(marches.watch).route is None


def test_what_lies_ahead_tells_the_arrival_by_its_hex(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    marches.campaign.refresh_from_db()
    lines = [(line.day, render(line.text)) for line in list_due(marches.ana, marches.campaign)]
    assert (3, "Ironwatch: arrival at G7.") in lines
    assert not [text for _day, text in lines if "Raiders" in text]


def test_time_tells_who_meets_on_the_way_and_parts_again(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=[*WAY, "H7", "I7"])
    march_along(by=marches.bo, army=fresh(marches.raiders), path=["F7", "E7", "D7", "C7"])
    marches.campaign.refresh_from_db()
    proposal = time.propose_time(by=marches.gm, campaign=marches.campaign, days=7)
    meeting = "On day 1 Ironwatch and Raiders are both in C7."
    assert not [warning for warning in proposal.warnings if meeting in render(warning)]
    told_of = [render(warning) for warning in proposal.warnings if "are both in" in render(warning)]
    assert told_of == []
    march_along(by=marches.bo, army=fresh(marches.raiders), path=["F7", "E7"])
    proposal = time.propose_time(by=marches.gm, campaign=marches.campaign, days=7)
    told_of = [render(warning) for warning in proposal.warnings if "are both in" in render(warning)]
    assert told_of == [
        "On day 2, Ironwatch and Raiders are both in E7. To let them fight, advance time only to that day."
    ]


def test_a_kingdom_has_seen_what_its_army_passed(marches):
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True, sight=0)
    with pytest.raises(IllegalCommand, match="None of your armies has seen B7"):
        march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    march_along(by=marches.gm, army=fresh(marches.watch), path=WAY)
    pass_days(marches, 3)
    known = MapKnowledge.objects.get(kingdom=marches.crown)
    assert {label_of(at) for at in hexes_of(bytes(known.seen))} == {"A7", "C7", "E7", "G7"}


def test_armies_move_in_one_statement_however_many(marches, django_assert_max_num_queries):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    row = Army.objects.get(pk=marches.watch.pk)
    more = [
        Army(campaign=row.campaign, kingdom=row.kingdom, name=f"A{number}", health=1, health_max=1, hex="A7",
             sheet=row.sheet, marching_until=3, route=row.route)
        for number in range(20)
    ]  # fmt: skip
    Army.objects.bulk_create(more)
    with django_assert_max_num_queries(1):
        army_moves._move(row.campaign_id, since=0, day=2)
    assert set(where(*more)) == {"E7"}

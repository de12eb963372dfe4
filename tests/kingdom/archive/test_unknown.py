"""What means nothing here in a document is refused where it is, or borne by every page and by the next week."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from armies.models import Army, Commander
from armies.weeks.services import confirm_time
from core.clean_input import DAY_MAX, LAST_DAY
from kingdom.archive import services as archive_services
from kingdom.models import Campaign, Note, User
from kingdom.realms.planned_queries import clean_line
from rules.core.errors import IllegalCommand, InvalidInput
from rules.realm import PlannedLine
from tests.databases import tried
from tests.everyday import at_most, by_turns
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.archive.leaves import Leaf, is_number, is_word, leaves
from tests.kingdom.archive.pages import broken_pages
from tests.kingdom.archive.test_hostile import places, put
from tests.manners.conftest import table  # noqa: F401 - fixtures
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
VAST = 2_147_483_647
REMADE = "/tables/battles/0/state"  # what lists show of a battle is made again of its records
EACH = at_most(20, full=1)  # every day one of so many


class Journey(NamedTuple):
    gm: User
    document: dict[str, Any]


LAWS = ("combat-de-masse", "breaking-point")


@built_once
def journeys(table) -> dict[str, Journey]:  # noqa: F811
    """A document of everything there can be, by the law it is played by."""
    campaigns = Campaign.objects.filter(pk__in=(table.campaign.pk, table.walls.campaign.pk))
    return {found.ruleset: Journey(table.gm, taken_along(found)) for found in campaigns}


def stranger_to(leaf: Leaf) -> str:
    word = leaf.key if leaf.is_name else leaf.within[leaf.key]
    return "ZZ" if len(word) <= 2 else "no-such-thing"


def borne(journey: Journey, chosen: list[Leaf], strange: Any) -> list[str]:
    """The places where something strange is let in, one at a time; all of them stay so."""
    let_in = []
    for leaf in chosen:
        back = leaf.replaced(strange(leaf))
        with tried():
            if told := places(journey.gm, journey.document):
                assert all(told), f"{leaf.at} is refused without its place"
                back()
            else:
                let_in.append(leaf.at)
    return let_in


CASES = {
    "words": lambda leaf: not leaf.is_name and is_word(leaf.within[leaf.key]),
    "names": lambda leaf: leaf.is_name and is_word(leaf.key),
    "numbers": lambda leaf: not leaf.is_name and is_number(leaf.within[leaf.key]),
}


@pytest.mark.parametrize(
    ("law", "case"), [(law, case) for law in LAWS for case in by_turns(law, list(CASES))]
)  # fmt: skip
def test_what_means_nothing_here_is_refused_where_it_is_or_every_page_and_the_next_week_bear_it(
    journeys, law, case, monkeypatch
):
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", 1_000, 60))
    journey = journeys[law]
    found = [leaf for leaf in leaves(journey.document) if CASES[case](leaf) and not leaf.at.startswith(REMADE)]
    assert len(found) > 20
    let_in = borne(journey, found[::EACH], (lambda leaf: VAST) if case == "numbers" else stranger_to)
    there = bring_in(journey.gm, journey.document).campaign
    assert broken_pages(journey.gm, there, at_most(1, full=None)) == [], let_in
    confirm_time(by=journey.gm, campaign=there, days=7, lenient=True)


UNKNOWN = [
    ("/tables/kingdoms/0/alignment", "ZZ", "/tables/kingdoms/0/alignment"),
    ("/tables/kingdoms/0/economy", 10_001, "/tables/kingdoms/0/economy"),
    ("/tables/kingdoms/0/unrest", 10_001, "/tables/kingdoms/0/unrest"),
    ("/tables/settlements/0/buildings", ["smithy", "moon-base"], "/tables/settlements/0/buildings/1"),
    ("/tables/settlements/0/districts", 1_001, "/tables/settlements/0/districts"),
    ("/tables/settlements/0/hex", "e4", "/tables/settlements/0/hex"),
    ("/tables/settlements/0/hex", "ZZ99", "/tables/settlements/0/hex"),
    ("/tables/armies/0/hex", "e4", "/tables/armies/0/hex"),
    ("/tables/armies/0/hex", "E04", "/tables/armies/0/hex"),
    ("/tables/armies/0/hex", "J4", "/tables/armies/0/hex"),
    ("/tables/armies/0/hex", "ZZ99", "/tables/armies/0/hex"),
    ("/tables/armies/0/sheet/count", 10_000_001, "/tables/armies/0/sheet/count"),
    ("/tables/armies/0/sheet/unit/creature_type", "robot", "/tables/armies/0/sheet/unit/creature_type"),
    ("/tables/army_tactics/0/tactic", "hide", "/tables/army_tactics/0/tactic"),
    ("/tables/stores/0/resource", "lasers", "/tables/stores/0/resource"),
    ("/tables/stores/0/size", "vast", "/tables/stores/0/size"),
    ("/tables/stores/0/mount", {"creature_type": "robot"}, "/tables/stores/0/mount/creature_type"),
    ("/tables/unit_types/0/family", "robots", "/tables/unit_types/0/family"),
    ("/tables/unit_types/0/slug", "a/b", "/tables/unit_types/0/slug"),
    ("/tables/unit_types/0/unit/hit_die", "d7", "/tables/unit_types/0/unit/hit_die"),
    *((f"/tables/pathfinder_commanders/0/{name}", "jester", f"/tables/pathfinder_commanders/0/{name}")
      for name in ("office", "office_boon", "office_tactic")),
    ("/tables/pathfinder_commanders/0/boons", [{"boon": "luck"}], "/tables/pathfinder_commanders/0/boons/0/boon"),
    ("/tables/pathfinder_commanders/0/boons", ["luck"], "/tables/pathfinder_commanders/0/boons/0"),
    ("/tables/pathfinder_commanders/0/level", 61, "/tables/pathfinder_commanders/0/level"),
    ("/campaign/day", DAY_MAX + 1, "/campaign/day"),
    ("/campaign/day", VAST, "/campaign/day"),
    ("/tables/notes/0/day", VAST, "/tables/notes/0/day"),
    ("/tables/ledger/0/day", VAST, "/tables/ledger/0/day"),
    ("/tables/armies/0/marching_until", VAST, "/tables/armies/0/marching_until"),
    ("/tables/commanders/0/away_until", VAST, "/tables/commanders/0/away_until"),
    ("/tables/armies/0/upkeep", VAST, "/tables/armies/0/upkeep"),
    ("/tables/ledger/0/amount", 10**16, "/tables/ledger/0/amount"),
]  # fmt: skip


def test_what_a_law_or_a_map_does_not_know_is_refused_where_it_is(journeys, monkeypatch):
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", len(UNKNOWN), 60))
    journey, found = journeys["combat-de-masse"], []
    for path, value, pointer in UNKNOWN:
        before = _at(journey.document, path)
        told = places(journey.gm, put(journey.document, path, value))
        put(journey.document, path, before)
        found += [f"{path} {value!r}: {told}"] if told != [pointer] else []
    assert found == []


def _at(document: Any, path: str) -> Any:
    for part in path.strip("/").split("/"):
        document = document[int(part) if isinstance(document, list) else part]
    return document


def test_a_town_may_lie_where_a_smaller_map_has_no_hex_any_more(journeys):
    journey = journeys["combat-de-masse"]
    put(journey.document, "/tables/settlements/0/hex", "J4")
    assert places(journey.gm, journey.document) == []


def test_a_campaign_ends_on_its_last_day_and_says_so(journeys):
    journey = journeys["combat-de-masse"]
    put(journey.document, "/campaign/day", DAY_MAX - 7)
    there = bring_in(journey.gm, journey.document).campaign
    confirm_time(by=journey.gm, campaign=there, days=7, lenient=True)
    there.refresh_from_db()
    again = taken_along(there)
    assert places(journey.gm, again) == []
    with pytest.raises(IllegalCommand, match="last 1000000 days"):
        confirm_time(by=journey.gm, campaign=there, days=1, lenient=True)


def test_a_column_bounds_the_days_that_forms_and_programs_may_name():
    bounds = {(model, name): model._meta.get_field(name).most for model, name in (
        (Army, "marching_until"), (Commander, "away_until"), (Note, "day"), (Campaign, "day"))}  # fmt: skip
    assert set(bounds.values()) == {LAST_DAY, DAY_MAX}
    with pytest.raises(InvalidInput):
        clean_line(PlannedLine("0" * 32, "Toll", 3, "week", 0, LAST_DAY + 1))

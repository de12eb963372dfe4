"""Lasting adjustments under the rulesets whose armies are documents: given and ended by the GM, by page and API, held
in battles, until a day or for good. Those of mass combat: tests/armies/pathfinder/armies/test_adjustments.py.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from armies.adjustments.services import adjust_army, end_adjustment, read_adjustments
from armies.documents.reform_services import reform_armies
from armies.models import Army
from armies.tables.services import bring_in_table
from armies.weeks.services import propose_time
from battles.models import Battle
from battles.play import battle_state
from core.text import load_said, render
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry
from kingdom.realms.figures import get_ruleset
from rules.adjustments import LastingAdjustment, adjusted_by
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.tables.test_bringing import table_of as csv_of
from tests.armies.weeks.conftest import pass_days
from tests.armies.weeks.test_pages import browser, text_of
from tests.battles.frame.conftest import opened
from tests.battles.frame.test_world import settle
from tests.kingdom.archive.journeys import bring_in, but_for_ids, taken_along
from tests.kingdom.conftest import api_of
from tests.rulesets.drivers import Driver, driver_of, sides_of, table_of
from tests.worlds import built_once

pytestmark = pytest.mark.django_db

FIGURES = {
    "breaking-point": ("defense", "Defense of its units"),
    "wing-command": ("guard", "Guard of its troops"),
    "thucidide-fantasy": ("dice", "Dice of its units"),
}
"""A figure of each ruleset, with its name."""


@pytest.fixture(params=sorted(FIGURES))
def driver(request) -> Driver:
    """Every day one of the rulesets, by turns."""
    return driver_of(request.param)


@built_once
def table(db, driver) -> SimpleNamespace:
    found = table_of(driver)
    found.figure, found.named = FIGURES[driver.slug]
    return found


@pytest.fixture(params=sorted(FIGURES))
def law(request) -> str:
    """Every day each of the rulesets: what is tried with it is their own."""
    return request.param


@built_once
def under_each(db, law) -> SimpleNamespace:
    found = table_of(driver_of(law))
    found.figure, found.named = FIGURES[law]
    return found


def now(row: Any) -> Any:
    return type(row).objects.get(pk=row.pk)


def adjusted(table: Any, amount: int = 2, **given: Any) -> dict[str, Any]:
    return adjust_army(by=table.gm, army=now(table.watch), amount=amount,
                       **{"figure": table.figure, "reason": "Blessed by the lake", **given})  # fmt: skip


def api(table: Any, user: Any, army: Army | None = None) -> Any:
    return api_of(user, scope="manage"), f"/api/v1/armies/{(army or table.watch).pk}/"


def test_every_figure_is_adjusted_within_its_bounds(under_each):
    table = under_each
    for slug, figure in get_ruleset(table.campaign).adjustable.figures.items():
        adjusted(table, figure.most, figure=slug)
        with pytest.raises(InvalidInput) as refused:
            adjusted(table, figure.most + 1, figure=slug)
        assert refused.value.field == "/amount"
    assert text_of(browser(table.gm).get(reverse("armies:army", args=[table.watch.pk])))


def test_several_of_one_figure_add_up_within_its_bounds(table):
    """The sum of twenty would be a hundred dice or a breaking point beyond reason."""
    most = get_ruleset(table.campaign).adjustable.figures[table.figure].most
    adjusted(table, most)
    with pytest.raises(InvalidInput, match=f"would add up to \\+{most + 1}") as refused:
        adjusted(table, 1, reason="Blessed again")
    assert refused.value.field == "/amount"
    adjusted(table, -1, reason="Cursed")
    adjusted(table, 1, reason="Blessed again")
    with pytest.raises(InvalidInput, match="would add up to"):
        brought(table, row_of(table, f'{table.figure} {most} "Blessed"; {table.figure} 1 "Twice"'))
    assert sum(one["amount"] for one in now(table.watch).adjustments) == most


def test_once_what_weighed_against_them_has_ended_the_rest_counts_up_to_the_bound(table):
    """Nor does a file that brought more, and whoever adds to it may lower it."""
    most = get_ruleset(table.campaign).adjustable.figures[table.figure].most
    adjusted(table, most)
    against = adjusted(table, -most, reason="Cursed")
    adjusted(table, most, reason="Blessed again")
    end_adjustment(by=table.gm, army=now(table.watch), adjustment=against["id"])
    assert sum(one["amount"] for one in now(table.watch).adjustments) == 2 * most
    assert adjusted_by(read_adjustments(now(table.watch)), table.figure) == most
    with pytest.raises(InvalidInput, match="would add up to"):
        adjusted(table, 1, reason="Once more")
    adjusted(table, -1, reason="A little less")


def test_set_and_taken_away_any_adjustment_leaves_the_army_as_it_was(table):
    Army.objects.filter(pk=table.watch.pk).update(health=1)
    before = api(table, table.gm)[0].get(f"/api/v1/armies/{table.watch.pk}/").json()
    for slug, figure in get_ruleset(table.campaign).adjustable.figures.items():
        for amount in (-figure.most, figure.most):
            made = adjusted(table, amount, figure=slug)
            end_adjustment(by=table.gm, army=now(table.watch), adjustment=made["id"])
    after = api(table, table.gm)[0].get(f"/api/v1/armies/{table.watch.pk}/").json()
    assert {**after, "updated_at": ""} == {**before, "updated_at": ""}


def test_wrong_input_is_refused_at_its_place(table):
    for name, wrong in {"figure": "om", "amount": 0, "reason": " ", "until": -1}.items():
        with pytest.raises(InvalidInput) as refused:
            adjusted(table, **{name: wrong})
        assert refused.value.field == f"/{name}", name
    assert now(table.watch).adjustments == []


def test_the_chronicle_tells_it_and_undo_takes_it_back(table):
    adjusted(table, until=9)
    entry = ChronicleEntry.objects.filter(campaign=table.campaign).latest("seq")
    assert render(load_said(entry.text)) == f"Ironwatch adjusted: {table.named} +2. Blessed by the lake"
    page = text_of(browser(table.gm).get(reverse("kingdom:chronicle", args=[table.campaign.pk])))
    assert f"{table.named} +2: Blessed by the lake (until day 9)" in page
    undo_last(by=table.gm, campaign=table.campaign)
    assert now(table.watch).adjustments == []


def test_a_player_adjusts_nothing(table):
    made = adjusted(table)
    with pytest.raises(PermissionDenied):
        adjust_army(by=table.ana, army=now(table.watch), figure=table.figure, amount=9, reason="Please")
    with pytest.raises(PermissionDenied):
        end_adjustment(by=table.ana, army=now(table.watch), adjustment=made["id"])
    player, address = api(table, table.ana)
    sent = {"figure": table.figure, "amount": 1, "reason": "Please"}
    assert player.post(f"{address}adjustments/", sent, format="json").status_code == 403
    assert player.delete(f"{address}adjustments/{made['id']}/").status_code == 403
    assert browser(table.ana).post(reverse("armies:army_adjust", args=[table.watch.pk]), sent).status_code == 403
    page = text_of(browser(table.ana).get(reverse("armies:army", args=[table.watch.pk])))
    assert "Blessed by the lake" in page
    assert "Adjust a figure" not in page


def assert_at_field(refused: Any, name: str, told: str) -> None:
    """The message stands once, below the field, which names it."""
    markup = refused.content.decode()
    assert refused.status_code == 422
    assert markup.count("field-error") == 1
    assert told in markup.partition(f'<p class="field-error" id="adjust-{name}-error">')[2].partition("</p>")[0]
    control = re.search(rf'<(?:input|select)[^>]* id="adjust-{name}"[^>]*>', markup)
    assert control
    assert 'aria-invalid="true"' in control[0]
    assert f"adjust-{name}-error" in control[0]


def test_the_page_adjusts_and_ends(table):
    client, address = browser(table.gm), reverse("armies:army_adjust", args=[table.watch.pk])
    sent = {"figure": table.figure, "amount": "−3", "reason": "Cursed", "until": ""}
    assert client.post(address, sent).status_code == 302
    (made,) = now(table.watch).adjustments
    assert (made["figure"], made["amount"], made["until"]) == (table.figure, -3, None)
    refused = client.post(address, {**sent, "amount": "many"})
    assert refused.status_code == 422
    assert text_of(refused).count("Enter a whole number") == 1
    assert "Cursed" in text_of(refused)
    assert_at_field(refused, "amount", "Enter a whole number")
    assert_at_field(client.post(address, {**sent, "reason": " "}), "reason", "This can’t be empty.")
    assert_at_field(client.post(address, {**sent, "until": "soon"}), "until", "Enter a whole number")
    assert_at_field(client.post(address, {**sent, "figure": "luck"}), "figure", "isn’t allowed here")
    assert client.post(address, {"end": made["id"]}).status_code == 302
    assert now(table.watch).adjustments == []


def test_the_api_adjusts_tells_and_ends(table):
    gm, address = api(table, table.gm)
    sent = {"figure": table.figure, "amount": 1, "reason": "Good food", "until": 12}
    told = gm.post(f"{address}adjustments/", sent, format="json")
    assert told.status_code == 201, told.content
    (made,) = told.json()["adjustments"]
    assert {name: made[name] for name in sent} == sent
    assert "GM: Good food" in str(told.json()["sheet"])
    wrong = gm.post(f"{address}adjustments/", {**sent, "until": -4}, format="json")
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/until")
    strange = gm.post(f"{address}adjustments/", {**sent, "figure": "consumption"}, format="json")
    assert (strange.status_code, strange.json()["errors"][0]["pointer"]) == (400, "/figure")
    assert gm.delete(f"{address}adjustments/{made['id']}/").json()["adjustments"] == []
    assert gm.delete(f"{address}adjustments/{made['id']}/").status_code == 404


def test_battles_opened_after_have_it_and_it_cannot_change_in_them(under_each):
    table = under_each
    adjusted(table, 2)
    asked = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table)}
    told = api_of(table.gm).post("/api/v1/battles/", asked, format="json")
    assert told.status_code == 201, told.content
    state = battle_state.load_state(Battle.objects.get(pk=told.json()["id"]))
    assert LastingAdjustment(table.figure, 2, "Blessed by the lake") in HELD[table.campaign.ruleset](state, table.watch)
    assert HELD[table.campaign.ruleset](state, table.raiders) == ()
    with pytest.raises(IllegalCommand):
        adjusted(table)


HELD: dict[str, Any] = {
    "breaking-point": lambda state, army: state.armies[str(army.pk)].units[0].adjustments,
    "wing-command": lambda state, army: _troop(state, army).own.adjustments,
    "thucidide-fantasy": lambda state, army: _troop(state, army).own.adjustments,
}
"""The adjustments of an army's first unit in a battle."""


def _troop(state: Any, army: Army) -> Any:
    return next(own for unit, own in state.units.items() if unit.startswith(str(army.pk)))


def test_an_aftermath_leaves_them_and_writes_none_into_the_sheet(under_each, law):
    table, driver = under_each, driver_of(law)
    adjusted(table)
    adjust_army(by=table.gm, army=now(table.raiders), figure=table.figure, amount=-1, reason="Cursed")
    before = [now(army).adjustments for army in (table.watch, table.raiders)]
    gm = opened(table)
    answers = (gm.ok(**command) for command in driver.until_over(table))
    assert any(answer["status"] == "aftermath" for answer in answers)  # with adjusted dice perhaps a blow earlier
    assert settle(gm, table, driver)["status"] == "closed"
    assert [now(army).adjustments for army in (table.watch, table.raiders)] == before
    assert "adjustments" not in str([now(army).sheet for army in (table.watch, table.raiders)])


def test_it_ends_after_its_day_and_comes_back_by_undo(table):
    adjusted(table, until=2)
    adjusted(table, 1, reason="for good")
    pass_days(table.gm, table.campaign, days=2)
    assert len(now(table.watch).adjustments) == 2
    entry = pass_days(table.gm, table.campaign, days=1)
    assert [one["reason"] for one in now(table.watch).adjustments] == ["for good"]
    page = text_of(browser(table.gm).get(reverse("kingdom:chronicle", args=[table.campaign.pk])))
    assert f"{table.named} +2: Blessed by the lake (until day 2)" in page
    undo_last(by=table.gm, campaign=table.campaign)
    assert (len(now(table.watch).adjustments), now(entry).undone) == (2, True)


def test_what_ends_is_foretold(table):
    adjusted(table, until=0)
    ended = [
        (one.before, one.after)
        for one in propose_time(by=table.gm, campaign=table.campaign, days=1).changes
        if one.field == "adjustments"
    ]
    assert ended == [(now(table.watch).adjustments, [])]


def test_it_travels_in_the_campaigns_file(table):
    adjusted(table, until=9)
    document = taken_along(table.campaign)
    again = bring_in(table.gm, document).campaign
    assert but_for_ids(taken_along(again))["tables"] == but_for_ids(document)["tables"]
    came = Army.objects.get(campaign=again, name="Ironwatch").adjustments
    assert [(one["figure"], one["amount"], one["reason"], one["until"]) for one in came] == [
        (table.figure, 2, "Blessed by the lake", 9)
    ]
    row = next(row for row in document["tables"]["armies"] if row["name"] == "Ironwatch")
    for broken in ({}, [{"figure": table.figure}], [{**came[0], "figure": "om"}], [{**came[0], "amount": 0}]):
        row["adjustments"] = broken
        with pytest.raises(InvalidInput):
            bring_in(table.gm, document)
    for one in document["tables"]["armies"]:
        del one["adjustments"]
    old = bring_in(table.gm, document).campaign
    assert Army.objects.get(campaign=old, name="Ironwatch").adjustments == []


def test_armies_with_other_adjustments_are_not_combined(under_each):
    table = under_each
    second = driver_of(table.campaign.ruleset).army(table.gm, table.crown, "Second")
    adjusted(table)
    with pytest.raises(IllegalCommand, match="adjustments of Second and Ironwatch differ"):
        reform_armies(by=table.gm, army=now(table.watch), others=[now(second)])
    adjust_army(by=table.gm, army=now(second), figure=table.figure, amount=2, reason="Blessed by the lake")
    reform_armies(by=table.gm, army=now(table.watch), others=[now(second)])
    assert len(now(table.watch).adjustments) == 1


def test_a_ruleset_without_figures_to_adjust_has_no_such_address(db):
    bare = table_of(driver_of("coin"))
    address = reverse("armies:army_adjust", args=[bare.watch.pk])
    sent = {"figure": "guard", "amount": "1", "reason": "Please"}
    assert browser(bare.gm).post(address, sent).status_code == 404
    gm, below = api(bare, bare.gm, bare.watch)
    assert gm.post(f"{below}adjustments/", {**sent, "amount": 1}, format="json").status_code in (404, 409)
    with pytest.raises(Http404):
        end_adjustment(by=bare.gm, army=now(bare.watch), adjustment="0")


# Tables (CSV).


def as_csv(*rows: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def brought(table: Any, text: str, by: Any = None) -> Any:
    return bring_in_table(by=by or table.gm, campaign=table.campaign, table="armies", text=text)


def test_a_table_takes_them_out_and_in(table):
    adjusted(table, until=9)
    adjusted(table, -1, reason='The "old" curse −1; until 5')
    text, made = csv_of(table.gm, table.campaign), now(table.watch).adjustments
    assert f'{table.figure} +2 "Blessed by the lake" until 9; {table.figure} -1' in text.replace('""', '"')
    with pytest.raises(InvalidInput, match="Nothing to import"):
        brought(table, text)
    for one in made:
        end_adjustment(by=table.gm, army=now(table.watch), adjustment=one["id"])
    done = brought(table, text)
    assert (done.bringing.new, done.bringing.changed) == (0, 1)
    assert [{**one, "id": ""} for one in now(table.watch).adjustments] == [{**one, "id": ""} for one in made]
    undo_last(by=table.gm, campaign=table.campaign)
    assert now(table.watch).adjustments == []


def row_of(table: Any, cell: str) -> str:
    return as_csv(["id", "adjustments"], [table.watch.pk, cell])


def test_a_cell_replaces_them_keeps_what_is_the_same_and_none_ends_all(table):
    made = adjusted(table)
    brought(table, row_of(table, f'{table.figure} −1 "Cursed" until 30;{table.figure} +2 "Blessed by the lake"'))
    assert [(one["amount"], one["until"]) for one in now(table.watch).adjustments] == [(-1, 30), (2, None)]
    assert now(table.watch).adjustments[1]["id"] == made["id"]
    with pytest.raises(InvalidInput, match="Nothing to import"):
        brought(table, row_of(table, ""))
    brought(table, row_of(table, "none"))
    assert now(table.watch).adjustments == []


def test_a_wrong_cell_is_named_with_its_line(table):
    figure = table.figure
    one = f'{figure} 1 "x"'
    for cell in ("blessed", f"{figure} 1", f"{one} until soon", 'om 1 "x"', f'{figure} 0 "x"', f'{figure} 1 ""',
                 f'{figure} 999 "x"', "; ".join([one] * 21), f"{one} {one}"):  # fmt: skip
        with pytest.raises(InvalidInput) as refused:
            brought(table, row_of(table, cell))
        assert [pointer for pointer, _said in refused.value.errors] == ["/rows/2/adjustments"], cell
    assert now(table.watch).adjustments == []


def test_a_player_brings_none_in(table):
    adjusted(table)
    with pytest.raises(InvalidInput, match="Only the GM can do that"):
        brought(table, row_of(table, "none"), by=table.ana)
    assert len(now(table.watch).adjustments) == 1

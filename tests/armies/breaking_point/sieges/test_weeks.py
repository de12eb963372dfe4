"""Weeks of passing time: sieges, wounded, upkeep, proposed and confirmed and taken back as one (B-57, B-69)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.urls import reverse

from armies.breaking_point.models import Stationed
from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.services import begin_siege
from armies.models import Army
from armies.weeks import services as time
from armies.weeks.passage import TimeStop
from armies.weeks.queries import find_days
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry, LedgerEntry
from kingdom.realms.figures import get_ruleset
from rules.core.dice import DiceNeeded, TypedDie
from rules.core.errors import InvalidInput
from tests.armies.breaking_point.sieges.tables import again, army, foot
from tests.armies.weeks.test_pages import browser, mark_of, text_of
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def given(walls, days: int = 7, **more):
    return {"by": walls.gm, "campaign": again(walls.campaign), "days": days, **more}


def shots(walls, *faces: int) -> list[TypedDie]:
    return [TypedDie(str(walls.host.pk), "shot", faces)]


def notes(proposal) -> list[str]:
    return [str(note.text) for note in proposal.notes]


def test_a_week_bombards_and_counts_and_says_so_before_it_is_confirmed(walls, laid):
    """6 and 9 against 10 + 4 + 5: nothing. 6 and 10 and 5: 21, ten per cent and ten more of 200."""
    shown = time.propose_time(**given(walls), typed=shots(walls, 10, 5))
    assert notes(shown) == [
        "Day 7. Ker: the besiegers’ pieces shoot (score 21), and the garrison loses 4%.",
        "Day 7. Ker: week 1 of the siege.",
    ]
    assert again(laid).state["weeks"] == 0
    time.confirm_time(**given(walls), typed=shots(walls, 10, 5), mark=shown.mark)
    now = again(laid)
    assert (now.state["weeks"], now.state["garrison"]["damage"], now.version) == (1, 40, 1)


def test_time_is_taken_back_with_all_it_did_to_a_siege(walls, laid):
    before = laid.state
    time.confirm_time(**given(walls), typed=shots(walls, 10, 5))
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert again(laid).state == before
    assert again(walls.campaign).day == 0


def test_dice_are_asked_for_week_by_week_and_face_by_face(walls, laid):
    for known in ((), (10,), (10, 4), (10, 4, 2)):
        if known == (10, 4, 2):
            assert time.propose_time(**given(walls, 14), typed=shots(walls, *known), ask=True).rolls
            return
        with pytest.raises(DiceNeeded) as needed:
            time.propose_time(**given(walls, 14), typed=shots(walls, *known), ask=True)
        assert [(ask.army, ask.name) for ask in needed.value.asks] == [(str(walls.host.pk), "shot")]


def test_days_without_the_end_of_a_week_do_nothing_to_a_siege(walls, laid):
    assert notes(time.propose_time(**given(walls, 6))) == []


def test_a_siege_counts_its_weeks_from_its_own_first_day(walls):
    time.confirm_time(**given(walls, 3))
    row = begin_siege(by=walls.bo, place=again(walls.ker), armies=[again(walls.host)])
    assert row.began == 3
    assert notes(time.propose_time(**given(walls, 6))) == []
    assert len(notes(time.propose_time(**given(walls, 7), typed=shots(walls, 2)))) == 2


def test_after_its_time_the_garrison_starves_breaks_and_the_siege_waits_for_its_answer(walls, laid):
    sieges_services.order_siege(by=walls.bo, siege=laid, bombards=False)
    time.confirm_time(**given(walls, 7 * 24))
    assert (again(laid).status, again(laid).state["weeks"]) == ("open", 24)
    shown = time.propose_time(**given(walls, 7))
    assert notes(shown)[-1].endswith("Surrender or make a sortie now.")
    time.confirm_time(**given(walls, 7))
    broken = again(laid)
    assert (broken.status, broken.state["lost"]["garrison"]) == ("broken", 90)
    waiting = time.propose_time(**given(walls, 7))
    assert [str(warning) for warning in waiting.warnings] == [
        "Ker: the garrison must first choose between surrender and sortie. Until then, this siege is on hold."
    ]
    given_up = sieges_services.surrender_place(by=walls.ana, siege=broken)
    assert (given_up.status, again(walls.guard).status, again(walls.ker).kingdom) == (
        "unconditional", "captured", walls.horde,
    )  # fmt: skip


def test_two_weeks_without_two_to_one_lift_it_with_what_it_cost(walls):
    weak = army(walls.horde, "Weak", foot(150))
    row = begin_siege(by=walls.bo, place=walls.ker, armies=[weak])
    shown = time.propose_time(**given(walls, 14))
    assert notes(shown)[-1] == "Day 14. Ker: two weeks below 2:1, the siege is lifted."
    time.confirm_time(**given(walls, 14))
    assert (again(row).status, Stationed.objects.count()) == ("lifted", 1)
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert again(row).status == "open"


def test_terms_may_be_heard_each_week(walls, laid):
    dice = [*shots(walls, 2), TypedDie(str(walls.host.pk), "terms", (3,))]
    choices = {"terms": [str(laid.pk)]}
    shown = time.propose_time(**given(walls), typed=dice, choices=choices)
    assert notes(shown)[-1] == "Day 7. Ker: terms offered, the garrison leaves with the honors of war (score 16)."
    time.confirm_time(**given(walls), typed=dice, choices=choices, mark=shown.mark)
    assert (again(laid).status, again(walls.ker).kingdom) == ("honours", walls.horde)


NO_CHOICES = [
    ({"march": []}, "/choices/march"),
    ({"terms": "all"}, "/choices/terms"),
    ({"terms": ["x"]}, "/choices/terms/0"),
    ({"terms": ["01900000-0000-7000-8000-000000000000"]}, "/choices/terms/0"),
]


def test_a_choice_that_is_none_is_refused(walls, laid):
    for choices, pointer in NO_CHOICES:
        with pytest.raises(InvalidInput) as refused:
            time.propose_time(**given(walls), choices=choices)
        assert refused.value.field == pointer, choices


# the wounded, the fled, the paid


def test_time_can_pass_until_the_last_wounded_are_back(walls):
    hurt = army(walls.crown, "Hurt", foot(90, wounded=10))
    days = find_days(by=walls.gm, campaign=again(walls.campaign), stop=TimeStop.RECOVERY)
    time.confirm_time(**given(walls, days - 7))
    assert again(hurt).health < 100
    time.confirm_time(**given(walls))
    assert again(hurt).health == 100


def test_time_can_pass_until_a_routed_army_is_ready(walls):
    fled = army(walls.crown, "Fled", foot(90), status="routed")
    assert find_days(by=walls.gm, campaign=again(walls.campaign), stop=TimeStop.RECOVERY) == 7
    time.confirm_time(**given(walls))
    assert again(fled).status == "ready"


def test_a_quarter_of_the_wounded_are_back_after_a_week(walls):
    hurt = army(walls.crown, "Hurt", foot(90, wounded=10))
    entry = time.confirm_time(**given(walls))
    now = again(hurt)
    assert (now.health, now.health_max, now.sheet["units"][0]["wounded"]) == (93, 100, 7)
    assert entry.kind == "week"
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert (again(hurt).health, again(hurt).sheet) == (90, hurt.sheet)


def test_several_weeks_bring_back_a_quarter_of_what_is_left_each(walls):
    hurt = army(walls.crown, "Hurt", foot(90, wounded=10))
    time.confirm_time(**given(walls, 21))
    assert again(hurt).health == 90 + 3 + 2 + 2


def test_who_marched_has_nobody_back(walls):
    hurt = army(walls.crown, "Hurt", foot(90, wounded=10), marching_until=1)
    time.confirm_time(**given(walls))
    assert again(hurt).health == 90
    time.confirm_time(**given(walls))
    assert again(hurt).health == 93


def test_who_fought_in_the_week_has_nobody_back(walls):
    hurt = army(walls.crown, "Hurt", foot(90, wounded=10), status="routed")
    time.confirm_time(**given(walls, 3))
    line = {"subject_kind": "army", "subject_id": str(hurt.pk), "subject": "Hurt", "field": "status", "before": "ready",
            "after": "routed", "rule": "B-69", "label": {"t": "x"}}  # fmt: skip
    ChronicleEntry.objects.create(
        campaign=walls.campaign, seq=99, day=3, by=walls.gm, kind="battle", text={"t": "x"}, changes=[line]
    )
    time.confirm_time(**given(walls, 4))
    assert (again(hurt).health, again(hurt).status) == (90, "routed")
    time.confirm_time(**given(walls, 7))
    assert (again(hurt).health, again(hurt).status) == (93, "ready")


def test_who_is_in_a_siege_has_nobody_back(walls):
    hurt = army(walls.horde, "Hurt", foot(250, wounded=10))
    begin_siege(by=walls.bo, place=walls.ker, armies=[hurt])
    time.confirm_time(**given(walls))
    assert again(hurt).health == 250


def test_upkeep_is_a_figure_of_the_house_and_none_by_default(walls, monkeypatch):
    Army.objects.update(upkeep=30)
    time.confirm_time(**given(walls))
    assert again(walls.crown).treasury == 100
    house = SimpleNamespace(plain_die=False, upkeep=3)
    monkeypatch.setattr(type(get_ruleset(walls.campaign)), "house", house)
    shown = time.propose_time(**given(walls))
    assert [str(warning) for warning in shown.warnings] == ["Horde can’t pay all its armies on day 14: 20 of 30 BP."]
    time.confirm_time(**given(walls))
    assert (again(walls.crown).treasury, again(walls.horde).treasury) == (70, 0)
    assert LedgerEntry.objects.filter(source=LedgerEntry.Origin.WEEK).count() == 2
    undo_last(by=walls.gm, campaign=again(walls.campaign))
    assert (again(walls.crown).treasury, again(walls.horde).treasury) == (100, 20)


# page and API


def test_the_time_page_shows_the_week_of_a_siege_and_does_it(walls, laid):
    client, page = browser(walls.gm), reverse("armies:time", args=(walls.campaign.pk,))
    fresh = text_of(client.get(page))
    assert "Ker: another week of siege." in fresh
    assert "Offer terms each week" in fresh
    form = {"span": "week", "days": "", "day": "0"}
    shown = client.post(page, {**form, "do": "preview"})
    assert "week 1 of the siege" in text_of(shown)
    done = client.post(page, {**form, "do": "confirm", "mark": mark_of(shown)}, follow=True)
    assert done.status_code == 200
    assert again(laid).state["weeks"] == 1


def test_the_api_lets_a_week_of_a_siege_pass(walls, laid):
    client, url = api_of(walls.gm), f"/api/v1/campaigns/{walls.campaign.pk}/advance/"
    body = {"to": "week", "dice": [{"army": str(walls.host.pk), "roll": "shot", "values": [10, 5]}]}
    shown = client.post(url, body, format="json").json()
    assert [note["rule"] for note in shown["notes"]] == ["B-58", "B-57"]
    done = client.post(url, {**body, "confirm": True, "mark": shown["mark"]}, format="json")
    assert done.status_code == 200
    lines = [line for line in done.json()["changes"] if line["field"] != "day"]
    assert [line["subject_kind"] for line in lines] == ["siege"]
    assert again(laid).state["garrison"]["damage"] == 40

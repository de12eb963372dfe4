"""Time under laws of their own: one without a life, and one whose life takes what a later law will take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import get_resolver, reverse

from armies import ruleset_ui
from armies.models import Army, Commander, TimeStep
from armies.weeks import services as time
from armies.weeks.passage import Passage, TimeNote, TimeProposal, TreasuryMove
from armies.weeks.ruleset_weeks import NoLife
from kingdom.campaign.services import create_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, Membership
from kingdom.realms.services import found_kingdom
from rules import registry
from rules.core.dice import DiceNeeded, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import Term, say
from rules.house import NO_HOUSE_RULES, NothingSet
from rules.realm import NO_REALM
from tests.armies.weeks.conftest import now
from tests.armies.weeks.test_integrity import at_once
from tests.armies.weeks.test_pages import browser, mark_of, text_of
from tests.everyday import everyday
from tests.kingdom.conftest import api_of, make_user

pytestmark = pytest.mark.django_db


class QuietLaw:
    """A law of nothing: armies have a name, and time does nothing to them."""

    slug = family = "quiet"
    name, version = Term("Quiet"), "1"
    house, house_rules, realm = NothingSet(), NO_HOUSE_RULES, NO_REALM
    catalogues: Mapping[str, Any] = {}

    def with_house(self, stored: Any) -> QuietLaw:
        return self


class QuietArmies:
    family = "quiet"
    army = Army
    commander = Commander
    many = ()
    life: Any = None


class SiegeLife(NoLife):
    """A siege: each day costs a die of the treasury, and people choose how hard they press their own."""

    rolls: Mapping[str, Term] = {"assault": Term("Assault")}

    def propose(self, passage: Passage) -> TimeProposal:
        dice, crown = passage.dice(), Kingdom.objects.get(campaign=passage.campaign)
        moves, notes, rolls, held = [], [], [], crown.treasury
        for day in range(passage.since + 1, passage.until + 1):
            rolls.append(dice.roll(str(crown.pk), "assault", 6))
            dice.checkpoint()
            moves.append(TreasuryMove(str(crown.pk), held, held - rolls[-1].value, Term("Assault"), day))
            notes.append(TimeNote(say(Term("Assault on day {day}."), day=day), "S-1", rolls[-1]))
            held -= rolls[-1].value
        dice.finish()
        spent = chronicle_changes.Change(
            "kingdom", str(crown.pk), "treasury", crown.treasury, held, "S-1", Term("Assault"), crown.name, kept=True
        )
        told = (spent, *self._pressed(crown, passage.choices))
        return TimeProposal(
            since=passage.since, until=passage.until, changes=told, notes=tuple(notes), rolls=tuple(rolls),
            moves=tuple(moves),
        )  # fmt: skip

    def _pressed(self, crown: Kingdom, choices: Mapping[str, Any]) -> Iterator[chronicle_changes.Change]:
        for name, chosen in choices.items():
            if name != "press":
                raise InvalidInput(Term("No such choice."), f"/choices/{name}")
            yield chronicle_changes.Change(
                "kingdom", str(crown.pk), "unrest", crown.unrest, chosen, "S-2", Term("Unrest"), crown.name
            )


@pytest.fixture
def still(gm, monkeypatch) -> SimpleNamespace:
    """A campaign of a law without a life: a captive and a traveller who come home, an army on the march."""
    assert get_resolver().url_patterns  # doors are made once, of the laws there are then: it is none of them
    monkeypatch.setitem(registry.RULESETS, "quiet", QuietLaw())
    monkeypatch.setitem(ruleset_ui._uis.by_family, "quiet", QuietArmies())
    campaign = create_campaign(by=gm, name="A long peace", ruleset="quiet")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=50)
    own = {"campaign": campaign, "kingdom": crown}
    bo = Commander.objects.create(**own, name="Bo", status="captured", away_until=3, ransom=9)
    ada = Commander.objects.create(**own, name="Ada", away_until=5)
    guard = Army.objects.create(**own, name="Guard", health=3, health_max=8, place="Restov", marching_until=2)
    return SimpleNamespace(gm=gm, campaign=campaign, crown=crown, bo=bo, ada=ada, guard=guard)


@pytest.fixture
def siege(still, monkeypatch) -> SimpleNamespace:
    monkeypatch.setattr(QuietArmies, "life", SiegeLife())
    return still


def page(table: Any, name: str = "time") -> str:
    return reverse(f"armies:{name}", args=(table.campaign.pk,))


def api(table: Any, what: str) -> str:
    return f"/api/v1/campaigns/{table.campaign.pk}/{what}/"


FORM = {"span": "week", "days": "", "day": "0"}


def test_a_law_without_a_life_lets_days_pass_by_page_and_takes_them_back(still):
    client = browser(still.gm)
    fresh = text_of(client.get(page(still)))
    for words in ("Bo is back.", "Ada is back.", "Guard: arrival at Restov."):
        assert words in fresh
    assert 'name="dice_by"' not in fresh
    assert 'value="keep"' not in fresh
    shown = client.post(page(still), {**FORM, "do": "preview"})
    told = ("Bo is back on day 3.", "Ada is back on day 5.", "Guard: arrival at Restov on day 2.", "released")
    for words in ("From day 0 to day 7", *told):
        assert words in text_of(shown)
    assert now(still.campaign).day == 0
    done = client.post(page(still), {**FORM, "do": "confirm", "mark": mark_of(shown)}, follow=True)
    assert "7 days passed: day 0 to 7." in text_of(done)
    assert (now(still.campaign).day, now(still.bo).status, now(still.bo).ransom) == (7, "free", None)
    assert (now(still.guard).marching, now(still.ada).free_today) == (False, True)
    entry = re.search(r'name="entry" value="([\w-]+)"', done.content.decode())[1]  # type: ignore[index]
    assert "Undone: 7 days passed" in text_of(client.post(page(still, "time_undo"), {"entry": entry}, follow=True))
    assert (now(still.campaign).day, now(still.bo).status, now(still.bo).ransom) == (0, "captured", 9)
    assert TimeStep.objects.count() == 0
    again = client.post(page(still, "time_undo"), {"entry": entry}, follow=True)
    assert "already been undone" in text_of(again)


@pytest.mark.parametrize("law", everyday(["quiet", "coin", "turns"], first=1))
def test_who_arrives_stands_in_the_chronicle_of_any_law_and_is_taken_back_with_the_time(still, law):
    """An army at the end of its march, and a commander back from a journey: told line by line, undone as one."""
    Campaign.objects.update(ruleset=law)
    Commander.objects.filter(pk=still.bo.pk).delete()
    entry = time.confirm_time(by=still.gm, campaign=now(still.campaign), days=7)
    back, there = (line for line in chronicle_changes.list_changes(entry) if line.field in ("away", "marching"))
    assert (back.subject, back.before, back.after, str(back.label)) == ("Ada", True, False, "On day 5")
    assert (there.subject, there.before, there.after, str(there.label)) == ("Guard", True, False, "On day 2")
    chronicle = text_of(browser(still.gm).get(reverse("kingdom:chronicle", args=(still.campaign.pk,))))
    assert re.search(r"Guard\W.*?On the march.*?On day 2", chronicle, re.S)
    assert (now(still.guard).marching, now(still.ada).free_today) == (False, True)
    chronicle_changes.undo(campaign=now(still.campaign), entry=entry, by=still.gm)
    assert (now(still.guard).marching, now(still.ada).free_today) == (True, False)
    assert not ChronicleEntry.objects.filter(undone_at=None, kind="week").exists()


def test_who_is_still_on_his_way_is_not_told(still):
    entry = time.confirm_time(by=still.gm, campaign=still.campaign, days=1)
    assert [line.field for line in chronicle_changes.list_changes(entry)] == ["day"]


def test_a_day_on_which_nothing_happens_says_so(still):
    shown = text_of(browser(still.gm).post(page(still), {**FORM, "span": "day", "do": "preview"}))
    assert "Only the date changes." in shown


def test_a_second_click_lets_no_second_week_pass_without_a_life(still):
    client = browser(still.gm)
    mark = mark_of(client.post(page(still), {**FORM, "do": "preview"}))
    clicks = [client.post(page(still), {**FORM, "do": "confirm", "mark": mark}) for _click in range(2)]
    assert [click.status_code for click in clicks] == [302, 412]
    assert now(still.campaign).day == 7


@pytest.mark.django_db(transaction=True)
def test_two_gms_at_once_let_one_week_pass_without_a_life(still):
    second = make_user("second")
    Membership.objects.create(campaign=still.campaign, user=second, role="gm")
    answers = at_once(
        lambda: time.confirm_time(by=still.gm, campaign=now(still.campaign), days=7, day=0),
        lambda: time.confirm_time(by=second, campaign=now(still.campaign), days=7, day=0),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["ChronicleEntry", "StaleDay"]
    assert (now(still.campaign).day, TimeStep.objects.count()) == (7, 1)


def test_a_law_without_a_life_lets_days_pass_by_the_api_and_takes_them_back(still):
    client = api_of(still.gm)
    due = client.get(api(still, "due")).json()
    assert [(line["day"], line["text"], line["rule"]) for line in due] == [
        (2, "Guard: arrival at Restov.", ""), (3, "Bo is back.", ""), (5, "Ada is back.", ""),
    ]  # fmt: skip
    shown = client.post(api(still, "advance"), {"to": "week"}, format="json").json()
    assert (shown["until"], shown["dice"], shown["warnings"]) == (7, [], [])
    assert [line["field"] for line in shown["changes"]] == ["day", "status", "ransom", "away", "away", "marching"]
    assert not {"payments", "grouped"} & shown.keys()
    body = {"to": "week", "confirm": True, "mark": shown["mark"]}
    assert client.post(api(still, "advance"), body, format="json").json()["kind"] == "week"
    assert client.post(api(still, "advance"), {**body, "day": 0}, format="json").status_code == 412
    assert now(still.campaign).day == 7
    assert client.post(api(still, "undo")).json()["undone"] is True
    assert (now(still.campaign).day, now(still.bo).status) == (0, "captured")


def test_where_there_is_nothing_to_choose_a_choice_is_refused(still):
    client = api_of(still.gm)
    given = {"choices": {"march": []}}
    for answer in (
        client.post(api(still, "advance"), {"days": 1, **given}, format="json"),
        client.patch(api(still, "week"), given, format="json"),
    ):
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["pointer"] == "/choices/march"
    assert client.get(api(still, "week")).json() == {"week": 1, "ends": 7, "choices": {}}
    assert client.patch(api(still, "week"), {"choices": {}}, format="json").status_code == 200
    assert not ChronicleEntry.objects.filter(kind="army").exists()


def test_an_army_that_set_out_later_keeps_time_from_being_taken_back(still):
    entry = time.confirm_time(by=still.gm, campaign=still.campaign, days=7)
    on, campaign = Term("On the march"), now(still.campaign)
    march = chronicle_changes.Change("army", str(still.guard.pk), "marching_until", 2, 12, "", on, "Guard")
    chronicle_changes.write_entry(
        campaign=campaign,
        day=7,
        by=still.gm,
        kind="army",
        text=Term("March"),
        changes=[march],
        kingdoms=[still.crown.pk],
    )
    with pytest.raises(IllegalCommand, match="Guard"):
        chronicle_changes.undo(campaign=campaign, entry=entry, by=still.gm)


def test_the_campaigns_page_leads_to_time_under_any_law(still):
    board = text_of(browser(still.gm).get(reverse("kingdom:campaign", args=(still.campaign.pk,))))
    assert page(still) in board
    assert "ends in 7 days" in board


def test_a_life_asks_its_dice_one_by_one_and_moves_treasuries_through_their_ledger(siege):
    crown, given = siege.crown, {"by": siege.gm, "campaign": siege.campaign, "days": 3}
    typed = tuple(TypedDie(str(crown.pk), "assault", (face,)) for face in (4, 2, 6))
    for known in range(3):
        with pytest.raises(DiceNeeded) as needed:
            time.propose_time(**given, typed=typed[:known], ask=True)
        assert [(ask.army, ask.name, ask.die) for ask in needed.value.asks] == [(str(crown.pk), "assault", 6)]
    shown = time.propose_time(**given, typed=typed)
    assert now(crown).treasury == 50
    entry = time.confirm_time(**given, typed=typed, mark=shown.mark)
    assert now(crown).treasury == 38
    ledger = LedgerEntry.objects.filter(kingdom=crown, source=LedgerEntry.Origin.WEEK).order_by("seq")
    assert list(ledger.values_list("day", "amount")) == [(1, -4), (2, -2), (3, -6)]
    chronicle_changes.undo(campaign=now(siege.campaign), entry=entry, by=siege.gm)
    assert now(crown).treasury == 50


def test_a_life_asks_for_dice_on_the_page(siege):
    asked = text_of(browser(siege.gm).post(page(siege), {**FORM, "span": "day", "dice_by": "table", "do": "preview"}))
    assert re.search(r"<b>Crown</b> Assault\s+<span[^>]*>\(d6\)", asked)
    assert 'name="dice_by"' in asked


def test_what_a_life_was_told_to_do_is_part_of_what_is_confirmed(siege):
    given = {"by": siege.gm, "campaign": siege.campaign, "days": 1}
    shown = time.propose_time(**given, choices={"press": 2})
    with pytest.raises(time.StaleDay, match="Something has changed"):
        time.confirm_time(**given, choices={"press": 3}, mark=shown.mark)
    time.confirm_time(**given, choices={"press": 2}, mark=shown.mark)
    assert now(siege.crown).unrest == 2

"""The kingdom's page: its history, its offices, what its towns sell, and what lies ahead of its treasury."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from armies.pathfinder.commanders.page import offices_of
from armies.pathfinder.commanders.services import update_commander
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.outlook import build_outlook
from armies.pathfinder.weeks.weeks import list_weekly_due
from armies.weeks import services as time
from core.text_search import treasury_chart
from kingdom.campaign.services import update_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, Kingdom
from kingdom.models.base import uuid7
from kingdom.realms.figures import load_history, needs_of, unlocked_by
from kingdom.realms.services import update_kingdom
from kingdom.realms.treasury_services import append, record_entry
from rules.core.text import _, say
from tests.armies.conftest import api_of, appointed, multiplied, orc, raised
from tests.worlds import built_once

API = "/api/v1"


def fresh(kingdom: Kingdom) -> Kingdom:
    return Kingdom.objects.get(pk=kingdom.pk)


def page_of(user, kingdom, page="outlook") -> str:
    client = Client()
    client.force_login(user)
    return client.get(reverse(f"kingdom:{page}", args=[kingdom.pk])).content.decode()


# History


@built_once
def beaten(war):
    """Levy is beaten in a battle (−4/−2/−2), after a feast raised Loyalty by hand."""
    update_kingdom(by=war.gm, kingdom=war.crown, loyalty=19, reason="a feast")
    label = say(_("{army} defeated ({size})"), army="Levy", size=_("huge"))
    steps = (("economy", 22, 18), ("loyalty", 19, 17), ("stability", 20, 18))
    changes = [
        chronicle_changes.Change("kingdom", str(war.crown.pk), field, before, after, "PF-6.1", label, "Crown")
        for field, before, after in steps
    ]
    war.battle_id = uuid7()
    text = say(_("Aftermath of “{battle}”"), battle="The ford")
    war.entry = chronicle_changes.apply(
        campaign=war.campaign, changes=changes, by=war.gm, kind="battle", text=text, battle_id=war.battle_id
    )
    return war


def test_every_step_of_an_attribute_has_its_cause(beaten):
    lines = [
        (line.field, line.before, line.after, str(line.why), line.rule) for line in load_history(beaten.crown).lines
    ]
    assert lines == [
        ("stability", 20, 18, "Levy defeated (huge)", "PF-6.1"),
        ("loyalty", 19, 17, "Levy defeated (huge)", "PF-6.1"),
        ("economy", 22, 18, "Levy defeated (huge)", "PF-6.1"),
        ("loyalty", 18, 19, "Crown of Restov: a feast", "PF-8.1"),
    ]


def test_defeats_are_summed_and_linked_to_their_battle(beaten):
    history = load_history(beaten.crown)
    (defeat,) = history.defeats
    assert (str(defeat.why), defeat.battle) == ("Levy defeated (huge)", beaten.battle_id)
    assert defeat.by_attribute == (("Economy", -4), ("Loyalty", -2), ("Stability", -2))
    assert [(str(word), lost) for word, lost in history.lost] == [("Economy", -4), ("Loyalty", -2), ("Stability", -2)]
    page = page_of(beaten.ana, beaten.crown)
    assert reverse("battles:battle", args=[beaten.battle_id]) in page
    assert "Crown of Restov: a feast" in page


def test_what_was_undone_is_no_history(beaten):
    chronicle_changes.undo(campaign=beaten.campaign, entry=beaten.entry, by=beaten.gm)
    assert load_history(beaten.crown).defeats == ()


# Offices


def test_offices_are_held_or_vacant(war):
    update_commander(by=war.ana, commander=war.vell, office="warden", office_boon="loyalty")
    appointed(war.gm, war.crown, "Ada", office="warden", office_boon="hold-the-line")
    dead = appointed(war.gm, war.crown, "Ulf", office="ruler", office_boon="loyalty")
    update_commander(by=war.gm, commander=dead, status="killed")
    found = offices_of(war.crown)
    (seat,) = found.held
    assert (seat.office.slug, sorted(holder.name for holder in seat.holders)) == ("warden", ["Ada", "Ser Vell"])
    assert {boon.slug for boon in seat.boons} == {"loyalty", "hold-the-line"}
    assert "ruler" in {office.slug for office in found.vacant}
    assert "Warden" in page_of(war.ana, war.crown, "people")


# What the towns sell


def test_what_can_be_bought_where_and_what_is_missing(war):
    needs = {need.item.slug: need for need in needs_of(war.crown)}
    smithy = needs["improved-armor"]
    assert [(str(seller.building), seller.towns) for seller in smithy.sellers] == [("Smithy", ("Restov",))]
    assert (smithy.open, smithy.missing) == (True, ())
    potions = needs["healing-potions"]
    assert potions.open is False
    assert "Temple" in {str(name) for name in potions.missing}
    assert {str(name) for name in unlocked_by(war.crown, ["stable"])} == {"Mounts"}


def test_where_buildings_are_not_required_everything_is_open(war):
    update_campaign(by=war.gm, campaign=war.campaign, house_rules={"buildings_required": False})
    assert all(need.open for need in needs_of(Kingdom.objects.get(pk=war.crown.pk)))


# Ahead


def test_weeks_until_the_treasury_is_empty(war):
    assert war.levy.consumption == 1
    found = build_outlook(fresh(war.crown))
    assert (found.due.weekly, found.lasts, found.empty_in) == (1, 200, None)
    assert [week.balance for week in found.ahead[:2]] == [199, 198]


def test_the_kingdoms_own_consumption_and_potions_count(war):
    update_kingdom(by=war.gm, kingdom=war.crown, consumption=100)
    found = build_outlook(fresh(war.crown))
    assert found.due.monthly == 100
    assert found.empty_in.balance < 0
    assert found.lasts == found.empty_in.week - 1


def test_the_campaigns_page_counts_the_weeks_as_the_kingdoms_does(war):
    """PF-7.2, PF-7.4, R-22: potions are paid once, the kingdom's own Consumption by the month."""
    append(kingdom=war.crown, amount=-170, reason=_("Fire"), source="other", by=war.gm)
    update_kingdom(by=war.gm, kingdom=war.crown, consumption=3)
    PathfinderArmy.objects.filter(pk=war.levy.pk).update(surcharge=12)
    (due,) = (due for due in list_weekly_due(war.gm, war.campaign) if due.kingdom == war.crown)
    assert (due.week.spent, due.weeks_left) == (13, build_outlook(fresh(war.crown)).lasts)
    assert due.weeks_left == 12  # 30 BP: 12 for potions, 1 a week, 3 on day 31 and on day 59
    update_kingdom(by=war.gm, kingdom=fresh(war.crown), consumption=0)
    append(kingdom=war.crown, amount=10_000, reason=_("Gold"), source="other", by=war.gm)
    assert list_weekly_due(war.gm, war.campaign)[0].weeks_left is None


def test_nothing_due_lasts_for_ever(table):
    found = build_outlook(table.crown)
    assert (found.endless, found.losses) == (True, ())
    assert "Nothing is due" in page_of(table.ana, table.crown)


def test_past_weeks_are_read_from_the_ledger(war):
    append(kingdom=war.crown, amount=-5, reason=_("Consumption"), source="week", by=war.gm, day=7)
    append(kingdom=war.crown, amount=40, reason=_("Taxes"), source="manual", by=war.gm, day=9)
    append(kingdom=war.crown, amount=-6, reason=_("Consumption"), source="week", by=war.gm, day=14)
    Campaign.objects.update(day=15)
    past = build_outlook(fresh(war.crown)).past
    assert [(week.week, week.day, week.paid, week.balance) for week in past] == [(1, 7, 5, 195), (2, 14, 6, 229)]


def test_a_week_taken_back_is_no_week_paid(war):
    """PF-7.2: what was paid and given back again stands in the ledger, not in what the weeks have cost."""
    for _week in range(2):
        time.confirm_time(by=war.gm, campaign=Campaign.objects.get(pk=war.campaign.pk), days=7)
    undo_last(by=war.gm, campaign=war.campaign)
    assert [(week.week, week.paid, week.balance) for week in build_outlook(fresh(war.crown)).past] == [(1, 1, 199)]
    record_entry(by=war.gm, kingdom=war.crown, amount=-9, reason="Fire")
    time.confirm_time(by=war.gm, campaign=Campaign.objects.get(pk=war.campaign.pk), days=7)
    past = build_outlook(fresh(war.crown)).past
    assert [(week.week, week.paid, week.balance) for week in past] == [(1, 1, 190), (2, 1, 189)]


def test_a_lost_battle_costs_by_size_and_takes_the_leader(war):
    raised(war.gm, war.crown, "Band", count=25, unit=orc(cr="1"))
    found = build_outlook(fresh(war.crown))
    losses = {line.army.name: line for line in found.losses}
    levy, band = losses["Levy"].loss, losses["Band"].loss
    assert (levy.economy, levy.loyalty, levy.stability, levy.ransom) == (-4, -2, -2, war.levy.consumption)
    assert (band.economy, band.loyalty, band.stability, band.ransom) == (-1, -1, 0, 0)
    assert [(after.now, after.after) for after in found.attributes] == [(22, 17), (18, 15), (20, 18)]
    assert losses["Levy"].leader == "Ser Vell"


READS = {"gm": 200, "ana": 200, "viewer": 200, "bo": 404, "stranger": 404, None: 401}


def test_who_may_look_ahead(war):
    for who, status in READS.items():
        answer = api_of(getattr(war, who) if who else None).get(f"{API}/kingdoms/{war.crown.pk}/outlook/")
        assert answer.status_code == status, who
        if answer.status_code == 200:
            body = answer.json()
            assert (body["treasury"], body["weeks_until_empty"], body["due"]["weekly"]) == (200, 200, 1), who
            assert body["losses"][0]["loss"]["economy"] == -4, who


def test_the_page_draws_and_tells_the_same_figures(war):
    append(kingdom=war.crown, amount=-195, reason=_("Fire"), source="other", by=war.gm)
    page = page_of(war.viewer, war.crown)
    assert "The treasury covers 5 more full weeks." in page
    assert "Week 6 can’t be paid in full: the treasury is 1 BP short" in page
    assert '<polyline class="line ahead" points="0.0,' in page
    assert "Ser Vell" in page


def test_a_chart_speaks_no_locale(war):
    drawing = treasury_chart([(10, 3), (7, 3)], 4, [(1, 3), (-2, 3)])
    assert len(drawing.past.split()) == len(drawing.ahead.split()) == 3
    assert drawing.past.split()[-1] == drawing.ahead.split()[0]
    assert (len(drawing.bars), [bar.ahead for bar in drawing.bars]) == (4, [False, False, True, True])
    assert re.fullmatch(r"[\d., -]+", f"{drawing.past} {drawing.ahead}")


def test_the_page_asks_as_often_for_twelve_armies_as_for_two(war, django_assert_max_num_queries):
    client = Client()
    client.force_login(war.gm)
    urls = [reverse(f"kingdom:{page}", args=[war.crown.pk]) for page in ("kingdom", "people", "outlook")]

    def queries() -> list[int]:
        found = []
        for url in urls:
            with django_assert_max_num_queries(16) as asked:
                client.get(url)
            found.append(len(asked))
        return found

    second = raised(war.gm, war.crown, "Second", commander=appointed(war.gm, war.crown, "Ada"))
    few = queries()
    multiplied(second, 10)
    for number in range(10):
        update_kingdom(by=war.gm, kingdom=war.crown, economy=number)
    assert queries() == few

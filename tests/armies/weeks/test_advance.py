"""Time is proposed, confirmed and taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from armies.models import TimeStep
from armies.pathfinder.armies.march_services import march_army, rest_army
from armies.pathfinder.commanders.services import update_commander
from armies.pathfinder.forces.specs import Road
from armies.pathfinder.models import ArmyWeek, PathfinderArmy, PathfinderCommander
from armies.pathfinder.weeks import services as weeks_services
from armies.weeks import services as time
from core.text import load_said, render
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.field_change import link_refusal
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry
from kingdom.realms.services import found_kingdom, update_kingdom
from rules.core.dice import DiceNeeded
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import _
from tests.armies.conftest import appointed, fought_in, orc, raised
from tests.armies.weeks.conftest import dice, now, pass_days, set_army, treasury


def propose(war: Any, days: int = 7, **options: Any) -> time.TimeProposal:
    return time.propose_time(by=war.gm, campaign=now(war.campaign), days=days, **options)


def lines(proposal: time.TimeProposal) -> list[tuple[str, str, Any, Any, str]]:
    return [(line.subject, line.field, line.before, line.after, line.rule) for line in proposal.changes]


def last_entry(war: Any) -> ChronicleEntry:
    return ChronicleEntry.objects.filter(campaign=war.campaign, kind="week").latest("seq")


def ledger(kingdom: Kingdom) -> int:
    return sum(LedgerEntry.objects.filter(kingdom=kingdom).values_list("amount", flat=True))


def undo(war: Any) -> ChronicleEntry:
    return undo_entry(by=war.gm, entry=last_entry(war))


def test_a_proposal_says_line_by_line_what_would_change_and_writes_nothing(quiet):
    set_army(quiet.levy, hp=1)
    before = (treasury(quiet.crown), now(quiet.levy).hp, now(quiet.campaign).day)
    proposal = propose(quiet)
    assert lines(proposal) == [
        ("Restov marches", "day", 0, 7, "PF-7"),
        ("Levy", "hp", 1, 16, "PF-7.1"),
        ("Raiders", "morale", 0, -1, "PF-2.7"),
        ("Crown of Restov", "treasury", 200, 199, "PF-7.2"),
        ("Greenbelt horde", "treasury", 2, 1, "PF-7.2"),
    ]
    assert (treasury(quiet.crown), now(quiet.levy).hp, now(quiet.campaign).day) == before
    assert not ArmyWeek.objects.exists()
    assert not TimeStep.objects.exists()


def test_each_payment_shows_its_sum(quiet):
    set_army(quiet.levy, surcharge=12)
    payment = next(pay for pay in propose(quiet).payments if pay.name == "Levy")
    assert [(str(line.label), line.value) for line in payment.due.lines] == [("Consumption", 1), ("Potions drunk", 12)]
    assert (payment.spent, payment.paid, payment.double) == (13, True, False)


def test_confirming_does_what_was_proposed_and_enters_it(quiet):
    set_army(quiet.levy, hp=1)
    proposal = propose(quiet)
    entry = pass_days(quiet.gm, quiet.campaign, mark=proposal.mark, day=0)
    assert now(quiet.campaign).day == entry.day == 7
    assert (now(quiet.levy).hp, now(quiet.raiders).morale, treasury(quiet.crown)) == (16, -1, 199)
    assert [(line.field, line.after) for line in chronicle_changes.list_changes(entry)] == [
        (line.field, line.after) for line in proposal.changes
    ]
    assert render(load_said(entry.text)) == "7 days passed: day 0 to 7."
    assert set(entry.kingdoms) == {quiet.crown.pk, quiet.horde.pk}


def test_one_ledger_entry_for_each_kingdom_and_week(quiet):
    pass_days(quiet.gm, quiet.campaign, 15)
    entries = LedgerEntry.objects.filter(kingdom=quiet.crown, source="week").order_by("seq")
    assert [(entry.day, entry.amount, render(load_said(entry.reason))) for entry in entries] == [
        (7, -1, "Armies, week 1"),
        (14, -1, "Armies, week 2"),
    ]
    assert treasury(quiet.crown) == ledger(quiet.crown) == 198


def test_every_army_has_a_row_for_every_week_it_was_paid(quiet):
    pass_days(quiet.gm, quiet.campaign, 14)
    rows = ArmyWeek.objects.filter(army_id=quiet.levy.pk).order_by("day")
    assert [(row.day, row.due, row.paid) for row in rows] == [(7, 1, 1), (14, 1, 1)]
    assert [(step.since, step.day) for step in TimeStep.objects.order_by("day")] == [(0, 7), (7, 14)]


def test_days_without_a_weeks_end_leave_rows_only_of_armies_that_changed(quiet):
    set_army(quiet.levy, hp=1)
    pass_days(quiet.gm, quiet.campaign, 2)
    assert [row.army_id for row in ArmyWeek.objects.all()] == [quiet.levy.pk]


def test_an_army_that_rested_today_by_hand_does_not_rest_twice(quiet):
    set_army(quiet.levy, hp=1)
    rest_army(by=quiet.gm, army=quiet.levy)
    assert now(quiet.levy).hp == 4
    pass_days(quiet.gm, quiet.campaign, 1)
    assert now(quiet.levy).hp == 4
    pass_days(quiet.gm, quiet.campaign, 1)
    assert now(quiet.levy).hp == 7


def test_what_one_kind_of_claim_took_the_next_cannot_have(many):
    """Weeks of 2 and 3 take 5 of 6 BP; one debt of 1 fits, then nothing is left for another nor for double pay."""
    Kingdom.objects.filter(pk=many.crown.pk).update(treasury=6)
    band = [raised(many.gm, many.crown, f"Band {place}") for place in range(2)]
    for army, cost, owed in ((band[0], 2, 1), (band[1], 3, 1), (many.levy, 9, 0)):
        set_army(army, consumption=cost, owed=owed, arrears=owed > 0)
    pass_days(many.gm, many.campaign, choices={"pay_double": [str(many.crown.pk)]})
    paid = {row.army_id: (row.paid, row.doubled) for row in ArmyWeek.objects.filter(kingdom_id=many.crown.pk)}
    assert paid == {band[0].pk: (3, False), band[1].pk: (3, False), many.levy.pk: (0, False)}
    assert treasury(many.crown) == 0


def test_who_is_named_first_has_its_debts_settled_first(quiet):
    Kingdom.objects.filter(pk=quiet.crown.pk).update(treasury=5)
    band = raised(quiet.gm, quiet.crown, "Band")
    for army in (quiet.levy, band):
        set_army(army, consumption=1, owed=3, arrears=True)
    pass_days(quiet.gm, quiet.campaign, choices={"pay_first": [str(band.pk)]})
    assert (now(band).owed, now(quiet.levy).owed, treasury(quiet.crown)) == (0, 3, 0)


def test_the_same_figure_changed_by_one_rule_again_and_again_is_one_line(quiet):
    proposal = propose(quiet, 21)
    assert ("Raiders", "morale", 0, -3, "PF-2.7") in lines(proposal)


@pytest.mark.parametrize("days", [0, -1, 367, 10**12, True, "7", None, 1.5])
def test_days_out_of_bounds_are_refused(quiet, days):
    with pytest.raises(InvalidInput) as refused:
        propose(quiet, days)
    assert refused.value.field == "/days"


def test_only_the_gm_lets_time_pass(quiet):
    for somebody in (quiet.ana, quiet.viewer):
        with pytest.raises(PermissionDenied):
            time.propose_time(by=somebody, campaign=quiet.campaign, days=1)
        with pytest.raises(PermissionDenied):
            time.confirm_time(by=somebody, campaign=quiet.campaign, days=1)


# Choices


def test_choices_reach_the_law(quiet):
    crown, horde = str(quiet.crown.pk), str(quiet.horde.pk)
    set_army(quiet.levy, hp=1, consumption=5)
    given = {
        "march": [str(quiet.levy.pk)],
        "commander_away": [str(quiet.levy.pk)],
        "pay_double": [crown, horde],
    }
    pass_days(quiet.gm, quiet.campaign, choices=given)
    assert (now(quiet.levy).hp, now(quiet.levy).morale, treasury(quiet.crown)) == (1, 0, 190)
    assert (now(quiet.raiders).morale, treasury(quiet.horde)) == (0, 0)


def test_all_kingdoms_may_be_chosen_at_once(quiet):
    proposal = propose(quiet, choices={"loyalty_check": True, "pay_double": False})
    assert len(proposal.rolls) == 14


def test_living_off_the_land_wants_a_commander_who_knows_how(quiet):
    with pytest.raises(InvalidInput, match="No active commander of") as refused:
        propose(quiet, choices={"live_off_the_land": [str(quiet.levy.pk)]})
    assert refused.value.field == "/choices/live_off_the_land"
    ranger = appointed(quiet.gm, quiet.crown, "Ada", boons=[{"boon": "live-off-the-land"}])
    scouts = raised(quiet.gm, quiet.crown, "Scouts", unit=orc(cr="4"), count=200, commander=ranger)
    paid = propose(quiet, choices={"live_off_the_land": [str(scouts.pk)]})
    assert next(pay.spent for pay in paid.payments if pay.name == "Scouts") == scouts.consumption // 2
    PathfinderCommander.objects.filter(pk=ranger.pk).update(away_until=99)
    alone = propose(quiet, choices={"live_off_the_land": [str(scouts.pk)]})
    assert next(pay.spent for pay in alone.payments if pay.name == "Scouts") == scouts.consumption
    assert any("no active commander this week" in str(said) for said in alone.warnings)


def test_foraging_is_remembered_and_undone(quiet):
    ranger = appointed(quiet.gm, quiet.crown, "Ada", boons=[{"boon": "live-off-the-land"}])
    scouts = raised(quiet.gm, quiet.crown, "Scouts", commander=ranger)
    pass_days(quiet.gm, quiet.campaign, choices={"live_off_the_land": [str(scouts.pk)]},
              typed=dice(forage=[(scouts, 3)]))  # fmt: skip
    assert now(scouts).foraging == 2
    undo(quiet)
    assert now(scouts).foraging is None


def test_a_march_leaves_the_bare_hex_behind(quiet):
    set_army(quiet.levy, foraging=0)
    march_army(by=quiet.gm, army=quiet.levy, place="Oleg’s", road=Road(3))
    assert now(quiet.levy).foraging is None


def test_cannibals_only_and_a_warning_without_a_victory_on_record(quiet):
    with pytest.raises(InvalidInput, match="can’t cannibalize"):
        propose(quiet, choices={"cannibalize": [str(quiet.levy.pk)]})
    ghouls = raised(quiet.gm, quiet.crown, "Ghouls", unit=orc(abilities=[{"ability": "cannibalize"}]))
    proposal = propose(quiet, choices={"cannibalize": [str(ghouls.pk)]})
    assert ["Ghouls: no recorded victory" in str(warning) for warning in proposal.warnings] == [True]
    assert next(pay.spent for pay in proposal.payments if pay.name == "Ghouls") == 0


def test_battles_tell_who_fights_fought_and_won(quiet, seats):
    seats[:] = [fought_in(quiet.levy, 0, status="running", result={"winner": 0}, begun=False)]
    set_army(quiet.levy, hp=1)
    proposal = propose(quiet)
    assert not [line for line in proposal.changes if line.field == "hp"]
    assert "In a battle: Levy" in str(proposal.warnings[0])
    seats[:] = [fought_in(quiet.levy, quiet.campaign.day)]
    assert ("Levy", "hp", 1, 4, "PF-7.1") in lines(propose(quiet, 2))


@pytest.mark.parametrize(
    "choices, field",
    [
        ("x", "/choices"),
        ({"nap": []}, "/choices/nap"),
        ({"march": "x"}, "/choices/march"),
        ({"march": ["x"]}, "/choices/march/0"),
        ({"march": ["00000000-0000-0000-0000-000000000000"]}, "/choices/march/0"),
        ({"march": True}, "/choices/march"),
        ({"pay_double": ["00000000-0000-0000-0000-000000000000"]}, "/choices/pay_double/0"),
        ({"pay_double": 3}, "/choices/pay_double"),
        ({"pay_first": [f"00000000-0000-0000-0000-{place:012d}" for place in range(2001)]}, "/choices/pay_first"),
    ],
)
def test_choices_that_make_no_sense_are_refused_where_they_stand(quiet, choices, field):
    with pytest.raises(InvalidInput) as refused:
        time.propose_time(by=quiet.gm, campaign=quiet.campaign, days=7, choices=choices)
    assert refused.value.field == field


def test_armies_of_another_campaign_are_not_there(quiet):
    other = create_campaign(by=quiet.gm, name="Elsewhere", ruleset="combat-de-masse")
    realm = found_kingdom(by=quiet.gm, campaign=other, name="Far")
    stranger = raised(quiet.gm, realm, "Strangers")
    with pytest.raises(InvalidInput, match="isn’t in service"):
        propose(quiet, choices={"march": [str(stranger.pk)]})
    pass_days(quiet.gm, quiet.campaign)
    assert now(stranger).morale == 0


# Dice


def test_dice_stay_what_was_shown_until_something_happens(quiet):
    choices = {"loyalty_check": True}
    first, second = propose(quiet, choices=choices), propose(quiet, choices=choices)
    assert first.rolls == second.rolls
    pass_days(quiet.gm, quiet.campaign, choices=choices, mark=first.mark)
    assert propose(quiet, choices=choices).rolls != first.rolls


def test_typed_dice_count_and_missing_ones_are_asked_for(quiet):
    set_army(quiet.levy, hp=1)
    choices = {"loyalty_check": [str(quiet.crown.pk)]}
    with pytest.raises(DiceNeeded) as needed:
        propose(quiet, 2, choices=choices, ask=True)
    assert [ask.name for ask in needed.value.asks] == ["rally", "rally"]
    typed = dice(rally=[(quiet.crown, 20, 1)])
    proposal = propose(quiet, 2, choices=choices, typed=typed, ask=True)
    assert ("Levy", "hp", 1, 1 + 3 * 3, "PF-7.1") in lines(proposal)
    assert {roll.source for roll in proposal.rolls} == {"typed"}


def test_a_die_that_hinges_on_another_is_asked_for_once_that_one_has_fallen(war):
    """PF-8.4: 1d4 Unrest only after a Stability check that failed by 5 or more."""
    for lives in (war.crown, war.horde):
        Kingdom.objects.filter(pk=lives.pk).update(stability=0)
    with pytest.raises(DiceNeeded) as first:
        propose(war, 31, ask=True)
    assert {ask.name for ask in first.value.asks} == {"stability"}
    typed = dice(stability=[(war.crown, 20), (war.horde, 2)])
    with pytest.raises(DiceNeeded) as second:
        propose(war, 31, typed=typed, ask=True)
    assert [(ask.army, ask.name) for ask in second.value.asks] == [(str(war.horde.pk), "unrest")]


def test_dice_nobody_needs_are_refused_unless_forgiven(quiet):
    spare = dice(rally=[(quiet.crown, 20)])
    with pytest.raises(InvalidInput, match="This die isn’t needed"):
        propose(quiet, typed=spare)
    assert propose(quiet, typed=spare, lenient=True)


# Months


def test_a_month_brings_the_upkeep_phase_and_routed_armies_take_heart(war):
    update_kingdom(by=war.gm, kingdom=war.crown, consumption=4)
    set_army(war.levy, status="routed")
    typed = dice(stability=[(war.crown, 17), (war.horde, 20)], routed=[(war.levy, 20)])
    pass_days(war.gm, war.campaign, 31, typed=typed)
    crown = now(war.crown)
    assert (crown.unrest, crown.treasury, now(war.levy).status) == (2, 200 - 4 - 4, "ready")
    entry = LedgerEntry.objects.filter(kingdom=crown).latest("seq")
    assert (entry.day, entry.amount, render(load_said(entry.reason))) == (31, -4, "Consumption of the kingdom")
    undo(war)
    assert (now(war.crown).unrest, treasury(war.crown), now(war.levy).status) == (3, 200, "routed")


def test_the_calendar_says_when_a_month_begins(war):
    calendar = {"months": [{"name": "Short", "days": 3}]}
    update_campaign(by=war.gm, campaign=war.campaign, calendar=calendar)
    assert [roll.name for roll in propose(war, 2).rolls] == []
    assert [roll.name for roll in propose(war, 3).rolls].count("stability") == 2
    skipped = {"skip_upkeep": [str(war.crown.pk)]}
    assert [roll.name for roll in propose(war, 3, choices=skipped).rolls].count("stability") == 1


def test_an_undo_gives_taxes_back(war):
    update_campaign(by=war.gm, campaign=war.campaign, calendar={"months": [{"name": "Short", "days": 3}]})
    choices = {"collect_taxes": [str(war.crown.pk)], "skip_upkeep": True}
    pass_days(war.gm, war.campaign, 3, choices=choices, typed=dice(income=[(war.crown, 11)]))
    assert treasury(war.crown) == 200 + (11 + 22 - 3) // 3
    undo(war)
    assert treasury(war.crown) == ledger(war.crown) == 200


# Commanders


def test_a_commander_comes_home_on_his_day(quiet):
    prisoner = appointed(quiet.gm, quiet.crown, "Ada")
    PathfinderCommander.objects.filter(pk=prisoner.pk).update(status="captured", away_until=3)
    proposal = propose(quiet, 5)
    assert ("Ada", "status", "captured", "free", "PF-2.8") in lines(proposal)
    assert str(proposal.notes[0].text) == "Ada is back on day 3."
    pass_days(quiet.gm, quiet.campaign, 5)
    assert now(prisoner).status == "free"
    undo(quiet)
    assert now(prisoner).status == "captured"


def test_a_captive_comes_home_free_and_a_traveller_just_comes_home(quiet):
    """PF-2.8: the price goes with the captivity, or it would be asked at the next one."""
    prisoner, traveller = appointed(quiet.gm, quiet.crown, "Bo"), appointed(quiet.gm, quiet.crown, "Ada")
    PathfinderCommander.objects.filter(pk=prisoner.pk).update(status="captured", away_until=2, ransom=4)
    PathfinderCommander.objects.filter(pk=traveller.pk).update(away_until=3)
    soon, later = propose(quiet, 2), propose(quiet, 3)
    assert [str(note.text) for note in soon.notes] == ["Bo is back on day 2."]
    assert [str(note.text) for note in later.notes] == ["Bo is back on day 2.", "Ada is back on day 3."]
    assert [line for line in lines(later) if line[0] in ("Bo", "Ada")] == [
        ("Bo", "status", "captured", "free", "PF-2.8"),
        ("Bo", "ransom", 4, None, "PF-2.8"),
        ("Bo", "away", True, False, "PF-2.5"),
        ("Ada", "away", True, False, "PF-2.5"),
    ]


def test_a_commander_on_a_journey_does_not_lead_until_he_is_back(quiet):
    update_commander(by=quiet.gm, commander=quiet.vell, away_until=30)
    assert not now(quiet.vell).present
    pass_days(quiet.gm, quiet.campaign)
    assert now(quiet.levy).morale == -1
    Campaign.objects.filter(pk=quiet.campaign.pk).update(day=30)
    assert now(quiet.vell).present


# Undo


def test_undo_puts_everything_back_and_the_week_may_pass_again(quiet):
    set_army(quiet.levy, hp=1, drain=2, disease=2, surcharge=3)
    set_army(quiet.raiders, morale=-4, owed=1, arrears=True)
    before = {army.pk: vars(now(army)) for army in (quiet.levy, quiet.raiders)}
    entry = pass_days(quiet.gm, quiet.campaign, 16)
    assert now(quiet.raiders).status == "disbanded"
    undo(quiet)
    for army in (quiet.levy, quiet.raiders):
        after = vars(now(army))
        assert {key: after[key] for key in after if key != "_state"} == {
            key: value for key, value in before[army.pk].items() if key != "_state"
        }
    assert (now(quiet.campaign).day, treasury(quiet.crown), ledger(quiet.crown)) == (0, 200, 200)
    assert now(entry).undone
    assert not ArmyWeek.objects.exists()
    assert not TimeStep.objects.exists()
    pass_days(quiet.gm, quiet.campaign, 16)
    assert now(quiet.raiders).status == "disbanded"


def test_a_disbanded_armys_commander_leads_it_again_after_an_undo(quiet):
    set_army(quiet.levy, morale=-3, consumption=900)
    pass_days(quiet.gm, quiet.campaign)
    assert (now(quiet.levy).status, now(quiet.levy).commander_id) == ("disbanded", None)
    undo(quiet)
    assert (now(quiet.levy).status, now(quiet.levy).commander_id) == ("ready", quiet.vell.pk)


def test_an_undo_is_refused_while_the_commander_leads_another_army(quiet):
    set_army(quiet.levy, morale=-3, consumption=900)
    pass_days(quiet.gm, quiet.campaign)
    PathfinderArmy.objects.filter(pk=quiet.raiders.pk).update(commander=quiet.vell)
    with pytest.raises(IllegalCommand, match="Levy: changed or deleted since"):
        undo(quiet)


def test_an_undo_is_refused_while_an_army_has_changed_since_and_names_it(quiet):
    pass_days(quiet.gm, quiet.campaign)
    set_army(quiet.raiders, morale=2)
    with pytest.raises(IllegalCommand, match="Raiders: changed or deleted since"):
        undo(quiet)
    assert now(quiet.campaign).day == 7


def test_figures_the_week_did_not_touch_may_have_changed_since(quiet):
    pass_days(quiet.gm, quiet.campaign)
    set_army(quiet.raiders, hp=3)
    undo(quiet)
    assert (now(quiet.raiders).hp, now(quiet.raiders).morale) == (3, 0)


def test_an_undo_says_what_came_later(quiet):
    pass_days(quiet.gm, quiet.campaign)
    first = last_entry(quiet)
    pass_days(quiet.gm, quiet.campaign)
    with pytest.raises(IllegalCommand, match="day 14") as refused:
        undo_entry(by=quiet.gm, entry=first)
    assert "depends on this" in str(refused.value)


def change(army: PathfinderArmy, field: str, before: Any, after: Any) -> chronicle_changes.Change:
    return chronicle_changes.Change("army", str(army.pk), field, before, after, "PF-6.2", _("Morale"), army.name)


def test_a_battle_after_the_week_must_be_undone_first_and_the_other_way_round(quiet, monkeypatch):
    for named in (500, 0):  # once with armies in the lines, once with lines that only count them
        monkeypatch.setattr(weeks_services, "NAMED", named)
        fight = [change(quiet.raiders, "morale", now(quiet.raiders).morale, -2)]
        earlier = chronicle_changes.apply(
            campaign=quiet.campaign, changes=fight, by=quiet.gm, kind="battle", text=_("A fight")
        )
        pass_days(quiet.gm, quiet.campaign)
        with pytest.raises(IllegalCommand, match="Undo that event first"):
            undo_entry(by=quiet.gm, entry=earlier)
        fight = [change(quiet.raiders, "morale", -3, 1)]
        later = chronicle_changes.apply(
            campaign=quiet.campaign, changes=fight, by=quiet.gm, kind="battle", text=_("A brawl")
        )
        with pytest.raises(IllegalCommand, match=r"A brawl.*Raiders"):
            undo(quiet)
        undo_entry(by=quiet.gm, entry=later)
        undo(quiet)
        undo_entry(by=quiet.gm, entry=earlier)


def test_an_undo_is_refused_while_an_army_has_rested_or_set_out_since(quiet):
    """PF-7.1, PF-1.8: a rest and a march belong to a day; without the week that day has not come yet."""
    doings = (
        lambda: rest_army(by=quiet.gm, army=now(quiet.levy)),
        lambda: march_army(by=quiet.gm, army=now(quiet.levy), place="the ford", road=Road(hexes=3)),
    )
    pass_days(quiet.gm, quiet.campaign)
    for do in doings:
        do()
        with pytest.raises(IllegalCommand, match=r"Levy (rested|set out).*\(day 7\) depends on this.*\(Levy\)"):
            undo(quiet)
        assert now(quiet.campaign).day == 7
        undo_last(by=quiet.gm, campaign=quiet.campaign)
    undo(quiet)
    assert now(quiet.campaign).day == 0


def test_a_march_is_not_taken_back_after_its_days_have_passed(quiet):
    """PF-7.1: who marched has not rested; the days must be taken back first."""
    march_army(by=quiet.gm, army=now(quiet.levy), place="the ford", road=Road(hexes=3))
    entry = ChronicleEntry.objects.latest("seq")
    pass_days(quiet.gm, quiet.campaign)
    with pytest.raises(IllegalCommand, match=r"7 days passed.*depends on this"):
        undo_entry(by=quiet.gm, entry=entry)
    undo(quiet)
    undo_entry(by=quiet.gm, entry=entry)
    assert now(quiet.levy).marching_until is None


def test_an_undo_is_refused_while_an_army_has_fought_since(quiet, seats):
    """PF-7.1: a battle of a day that has not come yet cannot have been fought, whatever the week changed."""
    pass_days(quiet.gm, quiet.campaign)

    seats[:] = [fought_in(quiet.levy, 7)]
    with pytest.raises(IllegalCommand, match=r"Levy fought on day 7\. Undo that battle first"):
        undo(quiet)
    assert (now(quiet.campaign).day, TimeStep.objects.count()) == (7, 1)

    seats[:] = [fought_in(quiet.levy, 6, confirmed=7, battle=quiet.raiders.pk)]
    with pytest.raises(
        IllegalCommand, match=r"aftermath of “The ford”, which changed Levy, was confirmed on day 7. Undo it first"
    ) as no:
        undo(quiet)
    assert f'<a href="/battles/{quiet.raiders.pk}/">Go to the battle</a>' in link_refusal(no.value)
    seats.clear()
    undo(quiet)
    assert now(quiet.campaign).day == 0


def test_undoing_twice_is_refused(quiet):
    entry = pass_days(quiet.gm, quiet.campaign)
    undo_entry(by=quiet.gm, entry=entry)
    with pytest.raises(IllegalCommand, match="already been undone"):
        undo_entry(by=quiet.gm, entry=entry)


# Many armies


@pytest.fixture
def many(quiet, monkeypatch) -> Any:
    """As if the campaign were too large to name its armies."""
    monkeypatch.setattr(weeks_services, "NAMED", 1)
    return quiet


def test_a_large_campaigns_lines_count_armies_by_kingdom_and_rule(many):
    set_army(many.levy, hp=1)
    proposal = propose(many)
    assert proposal.grouped
    assert lines(proposal)[1:3] == [
        ("Crown of Restov", "armies", None, 1, "PF-7.1"),
        ("Greenbelt horde", "armies", None, 1, "PF-2.7"),
    ]
    assert str(proposal.changes[1].label) == "Armies that recover hit points: 1"
    assert now(many.levy).hp == 1
    assert not ArmyWeek.objects.exists()


def test_a_large_campaign_comes_to_the_same_end_and_back(many):
    set_army(many.levy, hp=1)
    set_army(many.raiders, status="routed")
    proposal = propose(many, 9)
    pass_days(many.gm, many.campaign, 9, mark=proposal.mark)
    assert (now(many.levy).hp, now(many.raiders).morale, treasury(many.crown)) == (16, -1, 199)
    undo(many)
    assert (now(many.levy).hp, now(many.raiders).morale, treasury(many.crown)) == (1, 0, 200)


def test_in_a_large_campaign_routed_armies_are_counted_when_they_take_heart(many):
    update_campaign(by=many.gm, campaign=many.campaign, calendar={"months": [{"name": "Short", "days": 3}]})
    set_army(many.levy, status="routed")
    typed = dice(routed=[(many.levy, 20)])
    proposal = propose(many, 3, typed=typed, choices={"skip_upkeep": True})
    assert ("Crown of Restov", "armies", None, 1, "PF-6.2") in lines(proposal)
    pass_days(many.gm, many.campaign, 3, typed=typed, choices={"skip_upkeep": True})
    assert now(many.levy).status == "ready"


def test_an_army_that_arrives_and_then_disbands_is_confirmed_as_it_was_proposed(quiet):
    """PF-1.9: what the end of the week ends had arrived before."""
    set_army(quiet.raiders, morale=-4, marching_until=2)
    PathfinderArmy.objects.filter(pk=quiet.raiders.pk).update(commander=None)
    proposal = propose(quiet, 7)
    assert ("Raiders", "marching", True, False, "PF-1.8") in lines(proposal)
    time.confirm_time(by=quiet.gm, campaign=quiet.campaign, days=7, mark=proposal.mark)
    assert now(quiet.raiders).status == "disbanded"

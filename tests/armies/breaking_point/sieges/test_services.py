"""Places and sieges through their services: who may do what, what is written, what is taken back (BP-8)."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from armies.breaking_point.armies.services import take_in_recruits
from armies.breaking_point.models import FortifiedPlace, SiegeArmy, SiegeRow, Stationed
from armies.breaking_point.sieges import place_services, services
from armies.breaking_point.sieges import services as sieges_services
from armies.documents.reform_services import ReformedPart, TakenTroops, reform_armies
from armies.forces.busy import explain_busy
from armies.forces.services import remove_army
from armies.models import Army, Commander
from core.text import load_said
from kingdom.campaign.services import update_campaign
from kingdom.chronicle import changes
from kingdom.chronicle.field_change import Blocked
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import ChronicleEntry, Settlement
from kingdom.models.base import uuid7
from kingdom.realms.services import dissolve_kingdom, found_settlement, raze_settlement
from rules.core.dice import DiceNeeded, Roll, Rolled, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput, Refusal
from tests.armies.breaking_point.sieges.tables import again, army, foot

pytestmark = pytest.mark.django_db


def die(army, *faces: int) -> list[TypedDie]:
    return [TypedDie(str(army.pk), "terms", faces)]


def told(siege) -> list[str]:
    return [str(load_said(line["text"])) for line in siege.state["told"]]


# places


def test_only_the_gm_fortifies(walls):
    with pytest.raises(PermissionDenied):
        place_services.fortify(by=walls.ana, kingdom=walls.crown, name="Mine", kind="fort", garrison=60)


NO_PLACES = [
    ({"kind": "hut"}, "/kind"),
    ({"garrison": 49}, "/garrison"),
    ({"garrison": 501}, "/garrison"),
    ({"name": " "}, "/name"),
]


def test_a_place_is_refused_beside_the_field_at_fault(walls):
    for given, field in NO_PLACES:
        asked = {"name": "Mine", "kind": "fort", "garrison": 60, **given}
        with pytest.raises(InvalidInput) as refused:
            place_services.fortify(by=walls.gm, kingdom=walls.crown, **asked)
        assert refused.value.field == field, given
        assert FortifiedPlace.objects.count() == 1, given


def test_a_place_stands_in_a_town_of_its_kingdom_and_keeps_it_when_it_is_taken(walls):
    town = found_settlement(by=walls.gm, kingdom=walls.crown, name="Kerville")
    camp = found_settlement(by=walls.gm, kingdom=walls.horde, name="Camp")
    with pytest.raises(InvalidInput, match="another kingdom"):
        place_services.update_place(by=walls.gm, place=again(walls.ker), settlement=camp)
    place_services.update_place(by=walls.gm, place=again(walls.ker), settlement=town)
    place_services.leave_place(by=walls.ana, army=walls.guard)
    taken = place_services.update_place(by=walls.gm, place=again(walls.ker), kingdom=walls.horde)
    assert (taken.kingdom, taken.settlement) == (walls.horde, town)
    assert place_services.update_place(by=walls.gm, place=taken, garrison=90).garrison == 90


def test_a_town_that_is_built_again_has_its_places_again(walls):
    town = found_settlement(by=walls.gm, kingdom=walls.crown, name="Kerburg")
    place_services.update_place(by=walls.gm, place=walls.ker, settlement=town)
    about = {"kind": "fort", "garrison": 60, "settlement": town}
    keep, moved = (
        place_services.fortify(by=walls.gm, kingdom=walls.crown, name=name, **about) for name in ("Keep", "Tower")
    )
    raze_settlement(by=walls.gm, settlement=town)
    assert {again(place).settlement_id for place in (walls.ker, keep, moved)} == {None}
    razed = ChronicleEntry.objects.latest("seq")
    elsewhere = found_settlement(by=walls.gm, kingdom=walls.crown, name="Elsewhere")
    place_services.update_place(by=walls.gm, place=again(moved), settlement=elsewhere)
    with pytest.raises(IllegalCommand, match=r"“Tower was changed.”.*depends on this"):
        undo_entry(by=walls.gm, entry=razed)
    stood = ChronicleEntry.objects.get(seq=razed.seq - 3)  # that Ker stands in the town
    with pytest.raises(IllegalCommand, match=r"Kerburg was razed.*depends on this"):
        undo_entry(by=walls.gm, entry=stood)
    undo_entry(by=walls.gm, entry=ChronicleEntry.objects.latest("seq"))
    undo_entry(by=walls.gm, entry=razed)
    assert [again(place).settlement for place in (walls.ker, keep, moved)] == [town, town, town]
    undo_entry(by=walls.gm, entry=stood)
    assert again(walls.ker).settlement is None


def test_b_61_no_undo_closes_a_ring_of_walls(walls):
    a, b, x = (
        place_services.fortify(by=walls.gm, kingdom=walls.crown, name=name, kind="fort", garrison=50) for name in "ABX"
    )
    place_services.update_place(by=walls.gm, place=again(a), outer=b)
    place_services.update_place(by=walls.gm, place=again(x), outer=a)
    place_services.raze_place(by=walls.gm, place=again(a))
    razed = ChronicleEntry.objects.latest("seq")
    place_services.update_place(by=walls.gm, place=again(b), outer=again(x))
    with pytest.raises(IllegalCommand, match="can’t protect itself"):
        undo_entry(by=walls.gm, entry=razed)
    place_services.update_place(by=walls.gm, place=again(b), outer=None)
    undo_entry(by=walls.gm, entry=razed)
    assert (again(a).outer, again(x).outer) == (b, a)


def test_b_61_a_garrison_comes_back_where_there_is_room_for_it(walls):
    struck, more = again(walls.guard), army(walls.crown, "More", foot(150))
    remove_army(by=walls.gm, army=struck)
    entry = ChronicleEntry.objects.latest("seq")
    place_services.enter_place(by=walls.ana, army=more, place=walls.ker)
    with pytest.raises(IllegalCommand, match="room for 200"):
        undo_entry(by=walls.gm, entry=entry)
    place_services.leave_place(by=walls.ana, army=again(more))
    place_services.raze_place(by=walls.gm, place=walls.ker)
    with pytest.raises(IllegalCommand, match="The fortified place where Guard stood no longer exists"):
        undo_entry(by=walls.gm, entry=entry)
    undo_last(by=walls.gm, campaign=walls.campaign)
    undo_entry(by=walls.gm, entry=entry)
    assert Stationed.objects.get().army == struck


def test_b_61_a_garrison_that_has_grown_comes_back_where_it_stood(walls):
    Army.objects.filter(pk=walls.guard.pk).update(sheet=army(walls.crown, "Many", foot(230)).sheet)
    remove_army(by=walls.gm, army=again(walls.guard))
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert Stationed.objects.get().army == walls.guard


def recruits(walls, men: int) -> None:
    take_in_recruits(by=walls.ana, army=again(walls.guard), unit=0, men=men, combat=8)


def beside_the_guard(walls, heads: int = 50) -> Army:
    more = army(walls.crown, "More", foot(heads))
    place_services.enter_place(by=walls.ana, army=more, place=walls.ker)
    return again(more)


def test_b_61_a_garrison_that_recruits_made_too_large_comes_back_as_it_was(walls):
    """Only who enters needs room: an undo brings back what was there."""
    more = beside_the_guard(walls)
    recruits(walls, 200)
    for leave in (
        lambda: remove_army(by=walls.gm, army=again(more)),
        lambda: place_services.leave_place(by=walls.ana, army=again(more)),
    ):
        leave()
        undo_last(by=walls.gm, campaign=walls.campaign)
        assert Stationed.objects.filter(place=walls.ker).count() == 2
    combined = reform_armies(by=walls.gm, army=again(walls.guard), others=[again(more)])
    assert Stationed.objects.count() == 1, combined
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert Stationed.objects.filter(place=walls.ker).count() == 2


def test_b_61_who_left_does_not_come_back_where_others_took_the_room(walls):
    """However they left: deleted, combined, or marched out."""
    place_services.leave_place(by=walls.ana, army=walls.guard)
    left = ChronicleEntry.objects.latest("seq")
    beside_the_guard(walls, 150)
    entered = ChronicleEntry.objects.latest("seq")
    with pytest.raises(Blocked, match="room for 200 heads; this would make 250") as refused:
        undo_entry(by=walls.gm, entry=left)
    assert refused.value.entry == entered
    undo_entry(by=walls.gm, entry=entered)
    undo_entry(by=walls.gm, entry=left)
    assert Stationed.objects.get().army == walls.guard


def test_b_61_a_division_within_the_walls_takes_no_room(walls):
    more = beside_the_guard(walls)
    recruits(walls, 200)
    remove_army(by=walls.gm, army=more)
    deletion = ChronicleEntry.objects.latest("seq")
    part = ReformedPart(name="Third", takes=(TakenTroops(again(walls.guard), "units", 0, 100),))
    reform_armies(by=walls.gm, army=again(walls.guard), parts=[part])
    undo_entry(by=walls.gm, entry=deletion)
    assert Stationed.objects.filter(place=walls.ker).count() == 3


def test_who_left_a_place_does_not_come_back_behind_anothers_walls_or_through_a_siege(walls):
    more = beside_the_guard(walls)
    place_services.leave_place(by=walls.ana, army=more)
    left = ChronicleEntry.objects.latest("seq")
    siege = services.begin_siege(by=walls.bo, place=walls.ker, armies=[again(walls.host)])
    with pytest.raises(IllegalCommand, match="Ker is besieged"):
        undo_entry(by=walls.gm, entry=left)
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert not SiegeRow.objects.filter(pk=siege.pk).exists()
    place_services.leave_place(by=walls.ana, army=again(walls.guard))
    place_services.update_place(by=walls.gm, place=again(walls.ker), kingdom=walls.horde)
    with pytest.raises(IllegalCommand, match="Ker is held by another kingdom"):
        undo_entry(by=walls.gm, entry=left)


def test_b_69_what_came_back_by_another_law_follows_the_one_that_holds_again(walls):
    remove_army(by=walls.gm, army=again(walls.host))
    struck = ChronicleEntry.objects.latest("seq")
    upkeep = again(walls.guard).upkeep
    update_campaign(by=walls.gm, campaign=again(walls.campaign), house_rules={"upkeep": 3})
    law = ChronicleEntry.objects.latest("seq")
    undo_entry(by=walls.gm, entry=struck)
    by_that_law = again(walls.host).upkeep
    undo_entry(by=walls.gm, entry=law)
    assert again(walls.guard).upkeep == upkeep
    assert again(walls.host).upkeep == walls.host.upkeep != by_that_law
    assert load_said(ChronicleEntry.objects.latest("seq").text) == "Armies follow the restored rules."


def test_no_garrison_of_no_army_is_brought_back_with_its_place(walls):
    """Of a document somebody else wrote."""
    place_services.leave_place(by=walls.ana, army=walls.guard)
    place_services.raze_place(by=walls.gm, place=walls.ker)
    razed = ChronicleEntry.objects.latest("seq")
    kept = razed.struck.get()
    columns = {"id": str(uuid7()), "place_id": str(walls.ker.pk), "army_id": str(uuid7())}
    kept.whole["hung"] = {"stationed.place": [{"columns": columns}]}
    kept.save()
    with pytest.raises(Refusal):
        undo_entry(by=walls.gm, entry=razed)


def test_no_siege_that_lasts_is_brought_back_with_its_place(walls):
    """Of a document somebody else wrote."""
    place_services.leave_place(by=walls.ana, army=walls.guard)
    place_services.raze_place(by=walls.gm, place=walls.ker)
    razed = ChronicleEntry.objects.latest("seq")
    kept = razed.struck.get()
    siege = {"id": str(uuid7()), "place_id": str(walls.ker.pk), "status": "open", "state": {}, "began": 0, "version": 1}
    for state in ({"status": "open"}, {"status": "lifted"}):
        kept.whole["hung"] = {"siegerow.place": [{"columns": siege | state}]}
        kept.save()
        with pytest.raises(Refusal):
            undo_entry(by=walls.gm, entry=razed)
    assert not FortifiedPlace.objects.exists()


def test_walls_behind_walls_make_a_row_and_not_a_ring(walls):
    keep = place_services.fortify(
        by=walls.gm, kingdom=walls.crown, name="Keep", kind="fort", garrison=50, outer=walls.ker
    )
    with pytest.raises(InvalidInput, match="can’t protect itself"):
        place_services.update_place(by=walls.gm, place=again(walls.ker), outer=keep)


def test_what_lies_before_it_has_to_fall_first(walls):
    keep = place_services.fortify(
        by=walls.gm, kingdom=walls.crown, name="Keep", kind="fort", garrison=50, outer=walls.ker
    )
    place_services.enter_place(by=walls.ana, army=army(walls.crown, "Last", foot(10)), place=keep)
    with pytest.raises(IllegalCommand, match="Keep is protected by Ker"):
        services.begin_siege(by=walls.bo, place=keep, armies=[walls.host])


def test_over_twice_its_garrison_nobody_enters(walls):
    more = army(walls.crown, "More", foot(101))
    with pytest.raises(IllegalCommand, match="room for 200"):
        place_services.enter_place(by=walls.ana, army=more, place=walls.ker)
    assert Stationed.objects.count() == 1


def test_nobody_garrisons_anothers_place(walls):
    with pytest.raises(IllegalCommand, match="another kingdom"):
        place_services.enter_place(by=walls.bo, army=walls.host, place=walls.ker)


def test_an_army_comes_out_again_and_undo_puts_it_back(walls):
    place_services.leave_place(by=walls.ana, army=walls.guard)
    assert not Stationed.objects.exists()
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert Stationed.objects.get().place == walls.ker


def test_a_place_with_a_garrison_is_not_razed(walls):
    with pytest.raises(IllegalCommand, match="garrison"):
        place_services.raze_place(by=walls.gm, place=walls.ker)
    place_services.leave_place(by=walls.ana, army=walls.guard)
    place_services.raze_place(by=walls.gm, place=walls.ker)
    assert not FortifiedPlace.objects.exists()


# laying siege


def test_a_siege_holds_its_armies_and_is_told(walls, laid):
    assert [seat.army for seat in SiegeArmy.objects.order_by("side")] == [walls.host, walls.guard]
    assert (laid.status, laid.began, laid.state["weeks"]) == ("open", 0, 0)
    for one in (walls.guard, walls.host):
        assert "siege of Ker" in str(explain_busy(one))
    assert str(load_said(ChronicleEntry.objects.first().text)) == "Host laid siege to Ker."


def test_a_siege_is_taken_back_as_it_began(walls, laid):
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert not SiegeRow.objects.exists()
    assert explain_busy(walls.host) is None


def test_nobody_besieges_with_armies_of_others(walls):
    with pytest.raises(PermissionDenied):
        services.begin_siege(by=walls.ana, place=walls.ker, armies=[walls.host])


def test_a_place_is_besieged_once_and_by_none_of_its_own(walls, laid):
    other = army(walls.horde, "Other", foot(10))
    with pytest.raises(IllegalCommand, match="already besieged"):
        services.begin_siege(by=walls.bo, place=walls.ker, armies=[other])
    empty = place_services.fortify(by=walls.gm, kingdom=walls.horde, name="Camp", kind="entrenchment", garrison=20)
    with pytest.raises(IllegalCommand, match="can’t besiege this place while holding it"):
        services.begin_siege(by=walls.bo, place=empty, armies=[other])


def test_a_place_nobody_holds_is_not_besieged(walls):
    place_services.leave_place(by=walls.ana, army=walls.guard)
    with pytest.raises(IllegalCommand, match="Nobody holds"):
        services.begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])
    assert not SiegeRow.objects.exists()


def test_who_is_on_the_march_does_not_besiege(walls):
    walls.host.marching_until = 3
    walls.host.save()
    with pytest.raises(IllegalCommand, match="on the march"):
        services.begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])


def test_an_army_joins_the_besiegers(walls, laid):
    joined = services.join_siege(by=walls.bo, siege=laid, army=army(walls.horde, "More", foot(50)))
    assert len(joined.state["besiegers"]) == 2
    assert joined.version == 1
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert SiegeArmy.objects.filter(side="besieger").count() == 1


def test_nobody_gets_into_an_invested_place(walls, laid):
    with pytest.raises(IllegalCommand, match="invested"):
        services.join_siege(by=walls.ana, siege=laid, army=army(walls.crown, "More", foot(5)))
    with pytest.raises(IllegalCommand, match="besieged"):
        place_services.enter_place(by=walls.ana, army=army(walls.crown, "Others", foot(5)), place=walls.ker)


# commands


def test_only_the_besieger_offers_terms(walls, laid):
    with pytest.raises(PermissionDenied):
        sieges_services.offer_terms(by=walls.ana, siege=laid)
    with pytest.raises(PermissionDenied):
        sieges_services.begin_sortie(by=walls.bo, siege=laid)


def test_terms_that_are_refused_are_heard_once_a_week(walls, laid):
    after = sieges_services.offer_terms(by=walls.bo, siege=laid, typed=die(walls.host, 1, 5))
    assert (after.status, after.state["heard"]) == ("open", 0)
    assert told(after) == ["Ker: terms offered, the garrison refuses (score 9)."]
    with pytest.raises(IllegalCommand, match="this week"):
        sieges_services.offer_terms(by=walls.bo, siege=again(laid))


def test_terms_with_honours_give_the_place_and_leave_the_arms(walls, laid):
    """3 + 5 + 2, 3 for the ratio, and 3: 16 against 16."""
    done = sieges_services.offer_terms(by=walls.bo, siege=laid, typed=die(walls.host, 3))
    assert done.status == "honours"
    assert again(walls.ker).kingdom == walls.horde
    assert (again(walls.guard).status, again(walls.guard).health) == ("ready", 100)
    assert not Stationed.objects.exists()
    assert explain_busy(walls.guard) is None


def test_unconditionally_the_garrison_is_captured_and_all_is_taken_back_as_one(walls, laid):
    done = sieges_services.offer_terms(by=walls.bo, siege=laid, typed=die(walls.host, 8))
    assert (done.status, again(walls.guard).status) == ("unconditional", "captured")
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert (again(laid).status, again(walls.guard).status) == ("open", "ready")
    assert (again(walls.ker).kingdom, Stationed.objects.count()) == (walls.crown, 1)


def test_the_open_die_is_asked_for_face_by_face(walls, laid):
    for known in ((), (10,), (10, 10)):
        with pytest.raises(DiceNeeded) as needed:
            sieges_services.offer_terms(by=walls.bo, siege=laid, typed=die(walls.host, *known), ask=True)
        assert [(ask.army, ask.name, ask.die) for ask in needed.value.asks] == [(str(walls.host.pk), "terms", 10)]
    assert again(laid).version == 0


def test_a_third_face_without_a_ten_is_refused_and_nothing_is_heard(walls, laid):
    with pytest.raises(InvalidInput, match="This die isn’t needed"):
        sieges_services.offer_terms(by=walls.bo, siege=laid, typed=die(walls.host, 10, 4, 3))
    assert again(laid).state["heard"] is None


def test_a_siege_seen_before_it_changed_is_not_commanded(walls, laid):
    sieges_services.order_siege(by=walls.bo, siege=laid, bombards=False)
    with pytest.raises(sieges_services.SiegeMovedOn) as moved:
        sieges_services.lift_siege(by=walls.bo, siege=again(laid), version=0)
    assert moved.value.version == 1


def test_each_side_gives_its_own_standing_orders(walls, laid):
    with pytest.raises(PermissionDenied):
        sieges_services.order_siege(by=walls.bo, siege=laid, hears=False)
    deaf = sieges_services.order_siege(by=walls.ana, siege=laid, hears=False)
    with pytest.raises(IllegalCommand, match="expects no mercy"):
        sieges_services.offer_terms(by=walls.bo, siege=deaf)


def test_lifted_it_sets_everybody_free_with_his_losses(walls, laid):
    done = sieges_services.lift_siege(by=walls.bo, siege=laid)
    assert done.status == "lifted"
    assert Stationed.objects.count() == 1
    for one in (walls.guard, walls.host):
        assert explain_busy(again(one)) is None
    with pytest.raises(IllegalCommand, match="over"):
        sieges_services.lift_siege(by=walls.bo, siege=again(laid))


def test_there_is_no_surrender_before_the_breaking_point(walls, laid):
    with pytest.raises(IllegalCommand, match="The garrison hasn’t reached its breaking point"):
        sieges_services.surrender_place(by=walls.ana, siege=laid)


def test_an_assault_frees_its_armies_for_the_battle_and_takes_their_losses_back(walls, laid):
    stormed = sieges_services.begin_assault(by=walls.bo, siege=laid)
    assert (stormed.status, explain_busy(walls.host)) == ("assault", None)
    with pytest.raises(IllegalCommand, match="assault"):
        sieges_services.begin_assault(by=walls.bo, siege=again(laid))
    losses = {f"{walls.host.pk}:contact": 400, f"{walls.guard.pk}:garrison": 250}
    over = sieges_services.end_siege_battle(by=walls.gm, siege=again(laid), outcome="goes-on", losses=losses)
    assert (over.status, over.state["garrison"]["damage"], over.state["contact"]["damage"]) == ("open", 250, 400)
    assert over.state["lost"] == {"garrison": 25, "besieger": 22}
    assert "siege" in str(explain_busy(walls.host))


def test_who_takes_a_place_by_assault_has_it_and_the_fallen_are_reckoned(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    losses = {f"{walls.host.pk}:contact": 400, f"{walls.guard.pk}:garrison": 250}
    sieges_services.end_siege_battle(by=walls.gm, siege=again(laid), outcome="fell", losses=losses)
    guard, host = again(walls.guard), again(walls.host)
    assert (guard.status, guard.health, guard.health_max) == ("captured", 75, 87)
    assert guard.sheet["units"][0] | {"strength": 75, "wounded": 12} == guard.sheet["units"][0]
    assert (host.health, host.health_max) == (340 - 40, 340 - 40)
    assert again(walls.ker).kingdom == walls.horde
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert (again(walls.guard).health, again(walls.host).health) == (100, 340)


def test_a_body_that_was_not_there_has_no_losses(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    with pytest.raises(InvalidInput, match="isn’t part of this siege"):
        sieges_services.end_siege_battle(by=walls.gm, siege=again(laid), outcome="goes-on", losses={"x:contact": 1})
    assert again(laid).status == "assault"


def test_there_is_no_assault_once_the_siege_is_over(walls, laid):
    sieges_services.lift_siege(by=walls.bo, siege=laid)
    with pytest.raises(IllegalCommand, match="over"):
        sieges_services.begin_assault(by=walls.bo, siege=again(laid))


def test_a_change_that_rests_on_the_siege_is_undone_first(walls, laid):
    begun = ChronicleEntry.objects.latest("seq")
    sieges_services.order_siege(by=walls.bo, siege=laid, bombards=False)
    with pytest.raises(IllegalCommand, match="Undo that event first"):
        changes.undo(campaign=walls.campaign, entry=begun, by=walls.gm)


def test_an_army_of_a_siege_cannot_be_struck_nor_its_kingdom_and_afterwards_it_can(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    with pytest.raises(IllegalCommand):
        remove_army(by=walls.gm, army=again(walls.host))
    with pytest.raises(IllegalCommand, match="An army of this kingdom is busy"):
        dissolve_kingdom(by=walls.gm, kingdom=again(walls.horde))
    sieges_services.end_siege_battle(by=walls.gm, siege=again(laid), outcome="lifted")
    assert not SiegeArmy.objects.exists()
    ended = ChronicleEntry.objects.latest("seq")
    remove_army(by=walls.gm, army=again(walls.host))
    assert again(laid).status == "lifted"
    with pytest.raises(IllegalCommand, match="no longer exists"):
        changes.undo(campaign=walls.campaign, entry=ended, by=walls.gm)


def test_b61_a_dissolved_kingdom_comes_back_with_its_places_and_its_garrisons(walls, laid):
    """And with what their sieges tell; a place of another one that stands in its town leaves it and comes back, too."""
    sieges_services.lift_siege(by=walls.bo, siege=laid)
    town = found_settlement(by=walls.gm, kingdom=walls.crown, name="Razed")
    outer = place_services.fortify(
        by=walls.gm, kingdom=walls.crown, name="Outer", kind="fort", garrison=60, settlement=town
    )
    place_services.fortify(by=walls.gm, kingdom=walls.crown, name="Inner", kind="fort", garrison=60, outer=outer)
    taken = place_services.fortify(
        by=walls.gm, kingdom=walls.crown, name="Taken", kind="fort", garrison=60, settlement=town
    )
    place_services.update_place(by=walls.gm, place=taken, kingdom=walls.horde)
    models = (FortifiedPlace, Stationed, SiegeRow, Army, Commander, Settlement)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    assert all(before[:4])
    dissolve_kingdom(by=walls.gm, kingdom=again(walls.crown))
    assert [(place.name, place.settlement) for place in FortifiedPlace.objects.all()] == [("Taken", None)]
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert [list(model.objects.order_by("pk").values()) for model in models] == before


def test_a_kingdom_is_not_dissolved_while_a_place_of_its_own_is_besieged(walls, laid):
    with pytest.raises(IllegalCommand, match="Ker is besieged"):
        dissolve_kingdom(by=walls.gm, kingdom=again(walls.crown))


def test_b61_a_garrison_for_which_its_place_has_become_too_small_comes_back_with_it(walls):
    place_services.enter_place(by=walls.ana, army=army(walls.crown, "Second", foot(90)), place=walls.ker)
    place_services.update_place(by=walls.gm, place=again(walls.ker), garrison=70)
    before = list(Stationed.objects.order_by("pk").values())
    dissolve_kingdom(by=walls.gm, kingdom=again(walls.crown))
    undo_last(by=walls.gm, campaign=walls.campaign)
    assert list(Stationed.objects.order_by("pk").values()) == before
    assert len(before) == 2


def test_walls_in_a_ring_are_dissolved_like_others(walls):
    """Of a document from before such rings were refused."""
    inner = place_services.fortify(
        by=walls.gm, kingdom=walls.crown, name="Inner", kind="fort", garrison=60, outer=walls.ker
    )
    FortifiedPlace.objects.filter(pk=walls.ker.pk).update(outer=inner)
    dissolve_kingdom(by=walls.gm, kingdom=again(walls.crown))
    assert not FortifiedPlace.objects.exists()


def test_b1_terms_left_to_the_server_are_its_own_to_the_last_face(walls, laid, monkeypatch):
    faces = iter([10, 10, 2])
    monkeypatch.setattr(Rolled, "roll", lambda _self, army, name, die: Roll(army, name, die, next(faces)))
    left = [TypedDie(str(walls.host.pk), "terms", (None,))]
    heard = sieges_services.offer_terms(by=walls.bo, siege=laid, typed=left, ask=True)
    assert heard.state["told"][0]["dice"] == [10, 10, 2]

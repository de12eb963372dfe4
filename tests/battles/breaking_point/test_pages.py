"""Battles of breaking points on their pages: blocks, orders, secrecy, the GM's desk, the setup."""

import pytest
from django.urls import reverse

from armies.forces.services import correct_army, raise_army
from battles.breaking_point.field.cards import list_blocks
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from tests.kingdom.conftest import api_of
from tests.rules.breaking_point.battle.fights import Fight, foot

pytestmark = pytest.mark.django_db


def page_of(client, battle, **query):
    return client.get(f"/battles/{battle.pk}/", query)


def send(client, battle, **form):
    battle.refresh_from_db()
    told = {"version": battle.version, **form}
    return client.post(reverse("battles:command", args=[battle.pk]), told, headers={"hx-request": "true"})


def card(page, army):
    return next(one for one in page.context["page"].cards if one.id == str(army.pk))


def test_an_army_is_a_block_of_its_bodies(river):
    page = page_of(river.as_(river.gm), river.bridge)
    host = card(page, river.host)
    assert [body.key for body in blocks(host)] == ["contact", "shooting", "reserve-contact"]
    contact = host.bodies[0]
    assert (contact.took, contact.breaks) == (11, 70)
    assert [figure.value for figure in contact.figures] == [1600, 3, 6]
    assert "breaks above 70%" in page.content.decode()


@pytest.mark.parametrize(("status", "told"), [("fighting", "%: the next loss breaks it"), ("fled", ""), ("routed", "")])
def test_who_broke_is_not_said_to_break_with_the_next_loss(status, told):
    fight = Fight(foot(), foot()).override("a:contact", "losses", 900).override("a:contact", "status", status)
    block = list_blocks(fight.state, "a", fight.law.figures(fight.state)["a"], orders=False)[0]
    assert told in str(block.left)
    assert bool(told) == bool(str(block.left)) == ("breaks above" in str(block.told))


def test_b72_of_troops_that_left_no_more_is_said_to_be_lost_than_they_had():
    fight = Fight(foot(), foot()).override("a:contact", "losses", 1100)
    standing = list_blocks(fight.state, "a", fight.law.figures(fight.state)["a"], orders=False)[0]
    assert str(standing.lost) == "1100 of 1000 lost, 110%"
    fight.override("a:contact", "status", "fled")
    block = list_blocks(fight.state, "a", fight.law.figures(fight.state)["a"], orders=False)[0]
    assert (str(block.lost), block.took, block.figures) == ("1000 of 1000 lost, 100%", 100, ())
    assert [str(chip.text) for chip in block.chips] == ["nobody left"]
    fight.override("a:contact", "losses", 800)
    block = list_blocks(fight.state, "a", fight.law.figures(fight.state)["a"], orders=False)[0]
    assert [str(chip.text) for chip in block.chips] == ["fled"]


def blocks(host):
    return [type("Named", (), {"key": body.id.rpartition(":")[2]}) for body in host.bodies]


def test_b18_an_enemy_is_seen_from_afar(river):
    """Heads to one figure, losses as a share; neither figures nor orders nor what the reserve is made of."""
    host = card(page_of(river.as_(river.miv), river.bridge), river.host)
    assert all(body.masked and not body.figures and body.order is None for body in host.bodies)
    assert host.bodies[0].took == 11
    page = page_of(river.as_(river.miv), river.bridge, army=str(river.host.pk)).content.decode()
    assert "Old guard" not in page
    assert "breaks above 70%" not in page


def test_orders_are_given_body_by_body(river):
    theirs = f"{river.host.pk}:contact"
    form = {"army": str(river.swords.pk), "type": "order"}
    deeds = {"do-contact": f"attack|{theirs}", "pursue-contact": "on"}
    deeds |= {"do-shooting": f"shoot|{theirs}", "riposte-shooting": "on"}
    answer = send(river.as_(river.miv), river.bridge, **form, **deeds)
    assert answer.status_code == 200
    order = state(river.bridge).orders[str(river.swords.pk)]
    contact, shooting = order.bodies["contact"], order.bodies["shooting"]
    assert (contact.do, contact.target, contact.pursue, contact.riposte) == ("attack", theirs, True, False)
    assert (shooting.do, shooting.target, shooting.pursue, shooting.riposte) == ("shoot", theirs, False, True)


def state(battle):
    battle.refresh_from_db()
    return play_battle_state.load_state(Battle.objects.get(pk=battle.pk))


def test_who_withdraws_attacks_nobody_whatever_was_picked(river):
    theirs = f"{river.host.pk}:contact"
    send(river.as_(river.miv), river.bridge, type="order", army=str(river.swords.pk), withdraw="on",
         **{"do-contact": f"attack|{theirs}"})  # fmt: skip
    order = state(river.bridge).orders[str(river.swords.pk)]
    assert order.withdraw
    assert {body.do for body in order.bodies.values()} == {"hold"}


def test_a_reserve_acts_only_where_it_is_committed(river):
    theirs = f"{river.swords.pk}:contact"
    client, form = river.as_(river.dru), {"type": "order", "army": str(river.host.pk)}
    before = state(river.bridge).orders[str(river.host.pk)]
    refused = send(client, river.bridge, **form, **{"do-reserve-contact": f"attack|{theirs}"})
    assert refused.status_code == 422, "what cannot be done is said, not left out"
    assert "Commit the reserve first" in str(refused.context["card"].form.errors["do-reserve-contact"])
    assert state(river.bridge).orders[str(river.host.pk)] == before
    send(client, river.bridge, **form, withdraw="on", **{"do-reserve-contact": f"attack|{theirs}"})
    assert state(river.bridge).orders[str(river.host.pk)].withdraw
    send(client, river.bridge, **form, **{"do-reserve-contact": "hold"})
    assert "reserve-contact" not in state(river.bridge).orders[str(river.host.pk)].bodies
    send(client, river.bridge, **form, commit="on", **{"do-reserve-contact": f"attack|{theirs}"})
    assert state(river.bridge).orders[str(river.host.pk)].bodies["reserve-contact"].target == theirs


def test_a_target_that_is_none_comes_back_beside_its_body(river):
    answer = send(river.as_(river.miv), river.bridge, type="order", army=str(river.swords.pk),
                  **{"do-contact": f"attack|{river.host.pk}:shooting"})  # fmt: skip
    assert answer.status_code == 422
    assert answer.context["card"].form.errors["do-contact"]
    assert str(river.swords.pk) not in state(river.bridge).orders


def test_nobody_orders_for_others(river):
    answer = send(river.as_(river.miv), river.bridge, type="order", army=str(river.host.pk), **{"do-contact": "hold"})
    assert answer.status_code == 403


def test_the_gm_sets_and_lifts_what_holds(river):
    client = river.as_(river.gm)
    assert page_of(client, river.bridge, do="condition", what="mud").status_code == 200
    assert send(client, river.bridge, type="condition", condition="mud").status_code == 200
    chips = page_of(client, river.bridge).context["page"].conditions
    index = next(chip.index for chip in chips if str(chip.text) == "Mud")
    send(client, river.bridge, type="lift", index=index)
    assert not state(river.bridge).holds("mud")


def test_the_gm_overrides_a_body_and_says_why(river):
    client, body = river.as_(river.gm), f"{river.host.pk}:contact"
    shown = page_of(client, river.bridge, do="override", army=body, what="losses")
    assert shown.context["step"].fields["value"].initial == 300
    refused = send(client, river.bridge, type="override", body=body, field="losses", value="40", reason="")
    assert refused.status_code == 422
    assert (
        send(client, river.bridge, type="override", body=body, field="losses", value="40", reason="Arrows").status_code
        == 200
    )
    assert state(river.bridge).bodies[body].losses == 40


def test_a_fleet_orders_each_unit_and_its_distance(river):
    send(river.as_(river.dru), river.orbit, type="order", army=str(river.home.pk), distance="close",
         **{"do-0": f"shoot|{river.raiders.pk}:0", "do-1": f"shoot|{river.raiders.pk}:1"})  # fmt: skip
    order = state(river.orbit).orders[str(river.home.pk)]
    assert (order.distance, order.bodies["1"].target) == ("close", f"{river.raiders.pk}:1")


def setup(river, **form):
    """The setup form, sent: two armies that are free meet."""
    one, two = (
        raise_army(by=river.gm, kingdom=army.kingdom, name=f"More of {army.name}", sheet=army.sheet)
        for army in (river.host, river.swords)
    )
    sides = {
        "one": "", "armies-one": str(one.pk), "two": "Mivon", "armies-two": str(two.pk), "n-sides": "2",
        "circumstances-one": "0", "circumstances-two": "0", "defender": "1", "place-kind": "fort",
    }  # fmt: skip
    told = {"name": "Again", "kind": "field", "medium": "land", **sides, **form}
    return river.as_(river.gm).post(reverse("battles:battle_new", args=[river.campaign.pk]), told)


def test_an_assault_says_how_many_the_place_needs(river):
    answer = setup(river, kind="assault")
    assert answer.status_code == 422
    assert answer.context["form"].errors["garrison"]


def test_an_assault_is_set_up_with_its_place(river):
    answer = setup(
        river,
        kind="assault",
        garrison="400",
        place="Castle Varnhold",
        defender="0",
        forest="on",
        **{"circumstances-two": "2"},
    )
    assert answer.status_code == 302
    found = state(Battle.objects.get(name="Again"))
    assert (found.opening.place.name, found.opening.defender, found.sides[1].circumstances) == ("Castle Varnhold", 0, 2)
    assert [side.name for side in found.sides] == ["House Drelev", "Mivon"]
    assert found.holds("forest")
    assert {body.key for body in found.bodies.values()} >= {"garrison", "contact", "shooting"}


def test_the_setup_counts_fighters_and_not_force(river):
    answer = setup(river, kind="assault")
    seated = answer.context["seating"].sides[0]
    assert seated.health == sum(seat.army.health for seat in seated.armies)
    assert "fighters" in answer.content.decode()
    assert answer.context["seating"].counted == "fighters"


@pytest.mark.slow
def test_in_french_the_page_speaks_french(river):
    client = river.as_(river.gm)
    client.cookies["django_language"] = "fr"
    page = page_of(client, river.bridge).content.decode()
    assert "Troupe de mêlée" in page
    assert "Contact group" not in page


def test_b69_an_army_that_fled_is_listed_as_such_and_refused_beside_its_side(river):
    one, two = (
        raise_army(by=river.gm, kingdom=army.kingdom, name=f"Rest of {army.name}", sheet=army.sheet)
        for army in (river.host, river.swords)
    )
    correct_army(by=river.gm, army=one, status="routed")
    answer = setup(river, **{"armies-one": str(one.pk), "armies-two": str(two.pk)})
    assert answer.status_code == 422
    assert "for a week" in str(answer.context["form"].errors["armies-one"])
    seated = answer.context["seating"].sides[0].armies[0]
    assert (seated.army.name, seated.army.routed) == (one.name, True)
    assert '<span class="badge bad">routed</span>' in answer.content.decode()
    sides = [{"name": army.kingdom.name, "armies": [str(army.pk)]} for army in (one, two)]
    told = {"campaign": str(river.campaign.pk), "name": "Again", "sides": sides}
    refused = api_of(river.gm).post("/api/v1/battles/", told, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/sides/0/armies/0")
    assert not Battle.objects.filter(name="Again").exists()


def test_a_side_of_which_nothing_was_said_has_no_circumstances(river):
    """Of a battle set up from elsewhere, and of a side that is added."""
    client, url = river.as_(river.gm), reverse("battles:battle_new", args=[river.campaign.pk])
    begun = client.get(url, {"add": "siege", "name": "The walls", "defender": "0"}).context["form"]
    assert [begun[f"circumstances-{side}"].value() for side in ("one", "two")] == [0, 0]
    assert (begun["name"].value(), begun["defender"].value(), begun["kind"].value()) == ("The walls", "0", "field")
    added = client.post(url, {"add": "sides", "n-sides": "2", "circumstances-one": "-2", "circumstances-two": "1"})
    form = added.context["form"]
    assert [form[f"circumstances-{side}"].value() for side in ("one", "two", "three")] == ["-2", "1", 0]

"""Pages and API of places and sieges: what each reader sees, and what is refused (B-18)."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armies.breaking_point.models import FortifiedPlace, SiegeRow, Stationed
from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.place_services import enter_place, fortify
from armies.breaking_point.sieges.services import begin_siege
from kingdom.chronicle.services import undo_last
from rules.core.dice import Roll, Rolled
from rules.core.errors import InvalidInput
from tests.armies.breaking_point.sieges.tables import again, army, foot
from tests.armies.weeks.test_pages import browser, text_of
from tests.everyday import by_turns, everyday
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def at(name: str, row, *more) -> str:
    return reverse(f"armies:{name}", args=(row.pk, *more))


def test_everybody_at_the_table_sees_the_siege(walls, laid):
    pages = {"sieges": walls.campaign, "siege": laid, "place": walls.ker}
    for name, row in pages.items():
        for who in by_turns(name, (walls.gm, walls.ana, walls.bo, walls.viewer)):
            page = browser(who).get(at(name, row))
            assert page.status_code == 200
            assert "Ker" in text_of(page)
    for who in by_turns("the campaign", (walls.gm, walls.ana, walls.bo, walls.viewer)):
        campaign = browser(who).get(reverse("kingdom:campaign", args=(walls.campaign.pk,)))
        assert at("siege", laid) in text_of(campaign)


def test_a_place_is_kept_for_what_is_asked_of_a_reader_and_none_where_nothing_is(walls, laid):
    asked = {
        who: browser(who).get(at("siege", laid)).context["page"].asks for who in (walls.gm, walls.bo, walls.viewer)
    }
    assert asked == {walls.gm: True, walls.bo: True, walls.viewer: False}


def test_no_stranger_sees_anything(walls, laid):
    client = browser(walls.stranger)
    for url in (at("sieges", walls.campaign), at("siege", laid), at("place", walls.ker)):
        assert client.get(url).status_code == 404


def test_of_the_enemy_heads_are_seen_to_one_figure_and_points_not_at_all(walls, laid):
    besieger = text_of(browser(walls.bo).get(at("siege", laid)))
    assert "about 100" in besieger
    assert "Weeks the garrison can hold" not in besieger
    assert "Surrenders at" not in besieger
    garrison = text_of(browser(walls.ana).get(at("siege", laid)))
    assert "about 300" in garrison
    assert "Weeks the garrison can hold" in garrison
    gm = text_of(browser(walls.gm).get(at("siege", laid)))
    assert "about" not in gm
    assert "d10 + 13 vs 16" in gm


def test_sheets_and_lists_tell_what_a_siege_has_cost_so_far(walls, laid):
    """The sheet keeps the army as it came until the siege is over; what is left of it stands beside."""
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    losses = {f"{walls.guard.pk}:garrison": 120}
    sieges_services.end_siege_battle(by=walls.gm, siege=again(laid), outcome="goes-on", losses=losses)
    left = 100 - again(laid).state["lost"]["garrison"]
    assert left < 100
    ana = browser(walls.ana)
    sheet = text_of(ana.get(at("army", walls.guard)))
    assert "In a siege:" in sheet
    assert f"with {left}% left." in sheet
    for url in (at("list", walls.campaign), reverse("kingdom:kingdom", args=(walls.crown.pk,))):
        page = text_of(ana.get(url))
        assert at("siege", laid) in page
        assert f"{left}%" in page


def test_a_side_is_offered_its_own_commands(walls, laid):
    besieger, garrison = (text_of(browser(one).get(at("siege", laid))) for one in (walls.bo, walls.ana))
    for name, url in (("assault", at("siege_command", laid, "assault")), ("lift", at("siege_command", laid, "lift"))):
        assert url in besieger, name
        assert url not in garrison, name
    assert at("siege_command", laid, "sortie") in garrison
    assert at("siege_command", laid, "surrender") not in garrison
    assert at("siege_terms", laid) in besieger
    viewer = text_of(browser(walls.viewer).get(at("siege", laid)))
    assert "siege_command" not in viewer
    assert at("siege_terms", laid) not in viewer


def test_a_place_is_built_besieged_and_left_by_page(walls):
    client = browser(walls.gm)
    form = {"name": "Keep", "kind": "fort", "garrison": "60", "settlement": "", "outer": str(walls.ker.pk)}
    client.post(at("place_new", walls.crown), form)
    keep = FortifiedPlace.objects.get(name="Keep")
    assert keep.outer == walls.ker
    refused = client.post(at("place_new", walls.crown), {**form, "garrison": "49"})
    assert refused.status_code == 422
    assert "from 50 to 500" in text_of(refused)
    assert "Keep" in text_of(client.get(reverse("kingdom:kingdom", args=(walls.crown.pk,))))
    ana = browser(walls.ana)
    guard = army(walls.crown, "Last", foot(30))
    ana.post(at("place_enter", keep), {"army": str(guard.pk)})
    assert Stationed.objects.filter(place=keep).exists()
    ana.post(at("place_leave", guard))
    assert not Stationed.objects.filter(place=keep).exists()
    client.post(at("place_edit", keep), {**form, "name": "Donjon", "kingdom": str(walls.crown.pk)})
    assert again(keep).name == "Donjon"
    client.post(at("place_raze", keep))
    assert FortifiedPlace.objects.count() == 1


def test_a_siege_is_laid_and_lifted_by_page(walls):
    client = browser(walls.bo)
    assert at("place_besiege", walls.ker) in text_of(client.get(at("place", walls.ker)))
    empty = client.post(at("place_besiege", walls.ker), {"chief": ""})
    assert empty.status_code == 422
    laid = client.post(at("place_besiege", walls.ker), {"armies": [str(walls.host.pk)], "chief": ""}, follow=True)
    assert "Siege of Ker" in text_of(laid)
    row = SiegeRow.objects.get()
    stale = client.post(at("siege_command", row, "lift"), {"version": "7"})
    assert stale.status_code == 412
    assert again(row).status == "open"
    done = client.post(at("siege_command", row, "lift"), {"version": "0"}, follow=True)
    assert "the siege is lifted" in text_of(done)
    refused = client.post(at("siege_command", row, "lift"), {"version": "1"})
    assert refused.status_code == 422
    assert "This siege is over." in text_of(refused)
    assert client.post(at("siege_command", row, "burn")).status_code == 404


def test_what_is_not_his_to_command_is_forbidden(walls, laid):
    client = browser(walls.ana)
    assert client.post(at("siege_command", laid, "lift"), {"version": "0"}).status_code == 403
    assert client.post(at("place_edit", walls.ker), {}).status_code == 403
    assert client.post(at("siege_battle", laid), {}).status_code == 403


def test_terms_are_typed_face_by_face_on_the_page(walls, laid):
    client, url = browser(walls.bo), at("siege_terms", laid)
    asked = client.post(url, {"version": "0", "dice_by": "table"})
    assert "(d10)" in text_of(asked)
    die = f"{walls.host.pk}|terms|10"
    first = {"version": "0", "dice_by": "table", "how": "asked", "die": [die], "face": ["10"], "need": [""]}
    more = client.post(url, {**first, "settled": "0"})
    assert text_of(more).count(f'value="{die}"') == 2
    assert ("Terms, die 2" in text_of(asked), "Terms, die 2" in text_of(more)) == (False, True)
    sent = {"version": "0", "dice_by": "table", "how": "asked", "die": [die, die], "face": ["10", "4"],
            "need": ["", ""], "settled": "1"}  # fmt: skip
    done = client.post(url, sent, follow=True)
    assert "surrenders unconditionally" in text_of(done)
    assert again(laid).status == "unconditional"
    assert text_of(done).count("(entered by bo)") == 2
    log = api_of(walls.bo).get(f"/api/v1/sieges/{laid.pk}/").json()["log"]
    assert [(line["dice"], line["typed_by"]) for line in log if line["dice"]] == [([10, 4], ["bo", "bo"])]


def test_a_die_that_will_not_do_is_asked_for_again_and_still_leads_to_the_next(walls, laid):
    """As the page sends it: who throws was said once, and goes on with the dice."""
    client, url, die = browser(walls.bo), at("siege_terms", laid), f"{walls.host.pk}|terms|10"
    typed = {"version": "0", "how": "asked", "die": [die], "need": [""], "settled": "0"}
    refused = client.post(url, {**typed, "face": ["99"]})
    assert refused.status_code == 422
    assert refused.context["terms"].how == "asked"
    mended = client.post(url, {**typed, "face": ["10"]})
    assert text_of(mended).count(f'value="{die}"') == 2, "the ten is kept, and leads to another die"
    assert again(laid).version == 0


def test_b1_a_die_left_to_the_server_on_the_page_asks_nobody_for_its_further_faces(walls, laid, monkeypatch):
    faces = iter([1, 10, 9])
    monkeypatch.setattr(Rolled, "roll", lambda _self, army, name, die: Roll(army, name, die, next(faces)))
    left = {"version": "0", "dice_by": "table", "how": "asked", "die": [f"{walls.host.pk}|terms|10"], "face": [""],
            "need": [""], "left": ["0"], "settled": "0"}  # fmt: skip
    done = browser(walls.bo).post(at("siege_terms", laid), left, follow=True)
    assert "the garrison refuses" in text_of(done)
    assert again(laid).state["told"][0]["dice"] == [1, 10, 9]
    assert "entered by" not in text_of(done)


def test_b1_a_third_face_without_a_ten_is_refused_on_the_page_and_nothing_is_heard(walls, laid):
    die = f"{walls.host.pk}|terms|10"
    sent = {"version": "0", "dice_by": "table", "how": "asked", "die": [die] * 3, "face": ["10", "4", "4"],
            "need": [""] * 3, "settled": "3"}  # fmt: skip
    refused = browser(walls.bo).post(at("siege_terms", laid), sent)
    assert refused.status_code == 422
    assert "This die isn’t needed" in text_of(refused)
    assert again(laid).version == 0


def test_terms_twice_a_week_are_refused_on_the_page(walls, laid):
    client, url = browser(walls.bo), at("siege_terms", laid)
    die = {"die": [f"{walls.host.pk}|terms|10"] * 2, "face": ["1", "5"], "need": ["", ""], "settled": "2"}
    client.post(url, {"version": "0", "dice_by": "table", "how": "asked", **die})
    assert again(laid).version == 1
    refused = client.post(url, {"version": "1", "dice_by": "server"})
    assert refused.status_code == 422
    assert "already negotiated this week" in text_of(refused)
    assert again(laid).version == 1


def test_standing_orders_are_given_by_page(walls, laid):
    browser(walls.bo).post(at("siege_orders", laid), {"version": "0"})
    browser(walls.ana).post(at("siege_orders", laid), {"version": "1", "answers": "on"})
    state = again(laid).state
    assert (state["bombards"], state["answers"], state["hears"]) == (False, True, False)


def test_the_gm_says_how_an_assault_ended(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    client = browser(walls.gm)
    page = text_of(client.get(at("siege", laid)))
    for words in ("Host, main body: points lost", "Host, shooting group: points lost", "Guard, garrison: points lost"):
        assert words in page
    wrong = client.post(at("siege_battle", laid), {"version": "1", "outcome": "burnt"})
    assert wrong.status_code == 422
    sent = {"version": "1", "outcome": "goes-on", "losses-0": "30", "losses-1": "0", "losses-2": "210"}
    client.post(at("siege_battle", laid), sent)
    state = again(laid).state
    assert (state["status"], state["contact"]["damage"], state["garrison"]["damage"]) == ("open", 30, 210)


def test_b33_nobody_loses_more_than_twice_his_force(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    client, before = browser(walls.gm), again(laid).state
    sent = {"version": "1", "outcome": "goes-on", "losses-0": "30", "losses-1": "0", "losses-2": "1000000000"}
    refused = client.post(at("siege_battle", laid), sent)
    assert refused.status_code == 422
    assert again(laid).state == before
    with pytest.raises(InvalidInput, match="twice the group’s force"):
        sieges_services.end_siege_battle(
            by=walls.gm, siege=again(laid), outcome="goes-on", losses={f"{walls.guard.pk}:garrison": 10**9}
        )


def test_the_log_tells_what_stands_and_forgets_what_was_taken_back(walls, laid):
    sieges_services.order_siege(by=walls.bo, siege=laid, bombards=False)
    url = at("siege", laid)
    assert "new orders for the siege" in text_of(browser(walls.viewer).get(url))
    undo_last(by=walls.gm, campaign=walls.campaign)
    page = text_of(browser(walls.viewer).get(url))
    assert "new orders for the siege" not in page
    assert "laid siege to Ker" in page


@pytest.mark.parametrize("who", everyday(["bo", "gm"], first=1))
def test_programs_are_told_of_a_siege_what_everybody_may_know(walls, laid, who):
    """Points would say what the bodies of the other side are worth; nor does a state hold sentences."""
    sieges_services.begin_assault(by=walls.gm, siege=laid)
    sieges_services.end_siege_battle(
        by=walls.gm, siege=again(laid), outcome="goes-on", losses={f"{walls.guard.pk}:garrison": 333}
    )
    api = api_of(getattr(walls, who))
    entries = api.get(f"/api/v1/campaigns/{walls.campaign.pk}/chronicle/").json()["results"]
    lines = [line for entry in entries for line in entry["changes"] if line["field"] == "state"]
    assert len(lines) == 2
    for side in (side for line in lines for side in (line["before"], line["after"])):
        assert side.keys() == {"status", "weeks", "age", "lost"}
    assert max(line["after"]["lost"]["garrison"] for line in lines) > 0
    told = api.get(f"/api/v1/sieges/{laid.pk}/").json()
    assert told["status"] == "open"


def test_the_chronicle_tells_a_siege_in_words(walls, laid):
    laid.state = {**laid.state, "weeks": 3, "age": 4}
    laid.save(update_fields=["state"])
    sieges_services.lift_siege(by=walls.bo, siege=laid)
    chronicle = text_of(browser(walls.viewer).get(reverse("kingdom:chronicle", args=(walls.campaign.pk,))))
    assert "week 4, the siege is lifted; losses: garrison 0%, besiegers 0%" in chronicle
    assert "damage" not in chronicle
    assert "<dt>Weeks elapsed</dt><dd>4</dd>" in text_of(browser(walls.viewer).get(at("siege", laid)))
    lists = browser(walls.viewer).get(reverse("armies:sieges", args=(walls.campaign.pk,)))
    assert "lasted 4 weeks" in text_of(lists)


# API


def url(row, *more: str) -> str:
    return "/".join((f"/api/v1/sieges/{row.pk}", *more)) + "/"


def send(user, row, version: int = 0, **body):
    return api_of(user).post(url(row, "commands"), body, format="json", HTTP_IF_MATCH=f'"{version}"')


def test_a_siege_by_the_api_from_place_to_terms(walls):
    gm, bo = api_of(walls.gm), api_of(walls.bo)
    body = {"kingdom": str(walls.crown.pk), "name": "Keep", "kind": "fort", "garrison": 60}
    made = gm.post("/api/v1/places/", body, format="json")
    assert (made.status_code, made.json()["outer"]) == (201, None)
    assert bo.post("/api/v1/places/", body, format="json").status_code == 403
    sent = {"place": str(walls.ker.pk), "armies": [str(walls.host.pk)]}
    laid = bo.post("/api/v1/sieges/", sent, format="json")
    assert laid.status_code == 201
    assert laid.headers["ETag"] == '"0"'
    shown = laid.json()
    assert (shown["status"], shown["weeks"], shown["hold"], shown["damage"]) == (
        "open", 0, None, {"besieger": 0, "garrison": 0},
    )  # fmt: skip
    assert (shown["garrison"]["heads"], shown["garrison"]["about"], shown["besiegers"]["heads"]) == (100, True, 340)
    inside = api_of(walls.ana).get(f"/api/v1/sieges/{shown['id']}/").json()
    assert (inside["hold"], inside["garrison"]["breaks_at"]) == (16, 900)
    row = SiegeRow.objects.get()
    dice = [{"army": str(walls.host.pk), "roll": "terms", "values": [3]}]
    done = send(walls.bo, row, type="terms", dice=dice)
    assert (done.status_code, done.json()["status"], done.json()["version"]) == (200, "honours", 1)
    listed = bo.get(f"/api/v1/sieges/?campaign={walls.campaign.pk}").json()["results"]
    assert [line["status"] for line in listed] == ["honours"]


def test_dice_that_are_asked_for_are_named(walls, laid):
    asked = send(walls.bo, laid, type="terms", ask=True)
    assert (asked.status_code, asked.json()["type"]) == (409, "urn:warhost:problem:dice-needed")
    die = {"army": str(walls.host.pk), "roll": "terms", "die": 10, "label": "Terms"}
    assert asked.json()["asks"] == [die | {"need": None}]
    asked = send(walls.gm, laid, type="terms", ask=True)
    (told,) = asked.json()["asks"]
    assert (told | {"need": ""} == die | {"need": ""}, told["need"][:4]) == (True, "Ker,")


def test_b18_what_terms_need_is_told_to_whom_both_sides_are_known(walls, laid):
    """By it the garrison's time and power could be reckoned; as the page has it, the API does."""
    for who, told in ((walls.bo, False), (walls.gm, True)):
        asked = browser(who).post(at("siege_terms", laid), {"version": "0", "dice_by": "table"})
        (die,) = asked.context["terms"].asked
        assert bool(die.need) is told
        assert (die.need or None) == send(who, laid, type="terms", ask=True).json()["asks"][0]["need"]


def test_b58_the_dice_of_a_week_say_what_they_need_where_time_passes(walls, laid):
    """One after the other, as they fall: the guns', then the terms' the GM offers with the week."""
    sent = {"span": "week", "dice_by": "table", "how": "asked", "terms": [str(laid.pk)]}
    address = reverse("armies:time", args=[walls.campaign.pk])
    asked = browser(walls.gm).post(address, sent).context["form"]
    (shot,) = asked.asked
    assert (shot.label, shot.need.split(" against ")[0]) == ("Bombardment", "Ker, +6")
    typed = {"die": [shot.key], "face": ["5"], "need": [shot.need], "settled": "0"}
    (heard,) = browser(walls.gm).post(address, sent | typed).context["form"].asked
    assert (heard.label, heard.need.split(", ")[0]) == ("Terms", "Ker")


@pytest.mark.parametrize(("values", "at_die"), [([3, 4], "/dice/0/values/1"), ([11], "/dice/0/values/0")])
def test_a_die_of_terms_that_will_not_do_is_pointed_at(walls, laid, values, at_die):
    die = {"army": str(walls.host.pk), "roll": "terms", "values": values}
    refused = send(walls.bo, laid, type="terms", dice=[die])
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, at_die)
    spare = send(walls.bo, laid, type="terms", dice=[die | {"values": [3]}, die | {"values": [5]}])
    assert (spare.status_code, spare.json()["errors"][0]["pointer"]) == (400, "/dice/1/values/0")


WRONG = [
    ({"type": "burn"}, 400, "/type"),
    ({}, 400, "/type"),
    ({"type": "lift", "army": "01900000-0000-7000-8000-000000000000"}, 400, "/army"),
    ({"type": "lift", "why": 1}, 400, "/why"),
    ({"type": "join"}, 404, "/army"),
    ({"type": "orders"}, 400, ""),
    ({"type": "terms", "dice": [{"army": "x", "roll": "terms", "values": [1]}]}, 400, "/dice/0/army"),
    (
        {
            "type": "terms",
            "dice": [{"army": "01900000-0000-7000-8000-000000000000", "roll": "terms", "values": [3]}],
        },
        400,
        "/dice/0/values/0",
    ),
]


def test_bad_input_is_refused_where_it_stands_and_changes_nothing(walls, laid):
    for body, code, pointer in WRONG:
        answer = send(walls.bo, laid, **body)
        assert answer.status_code == code, answer.json()
        assert [error["pointer"] for error in answer.json().get("errors", [])] == ([pointer] if pointer else []), body
        assert again(laid).version == 0, body


def test_the_version_that_was_seen_is_named_and_right(walls, laid):
    assert api_of(walls.bo).post(url(laid, "commands"), {"type": "lift"}, format="json").status_code == 428
    stale = send(walls.bo, laid, 4, type="lift")
    assert (stale.status_code, stale.json()["version"]) == (412, 0)


def test_terms_twice_a_week_and_a_siege_that_is_over_are_illegal(walls, laid):
    dice = [{"army": str(walls.host.pk), "roll": "terms", "values": [1, 5]}]
    assert send(walls.bo, laid, type="terms", dice=dice).status_code == 200
    assert send(walls.bo, laid, 1, type="terms").status_code == 409
    assert send(walls.bo, laid, 1, type="lift").status_code == 200
    assert send(walls.bo, laid, 2, type="assault").status_code == 409


def test_what_is_not_ones_own_is_not_commanded_and_not_found(walls, laid):
    assert send(walls.ana, laid, type="lift").status_code == 403
    assert send(walls.stranger, laid, type="lift").status_code == 404
    assert send(walls.bo, laid, type="fought", outcome="fell").status_code == 403
    hidden = {"place": str(walls.ker.pk), "armies": [str(walls.guard.pk)]}
    assert api_of(walls.bo).post("/api/v1/sieges/", hidden, format="json").status_code == 404


def test_armies_go_in_and_out_by_the_api(walls):
    more = army(walls.crown, "More", foot(20))
    client, at_place = api_of(walls.ana), f"/api/v1/places/{walls.ker.pk}"
    there = client.post(f"{at_place}/enter/", {"army": str(more.pk)}, format="json")
    assert there.json()["stationed"] == [str(walls.guard.pk), str(more.pk)]
    gone = client.post(f"{at_place}/leave/", {"army": str(more.pk)}, format="json")
    assert gone.json()["stationed"] == [str(walls.guard.pk)]
    assert api_of(walls.bo).get(f"{at_place}/").json()["stationed"] is None
    patched = api_of(walls.gm).patch(f"{at_place}/", {"garrison": 90}, format="json")
    assert patched.json()["garrison"] == 90
    assert api_of(walls.gm).delete(f"{at_place}/").status_code == 409


def test_a_list_asks_no_more_for_many_than_for_one(walls, laid):
    def queries() -> dict[str, int]:
        return {what: asked_for(what) for what in ("places", "sieges")}

    def asked_for(what: str) -> int:
        client = api_of(walls.ana)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/api/v1/{what}/?campaign={walls.campaign.pk}").status_code == 200
        return len(asked)

    before = queries()
    for name in ("Keep", "Tower", "Gate"):
        place = fortify(by=walls.gm, kingdom=walls.crown, name=name, kind="fort", garrison=60)
        enter_place(by=walls.gm, army=army(walls.crown, name, foot(30)), place=place)
        begin_siege(by=walls.gm, place=place, armies=[army(walls.horde, f"Before {name}", foot(80))])
    assert queries() == before

"""Arms: drawn from a name, checked, in words, kept by a kingdom, drawn on pages (kingdom/models/heraldry.py)."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from core.text import render
from kingdom.campaign.queries import load_arms
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.wording import entries_in_words
from kingdom.models import ChronicleEntry, Kingdom
from kingdom.models.heraldry import (
    CHARGES,
    COLOURS,
    DIVISIONS,
    KNOWN,
    METALS,
    SHIELDS,
    TINCTURES,
    Arms,
    clean_arms,
    draw_arms,
)
from kingdom.realms.services import found_kingdom, update_kingdom
from kingdom.templatetags.look import manifest
from rules.core.errors import InvalidInput
from tests.browsing import PHONE, overflow
from tests.kingdom.conftest import api_of, make_user

STATIC = Path(__file__).resolve().parents[3] / "static"
SPRITE = (STATIC / "arms.svg").read_text()
STYLE = (STATIC / "css" / "arms.css").read_text()
RED = Arms("heater", "pale", "gules", "tower", "or")
ANY_ARMS = st.builds(
    lambda colour, metal, turned, shield, division, charge: Arms(
        shield, division, metal if turned else colour, charge, colour if turned else metal
    ),
    st.sampled_from(COLOURS),
    st.sampled_from(METALS),
    st.booleans(),
    st.sampled_from(list(SHIELDS)),
    st.sampled_from(list(DIVISIONS)),
    st.sampled_from(list(CHARGES)),
)


def draw(source: str, **context: object) -> str:
    return Template("{% load heraldry %}" + source).render(Context(context))


# Drawn from a name


@given(st.text(max_size=150))
def test_a_name_always_gives_the_same_arms_and_they_are_good_ones(name: str) -> None:
    arms = draw_arms(name)
    assert draw_arms(f"  {name.upper()}  ") == draw_arms(name.upper())
    assert draw_arms(name) == arms
    assert clean_arms(arms._asdict(), now=RED) == arms
    assert {arms.field in METALS, arms.tincture in METALS} == {True, False}


def test_names_are_spread_evenly_over_every_part() -> None:
    drawn = [draw_arms(f"Kingdom {number}") for number in range(6000)]
    for part in ("shield", "division", "charge"):
        counted = Counter(getattr(arms, part) for arms in drawn)
        fair = len(drawn) / len(KNOWN[part])
        assert counted.keys() == set(KNOWN[part])
        assert all(0.75 * fair < often < 1.25 * fair for often in counted.values()), (part, counted)
    assert {arms.field for arms in drawn} == {arms.tincture for arms in drawn} == set(TINCTURES)
    assert len(set(drawn)) > 0.7 * len(drawn)


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=14, unique=True))
def test_kingdoms_of_a_campaign_differ_by_outline_as_long_as_there_is_another(names: list[str]) -> None:
    borne: list[Arms] = []
    for name in names:
        borne.append(draw_arms(name, borne))
    often = Counter(arms.shield for arms in borne).values()
    assert max(often) - (min(often) if len(often) == len(SHIELDS) else 0) <= 1
    assert len({(arms.shield, arms.charge) for arms in borne}) == len(names)


# Checked


@given(ANY_ARMS, ANY_ARMS)
def test_what_is_left_out_of_a_change_stays(now: Arms, wanted: Arms) -> None:
    changed = clean_arms({"shield": wanted.shield, "charge": wanted.charge}, now=now)
    assert changed == now._replace(shield=wanted.shield, charge=wanted.charge)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"tincture": "azure"}, "/arms/tincture"),
        ({"field": "argent"}, "/arms/tincture"),
        ({"charge": "teapot"}, "/arms/charge"),
        ({"charge": None}, "/arms/charge"),
        ({"charge": ["crown"]}, "/arms/charge"),
        ({"motto": "Never"}, "/arms/motto"),
        ("gules", "/arms"),
    ],
)
def test_arms_that_break_the_rule_or_name_the_unknown_are_refused_at_their_part(given: object, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        clean_arms(given, now=RED)
    assert refused.value.field == field


def test_metal_on_metal_is_refused_in_words_that_say_what_fits() -> None:
    with pytest.raises(InvalidInput) as refused:
        clean_arms({"field": "argent"}, now=RED)
    assert "Gules (red)" in render(refused.value.message)


# In words


@pytest.mark.parametrize(
    ("arms", "english", "french"),
    [
        (RED, "Gules, parted per pale, a tower or", "De gueules, parti, à une tour d’or"),
        (
            Arms("kite", "chief", "argent", "wolf", "azure"),
            "Argent, a chief and a wolf’s head azure",
            "D’argent, au chef et à une tête de loup d’azur",
        ),
        (
            Arms("round", "bordure", "sable", "wheat", "argent"),
            "Sable, ears of wheat within a bordure argent",
            "De sable, à des épis de blé et à la bordure d’argent",
        ),
    ],
)
def test_arms_are_blazoned_in_both_languages(arms: Arms, english: str, french: str) -> None:
    assert render(arms.blazon) == english
    with override("fr"):
        assert render(arms.blazon) == french


@given(ANY_ARMS)
def test_every_blazon_names_its_charge_and_both_tinctures(arms: Arms) -> None:
    said = render(arms.blazon).lower()
    for words in (TINCTURES[arms.field].blazon, TINCTURES[arms.tincture].blazon, CHARGES[arms.charge].blazon):
        assert words in said


# Drawn


@given(ANY_ARMS)
def test_everything_arms_are_drawn_of_is_in_the_sprites_and_the_style_sheet(arms: Arms) -> None:
    html = draw("{% arms a %}", a=arms)
    for symbol in re.findall(r"arms\.svg#([\w-]+)", html):
        assert f'<symbol id="{symbol}"' in SPRITE
    assert arms.icon in manifest()["icons"]
    assert f".arms.on-{arms.field} " in STYLE
    assert f".arms.in-{arms.tincture} " in STYLE
    assert f".arms.{arms.shield} .paint" in STYLE


def test_a_shield_costs_four_nodes_and_no_inline_style() -> None:
    html = draw('{% arms a "tiny" charge="archer" %}', a=RED)
    assert len(re.findall(r"<[a-z]", html)) == 4
    assert "style=" not in html
    assert "icons.svg#archer" in html
    assert len(html) < 400


def test_a_bearer_is_a_kingdom_or_arms_or_nobody() -> None:
    assert draw("{% arms k %}", k=Kingdom(name="Pitax", arms=RED._asdict())) == draw("{% arms k %}", k=RED)
    assert draw("{% arms k %}", k=Kingdom(name="Pitax")) == draw("{% arms k %}", k=draw_arms("Pitax"))
    nobodys = draw('{% arms k charge="cavalry" %}', k=None)
    assert "on-side" in nobodys
    assert "#cavalry" in nobodys


def test_arms_are_decoration_unless_they_are_named() -> None:
    assert 'aria-hidden="true"' in draw("{% arms a %}", a=RED)
    named = draw("{% arms a label=a|blazon %}", a=RED)
    assert 'role="img" aria-label="Gules, parted per pale, a tower or"' in named


# Kept by a kingdom


def test_a_kingdom_founded_bears_what_its_name_gives_beside_the_others(gm, campaign) -> None:
    arms = [found_kingdom(by=gm, campaign=campaign, name=f"Realm {n}").arms_borne for n in range(6)]
    assert arms[0] == draw_arms("Realm 0")
    assert len({each.shield for each in arms}) == 6


def test_a_kingdom_may_be_founded_with_arms_of_its_own(gm, campaign) -> None:
    kingdom = found_kingdom(by=gm, campaign=campaign, name="Pitax", arms=RED._asdict())
    assert Kingdom.objects.get(pk=kingdom.pk).arms_borne == RED


def test_a_kingdom_keeps_its_arms_when_its_name_changes(gm, crown) -> None:
    before = crown.arms_borne
    update_kingdom(by=gm, kingdom=crown, name="Restov the Free")
    assert Kingdom.objects.get(pk=crown.pk).arms_borne == before


def test_the_arms_of_many_kingdoms_are_one_query(gm, campaign, crown, django_assert_num_queries) -> None:
    other = found_kingdom(by=gm, campaign=campaign, name="Pitax")
    with django_assert_num_queries(1):
        found = load_arms(campaign, [str(crown.pk), other.pk, "", str(crown.pk)])
    assert found == {str(crown.pk): crown.arms_borne, str(other.pk): other.arms_borne}
    with django_assert_num_queries(0):
        assert load_arms(campaign, ["", ""]) == {}
    elsewhere = create_campaign(by=gm, name="Elsewhere", ruleset="combat-de-masse")
    assert load_arms(elsewhere, [crown.pk, other.pk]) == {}, "no campaign tells of another one's kingdoms"


def test_kingdoms_from_before_arms_get_those_of_their_names(gm, campaign, crown) -> None:
    other = found_kingdom(by=gm, campaign=campaign, name="Pitax")
    Kingdom.objects.update(arms={})
    import_module("kingdom.migrations.0008_arms").bear_arms(apps, None)
    crown.refresh_from_db()
    other.refresh_from_db()
    assert crown.arms == draw_arms("Crown of Restov")._asdict()
    assert other.arms == draw_arms("Pitax", [crown.arms_borne])._asdict()
    assert crown.arms_borne.shield != other.arms_borne.shield


# Chosen in the form


def form_of(user, kingdom) -> tuple[Client, str]:
    client = Client()
    client.force_login(user)
    return client, reverse("kingdom:arms", args=[kingdom.pk])


BLUE = {"shield": "kite", "division": "chief", "field": "azure", "charge": "sun", "tincture": "argent"}


def test_whoever_runs_a_kingdom_chooses_its_arms_and_the_chronicle_tells(table, crown) -> None:
    client, url = form_of(table.ana, crown)
    assert client.post(url, BLUE).status_code == 302
    crown.refresh_from_db()
    assert crown.arms == BLUE
    entry = ChronicleEntry.objects.filter(campaign=crown.campaign).first()
    [told] = entries_in_words(table.ana, crown.campaign, [entry])
    assert render(told.text) == "Crown of Restov has new arms."
    [change] = told.changes
    assert (change.field, change.after) == ("Arms", "Azure, a chief and a sun argent")


def test_a_gm_takes_new_arms_back(gm, crown) -> None:
    before = crown.arms
    update_kingdom(by=gm, kingdom=crown, arms=BLUE)
    chronicle_changes.undo(campaign=crown.campaign, entry=ChronicleEntry.objects.latest("seq"), by=gm)
    assert Kingdom.objects.get(pk=crown.pk).arms == before


def test_arms_are_changed_by_nobodys_leave(gm, campaign, table, crown) -> None:
    update_campaign(by=gm, campaign=campaign, players_may={"attributes": "no"})
    kingdom = Kingdom.objects.get(pk=crown.pk)
    update_kingdom(by=table.ana, kingdom=kingdom, arms={"charge": "moon"})
    assert Kingdom.objects.get(pk=crown.pk).arms_borne == crown.arms_borne._replace(charge="moon")


def test_another_kingdoms_player_does_not_come_to_the_form(table, crown) -> None:
    client, url = form_of(table.bo, crown)
    assert client.get(url).status_code in (403, 404)
    assert client.post(url, BLUE).status_code in (403, 404)
    assert Kingdom.objects.get(pk=crown.pk).arms == crown.arms


def test_a_preview_draws_what_is_picked_and_stores_nothing(table, crown) -> None:
    client, url = form_of(table.ana, crown)
    page = client.post(url, {**BLUE, "preview": "1"})
    assert page.status_code == 200
    assert "Azure, a chief and a sun argent" in page.content.decode()
    assert '<button name="preview" value="1">' in page.content.decode()
    assert Kingdom.objects.get(pk=crown.pk).arms == crown.arms


def test_the_tincture_follows_when_the_field_becomes_metal(table, crown) -> None:
    client, url = form_of(table.ana, crown)
    page = client.post(url, {**BLUE, "field": "or", "preview": "1"}).content.decode()
    assert "Or, a chief and a sun gules" in page
    assert "id_tincture_argent" not in page
    assert "id_tincture_sable" in page


def test_two_metals_are_refused_beside_the_tincture_and_the_rest_stays(table, crown) -> None:
    client, url = form_of(table.ana, crown)
    page = client.post(url, {**BLUE, "field": "or"})
    assert page.status_code == 422
    assert 'id="id_tincture_error"' in page.content.decode()
    assert "Or, a chief and a sun gules" in page.content.decode()
    assert Kingdom.objects.get(pk=crown.pk).arms == crown.arms


def test_lots_draw_other_arms_and_the_name_gives_its_own_again(table, crown) -> None:
    client, url = form_of(table.ana, crown)
    lots = {client.post(url, {"lots": "1"}).context["form"].chosen for _each in range(4)}
    assert len(lots) > 1
    assert client.post(url, {"name": "1"}).context["form"].chosen == draw_arms("Crown of Restov")


def test_the_others_arms_are_shown_and_cost_the_same_however_many(table, gm, campaign, crown) -> None:
    client, url = form_of(table.ana, crown)
    found_kingdom(by=gm, campaign=campaign, name="Pitax", arms=RED._asdict())
    with CaptureQueriesContext(connection) as few:
        assert "Gules, parted per pale, a tower or" in client.get(url).content.decode()
    for number in range(8):
        found_kingdom(by=gm, campaign=campaign, name=f"Realm {number}")
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    assert len(many) <= len(few)


# By the API


def test_arms_are_read_and_changed_by_the_api(table, crown) -> None:
    api = api_of(table.ana)
    there = f"/api/v1/kingdoms/{crown.pk}/"
    assert api.get(there).json()["arms"] == crown.arms
    changed = api.patch(there, {"arms": {"charge": "key"}}, format="json")
    assert changed.status_code == 200
    assert changed.json()["arms"] == {**crown.arms, "charge": "key"}
    assert api.patch(there, {"arms": None}, format="json").json()["arms"] == crown.arms


def test_a_kingdom_known_by_name_shows_its_arms(table, crown) -> None:
    told = api_of(table.bo).get(f"/api/v1/kingdoms/{crown.pk}/").json()
    assert told["economy"] is None
    assert told["arms"] == crown.arms


@pytest.mark.parametrize(
    ("arms", "pointer"),
    [
        ({"charge": "teapot"}, "/arms/charge"),
        ({"motto": "x"}, "/arms/motto"),
        ({"field": "or", "tincture": "argent"}, "/arms/tincture"),
        ("red", "/arms"),
    ],
)
def test_arms_that_are_none_are_refused_by_the_api_at_their_part(table, crown, arms: object, pointer: str) -> None:
    refused = api_of(table.ana).patch(f"/api/v1/kingdoms/{crown.pk}/", {"arms": arms}, format="json")
    assert refused.status_code == 400
    assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]


# In a browser


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["light", "dark"])
def test_arms_are_picked_with_a_preview_at_once(
    open_page, sign_in, accessibility, transactional_db, dark: bool
) -> None:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Restov marches", ruleset="combat-de-masse")
    kingdom = found_kingdom(by=gm, campaign=campaign, name="Crown of Restov", arms=RED._asdict())
    found_kingdom(by=gm, campaign=campaign, name="Greenbelt horde")
    page = open_page(viewport=PHONE, dark=dark)
    sign_in(page, gm)
    page.goto(reverse("kingdom:arms", args=[kingdom.pk]))
    page.locator("#id_field_argent").check()
    expect(page.locator("#blazon [role=status]")).to_have_text("Argent, parted per pale, a tower gules")
    expect(page.locator("#id_field_argent")).to_be_focused()
    assert accessibility(page) == []
    assert overflow(page) <= 0
    page.locator("#blazon button.primary").click()
    page.wait_for_url("**" + reverse("kingdom:kingdom", args=[kingdom.pk]))
    assert accessibility(page) == []
    assert Kingdom.objects.get(pk=kingdom.pk).arms_borne == RED._replace(field="argent", tincture="gules")


@pytest.mark.slow
def test_arms_are_picked_without_scripts(open_page, sign_in, transactional_db) -> None:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Restov marches", ruleset="combat-de-masse")
    kingdom = found_kingdom(by=gm, campaign=campaign, name="Crown of Restov", arms=RED._asdict())
    page = open_page(java_script_enabled=False)
    sign_in(page, gm)
    page.goto(reverse("kingdom:arms", args=[kingdom.pk]))
    page.locator("#id_charge_key").check()
    page.locator("button[name=preview]").click()
    assert page.locator("#blazon [role=status]").inner_text() == "Gules, parted per pale, a key or"
    page.locator("#blazon button.primary").click()
    assert Kingdom.objects.get(pk=kingdom.pk).arms_borne == RED._replace(charge="key")

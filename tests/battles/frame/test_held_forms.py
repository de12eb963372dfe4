"""Forms of an army that fights, and of who leads it: who opens one is told so, with the way to the battle."""

from __future__ import annotations

from django.urls import reverse

from armies.models import Army
from armies.ruleset_ui import get_army_ui
from tests.everyday import by_turns
from tests.kingdom.conftest import client_of


def main_of(user, form, row):
    page = client_of(user).get(reverse(f"armies:{form}", args=[row.pk]))
    assert page.status_code == 200
    return " ".join(page.content.decode().partition("<main")[2].partition("</main>")[0].split())


def says_so(main, battle) -> bool:
    """Instead of the form, or not."""
    way = f'href="{reverse("battles:battle", args=[battle.pk])}"'
    told = way in main and "Finish that battle first" in main
    assert told is ("<form" not in main)
    return told


def test_forms_of_an_army_say_where_it_fights_before_anybody_fills_them_in(table, fresh):
    for form in ("army_edit", "army_disband"):
        for user in by_turns(form, (table.gm, table.bo)):
            assert says_so(main_of(user, form, table.raiders), fresh), form
            assert not says_so(main_of(user, form, table.spare), fresh), form


def test_the_form_of_who_leads_it_says_so_too(table, fresh):
    kind = get_army_ui(table.campaign).commander
    chief = kind._default_manager.create(campaign=table.campaign, kingdom=table.horde, name="Ugg")
    assert not says_so(main_of(table.bo, "commander_edit", chief), fresh)
    Army.objects.filter(pk=table.raiders.pk).update(commander=chief.pk)
    main = main_of(table.bo, "commander_edit", chief)
    assert says_so(main, fresh)
    assert "Ugg leads Raiders." in main


def test_of_an_army_that_is_none_any_more_the_gm_corrects_what_others_cannot_change(table, fresh):
    Army.objects.filter(pk=table.spare.pk).update(status=Army.Status.DISBANDED)
    for form in ("army_edit", "army_disband"):
        main = main_of(table.bo, form, table.spare)
        assert "disbanded, so nothing can be changed" in main
        assert "<form" not in main
    assert "/correct/" in main_of(table.gm, "army_edit", table.spare)
    assert "disbanded, so nothing can be changed" in main_of(table.gm, "army_disband", table.spare)

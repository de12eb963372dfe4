"""Dice on the pages: who throws them is remembered, what is typed is kept, a mistake costs nothing else."""

from __future__ import annotations

import pytest
from django.urls import reverse

from battles.folding import state_of
from kingdom.services.account import choose_settings
from rules.pathfinder.battle.orders.commands import Next, Resolve
from tests.battles.conftest import open_ford
from tests.battles.test_pages import as_, now, page_of, play, send, text
from tests.worlds import built_once


@built_once
def ford(table):
    """Face to face: the first melee phase is about to be fought."""
    battle = open_ford(table)
    play(table, battle, Next(), Resolve(), Resolve())
    return battle


def switch(user, battle, dice, query="", **headers):
    return as_(user).post(reverse("battles:dice", args=[battle.pk]) + query, {"dice": dice}, headers=headers)


# Who throws them


def test_resolving_follows_the_choice_of_whoever_resolves(table, ford):
    choose_settings(by=table.gm, dice="typed")
    asked = send(table.gm, ford, type="resolve")
    assert [die.roll for die in asked.context["sent"].asked] == ["attack", "attack"]
    assert state_of(now(ford)).phase.number == 1
    choose_settings(by=table.gm, dice="server")
    assert send(table.gm, ford, type="resolve").status_code == 302
    assert {roll["source"] for roll in now(ford).records.latest("seq").dice} == {"rolled"}


def test_what_is_said_at_the_roll_goes_before_the_choice(table, ford):
    choose_settings(by=table.gm, dice="typed")
    assert send(table.gm, ford, type="resolve", how="rolled").status_code == 302


def test_the_switch_is_kept_and_shows_how_it_stands(table, ford):
    assert 'id="dice-server" aria-pressed="true"' in text(page_of(table.gm, ford))
    assert switch(table.gm, ford, "typed").url == reverse("battles:battle", args=[ford.pk])
    shown = text(page_of(table.gm, ford))
    assert 'id="dice-server" aria-pressed="false"' in shown
    assert 'id="dice-typed" aria-pressed="true"' in shown
    switch(table.gm, ford, "server")
    assert 'id="dice-server" aria-pressed="true"' in text(page_of(table.gm, ford))


def test_the_switch_leaves_the_page_as_it_was_looked_at(table, ford):
    assert switch(table.gm, ford, "typed", "?as=1&army=x").url.endswith("?as=1&army=x")


def test_a_choice_that_is_none_is_refused_and_nothing_changes(table, ford):
    refused = as_(table.gm).post(reverse("battles:dice", args=[ford.pk]), {"dice": "loaded"}, follow=True)
    assert "“loaded” is not one of: server, typed." in text(refused)
    table.gm.refresh_from_db()
    assert not table.gm.types_dice


def test_the_switch_of_a_battle_one_may_not_see_is_not_found(table, ford, django_user_model):
    outsider = django_user_model.objects.create_user("outsider")
    assert switch(outsider, ford, "typed").status_code == 404


@pytest.mark.django_db
def test_a_new_account_has_the_server_roll_and_is_called_by_nothing(django_user_model):
    user = django_user_model.objects.create_user("new")
    assert (user.dice, user.sound, user.notices) == ("server", False, False)

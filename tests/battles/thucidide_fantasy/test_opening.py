"""The opening of a battle by page and API: sides of contingents, generals, options, the map (C-1, TF-HOUSE, T-84)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import override

from battles.models import Battle
from core.text import render
from kingdom.campaign.services import update_campaign
from rules.thucidide_fantasy.battle.spells.appeals import SKELETONS, ZOMBIES, figures_of
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader, beside, plain
from tests.rulesets.thucidide_fantasy import hosts


def sides_of(table: Any) -> list[dict[str, Any]]:
    return [
        {"name": name, "armies": [str(army.pk)]}
        for name, army in (("Realm", table.realm.army), ("Dark host", table.dark.army))
    ]


def post(table: Any, by: Any = None, **body: Any) -> Any:
    told = {"campaign": str(table.campaign.pk), "name": "The barrows", "sides": sides_of(table), **body}
    return api_of(by or table.gm).post("/api/v1/battles/", told, format="json")


def faults(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400, answer.content
    return {fault["pointer"]: fault["detail"] for fault in answer.json()["errors"]}


def opened(answer: Any) -> Any:
    assert answer.status_code == 201, answer.content
    return hosts.state_of(Battle.objects.get(pk=answer.json()["id"]))


def test_c_1_armies_are_contingents_and_options_nobody_chooses_are_the_campaigns(table):
    update_campaign(by=table.gm, campaign=table.campaign, house_rules={"turn_limit": 9, "combat": "table"})
    state = opened(post(table, turn_limit=7, victory_share="half"))
    options = state.options
    assert (options.turn_limit, options.combat, options.victory_share, options.appeals) == (
        7,
        "table",
        "half",
        "consent",
    )
    assert [army.name for army in state.opening.contingents] == ["Host of the Realm", "Host of the Dark host"]
    assert [state.name(general) for general in state.generals] == ["Chief Realm", "Chief Dark host"]
    assert state.field.ground.land.name == "Meadows"
    assert all(token.waiting for token in state.field.tokens.values())


def test_what_an_opening_can_t_be_is_refused_by_name_and_nothing_is_opened(table):
    one, two = sides_of(table)
    small = {"kind": "battle", "columns": 8, "rows": 8}
    for body, pointer, words in (
        ({"turn_limit": 99}, "/turn_limit", ""),
        ({"combat": "lots"}, "/combat", ""),
        ({"victory_share": "most"}, "/victory_share", ""),
        ({"appeals": 3}, "/appeals", ""),
        ({"weather": "rain"}, "/weather", ""),
        ({"map": "the-moon"}, "/map", ""),
        ({"map": small}, "/map", ""),
        ({"sides": [one]}, "/sides", "two sides"),
        ({"sides": [one, {"name": "Dark host", "armies": []}]}, "/sides/1/armies", "no army"),
        ({"sides": [one, {**two, "armies": [*two["armies"], *one["armies"]]}]}, "/sides/1/armies", "already"),
        ({"sides": [{**one, "leader": two["armies"][0]}, two]}, "/sides/0/leader", "isn’t on this side"),
    ):  # fmt: skip
        found = faults(post(table, **body))
        assert any(at.startswith(pointer) and words in told for at, told in found.items()), (body, found)
    assert post(table, by=table.ana).status_code == 403
    assert not Battle.objects.exists()


def test_the_page_opens_it_and_says_beside_each_field_what_is_wrong(table):
    page = f"/c/{table.campaign.pk}/battles/new/"
    fields = {
        "one": "Realm", "armies-one": [table.realm.army.pk], "two": "Dark host", "armies-two": [table.dark.army.pk],
        "leader-one": table.dark.army.pk, "map-how": "the-ford", "combat": "table", "turn_limit": 99, "name": "",
    }  # fmt: skip
    reader = Reader(table.gm)
    sent = reader.refused(page, **fields)
    assert beside(sent, "name") == "Fill this in."
    assert "At most" in beside(sent, "turn_limit")
    sent = reader.refused(page, **fields | {"name": "The ford", "turn_limit": 8})
    assert "on this side" in beside(sent, "leader-one"), plain(sent)
    reader.done(page, **fields | {"name": "The ford", "turn_limit": 8, "leader-one": table.realm.army.pk})
    state = hosts.state_of(Battle.objects.get())
    assert (state.options.turn_limit, state.options.combat) == (8, "table")
    assert state.field.ground.land.name == "The ford"


def test_what_spells_raise_has_words_for_every_reader_whoever_opens_the_battle(table):
    with override("fr"):
        state = opened(post(table))
    assert state.opening.called == {}
    names = [figures_of(state, slug)[0] for slug in (SKELETONS, ZOMBIES)]
    assert names == ["Skeletons", "Zombies"]
    with override("fr"):
        assert [render(name) for name in names] == ["Squelettes", "Zombies"]

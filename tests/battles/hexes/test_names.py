"""Names of units that nobody wrote: every reader sees them in their own language, whoever opened the battle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from armies.models.army import rows_of
from armies.ruleset_ui import get_army_ui
from battles.codec import storage
from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import get_battle_ui
from core.text import load_said, render
from kingdom.archive import services as archive_services
from kingdom.realms.figures import get_ruleset
from kingdom.sharing.services import create_share
from rules.core.errors import InvalidInput
from rules.core.text import Term, say
from rules.hexbattle.common import Arrived
from rules.hexbattle.field import NUMBERED, Token
from rules.registry import ruleset
from rules.thucidide_fantasy.battle.spells.appeals import SKELETONS, ZOMBIES, figures_of
from rules.wing_command.wing import CROWN
from tests.battles.conftest import Client as Played
from tests.battles.thucidide_fantasy.conftest import build_over as fantasy_over
from tests.battles.thucidide_fantasy.test_aftermath import thrown
from tests.battles.wing_command.conftest import build_hosts, build_over, open_ford, wing_of
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.rulesets.browsing import Reader
from tests.rulesets.thucidide_fantasy import hosts as fantasy

ENGLISH = {
    "wing-command": r"\b(?:Heavy foot|Foot|Levy)\b|\bSergeant\b",
    "thucidide-fantasy": r"(?:Heavy|Medium|Light) foot\b|Goblins on wargs|Bows \d|\bPikes\b",
}
FRENCH = {"wing-command": r"Fantassins \d|Levée \d", "thucidide-fantasy": r"Infanterie (?:lourde|moyenne) \d"}
OF_A_BATTLE = ("", "?tables=1", "?list=enemy", "?layers=losses.zones", "?unit={unit}", "?hex={hex}", "log/",
               "log/luck/", "log.txt", "log.jsonl", "replay/", "replay/?step=3", "order-of-battle/", "report/",
               "fairness/", "opponents/")  # fmt: skip
STEPS = {
    "wing-command": ("override", "by_hand", "edit_unit", "name_army_leader"),
    "thucidide-fantasy": ("override", "by_hand", "grant", "edit_unit", "name_general", "divine"),
}


def wings() -> tuple[SimpleNamespace, list[Battle]]:
    """A battle in setup, one of whose wings a sergeant leads, and one that cost both sides something."""
    table = build_hosts()
    over, led = build_over(table), wing_of(table.gm, table.crown, "Orphans", CROWN[0])
    led.commander = None
    led.save(update_fields=["commander"])
    sides = [{"name": "Crown", "armies": [str(led.pk)]}, {"name": "Horde", "armies": [str(table.horde_wings[1].pk)]}]
    return table, [open_ford(table, map="meadows", sides=sides), over]


def deployed() -> tuple[SimpleNamespace, list[Battle]]:
    table = fantasy.hosts()
    return table, [fantasy.begun(table)]


def contingents() -> tuple[SimpleNamespace, list[Battle]]:
    table = fantasy.hosts()
    return table, [fantasy_over(table)]


WORLDS = {"wing-command": wings, "thucidide-fantasy": contingents, "thucidide-fantasy begun": deployed}


@pytest.fixture(params=WORLDS)
def fought(request, db) -> SimpleNamespace:
    with override("en"):
        table, battles = WORLDS[request.param]()
    return SimpleNamespace(table=table, battles=battles, law=request.param.split()[0])


def addresses(battle: Battle, table: Any) -> Iterator[str]:
    yield f"/c/{table.campaign.pk}/battles/"
    yield f"/c/{table.campaign.pk}/story/chapters/"
    state = play_battle_state.load_state(battle)
    unit = next(token for token in state.field.tokens.values() if not token.gone and not isinstance(token.name, str))
    told = {"unit": unit.id.rpartition(":")[2], "hex": unit.at or "E6"}
    yield from (f"/battles/{battle.pk}/{page.format(**told)}" for page in OF_A_BATTLE)
    steps = STEPS[battle.ruleset]
    yield from (f"/battles/{battle.pk}/?do={step}&army={unit.id}" for step in steps)
    if battle.status == Battle.Status.AFTERMATH:
        yield f"/battles/{battle.pk}/aftermath/"
    yield from (f"/api/v1/battles/{battle.pk}/{page}" for page in ("", "events/", "export/"))


def shared(fought: Any) -> Iterator[str]:
    """What people without an account see by link."""
    for battle in fought.battles:
        for kind in ("live", "replay", "report")[: 3 if battle.status == Battle.Status.AFTERMATH else 1]:
            made = create_share(by=fought.table.gm, campaign=fought.table.campaign, kind=kind, thing=battle.pk)
            yield f"/s/{made.token}/"


def text_of(answer: Any) -> str:
    markup = (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode()
    if "json" in answer["Content-Type"]:
        markup = "\n".join(json.dumps(json.loads(line), ensure_ascii=False) for line in markup.splitlines() if line)
    return markup


def test_a_french_reader_meets_no_english_name_and_an_english_reader_no_french_one(fought):
    for language, strange, own in (("fr", ENGLISH, FRENCH), ("en", FRENCH, ENGLISH)):
        for who in ("gm", "ana", "bo", "viewer"):
            client = Reader(getattr(fought.table, who), language).client
            told = ""
            for battle in fought.battles:
                for url in addresses(battle, fought.table):
                    answer = client.get(url, headers={"accept-language": language}, follow=True)
                    if answer.status_code == 200:
                        text = text_of(answer)
                        assert re.findall(strange[fought.law], text) == [], (who, url)
                        told += text
            assert re.search(own[fought.law], told), who


def test_whoever_has_a_link_reads_them_in_their_language(fought):
    told = ""
    for url in shared(fought):
        answer = Client(headers={"accept-language": "fr"}).get(url)
        assert answer.status_code == 200, url
        assert re.findall(ENGLISH[fought.law], text_of(answer)) == [], url
        told += text_of(answer)
    assert re.search(FRENCH[fought.law], told)


def test_what_a_battle_did_is_written_in_the_chronicle_for_readers_of_every_language(db):
    with override("en"):
        table, (battle,) = contingents()
        Played(table.gm, battle).ok(type="aftermath", confirm=True, dice=thrown(battle))
    pages = [f"/battles/{battle.pk}/{page}" for page in ("", "aftermath/", "report/")]
    for page in (*pages, *(f"/c/{table.campaign.pk}/{page}/" for page in ("chronicle", "story"))):
        for language, name, strange in (("fr", "Piquiers", ENGLISH), ("en", "Pikes", FRENCH)):
            told = Reader(table.gm, language).markup(page)
            assert name in told, (language, page)
            assert re.findall(strange[battle.ruleset], told) == [], (language, page)


def documents(table: Any, law: str) -> list[Any]:
    armies = [*table.crown_wings, *table.horde_wings] if law == "wing-command" else [table.realm.army, table.dark.army]
    ui = get_battle_ui(get_ruleset(table.campaign))
    rows = rows_of(get_army_ui(table.campaign).army).filter(pk__in=[army.pk for army in armies]).complete()
    return [ui.document(army) for army in rows.order_by("pk")]


def test_what_enters_a_battle_depends_on_nobodys_language(fought):
    found = []
    for language in ("fr", "en"):
        with override(language):
            found.append(documents(fought.table, fought.law))
    assert found[0] == found[1]
    assert repr(found[0]) == repr(found[1])


def as_before(data: Any, language: str) -> Any:
    """Stored data as former versions wrote it: names are plain text in the language of whoever opened the battle."""
    if isinstance(data, dict) and isinstance(name := data.get("name"), dict) and "say" in name:
        with override(language):
            return {**as_before({**data, "name": None}, language), "name": render(load_said(name))}
    if isinstance(data, dict):
        return {key: as_before(value, language) for key, value in data.items()}
    return [as_before(one, language) for one in data] if isinstance(data, list) else data


def test_a_battle_of_a_former_version_keeps_its_names_and_goes_on(fought):
    battle = fought.battles[-1]
    state = play_battle_state.refold(battle)
    old = as_before(battle.opening, "fr")
    if battle.ruleset == "thucidide-fantasy":
        old |= {"called": {"Skeletons": "Squelettes"}}
    assert old != battle.opening
    Battle.objects.filter(pk=battle.pk).update(opening=old)
    for record in battle.records.all():
        BattleRecord.objects.filter(pk=record.pk).update(
            events=as_before(record.events, "fr"), frozen=as_before(record.frozen, "fr")
        )
    kept = Battle.objects.get(pk=battle.pk)
    now = play_battle_state.refold(kept)
    assert {type(token.name) for token in now.field.tokens.values()} == {str}
    assert [token._replace(name="") for token in now.field.tokens.values()] == [
        token._replace(name="") for token in state.field.tokens.values()
    ]
    told = Reader(fought.table.viewer, "en").markup(f"/battles/{battle.pk}/")
    assert re.search(FRENCH[fought.law], told), "as it was written then"
    if battle.ruleset == "thucidide-fantasy":
        assert [figures_of(now, slug)[0] for slug in (SKELETONS, ZOMBIES)] == ["Squelettes", "Zombies"]


CROOKED = [
    {"say": "{name}", "with": {}}, {"say": "{}", "with": {}}, {"say": ["x"]}, {"say": 7}, 7, None, ["Foot"], {},
    {"name": "Foot"}, {"say": "{name}", "with": ["x"]},
    {"say": "{name} {number}", "with": {"name": {"say": "{number}", "with": {}}, "number": 1}},
]  # fmt: skip
HOSTILE = [
    {"say": "{0.__class__}"}, {"say": "{name.__class__}", "with": {"name": 1}},
    {"say": "{name:>999999999}", "with": {"name": "x"}}, *CROOKED,
]  # fmt: skip


def test_hostile_names_of_an_imported_campaign_are_refused(db, monkeypatch):
    monkeypatch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", 2 * len(HOSTILE), 60))
    table, (setting_up, _over) = wings()
    text = json.dumps(taken_along(table.campaign))
    for name in HOSTILE:
        document = json.loads(text)
        battle = next(one for one in document["tables"]["battles"] if one["id"] == str(setting_up.pk))
        battle["opening"]["wings"][0]["units"][0]["name"] = name
        with pytest.raises(InvalidInput):
            bring_in(table.gm, document)
    assert bring_in(table.gm, json.loads(text)).campaign


def test_crooked_names_in_events_are_refused_like_those_of_an_opening():
    keeper = storage.get_keeper(ruleset("wing-command").battle, exact=True)
    name = say(NUMBERED, name=Term("Foot"), number=2)
    (told,) = keeper.dump_events([Arrived(Token("a:1", "a", 0, name))])
    assert keeper.load_events([told]) == (Arrived(Token("a:1", "a", 0, name)),)
    for wrong in CROOKED:
        with pytest.raises(Exception, match="Arrived"):
            keeper.load_events([{**told, "unit": {**told["unit"], "name": wrong}}])

"""Whatever the document of an army says, the builder sends back: small armies field by field, large ones folded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import RequestFactory
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from armies.breaking_point.armies.forms import BuilderForm
from armies.documents.drafts import DocumentDraft, EntryDraft, spread
from armies.models import Army
from kingdom.models import Campaign, Kingdom
from rules.breaking_point.documents import UNIT, UNITS_MOST
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.core.errors import Refusal
from tests.armies.breaking_point.armies.bench import Bench, form_of
from tests.armies.breaking_point.conftest import ARCHERS, LEGION
from tests.everyday import at_most
from tests.rulesets.browsing import beside, plain

URL = "/armies/of-paper/edit/"

yes = st.just(True)
whole = st.integers
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=12).filter(
    lambda text: text.strip() and "\xa0" not in text
)
of_contact = st.fixed_dictionaries(
    {"name": names, "damage": whole(1, 99_999)},
    optional={"number": whole(1, 9), "accuracy": whole(-20, 20), "thrown": yes, "secondary": yes,
              "munitions": st.none()},
)  # fmt: skip
that_shoots = st.fixed_dictionaries(
    {"name": names, "damage": whole(1, 999), "rate": st.sampled_from(["1/4", "2", "1/3", "7/2"]),
     "range": st.sampled_from(["short", "medium", "long", "very-long"])},
    optional={"area": whole(1, 50), "number": whole(1, 9), "accuracy": whole(-20, 20), "bursts": yes,
              "firearm": yes, "siege": yes, "secondary": yes,
              "munitions": st.lists(whole(1, 500), min_size=1, max_size=4)},
)  # fmt: skip
listed = st.fixed_dictionaries(
    {"slug": st.sampled_from(["sword", "pilum", "bomb", "mg-42"])},
    optional={"number": whole(1, 1000), "secondary": yes},
)
weapon = st.one_of(st.sampled_from(["sword", "longbow", "8-pounder"]), listed, of_contact, that_shoots)
own_machine = st.fixed_dictionaries(
    {"toughness": whole(1, 9999), "armour": whole(0, 999)},
    optional={"name": names, "mobility": whole(0, 20), "control": whole(-9, 9), "attack": whole(-9, 9),
              "defense": whole(-9, 9)},
)  # fmt: skip
anything = {
    "toughness": whole(1, 9999), "mobility": whole(0, 20), "wounded": whole(0, 999), "experience": whole(0, 999),
    "reserve": yes, "shield": yes, "engineers": yes, "never": yes, "starves": st.booleans(),
}  # fmt: skip
of_men = st.fixed_dictionaries(
    {"name": names, "type": st.sampled_from(["infantry", "cavalry", "zombies"]), "strength": whole(1, 9999),
     "combat": whole(-20, 30), "armour": whole(0, 99), "group": st.just("contact"),
     "weapons": st.lists(weapon, max_size=3)},
    optional=anything,
)  # fmt: skip
of_machines = st.fixed_dictionaries(
    {"name": names, "strength": whole(1, 99), "combat": whole(-20, 30),
     "machine": st.one_of(st.sampled_from(["tiger", "frigate"]), own_machine)},
    optional={**anything, "armour": whole(0, 99), "weapons": st.lists(weapon, max_size=2), "breaking": whole(10, 200)},
)  # fmt: skip
raised = st.fixed_dictionaries({"units": st.lists(st.one_of(of_men, of_machines), min_size=1, max_size=3)})


def cleaned(document: Any) -> Any:
    try:
        return BREAKING_POINT.armies.read(document)
    except Refusal:
        return None


def form(document: Any, sent: QueryDict | None = None, draft: DocumentDraft | None = None) -> BuilderForm:
    campaign = Campaign(name="Paper", ruleset="breaking-point")
    kingdom = Kingdom(campaign=campaign, name="Crown")
    army = Army(campaign=campaign, kingdom=kingdom, name="Of paper", sheet=document)
    return BuilderForm(kingdom=kingdom, army=army, sent=sent, draft=draft)


def controls(drawn: BuilderForm) -> dict[str, list[str]]:
    """What a browser sends of it."""
    request = RequestFactory().get(URL)
    part = "armies/breaking_point/armies/parts/unit_fields.html"
    rows = "".join(render_to_string(part, {"unit": row}, request=request) for row in drawn.rows)
    return form_of(f'<form method="post" action="{URL}">{rows}</form>', URL)


def posted(fields: dict[str, list[str]]) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, values in fields.items():
        data.setlist(name, values)
    return data


@given(document=raised)
@profile(
    max_examples=at_most(4, full=100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_what_the_document_says_stands_in_the_form_and_comes_back(document):
    kept = cleaned(document)
    assume(kept is not None)
    sent = posted(controls(form(kept)))
    assert form(kept, sent).document() == kept
    assert cleaned(form(kept, sent).document()) == kept


def test_what_a_later_law_may_say_is_carried_along():
    unit = {**LEGION, "banner": "eagle"}
    sent = posted(controls(form({"units": [unit]})))
    assert form({"units": [unit]}, sent).document() == {"units": [unit]}


OWN = {"name": "Gun", "damage": 9, "rate": "1/4", "range": "short", "munitions": [8, 10]}
MANY = {"units": [{**ARCHERS, "name": f"Company {n}", "weapons": [OWN, "longbow"], "starves": False}
                  for n in range(1, UNITS_MOST + 1)]}  # fmt: skip


def test_a_large_army_comes_back_whole_within_what_a_request_may_have():
    kept = cleaned(MANY)
    fields = controls(form(kept))
    assert sum(map(len, fields.values())) < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS / 2
    assert form(kept, posted(fields)).document() == kept


def test_of_many_that_are_opened_as_many_keep_their_fields_as_fit_into_a_request():
    draft = EntryDraft(cleaned(MANY)["units"])
    for place in range(0, 48, 6):
        draft = draft._replace(new=place)
        draft = draft._replace(spread=spread(draft, UNIT, ()))
        assert place in draft.spread
    assert 1 < len(draft.spread) < 8
    fields = controls(form({"units": draft.entries}, draft=DocumentDraft({}, {}, {"units": draft})))
    assert {f"units-{place}-strength" in fields for place in draft.spread} == {True}
    assert sum(map(len, fields.values())) < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS


@pytest.fixture
def large(marches) -> Army:
    marches.watch.sheet = {**cleaned(MANY), "version": 1}
    marches.watch.save()
    return marches.watch


def test_a_unit_of_a_large_army_is_opened_changed_and_saved(marches, large):
    bench = Bench(marches.ana, f"/armies/{large.pk}/edit/")
    assert 'name="units-41-strength"' not in bench.markup
    bench.redraw(open="41")
    assert 'data-focus="units-41"' in bench.markup
    bench.redraw(open="7", **{"units-41-strength": "250"})
    assert bench.fields["units-41-strength"] == ["250"], "what is worked on stays open"
    bench.redraw(copy="59")
    told = plain(bench.markup)
    assert "An army can have at most 60 units." in told
    bench.redraw(drop="0")
    answer = bench.send(**{"units-6-combat": "8"})
    assert answer.status_code == 302, plain(answer.content.decode())
    after = Army.objects.get(pk=large.pk).sheet["units"]
    assert len(after) == 59
    assert after[40] == {**MANY["units"][41], "strength": 250}
    assert after[6] == {**MANY["units"][7], "combat": 8}
    assert after[58] == MANY["units"][59]


@pytest.mark.slow
def test_however_many_are_opened_they_fit_into_a_request(marches, large):
    bench = Bench(marches.ana, f"/armies/{large.pk}/edit/")
    for place in range(0, 48, 6):
        bench.redraw(open=str(place))
        assert f'data-focus="units-{place}"' in bench.markup
    assert sum(map(len, bench.fields.values())) < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    bench.send()
    assert Army.objects.get(pk=large.pk).sheet["units"] == cleaned(MANY)["units"]


def test_how_many_units_there_may_be_is_said_before_anybody_types(marches, large):
    assert "2 units (60 at most)" in Bench(marches.bo, f"/armies/{marches.tanks.pk}/edit/").press(copy="0")
    bench = Bench(marches.ana, f"/armies/{large.pk}/edit/")
    assert "60 units (60 at most)" in plain(bench.markup)
    assert 'name="add"' not in bench.markup
    rows = "\n".join(f"Company {n},archers,100,longbow" for n in range(61))
    bench.redraw(read=1, table=f"name,type,strength,weapons\n{rows}")
    assert bench.status == 422
    assert "at most 60 units" in beside(bench.markup, "table")


def test_a_folded_unit_that_is_wrong_is_opened_where_it_is(marches, large):
    bench = Bench(marches.ana, f"/armies/{large.pk}/edit/")
    broken = bench.fields["units-33-kept"][0].replace('"strength":200', '"strength":0')
    bench.redraw(**{"units-33-kept": broken})
    assert bench.status == 422
    assert "Enter a whole number from 1" in beside(bench.markup, "units-33-strength")


def test_what_was_tampered_with_is_refused_and_breaks_nothing(marches):
    before = Army.objects.get(pk=marches.watch.pk).sheet
    bench = Bench(marches.ana, f"/armies/{marches.watch.pk}/edit/")
    sent = {name: values for name, values in bench.fields.items() if not name.startswith("units-1-")}
    for nonsense in ("[]", "{", '{"weapons": 3}', '{"weapons": [[]]}', '{"name": {}, "strength": []}',
                     '{"name":"A","type":"infantry","strength":1e3,"combat":1,"machine":[]}', "\x00"):  # fmt: skip
        answer = bench.reader.client.post(bench.url, {**sent, "units-1-kept": nonsense})
        assert answer.status_code == 422, nonsense
    assert Army.objects.get(pk=marches.watch.pk).sheet == before
    whole = json.dumps(before["units"][1])
    assert bench.reader.client.post(bench.url, {**sent, "units-1-kept": whole}).status_code == 302

"""The Help page, and the way to it from every page."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import get_resolver

from kingdom.help.topics import PAGES, TOPICS, find_topic
from rules.registry import RULESETS

pytestmark = pytest.mark.django_db


def names_of_pages() -> set[str]:
    """Those of the three apps."""
    found = set()
    for pattern in get_resolver().url_patterns:
        if namespace := getattr(pattern, "app_name", None):
            found |= {f"{namespace}:{name}" for name in _names(pattern)}
    return found


def _names(pattern):
    for inner in pattern.url_patterns:
        if hasattr(inner, "url_patterns"):
            yield from _names(inner)
        else:
            yield inner.name


def test_every_page_that_has_a_topic_exists():
    named = {page for pages in PAGES.values() for page in pages}
    assert named - names_of_pages() == set()


def test_every_topic_of_a_page_is_a_part_of_help():
    assert PAGES.keys() - {topic.slug for topic in TOPICS} == set()
    assert {find_topic(page) for page in names_of_pages()} <= {topic.slug for topic in TOPICS} | {""}


def test_help_has_every_topic_and_says_what_each_ruleset_is(client):
    page = client.get("/help/").content.decode()
    for topic in TOPICS:
        assert page.count(f'id="{topic.slug}"') == 1
        assert f'href="#{topic.slug}"' in page
    assert page.count("<dd>") > len(RULESETS)
    for law in RULESETS.values():
        assert str(law.name) in page


def test_help_has_the_keys_of_battles(client):
    page = client.get("/help/").content.decode()
    assert "resolve the next step" in page
    assert "next unit" in page or "unit that can act" in page


@pytest.mark.parametrize(
    ("address", "topic"),
    [("/", "#start"), ("/account/", "#account"), ("/accounts/login/", "#start"), ("/find/", "#campaign")],
)
def test_the_question_mark_leads_to_the_part_that_concerns_the_page(client, django_user_model, address, topic):
    if "login" not in address:
        client.force_login(django_user_model.objects.create_user("ana"))
    assert f'href="/help/{topic}"' in client.get(address).content.decode()


def test_where_no_address_was_found_the_question_mark_leads_to_help(client):
    assert 'href="/help/"' in client.get("/nowhere/at/all/").content.decode()


def test_the_key_is_for_whoever_has_left_single_keys_on(django_user_model):
    link = Template('{% include "components/help_link.html" %}')
    on, off = (django_user_model(username="ana", keys=keys) for keys in (True, False))
    drawn = [link.render(Context({"user": user, "request": RequestFactory().get("/")})) for user in (on, off)]
    assert ["data-help" in one for one in drawn] == [True, False]

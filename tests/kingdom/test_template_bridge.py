"""Two languages of templates draw one page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.template import Context, Template, engines
from django.urls import reverse
from django.utils import translation
from django.utils.html import conditional_escape, escape
from django.utils.safestring import mark_safe
from jinja2 import UndefinedError

from core.text import translate_text
from kingdom import rendering
from kingdom.templatetags.look import colon, entry, icon, minus, rule_id, signed

ENVIRONMENT = engines["jinja2"].env


def told(text, colour="side-1", **more):
    """A line of a battle's log."""
    silent = {"rolls": (), "dice": (), "check": None, "bonus": None, "against": None, "rule": "PF-3.5"}
    return SimpleNamespace(text=text, colour=colour, **{**silent, **more})


def test_a_piece_is_drawn_in_a_template_of_django():
    page = Template('{% load pieces %}<p>{% piece "battles/log/sentence.html" line=line %}</p>')
    drawn = page.render(Context({"line": told("The <b>line</b> holds")}))
    assert drawn.startswith("<p>The &lt;b&gt;line&lt;/b&gt; holds")
    assert f'href="{reverse("kingdom:rule", args=["PF-3.5"])}"' in drawn


def test_a_piece_is_told_all_it_wants_and_nothing_else():
    with pytest.raises(TypeError):
        rendering.render_piece("battles/log/sentence.html", line=told("x"), beside=True)
    with pytest.raises(UndefinedError):
        rendering.render_piece("battles/log/sentence.html")


@pytest.mark.parametrize("source", ["{{ nobody }}", "{% if page.nothing %}x{% endif %}", "{{ page.nothing.more }}"])
def test_a_name_that_nothing_answers_to_is_an_error(source):
    with pytest.raises(UndefinedError):
        ENVIRONMENT.from_string(source).render(page=SimpleNamespace())


def test_sentences_follow_their_reader_however_often_they_were_said():
    """What is kept of a sentence, an icon or a template is kept by language."""
    source = "{{ _('Log') }} {% trans day=3 %}day {{ day }}{% endtrans %} {{ icon('check', label=_('orders in')) }}"
    piece = ENVIRONMENT.from_string(source)
    with translation.override("en"):
        english = piece.render()
    with translation.override("fr"):
        french = piece.render()
    assert english.startswith("Log day 3 ")
    assert french.startswith("Journal jour 3 ")
    assert english.split("aria-label")[1] != french.split("aria-label")[1]
    with translation.override("en"):
        assert piece.render() == english


def test_what_fills_a_sentence_is_escaped_and_the_sentence_is_not():
    piece = ENVIRONMENT.from_string("{% trans army=name %}Orders of {{ army }}{% endtrans %}")
    assert piece.render(name="<Crown>") == "Orders of &lt;Crown&gt;"


def test_a_template_of_either_language_is_drawn_with_what_is_known_where_it_stands():
    """`url` and its like are the environment's, not the page's: a component may use the name for its own."""
    piece = ENVIRONMENT.from_string("{{ drawn('components/empty.html', title='Nobody', text=words) }}")
    drawn = piece.render(words="Come <later>")
    assert "<h2>Nobody</h2>" in drawn
    assert "<p>Come &lt;later&gt;</p>" in drawn
    assert "<a " not in drawn


def test_what_is_kept_of_safe_text_is_not_given_for_text_that_only_reads_the_same():
    name = "<b>Host</b>"
    assert name in icon("check", label=mark_safe(name))
    assert name not in icon("check", label=name)
    assert conditional_escape(translate_text(mark_safe(name))) == name
    assert conditional_escape(translate_text(name)) == escape(name)


def test_what_is_kept_of_a_drawing_tells_things_apart():
    assert icon("check") != icon("check", label="Done") != icon("check", label="Gone")
    assert icon("check", **{"class": "huge"}) != icon("check")
    assert rule_id("PF-3.5 R-52").count("<a ") == 2
    assert rule_id(None) == ""
    chip = SimpleNamespace(entry=("conditions", "rain"))
    assert entry("combat-de-masse", chip) != entry("ultimate-campaign", chip)


def test_a_chip_that_names_a_rule_leads_where_the_rules_id_does():
    chip = SimpleNamespace(entry=("rules", "PF-3.3"))
    assert entry("combat-de-masse", chip) == entry("ultimate-campaign", chip) == 'data-entry href="/rules/PF-3.3/"'
    assert 'href="/rules/PF-3.3/"' in rule_id("PF-3.3")
    chip = SimpleNamespace(entry=("rules", "C-6"))
    assert entry("wing-command", chip) == 'data-entry href="/rules/C-6/?ruleset=wing-command"'


@pytest.mark.parametrize(
    ("number", "as_modifier", "alone"),
    [(3, "+3", "3"), (0, "+0", "0"), (-2, "−2", "−2"), (1.5, "+1.5", "1.5"), (-0.5, "−0.5", "−0.5"), (None, "–", "–")],
)
def test_numbers_bear_their_sign(number, as_modifier, alone):
    assert (signed(number), minus(number)) == (as_modifier, alone)


def test_a_colon_is_set_apart_in_french_only():
    with translation.override("en"):
        assert colon("Morale") == "Morale:"
    with translation.override("fr"):
        assert colon("Moral") == "Moral\u00a0:"
        assert ENVIRONMENT.from_string("{{ label|colon }}").render(label="Moral") == "Moral\u00a0:"

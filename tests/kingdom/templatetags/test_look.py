"""The pieces pages are drawn with (kingdom/templatetags/look.py) and the components that use them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, RequestContext, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.utils.translation import override

from core.text import render
from kingdom.templatetags import look
from rules.core.breakdown import Breakdown, Line
from rules.core.text import MINUS, Term, _, say
from rules.registry import RULESETS

ROOT = Path(__file__).resolve().parents[3]
SPRITE = (ROOT / "static" / "icons.svg").read_text()
OM = Breakdown((Line(_("ACR"), 9, "PF-1.5"), Line(_("Cautious"), -2, "PF-3.7")))


def draw(source: str, **context: object) -> str:
    return Template("{% load look %}" + source).render(Context(context))


def tight(html: str) -> str:
    """Without the white space a template is laid out with."""
    return re.sub(r"\s*([<>])\s*", r"\1", html)


# Numbers


@pytest.mark.parametrize(("value", "shown"), [(11, "+11"), (-2, "−2"), (0, "+0"), (None, "–"), ("1/3", "1/3")])
def test_a_modifier_carries_its_sign(value: object, shown: str) -> None:
    assert draw("{% number n %}", n=value) == draw("{{ n|signed }}", n=value) == shown


@pytest.mark.parametrize(("value", "shown"), [(11, "11"), (-2, "−2"), (None, "–"), ("Tusk-water", "Tusk-water")])
def test_a_plain_number_has_a_real_minus_and_no_plus(value: object, shown: str) -> None:
    assert draw("{% number n plain=True %}", n=value) == draw("{{ n|minus }}", n=value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(-3, "−3"), (True, "yes"), (None, "–"), ([], "–"), (["a", -1], "a, −1"), ("free", "free")]
)
def test_either_side_of_a_change_is_put_in_words(value: object, shown: str) -> None:
    assert draw("{% value_of v %}", v=value) == shown


# Sums and figures


def test_a_sum_names_every_line_with_its_rule() -> None:
    html = draw("{% sum_lines b %}", b=OM)
    assert '<tr><td>ACR <a class="rule" data-entry href="/rules/PF-1.5/">PF-1.5</a></td><td>+9</td></tr>' in html
    assert "<td>−2</td>" in html


def test_a_sum_reads_mappings_as_well_as_objects() -> None:
    lines = [{"label": "Fog", "value": -1, "rule": ""}]
    assert draw("{% sum_lines b %}", b=lines) == (
        '<table class="sum"><tbody><tr><td>Fog</td><td>−1</td></tr></tbody></table>'
    )


def test_a_figure_opens_to_its_lines() -> None:
    html = draw("{% figure 7 'Offense' b signed=True id='om' %}", b=OM)
    assert tight(html).startswith('<details class="figure" id="om"><summary><b>+7</b>')
    assert "PF-3.7" in html


def test_a_figure_without_lines_does_not_open() -> None:
    html = draw("{% figure 4 'BP a week' %}")
    assert "<details" not in html
    assert "<b>4</b>" in html


def test_labels_are_escaped() -> None:
    assert "&lt;b&gt;" in draw("{% sum_lines b %}", b=[{"label": "<b>", "value": 1, "rule": ""}])


# Health, dice, charts


def test_the_bar_shows_what_is_left_the_loss_and_the_brink() -> None:
    html = draw("{% health_bar 31 49 lost=6 brink=9 name=men %}", men=Term("Men"))
    assert 'viewBox="0 0 490 10"' in html
    assert '<rect class="lost" width="370" height="10"/><rect class="now" width="310" height="10"/>' in html
    assert 'x1="90"' in html
    assert 'aria-label="Men: 31 of 49"' in html


def test_the_bar_names_the_health_of_its_law() -> None:
    html = draw("{% health_bar 1 2 name=men %}{% health_line 1 2 name=men %}", men=Term("Men"))
    assert html.count('aria-label="Men: 1 of 2"') == 2


@pytest.mark.parametrize("bar", ["{% health_bar 1 2 %}", "{% health_line 1 2 %}"])
def test_a_bar_without_the_name_its_law_gives_it_is_refused(bar: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="name"):
        draw(bar)


def test_a_defeated_army_has_an_empty_bar() -> None:
    html = draw("{% health_bar 0 49 lost=6 name=men %}", men=Term("Men"))
    assert 'class="now"' not in html
    assert '<rect class="lost" width="60"' in html


def test_the_small_bar_of_a_table_has_no_brink() -> None:
    assert "brink" not in draw("{% health_bar 31 49 brink=9 small=True name=men %}", men=Term("Men"))


def test_the_line_of_health_says_the_loss_and_the_danger_in_words() -> None:
    html = draw("{% health_line 31 49 lost=6 brink=9 name=men danger=danger %}", men=Term("Men"), danger="flees at 9")
    assert "lost 6" in html
    assert "<small>flees at 9</small>" in html


def test_typed_dice_say_who_typed_them() -> None:
    assert "entered by Ana" in draw("{% die 20 source='typed' by='Ana' %}")
    assert "typed" not in draw("{% die 20 %}")
    assert "?" in draw("{% die None %}")


def test_charts_use_points_whatever_the_language() -> None:
    with override("fr"):
        assert not re.search(r'(?:x|y|width|height)="\d+,\d', draw("{% bars p %}", p=[(0, 0.31), (1, 0.27), (2, 0.4)]))
        line = draw("{% spark p 'Treasury' %}", p=[12, -3, 7.5])
    assert re.findall(r'y1="([^"]+)"', line) == ["58.4"]


def test_bars_at_the_brink_are_paler() -> None:
    assert draw("{% bars p brink=1 %}", p=[(0, 0.2), (1, 0.3), (2, 0.5)]).count("under") == 2


# Icons


def test_the_sprite_holds_exactly_the_icons_of_the_manifest() -> None:
    manifest = json.loads((ROOT / "static" / "icons.json").read_text())
    assert re.findall(r'<symbol id="([^"]+)"', SPRITE) == [*manifest["icons"], *manifest["own"]]
    assert set(manifest["aliases"].values()) <= {*manifest["icons"], *manifest["own"]}


def test_every_icon_is_used() -> None:
    """Everybody who comes for the first time fetches all of them."""
    manifest = json.loads((ROOT / "static" / "icons.json").read_text())
    rooms = ("templates", "rules", "core", "kingdom", "armies", "battles", "static/js")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.*") if path.suffix in (".html", ".py", ".js")]
    named = set(re.findall(r"""["']([\w-]+)["']""", "\n".join(path.read_text() for path in files)))
    assert {*manifest["icons"]} - {*manifest["aliases"].values()} - named == set()


def test_every_icon_has_an_author_on_the_credits_page() -> None:
    credited = [name for row in look.icon_authors() for name in row["icons"]]
    assert sorted(credited) == sorted(look.manifest()["icons"])
    assert all(row["author"] for row in look.icon_authors())


def test_every_icon_a_template_names_exists() -> None:
    named = {
        (path.name, name)
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r"{%\s*icon [\"']([\w-]+)[\"']", path.read_text())
    }
    known = {*look.manifest()["icons"], *look.manifest()["own"], *look.manifest()["aliases"]}
    assert {(where, name) for where, name in named if name not in known} == set()


@pytest.mark.parametrize("catalogue", ["tactics", "strategies", "boons", "resources", "conditions"])
def test_every_rule_item_on_an_army_card_has_an_icon_of_its_own(catalogue: str) -> None:
    slugs = getattr(RULESETS["combat-de-masse"], catalogue)
    assert [slug for slug in slugs if look.symbol_of(slug) == look.PLAIN_ICON] == []


def test_an_icon_is_decoration_unless_it_is_named() -> None:
    assert 'aria-hidden="true"' in draw("{% icon 'crown' %}")
    assert 'role="img" aria-label="Rain"' in draw("{% icon 'rain' label='Rain' %}")
    assert draw("{% icon 'no-such-thing' %}") == draw("{% icon 'vertical-banner' %}")


# Components


class Muster(forms.Form):
    name = forms.CharField(help_text="How the chronicle calls it.")
    count = forms.IntegerField(required=False)
    role = forms.ChoiceField(widget=forms.RadioSelect, choices=[("gm", "GM"), ("player", "Player")])
    hidden = forms.BooleanField(required=False)


def field(name: str, form: forms.Form, **options: str) -> str:
    return draw("{% include 'components/field.html' %}", field=form[name], **options)


def test_a_refused_field_is_tied_to_its_help_and_its_error() -> None:
    html = field("name", Muster({}))
    assert 'aria-invalid="true"' in html
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'class="field-error" id="id_name_error"' in html


def test_a_hint_of_the_page_is_tied_to_the_field() -> None:
    html = field("count", Muster(), hint="At least 1.")
    assert 'aria-describedby="id_count_helptext"' in html
    assert '<div class="help" id="id_count_helptext">At least 1.</div>' in tight(html)


def test_radio_buttons_are_a_fieldset_and_a_checkbox_stands_before_its_label() -> None:
    assert tight(field("role", Muster())).startswith('<fieldset class="field-row">')
    html = field("hidden", Muster())
    assert html.index("<input") < html.index("<label")


def test_a_placeholder_that_repeats_the_label_is_dropped() -> None:
    form = Muster()
    form.fields["count"].widget.attrs["placeholder"] = "Count"
    form.fields["name"].widget.attrs["placeholder"] = "Ironwatch"
    assert "placeholder" not in field("count", form)
    assert 'placeholder="Ironwatch"' in field("name", form)


def test_a_proposal_shows_before_after_and_the_rule() -> None:
    change = SimpleNamespace(
        subject="Restov", field=_("Treasury"), before=21, after=-1, rule="PF-7.2", label=say(_("Week {n}"), n=14)
    )
    html = draw("{% include 'components/proposal.html' %}", changes=[change], warnings=["Bog trolls will disband."])
    assert '<span class="before">21</span>' in html
    assert '<b class="after">−1</b>' in html
    assert 'Week 14<a class="rule" data-entry href="/rules/PF-7.2/">PF-7.2</a>' in tight(html)
    assert "Bog trolls will disband." in html


def test_turning_pages_keeps_the_search() -> None:
    page = Paginator(range(30), 10).page(2)
    request = RequestFactory().get("/codex/?q=rage&page=2")
    html = Template("{% include 'components/pagination.html' %}").render(RequestContext(request, {"page_obj": page}))
    assert 'href="?q=rage&amp;page=3"' in html


def test_a_page_without_a_stream_listens_to_none() -> None:
    assert draw("{% load live %}{% filter live_attribute %}{% endfilter %}") == ""
    assert draw("{% load live %}{% filter live_attribute %}/live/1/{% endfilter %}") == ' data-live-url="/live/1/"'


@pytest.mark.parametrize(
    "language, number, shown, signed_so",
    [
        ("en", 9999, "9999", "+9999"),
        ("en", 10_000, "10,000", "+10,000"),
        ("fr", 1_234_567, "1\xa0234\xa0567", "+1\xa0234\xa0567"),
        ("en", -12_000, f"{MINUS}12,000", f"{MINUS}12,000"),
    ],
)
def test_great_numbers_are_grouped_as_the_reader_groups_them(language, number, shown, signed_so):
    with override(language):
        assert (look.minus(number), look.signed(number)) == (shown, signed_so)
        said = render(say(Term("{bp} and {bp:+} in {year:d}"), bp=number, year=20_000))
        assert said == f"{shown} and {signed_so} in 20000"


@pytest.mark.parametrize(
    ("language", "read"),
    [("en", "−5 BP, −12,000 → 250,086, +0, 007"), ("fr", "−5 BP, −12 000 → 250 086, +0, 007")],
)
def test_numbers_in_a_sentence_are_grouped_and_have_a_real_minus(language: str, read: str) -> None:
    sentence = say(Term("{bp:+} BP, {before} → {after}, {zero:+}, {padded:03}"), bp=-5, before=-12000, after=250086,
                   zero=0, padded=7)  # fmt: skip
    with override(language):
        assert render(sentence).replace("\u202f", " ").replace("\xa0", " ") == read


def test_a_rule_no_address_can_name_is_told_without_a_link():
    assert look.rule_id("PF-3.5 </b>") == (
        ' <a class="rule" data-entry href="/rules/PF-3.5/">PF-3.5</a> <span class="rule">&lt;/b&gt;</span>'
    )


def test_a_percent_sign_stands_as_each_language_writes_it() -> None:
    source = "{{ 47|in_percent }} {{ 47|in_percent:False }}"
    assert draw(source) == "47% 47"
    with override("fr"):
        assert draw(source) == "47\N{NO-BREAK SPACE}% 47"
    by_hand = re.compile(r"[}\d](?: |&nbsp;)%(?!})")
    assert [page.name for page in (ROOT / "templates").rglob("*.html") if by_hand.search(page.read_text())] == []

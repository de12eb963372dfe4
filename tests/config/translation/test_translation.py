from __future__ import annotations

import ast
import re

import polib
import pytest
from django.utils.translation import gettext, override
from jinja2 import TemplateSyntaxError

from armies.breaking_point.weeks.services import RETURNED
from armies.ruleset_ui import list_army_uis
from config import translation
from config.ops.data_directory import BASE_DIR
from config.translation import KEYWORDS, PACKAGES, Sentence, extract_sentences
from core.text import dump_said, load_said, render
from kingdom.models.calendar import MONTHS
from rules.core.text import Term, say, verbatim
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.realm import PlannedLine


@pytest.fixture
def source(tmp_path):
    (tmp_path / "templates").mkdir()
    for package in ("rules", "core", "kingdom", "armies", "battles", "config"):
        (tmp_path / package).mkdir()
    return tmp_path


@pytest.fixture
def locale(tmp_path, settings):
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    return tmp_path / "locale" / "fr" / "LC_MESSAGES"


def test_every_sentence_of_warhost_has_its_french():
    assert list(translation.faults("fr", extract_sentences())) == []


def test_python_sentences_are_found(source):
    (source / "armies" / "words.py").write_text(
        'a = _("One " "sentence")\nb = ngettext("{n} army", "{n} armies", 2)\nc = pgettext("rank", "General")\n'
    )
    assert extract_sentences(source) == {
        Sentence("One sentence", "", ""),
        Sentence("{n} army", "", "{n} armies"),
        Sentence("General", "rank", ""),
    }


def test_no_marker_goes_by_a_name_the_catalogue_does_not_know():
    """A sentence marked by another name is never collected, and nobody misses it until a reader finds it in English."""
    strange = {}
    other_name = re.compile(rf"\b({'|'.join(KEYWORDS)})\s+as\b")  # few files have one, and reading them all takes long
    for package in PACKAGES:
        for path in (BASE_DIR / package).rglob("*.py"):
            source = path.read_text()
            for node in ast.walk(ast.parse(source)) if other_name.search(source) else ():
                if isinstance(node, ast.ImportFrom) and node.module in ("rules.core.text", "django.utils.translation"):
                    names = {name.asname or name.name for name in node.names if name.name in KEYWORDS}
                    strange |= {
                        f"{path.relative_to(BASE_DIR)}: {name}": node.module for name in names - KEYWORDS.keys()
                    }
    assert strange == {}


def test_template_sentences_are_found(source):
    (source / "templates" / "page.html").write_text(
        '{% load i18n %}<p title="it\'s">{% translate "The army\'s name" %}</p>\n'
        '{% translate "Charge" context "verb" %}'
        "{% blocktranslate trimmed %}\n  Two\n  lines, 100% {{ name }}\n{% endblocktranslate %}"
        "{% blocktranslate count n=n %}{{ n }} BP{% plural %}{{ n }} BPs{% endblocktranslate %}"
    )
    assert extract_sentences(source) == {
        Sentence("The army's name", "", ""),
        Sentence("Charge", "verb", ""),
        Sentence("Two lines, 100%% %(name)s", "", ""),
        Sentence("%(n)s BP", "", "%(n)s BPs"),
    }


def test_sentences_of_pieces_are_found_as_djangos_templates_would_say_them(source):
    (source / "templates" / "jinja2").mkdir()
    (source / "templates" / "jinja2" / "piece.html").write_text(
        "<p title=\"{{ _('The army’s name') }}\">{{ figure(_('Men'), icon('x', label=_('Marked'))) }}</p>\n"
        "{% trans name=army.name %}\n  Two\n  lines of {{ name }}\n{% endtrans %}"
        "{% trans n=army.cost %}{{ n }} BP{% pluralize %}{{ n }} BPs{% endtrans %}"
    )
    assert extract_sentences(source) == {
        Sentence("The army’s name", "", ""),
        Sentence("Men", "", ""),
        Sentence("Marked", "", ""),
        Sentence("Two lines of %(name)s", "", ""),
        Sentence("%(n)s BP", "", "%(n)s BPs"),
    }


def test_a_piece_that_cannot_be_read_is_no_gap_in_the_catalogue(source):
    (source / "templates" / "jinja2").mkdir()
    (source / "templates" / "jinja2" / "piece.html").write_text("{{ _('Men') }}{% if %}")
    with pytest.raises(TemplateSyntaxError):
        extract_sentences(source)


def test_merging_keeps_translations_and_drops_what_nobody_says(locale):
    old = translation.merge("fr", [Sentence("Army", "", ""), Sentence("Gone", "", "")])
    translation.fill(old, {"Army": "Armée", "Gone": "Parti"})
    translation.save(old, "fr")
    new = translation.merge("fr", [Sentence("Week", "", ""), Sentence("Army", "", "")])
    assert [(entry.msgid, entry.msgstr) for entry in new] == [("Army", "Armée"), ("Week", "")]


def test_filling_knows_plurals_and_contexts_and_names_strangers(locale):
    merged = translation.merge("fr", [Sentence("{n} army", "", "{n} armies"), Sentence("Charge", "verb", "")])
    strangers = translation.fill(
        merged, {"{n} army": ["{n} armée", "{n} armées"], "verb\u0004Charge": "Charger", "Charge": "Charge"}
    )
    assert strangers == ["Charge"]
    assert merged[0].msgstr == "Charger"
    assert merged[1].msgstr_plural == {0: "{n} armée", 1: "{n} armées"}


def test_a_translation_that_loses_a_placeholder_is_a_fault(locale):
    merged = translation.merge("fr", [Sentence("{army} is routed.", "", "")])
    translation.fill(merged, {"{army} is routed.": "Une armée est en déroute."})
    translation.save(merged, "fr")
    assert list(translation.faults("fr", [Sentence("{army} is routed.", "", "")])) == [
        "placeholders differ: {army} is routed."
    ]


def test_catalogues_compile_when_their_source_is_newer(locale):
    merged = translation.merge("fr", [Sentence("Army", "", "")])
    translation.fill(merged, {"Army": "Armée"})
    translation.save(merged, "fr")
    assert translation.compile_stale() == [locale / "django.mo"]
    assert translation.compile_stale() == []
    assert polib.mofile(str(locale / "django.mo"))[0].msgstr == "Armée"


# One thing, one word: what English says alike, French says alike. (English, what its French has in it.)
ONE_WORD = {
    r"\b(undo|undone)\b": r"annul",
    r"\breplay(ed|s)?\b(?! from)": r"revoir|repris",
    r"\be-?mail": r"e-mail",
}
NOT_SO = r"défai(re|t\b)|courriel|rejou"


def test_french_says_undo_replay_and_mail_with_one_word_each():
    catalogue = polib.pofile(BASE_DIR / "locale" / "fr" / "LC_MESSAGES" / "django.po")
    said = {entry.msgid: entry.msgstr or " ".join(entry.msgstr_plural.values()) for entry in catalogue}
    strange = {
        english: french
        for english, french in said.items()
        for asked, meant in ONE_WORD.items()
        if re.search(asked, english, re.IGNORECASE)
        and (not re.search(meant, french, re.IGNORECASE) or re.search(NOT_SO, french, re.IGNORECASE))
    }
    assert strange == {}


OF_A_GENDER = {"tous", "toutes", "aucun", "aucune", "certains", "certaines", "chacun", "chacune", "nouveau", "nouvelle"}


def test_a_word_that_stands_for_things_of_either_gender_has_none():
    """“any” said of a CR is said of an ability, too: a bare word with a gender says in its context of what it is."""
    said = polib.pofile(str(translation.get_po_path("fr")))
    assert {entry.msgid for entry in said if entry.msgstr.lower() in OF_A_GENDER and not entry.msgctxt} == set()
    assert said.find("any").msgstr == "tout"
    with override("fr"):
        assert render(ABILITIES["hex"].name) == "Maléfice"  # and no hexagon


def test_no_template_writes_a_unit_that_is_not_translated():
    """The price of a garrison was “20 BP” in French, where they are PC."""
    said = re.compile(r"\{%-?\s*(blocktranslate|trans)\b.*?\{%-?\s*end\1", re.DOTALL)
    bare = [
        str(path.relative_to(BASE_DIR))
        for path in (BASE_DIR / "templates").rglob("*.html")
        if re.search(r"\}\}\s*(BP|XP|hp)\b", said.sub("", path.read_text()))
    ]
    assert bare == []


def test_no_template_writes_a_colon_that_is_not_translated():
    """French sets a colon apart by a space: the filter `colon` does, or the sentence that has it is translated."""
    said = re.compile(
        r"\{%-?\s*(blocktranslate|trans)\b.*?\{%-?\s*end\1|\{#.*?#\}|\{%-?\s*comment.*?endcomment", re.DOTALL
    )
    tags = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
    literal = {"kingdom/accounts/tokens.html": "Authorization:"}
    bare = [
        f"{name}: {line.strip()}"
        for path in (BASE_DIR / "templates").rglob("*.html")
        for name in [str(path.relative_to(BASE_DIR / "templates"))]
        for line in tags.sub("", said.sub("", path.read_text())).splitlines()
        if re.search(r":(\s|$)", line) and literal.get(name, "\0") not in line
    ]
    assert bare == []


def test_the_curse_of_witches_lends_its_name_to_no_field():
    """French has one word for the ability and another for a place on a map, and both are "Hex" in English."""
    curse = "rules/pathfinder/catalogue/abilities/classes.py"
    said = {str(path.relative_to(BASE_DIR)) for package in PACKAGES for path in (BASE_DIR / package).rglob("*.py")
            if re.search(r"""\b_\(\s*"Hex"\s*\)""", path.read_text())}  # fmt: skip
    assert said == {curse}


def test_no_deed_of_armies_bears_the_name_of_a_month():
    """One English word may be two in French: the calendar's March is no march."""
    with override("fr"):
        months = {render(name) for name, _days in MONTHS}
        deeds = {render(deed.name) for ui in list_army_uis() for deed in ui.many}
    assert deeds
    assert not months & deeds


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Vingt : réussite ; sinon ?", "Vingt\N{NO-BREAK SPACE}: réussite\N{NO-BREAK SPACE}; sinon\N{NO-BREAK SPACE}?"),
        ("« Pont » tombe !", "«\N{NO-BREAK SPACE}Pont\N{NO-BREAK SPACE}» tombe\N{NO-BREAK SPACE}!"),
        ("à 12:30, sur C7:F7", "à 12:30, sur C7:F7"),
        ("20 %, puis {share} %.", "20\N{NO-BREAK SPACE}%, puis {share}\N{NO-BREAK SPACE}%."),
        ("reste %(now)s %% de %(max)s, %d fois", "reste %(now)s\N{NO-BREAK SPACE}%% de %(max)s, %d fois"),
    ],
)
def test_no_line_breaks_before_a_french_mark(typed, read):
    assert translation.typeset(typed, "fr") == read
    assert translation.typeset(typed, "en") == typed


def test_what_french_readers_read_is_typeset():
    broken = re.compile(r" [;:?!»]|« | %(?![(sd])")
    translation.compile_stale()
    found = polib.mofile(str(translation.get_po_path("fr").with_suffix(".mo")))
    assert [
        text for entry in found for text in (entry.msgstr, *entry.msgstr_plural.values()) if broken.search(text)
    ] == []


@pytest.mark.parametrize(
    ("name", "told"),
    [("Ost", "d’Ost"), ("Émeline", "d’Émeline"), ("Yvain", "d’Yvain"), ("Yolande", "de Yolande"),
     ("Guet", "de Guet"), ("12", "de 12")],
)  # fmt: skip
def test_french_elides_before_a_name(name, told):
    template = Term("ransom: the Consumption of {army} for a week")
    with override("fr"):
        assert f"la Consommation {told}" in render(say(template, army=name))


@pytest.mark.parametrize(
    ("language", "told"),
    [("fr", "Demande refusée (ana) : «\u00a0Suites de “Le gué”\u00a0»"),
     ("en", "Request by ana refused: “Aftermath of ‘Le gué’”")],
)  # fmt: skip
def test_a_sentence_in_quotes_quotes_by_those_of_the_second_rank(language, told):
    inner = say(Term("Aftermath of “{battle}”"), battle="Le gué")
    with override(language):
        assert render(say(Term("Request by {player} refused: “{what}”"), player="ana", what=inner)).replace(
            "\u202f", "\u00a0"
        ) == told.replace(" :", "\u00a0:")
        assert render(say(Term("“{name}” appears twice."), name="‘Le «gué»’")).count("«gué»") == 1, "his own words"


def test_french_says_what_is_founded_and_the_name_of_the_law():
    with override("fr"):
        assert render(say(Term("{kingdom} was founded."), kingdom="Horde")) == "Horde\u00a0: royaume fondé."
        for count in (0, 1, 2):
            learned = gettext("%(counted)s of %(most)s learned (half its ACR).") % {"counted": count, "most": 2}
            assert learned.replace("\u00a0", " ") == f"Apprises : {count} sur 2 (la moitié du FPA)."
        assert gettext("Breaking point") == "Seuil de rupture"


def test_no_page_puts_a_name_behind_a_french_vowel_that_would_fall():
    """What is filled in by a page stays as it is typed there: such sentences are written another way."""
    would = re.compile(r"\b(?:[Dd]|[Qq]u)e %\((?:army|battle|body|commander|kingdom|other|place|side|target|user)\)")
    found = polib.pofile(str(translation.get_po_path("fr")))
    assert [
        text for entry in found for text in (entry.msgstr, *entry.msgstr_plural.values()) if would.search(text)
    ] == []


def test_what_somebody_wrote_is_said_in_no_other_language():
    """An army may be called what the catalogue knows as a name of the demonstration."""
    with override("fr"):
        assert render(Term("Home fleet")) != "Home fleet"
        assert render(verbatim("Home fleet")) == "Home fleet"
        line = PlannedLine("1", "Home fleet", 5)
        assert render(line.said) == "Home fleet"


@pytest.mark.parametrize(
    ("language", "count", "told"),
    [("en", 1, "Day 3. Host: 1 wounded fighter returned."), ("en", 2, "Day 3. Host: 2 wounded fighters returned."),
     ("fr", 1, "Jour 3. Host : 1 blessé est revenu."), ("fr", 2, "Jour 3. Host : 2 blessés sont revenus.")],
)  # fmt: skip
def test_a_sentence_goes_by_its_number_also_when_it_was_kept(language, count, told):
    kept = load_said(dump_said(say(RETURNED, day=3, army="Host", count=count)))
    with override(language):
        assert " ".join(render(kept).split()) == told

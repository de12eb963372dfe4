"""Texts about the code: documents, docstrings and comments name what exists, and people are *they*."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_house import APPS, ROOT, TEXTS, every_source, name_of, text_of

ENTRANCE = [name for name in TEXTS if name.startswith(("docs/house/", "CONTRIBUTING", "README"))]
ENTRANCE += ["docs/design.md", "docs/recipes.md"]
"""What a stranger reads to enter the code."""

LONGEST_PAGE = 120
CODE = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"\b(?:[a-z]\w*_\w+|[A-Z][a-z]+[A-Z]\w*)\b")
DOTTED = re.compile(rf"`((?:{'|'.join(APPS)})(?:\.\w+)+)`")
PEOPLE = re.compile(r"\b(?:he|his|him|himself|she|her|hers|herself)\b", re.IGNORECASE)


@cache
def words_of_the_code() -> frozenset[str]:
    found: set[str] = set()
    for folder in (*APPS, "templates", "static", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".html", ".js", ".css", ".toml"} and path != Path(__file__):
                found.update(re.findall(r"\w+", path.read_text()))
    return frozenset(found)


OF_OTHERS = {"SameSite", "limit_concurrency", "max_prepared_statements"}
"""Names of programs we build on."""


@pytest.mark.parametrize("name", [*ENTRANCE, *(name for name in TEXTS if name.startswith("docs/decisions/"))])
def test_a_text_names_what_the_code_names(name):
    text = re.sub(r"^```.*?^```", "", (ROOT / name).read_text(), flags=re.DOTALL | re.MULTILINE)
    named = {word for code in CODE.findall(text) if "/" not in code for word in NAME.findall(code)}
    assert sorted(named - words_of_the_code() - OF_OTHERS) == []


def test_texts_name_things_at_all():
    assert len(ENTRANCE) > 25
    assert NAME.findall("`notify_campaign`, `BattleLaw`, `fold`, `.venv/bin`") == ["notify_campaign", "BattleLaw"]


@pytest.mark.parametrize("name", [name for name in ENTRANCE if "/" in name])
def test_a_page_stays_one_page(name):
    assert len((ROOT / name).read_text().splitlines()) <= LONGEST_PAGE


@pytest.mark.parametrize("name", [name for name in ENTRANCE if "/house/" in name])
def test_a_page_lists_a_file_in_one_row(name):
    listed = re.findall(r"^\| (`[^|]+/[^|]+`) \| [^|]+ \|$", (ROOT / name).read_text(), re.MULTILINE)
    assert [one for one in dict.fromkeys(listed) if listed.count(one) > 1] == []


DESIGNS = {
    "board": ("battles/hexes",), "hexbattle": ("rules/hexbattle",),
    "thucidide-fantasy": ("rules/thucidide_fantasy", "rules/thucidide_fantasy/battle"),
    "wing-command": ("rules/wing_command", "rules/wing_command/battle"),
}  # fmt: skip
"""Packages by the page of `docs/design/` whose tables list their modules."""


@pytest.mark.parametrize("name", DESIGNS)
def test_the_tables_of_a_design_list_the_modules_there_are(name):
    text = (ROOT / f"docs/design/{name}.md").read_text()
    tables = re.findall(r"^\| module \| holds \|\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert len(tables) == len(DESIGNS[name])
    for table, package in zip(tables, DESIGNS[name], strict=True):
        listed = [one for cell in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) for one in CODE.findall(cell)]
        folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")} - {"battle"}
        modules = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
        assert sorted(listed) == sorted((folders | modules) - ({"law"} if package.endswith("/battle") else set()))


def test_every_slice_has_its_page():
    """A folder of an app in which people do something is named on one of the pages."""
    told = "".join((ROOT / name).read_text() for name in ENTRANCE)
    folders = {path.parent for path in every_source() if path.name in {"services.py", "queries.py", "page.py"}}
    assert sorted(name_of(folder) for folder in folders if f"`{name_of(folder)}/" not in told) == []


def test_docstrings_name_modules_that_exist():
    lost = [
        f"{name_of(path)}: {dotted}"
        for path in every_source()
        for dotted in DOTTED.findall(text_of(path))
        if not leads_somewhere(dotted)
    ]
    assert lost == []


SPELLINGS = {"TwoWords", "two_words", "TypeDataModel", "name__plain__like", "speed_ft"}
"""Names that docstrings explain and no code bears here."""


def test_docstrings_name_what_exists():
    """No name of before: what stands in backticks stands in the code, too."""
    code = frozenset(re.findall(r"\w+", "".join(CODE.sub("", text_of(path)) for path in every_source())))
    code |= {path.stem for path in (ROOT / "tests").rglob("*.py")} | {path.stem for path in every_source()}
    known = code | frozenset(re.findall(r"\w+", "".join(text_of(path) for path in every_template()))) | SPELLINGS
    lost = {
        f"{name_of(path)}: {name}"
        for path in every_source()
        if "migrations" not in path.parts
        for said in CODE.findall(text_of(path))
        for name in NAME.findall(said)
        if name not in known
    }
    assert sorted(lost) == []


@cache
def every_template() -> tuple[Path, ...]:
    return tuple(sorted((ROOT / "templates").rglob("*.html")))


PLACE = re.compile(rf"(?<![\w./-])(?:{'|'.join(APPS)}|static|templates|docs)/[\w./-]+\.(?:py|md|html|css|js|svg)\b")


def test_styles_scripts_and_templates_name_files_that_exist():
    """A comment tells where to read on."""
    paths = [*every_template(), *(path for kind in ("css", "js") for path in (ROOT / "static" / kind).glob("*.*s"))]
    named = {f"{name_of(path)}: {place}" for path in paths for place in PLACE.findall(path.read_text())}
    assert len(named) > 20
    roots = [ROOT, ROOT / "templates", ROOT / "templates/jinja2"]
    assert sorted(one for one in named if not any((root / one.split(": ")[1]).exists() for root in roots)) == []


@cache
def leads_somewhere(dotted: str) -> bool:
    """Whether it is a package, a module, or something a module names."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:end])
        if place.is_dir() and end == len(parts):
            return True
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.exists():
                return end == len(parts) or re.search(rf"\b{parts[end]}\b", text_of(path)) is not None
    return False


QUESTION = re.compile(r"(?:What|Who|Whom|Whose|Whoever|Where|How|Whether|Which|When|Is|Here)\b")


def test_a_module_says_first_what_it_is():
    """By its noun: "Row locks for armies." Steps of a phase and empty packages are left alone."""
    odd = []
    for path in every_source():
        if not text_of(path).strip() or "migrations" in path.parts or "steps" in path.parts:
            continue
        told = ast.get_docstring(ast.parse(text_of(path))) or ""
        if not told or QUESTION.match(told):
            odd.append(name_of(path))
    assert odd == []


def told_in(source: str) -> Iterator[str]:
    """Comments and docstrings of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def test_people_are_they_in_comments_and_docstrings():
    """By role or *they*, whoever they are."""
    code = [*every_source(), *sorted((ROOT / "tests").rglob("*.py"))]
    suspect = {path: text_of(path) for path in code if PEOPLE.search(text_of(path)) and path != Path(__file__)}
    told = [f"{name_of(path)}: {one}" for path, text in suspect.items() for one in told_in(text) if PEOPLE.search(one)]
    assert told == []


OTHER_COMMENTS = {
    ".html": r"\{#.*?#\}", ".css": r"/\*.*?\*/", ".js": r"(?m)^\s*//[^\n]*$|/\*.*?\*/",
    "Makefile": r"(?m)^#[^\n]*$", "Dockerfile": r"(?m)^#[^\n]*$",
}  # fmt: skip
"""Patterns of comments by the ending of a file's name, or by its name."""


def test_people_are_they_in_comments_of_templates_scripts_and_styles():
    files = [path for folder in ("templates", "static") for path in (ROOT / folder).rglob("*.*")]
    files += [ROOT / "Makefile", ROOT / "Dockerfile"]
    told = {
        name_of(path): found
        for path in files
        if (pattern := OTHER_COMMENTS.get(path.suffix or path.name)) and ".min." not in path.name
        if (found := [one for one in re.findall(f"(?s){pattern}", path.read_text()) if PEOPLE.search(one)])
    }
    assert told == {}


@pytest.mark.parametrize("name", TEXTS)
def test_people_are_they_in_documents(name):
    assert PEOPLE.findall((ROOT / name).read_text()) == []


def test_people_are_found_where_they_are_told_of():
    told = [*told_in('"""As he likes."""\nx = "his"  # hers\n')]
    assert [PEOPLE.findall(one) for one in told] == [["he"], ["hers"]]

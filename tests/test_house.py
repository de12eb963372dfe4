"""The conventions of the house, held by tests rather than by memory."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("rules", "core", "kingdom", "armies", "battles", "config")
LONGEST_FUNCTION, LONGEST_FILE, LONGEST_LINE = 40, 400, 120

# What the content policy refuses, or what would slip past escaping.
FORBIDDEN_MARKUP = {
    "hx-on attribute": r"\shx-on",
    "event handler": r"<[^>]*\son[a-z]+\s*=",
    "style attribute": r"<[^>]*\sstyle\s*=",
    "inline style": r"<style\b",
    "inline script": r"<script(?![^>]*\bsrc=)",
    "javascript: link": r"javascript:",
    "unescaped text": r"\|\s*safe\b|{%-?\s*autoescape\s+(off|false)",
}

IMPORT_RULES_ALONE = """
import importlib, pkgutil, sys
for framework in ("django", "rest_framework", "psycopg", "config", "core", "kingdom", "armies", "battles"):
    sys.modules[framework] = None
import rules
names = [module.name for module in pkgutil.walk_packages(rules.__path__, "rules.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


def sources() -> Iterator[Path]:
    return (path for path in every_source() if "migrations" not in path.parts)


@cache
def every_source() -> tuple[Path, ...]:
    return tuple(path for app in APPS for path in sorted((ROOT / app).rglob("*.py")))


text_of = cache(Path.read_text)


class Part(NamedTuple):
    """A class or a function of a file, by its first line and how many lines it has."""

    is_class: bool
    name: str
    line: int
    lines: int


@cache
def parts_of(path: Path) -> tuple[Part, ...]:
    """Wherever they stand in it: a file is parsed once for all that is held of them."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(text_of(path))) if isinstance(node, kinds))
    return tuple(
        Part(isinstance(node, ast.ClassDef), node.name, node.lineno, (node.end_lineno or 0) - node.lineno + 1)
        for node in nodes
    )


BEGINS = re.compile(r"(?P<indented> *)(?:(?P<function>(?:async +)?def\b)|class\b|@)|(?P<at_the_edge>\w)")


def may_have_long_functions(text: str) -> bool:
    """By how its lines are indented, as the formatter does it: what can have none is not parsed. A function goes on
    until something begins that stands no further in, but within quotation marks nothing begins. Where quotation marks
    are quoted themselves, it may have.
    """
    if '\'"""' in text:
        return True
    open_ones: list[tuple[int, int]] = []
    quoted = False
    for number, line in enumerate((*text.splitlines(), "end")):
        if not quoted and (found := BEGINS.match(line)):
            indented = len(found["indented"] or "")
            while open_ones and open_ones[-1][0] >= indented:
                if number - open_ones.pop()[1] > LONGEST_FUNCTION:
                    return True
            if found["function"]:
                open_ones.append((indented, number))
        quoted ^= line.count('"""') % 2 == 1
    return quoted


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_rules_stand_without_django():
    process = subprocess.run([sys.executable, "-c", IMPORT_RULES_ALONE], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert int(process.stdout) > 5


def test_no_function_and_no_file_has_grown_too_long():
    long = [name_of(path) for path in sources() if text_of(path).count("\n") > LONGEST_FILE]
    for path in sources():
        if text_of(path).count("\n") > LONGEST_FUNCTION and may_have_long_functions(text_of(path)):
            long += [f"{name_of(path)}:{part.line} {part.name}" for part in parts_of(path)
                     if not part.is_class and part.lines > LONGEST_FUNCTION]  # fmt: skip
    assert long == []


@pytest.mark.parametrize("length", [LONGEST_FUNCTION, LONGEST_FUNCTION + 1])
@pytest.mark.parametrize("after", ["", "def after(): ...", "@after", "class After: ...", "AFTER = 1"])
def test_a_long_function_is_known_by_its_indentation(length, after):
    """Another within it, and what looks like one in a text within it, do not end it; nor is it overlooked between
    quotation marks that are quoted.
    """
    within = ["    def within():", "        return 1", '    text = """', "def none(): ...", '"""']
    body = [*within, *["    pass"] * (length - 1 - len(within))]
    for indented in ("", "    "):
        lines = [*(f"{indented}{line}" for line in ("async def long():", *body)), after]
        assert may_have_long_functions("\n".join(lines)) is (length > LONGEST_FUNCTION)
        assert may_have_long_functions("\n".join(['ONE = \'"""\'', *lines, 'OTHER = \'"""\'']))


def test_no_line_of_a_template_has_grown_too_long():
    templates = sorted((ROOT / "templates").rglob("*.html"))
    assert templates
    lines = [(path, *line) for path in templates for line in enumerate(text_of(path).splitlines(), 1)]
    assert [f"{name_of(path)}:{number}" for path, number, line in lines if len(line) > LONGEST_LINE] == []


def test_no_template_exists_in_both_languages():
    """Two of a name would drift apart, and which of them is drawn would be the engines' order."""
    pieces = {path.relative_to(ROOT / "templates/jinja2") for path in (ROOT / "templates/jinja2").rglob("*.html")}
    assert len(pieces) > 20
    assert [piece.as_posix() for piece in pieces if (ROOT / "templates" / piece).exists()] == []


def test_every_template_that_is_named_is_there_and_every_one_is_named():
    """By Python and by other templates. What the server and the libraries look for by themselves is not looked at."""
    engines = (ROOT / "templates", ROOT / "templates/jinja2")
    there = {path.relative_to(engine).as_posix() for engine in engines for path in engine.rglob("*.html")}
    rooms = {name.partition("/")[0] for name in there if "/" in name} - {"jinja2", "account", "allauth", "mfa"}
    pattern = re.compile(rf"""["']((?:{"|".join(sorted(rooms))})/[\w/-]+\.html)(?:#[\w-]+)?["']""")
    texts = [*sources(), *(ROOT / "templates").rglob("*.html")]
    named = {name for path in texts for name in pattern.findall(text_of(path))}
    assert sorted(named - there) == []
    assert sorted(name for name in there - named if name.partition("/")[0] in rooms) == []


PRIVATE = re.compile(r"(?:^|\.)_(?!_)|^django\.db\.models\.sql\b")
FRAMEWORKS = ("django", "rest_framework", "psycopg", "psycopg_pool")


def private_imports(text: str) -> list[str]:
    """Names of frameworks that a file imports and that may change with any release of theirs."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [f"{node.module}.{name.name}" for name in node.names]
    return [name for name in found if name.partition(".")[0] in FRAMEWORKS and PRIVATE.search(name)]


def test_nothing_private_of_a_framework_is_imported():
    word = re.compile(rf"^\s*(?:from|import)\s+(?:{'|'.join(FRAMEWORKS)})\b[^#\n]*(?:\b_|\.sql\b|\($)", re.MULTILINE)
    tests = (path for path in (ROOT / "tests").rglob("*.py"))
    found = {str(path.relative_to(ROOT)): private_imports(text_of(path))
             for path in (*sources(), *tests) if word.search(text_of(path))}  # fmt: skip
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("line", "private"),
    [
        ("from django.db.models.query import ModelIterable, _get_from_db", True),
        ("from django.db.models.sql import Query", True),
        ("from django.db.models import sql", True),
        ("import django.db.models.sql.compiler", True),
        ("from psycopg._preparing import Prepare", True),
        ("from django.utils.translation import gettext as _", False),
        ("from psycopg.sql import SQL", False),
        ("from rules.core.text import _", False),
    ],
)
def test_a_private_import_is_recognised(line, private):
    assert bool(private_imports(line)) == private


def test_views_ask_queries_and_not_the_database():
    asking = re.compile(r"\.objects\b(?!\.none\(\))|\.save\(|\.delete\(\)")
    found = [f"{path.relative_to(ROOT)}: {line.strip()}" for path in sources() if "views" in path.stem
             for line in text_of(path).splitlines() if asking.search(line)]  # fmt: skip
    assert found == []


def test_nothing_is_left_unfinished():
    marks = ("TODO", "FIXME", "XXX", "NotImplementedError")
    word = re.compile(rf"\b({'|'.join(marks)})\b")
    marked = (path for path in sources() if any(mark in text_of(path) for mark in marks))
    assert [name_of(path) for path in marked if word.search(text_of(path))] == []


def faults_in(markup: str) -> list[str]:
    return [name for name, pattern in FORBIDDEN_MARKUP.items() if re.search(pattern, markup, re.IGNORECASE)]


def test_no_test_goes_home_before_it_has_tried_anything():
    """Where a law has nothing of it, `@under` leaves it out: that test would pass, and be the only one that day."""
    found = []
    for path in (ROOT / "tests").rglob("test_*.py"):
        if "        return\n" not in (text := path.read_text()):
            continue
        tests = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
        found += [f"{path.name}:{test.name}" for test in tests if test.name.startswith("test_") and goes_home(test)]
    assert found == []


def goes_home(test: ast.FunctionDef) -> bool:
    """Whether the first it does is to return without a word where something is so."""
    first = test.body[1 if ast.get_docstring(test) else 0]
    return isinstance(first, ast.If) and isinstance(first.body[0], ast.Return)


def test_what_goes_by_a_number_is_declared_once_for_all():
    """`rules.core.text.by_number` in a function would be known from its first call on, and what was kept is shown
    before.
    """
    late = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sources()
        if "by_number(" in text_of(path)
        for function in ast.walk(ast.parse(text_of(path)))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "by_number"
    ]
    assert late == []


def test_templates_hold_nothing_the_content_policy_refuses():
    rooms = [ROOT / "templates", *(found for app in (*APPS, "tests") for found in (ROOT / app).rglob("templates"))]
    templates = [path for room in rooms for path in room.rglob("*.*") if path.suffix in {".html", ".svg"}]
    checked = {name_of(path): faults_in(text_of(path)) for path in templates}
    assert checked
    assert {name: faults for name, faults in checked.items() if faults} == {}


@pytest.mark.parametrize(
    "markup",
    [
        '<a hx-on:click="x()">',
        '<p class="a" onclick="x()">',
        '<i style="width: 3px">',
        "<style>p {}</style>",
        "<script>x()</script>",
        '<a href="javascript:x()">',
        "{{ text|safe }}",
        "{% autoescape off %}",
        "{%- autoescape false %}",
    ],
)
def test_forbidden_markup_is_recognised(markup):
    assert faults_in(markup)


def test_requirements_are_hashed_and_name_no_host():
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-env.txt"):
        text = (ROOT / name).read_text()
        assert "--hash=sha256:" in text
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host", text)


@cache
def laws() -> list[str]:
    """Every law of the house, by its package: what is named here names no law that could be forgotten."""
    found = sorted({path.parent.name for path in (ROOT / "rules").glob("*/ruleset.py")})
    assert found
    return found


NAMED_BY_DJANGO = {"Command", "Status", "Meta", "Migration"}


HEX_LAWS = "hexbattle"  # what hex laws share, as a room of its own
WITHOUT_HEXES = {"pathfinder", "breaking_point"}
BOARD = ROOT / "rules" / "hexbattle" / "board.py"
OF_THE_BOARD = {"Act", "Board", "Cell", "Counter", "Piece", "Step", "Target"}
"""Values a hex law hands to pages, always read as `board.…`; the frame has classes of other things by these names."""


@cache
def law_of(path):
    """The law whose room this is, "" in the rooms of all: no law knows another."""
    if path.is_relative_to(ROOT / "rules" / "hexbattle") or path.is_relative_to(ROOT / "battles" / "hexes"):
        return HEX_LAWS
    return next((part for part in path.relative_to(ROOT).parts if part in laws()), "")


def rooms_of(law):
    """The rooms a law knows: those of all, its own and, if it fights on hexes, what such laws share."""
    return {"", law} if law in WITHOUT_HEXES else {"", law, HEX_LAWS}


NAMES = re.compile(r"^ *class +(\w+)|^ *type +([^\W_]\w*)|^([A-Z]\w*)(?: *:[^=\n]*)? = ", re.MULTILINE)
"""Where a name may be given (`named_in` says whether it is): a line like one in a text gives none."""
PARAMETERS = {"TypeVar", "TypeVarTuple", "ParamSpec"}


def named_in(text: str) -> Iterator[str]:
    """Names a module gives to kinds of things, as often as it gives them: by `class` and by `type X = …` wherever they
    stand, and by `X = …` at its edge, where X is written like a class: `Callable[…]`, `dict[…]`, `A | B`, `NewType(…)`
    or what else makes a type.

    Not counted are aliases of its own (`_X`), parameters of types (`TypeVar`), and what says another module's name
    again for the same thing (`X = Model.X`, `type X = content.X[Situation]`).
    """
    tree = ast.parse(text)
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    aliases: list[tuple[ast.expr, ast.expr | None]] = [
        (node.name, node.value) for node in ast.walk(tree) if isinstance(node, ast.TypeAlias)
    ]
    for node in tree.body:
        if isinstance(node, ast.Assign):
            aliases += [(target, node.value) for target in node.targets if like_a_class(target)]
        elif isinstance(node, ast.AnnAssign) and like_a_class(node.target):
            aliases.append((node.target, node.value))
    yield from (ast.unparse(name) for name, value in aliases if value and is_another(ast.unparse(name), value))


def like_a_class(name: ast.expr) -> bool:
    return isinstance(name, ast.Name) and name.id[0].isupper() and not name.id.isupper()


def is_another(name: str, value: ast.expr) -> bool:
    """Whether this alias is a name of its own for others."""
    made_by = value.func if isinstance(value, ast.Call) else None
    meant = value.value if isinstance(value, ast.Subscript) else value
    again = isinstance(meant, ast.Attribute) and meant.attr == name
    return not (name.startswith("_") or again or (made_by and ast.unparse(made_by).split(".")[-1] in PARAMETERS))


@cache
def names_of(path: Path) -> tuple[str, ...]:
    return tuple(named_in(text_of(path)))


@cache
def named_lines(path: Path) -> tuple[str, ...]:
    """The name of each line that may give one."""
    found = (next(filter(None, line.groups())) for line in NAMES.finditer(text_of(path)))
    return tuple(name for name in found if name not in NAMED_BY_DJANGO and not (name in OF_THE_BOARD and path == BOARD))


@pytest.mark.parametrize("law", [*laws(), HEX_LAWS])
def test_no_class_shares_its_name_with_another_that_its_law_can_see(law):
    """Nor does an alias of a type: whoever reads a name in two files of a law reads of one thing."""
    held: dict[str, set[Path]] = {}
    often: Counter[str] = Counter()
    for path in (path for path in every_source() if law_of(path) in rooms_of(law)):
        for name in named_lines(path):
            held.setdefault(name, set()).add(path)
            often[name] += 1
    assert len(held) > 300
    twice = {name: [name_of(path) for path in sorted(held[name]) for given in names_of(path) if given == name]
             for name, count in often.items() if count > 1}  # fmt: skip
    assert {name: where for name, where in twice.items() if len(where) > 1} == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("class Pair: ...", ["Pair"]),
        ("class Board:\n    class _Pair: ...", ["Board", "_Pair"]),
        ("type Pair = tuple[int, int]", ["Pair"]),
        ("type Pair[T] = tuple[T, T]", ["Pair"]),
        ("if TYPE_CHECKING:\n    type Pair = tuple[int, int]", ["Pair"]),
        ("Pair = tuple[int, int]", ["Pair"]),
        ("Pair: TypeAlias = int | str", ["Pair"]),
        ('Pair = NewType("Pair", int)', ["Pair"]),
        ("Pair = Board.Couple", ["Pair"]),
        ("Pair = Board.Pair", []),
        ("type Pair = board.Pair[int]", []),
        ("type _Pair = tuple[int, int]", []),
        ("_Pair = tuple[int, int]", []),
        ('Pair = typing.TypeVar("Pair")', []),
        ("PAIR = 2", []),
        ('"""\nPair = tuple[int, int]\nclass Pair\n"""', []),
        ("def pair():\n    Pair = tuple[int, int]", []),
    ],
)
def test_names_that_are_given_are_known(text, names):
    """And the quick look overlooks none."""
    assert [*named_in(text)] == names
    assert {*names} <= {name for found in NAMES.finditer(text) for name in found.groups()}


TEXTS = [
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    *(name_of(path) for path in sorted((ROOT / "docs").rglob("*.md"))),
]
NO_PLACES = {
    "map/", "map/background/", "map/claims/", "map/import/", "map/land/", "map/strokes/", "map/strokes/undo/",
    "places/", "sieges/",  # these are addresses of the API
    "WARHOST_HOME/first-password", "build/faults.json", "build/site.json", "build/",  # what programs make
    "LISTEN/NOTIFY",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_names_places_that_exist(name):
    """A recipe that leads nowhere is worse than none. Paths are whole; `<law>` and its like stand for one's own
    name.
    """
    text = (ROOT / name).read_text()
    named = set(re.findall(r"`([\w./<>*-]+/[\w./<>*-]*|[\w-]+\.(?:py|md|toml))`", text))
    places = {place for place in named if not re.search(r"[<*…]", place) and not place.startswith((".", "/"))}
    lost = [place for place in places - NO_PLACES if not (ROOT / place).exists()]
    links = re.findall(r"\]\(((?!https?:|mailto:)[^)#\s]+)", text)
    lost += [link for link in links if not ((ROOT / name).parent / link).exists()]
    assert sorted(lost) == []


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_names_each_place_of_a_list_once(name):
    """Places that became one are named twice where each was replaced by itself."""
    lists = re.findall(r"`[\w./-]+/[\w./-]+`(?:, `[\w./-]+/[\w./-]+`)+", (ROOT / name).read_text())
    twice = [one for one in lists if len(set(places := one.split(", "))) < len(places)]
    assert twice == []


def test_texts_name_places_at_all():
    """So that a pattern that finds nothing any more is noticed."""
    recipes = (ROOT / "docs/recipes.md").read_text()
    assert len(re.findall(r"`[\w-]+/[\w./-]+`", recipes)) > 10
    assert len(TEXTS) > 30

"""The one style sheet and the one script every page is drawn with."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

from config.web import asset_bundles as room
from config.web.asset_bundles import PARTS, STATIC, JoinedFinder, build_bundle, shorten

TEMPLATES = STATIC.parent / "templates"
ALL = [(name, part) for name, parts in PARTS.items() for part in parts]


def found(name: str) -> str:
    return Path(finders.find(name)).read_text()


@pytest.mark.parametrize("name", PARTS)
def test_the_whole_is_its_parts_one_after_the_other(name):
    whole, at = found(name), 0
    for part in PARTS[name]:
        at = whole.index(shorten(STATIC / part), at)
    assert finders.find(name, find_all=True) == [finders.find(name)]


def test_every_sheet_and_script_is_a_part_or_is_named_by_a_page():
    named = set(
        re.findall(r'{% static "((?:css|js)/[^"]+)" %}', "".join(p.read_text() for p in TEMPLATES.rglob("*.html")))
    )
    there = {str(path.relative_to(STATIC)) for kind in ("css", "js") for path in (STATIC / kind).glob(f"*.{kind}")}
    assert there - named == {part for _name, part in ALL} - named
    assert named <= there | PARTS.keys()


def test_no_name_at_the_top_of_a_script_is_given_by_another_one():
    """Scripts of one page share them: the second to give one is not run at all."""
    given = re.compile(r"^(?:async )?(?:const|let|var|class|function)\*? (\w+)", re.MULTILINE)
    own = [path for path in (STATIC / "js").glob("*.js") if ".min." not in path.name]
    names = [name for path in own for name in given.findall(path.read_text())]
    assert len(names) > 100
    assert sorted(names) == sorted(set(names))


def test_what_is_for_paper_changes_no_screen():
    text = re.sub(r"/\*.*?\*/", "", (STATIC / "css/print.css").read_text(), flags=re.DOTALL).strip()
    assert text.startswith("@media print {")
    depth = [0]
    for mark in re.findall(r"[{}]", text):
        depth.append(depth[-1] + (1 if mark == "{" else -1))
    assert (depth[-1], 0 in depth[1:-1]) == (0, False)


BARE = re.compile(r"\.?[a-z][\w-]*")
ANY_OF = re.compile(r":is\(([^()]*)\)")


def selectors_of(sheet: str) -> Iterator[str]:
    """The selectors of its rules, one by one, also those within conditions; not what is for paper."""
    text, at = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL), 0
    while (opens := text.find("{", at)) >= 0:
        head, at, depth = re.split("[;}]", text[at:opens])[-1].strip(), opens + 1, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        if re.match(r"@(media|supports|container|layer)\b(?! print)", head):
            yield from selectors_of(text[opens + 1 : at - 1])
        elif not head.startswith("@"):
            yield from re.split(r",\s*(?![^()]*\))", head)


def bare_names(sheet: str) -> set[str]:
    """Classes and elements it gives rules wherever they stand. `:where()` takes nothing from another's rules."""
    every = [(selector, ANY_OF.fullmatch(selector)) for selector in selectors_of(sheet)]
    each = [one.strip() for selector, any_of in every for one in (any_of[1].split(",") if any_of else [selector])]
    return {one for one in each if BARE.fullmatch(one)}


def given_twice(sheets: dict[str, str]) -> dict[str, list[str]]:
    """By the bare names that several of these give rules, which do."""
    parts = defaultdict(list)
    for part, sheet in sheets.items():
        for name in bare_names(sheet):
            parts[name].append(part)
    return {name: found for name, found in parts.items() if len(found) > 1}


def test_no_class_and_no_element_is_given_rules_by_two_parts():
    """All parts are on every page: the same word for two things would dress each as the other, too."""
    sheets = {part: (STATIC / part).read_text() for part in PARTS["css/all.css"]}
    assert len(set().union(*map(bare_names, sheets.values()))) > 200
    assert given_twice(sheets) == {}


def test_a_word_of_two_parts_is_found_wherever_it_stands():
    one = ".token, .seal { color: red; } :where(kbd) { margin: 0; } @font-face { src: none; }"
    for two in (
        "a { top: 0; } .token { color: blue; }",
        "/* { */ .crowd, .token{}",
        "@import 'x'; :is(.halo, .token) {}",
        "@media (width > 1px) { @supports (top: 0) { .token {} } }",
    ):
        assert given_twice({"one": one, "two": two}) == {".token": ["one", "two"]}, two
    for two in (
        "@media print { .token {} }",
        ".map .token, .token.two, .token:hover, .token > b, a:is(.token, .seal) {}",
        "kbd { margin: 0; } :not(.token, .seal) {} @keyframes token { from { top: 0; } }",
    ):
        assert given_twice({"one": one, "two": two}) == {}, two


def test_a_page_asks_for_one_of_each(client, db):
    drawn = re.findall(r'(?:href|src)="/static/([^"#]+\.(?:css|js))', client.get("/credits/").content.decode())
    assert drawn == ["css/all.css", "js/theme.js", "js/all.js"]


@pytest.fixture
def own(tmp_path, monkeypatch) -> Path:
    """Parts of the test's own."""
    monkeypatch.setattr(room, "STATIC", tmp_path)
    monkeypatch.setattr(room, "PARTS", {"js/all.js": ("js/one.js", "js/two.js")})
    (tmp_path / "js").mkdir()
    (tmp_path / "js/one.js").write_text("one()")
    (tmp_path / "js/two.js").write_text("(two)")
    return tmp_path


def test_a_part_that_changed_is_joined_anew_and_one_that_did_not_is_left(own):
    whole = build_bundle("js/all.js", own / "home")
    assert whole.read_text() == "one()\n;\n(two)\n;\n"
    before = whole.stat()
    assert build_bundle("js/all.js", own / "home").stat() == before
    (own / "js/one.js").write_text("uno()")
    os.utime(own / "js/one.js", ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000_000))
    assert build_bundle("js/all.js", own / "home").read_text() == "uno()\n;\n(two)\n;\n"
    assert [path.name for path in (own / "home/js").iterdir()] == ["all.js"]


def test_threads_that_join_it_at_once_all_find_it_whole(own):
    at_once = Barrier(8)

    def found(_thread: int) -> str:
        at_once.wait(10)
        return build_bundle("js/all.js", own / "home").read_text()

    with ThreadPoolExecutor(8) as threads:
        for _turn in range(20):
            (own / "home/js/all.js").unlink(missing_ok=True)
            assert {*threads.map(found, range(8))} == {"one()\n;\n(two)\n;\n"}
    assert [path.name for path in (own / "home/js").iterdir()] == ["all.js"]


def test_a_part_that_is_older_than_before_is_joined_as_well(own):
    """Whoever goes back to an earlier version has files of earlier days."""
    build_bundle("js/all.js", own / "home")
    (own / "js/two.js").write_text("(deux)")
    for name in ("js/one.js", "js/two.js"):
        os.utime(own / name, ns=(10**18, 10**18))
    assert "(deux)" in build_bundle("js/all.js", own / "home").read_text()


def test_collected_the_sheet_names_the_fonts_by_their_hashes(tmp_path):
    store = ManifestStaticFilesStorage(location=tmp_path)
    every = {
        name: (storage, name)
        for finder in finders.get_finders()
        for name, storage in finder.list(["admin", "rest_framework", "redoc"])
    }
    wanted = {
        name: at for name, at in every.items() if name.startswith(("css/all", "fonts/", "icons", "arms", "pictures/"))
    }
    for name, (storage, path) in wanted.items():
        with storage.open(path) as source:
            store.save(name, source)
    assert [error for _name, _hashed, error in store.post_process(wanted) if isinstance(error, Exception)] == []
    sheet = (tmp_path / store.stored_name("css/all.css")).read_text()
    fonts = re.findall(r'url\("([^"]+\.woff2)"\)', sheet)
    assert fonts
    assert all(re.search(r"\.[0-9a-f]{12}\.woff2$", font) for font in fonts)


def test_it_finds_nothing_else():
    finder = JoinedFinder()
    assert (finder.find("css/tokens.css"), finders.find("css/none.css")) == ([], None)
    assert [name for name, _storage in finder.list(["css/*"])] == ["js/all.js"]

"""The one style sheet and the one script every page is drawn with."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

from config.web import joined as room
from config.web.joined import PARTS, STATIC, JoinedFinder, joined

TEMPLATES = STATIC.parent / "templates"
ALL = [(name, part) for name, parts in PARTS.items() for part in parts]


def found(name: str) -> str:
    return Path(finders.find(name)).read_text()


@pytest.mark.parametrize("name", PARTS)
def test_the_whole_is_its_parts_one_after_the_other(name):
    whole, at = found(name), 0
    for part in PARTS[name]:
        at = whole.index((STATIC / part).read_text(), at)
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
    whole = joined("js/all.js", own / "home")
    assert whole.read_text() == "one()\n;\n(two)\n;\n"
    before = whole.stat()
    assert joined("js/all.js", own / "home").stat() == before
    (own / "js/one.js").write_text("uno()")
    os.utime(own / "js/one.js", ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000_000))
    assert joined("js/all.js", own / "home").read_text() == "uno()\n;\n(two)\n;\n"
    assert [path.name for path in (own / "home/js").iterdir()] == ["all.js"]


def test_threads_that_join_it_at_once_all_find_it_whole(own):
    at_once = Barrier(8)

    def found(_thread: int) -> str:
        at_once.wait(10)
        return joined("js/all.js", own / "home").read_text()

    with ThreadPoolExecutor(8) as threads:
        for _turn in range(20):
            (own / "home/js/all.js").unlink(missing_ok=True)
            assert {*threads.map(found, range(8))} == {"one()\n;\n(two)\n;\n"}
    assert [path.name for path in (own / "home/js").iterdir()] == ["all.js"]


def test_a_part_that_is_older_than_before_is_joined_as_well(own):
    """Whoever goes back to an earlier version has files of earlier days."""
    joined("js/all.js", own / "home")
    (own / "js/two.js").write_text("(deux)")
    for name in ("js/one.js", "js/two.js"):
        os.utime(own / name, ns=(10**18, 10**18))
    assert "(deux)" in joined("js/all.js", own / "home").read_text()


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

"""Names of modules: those that went stay away, folders stay small."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from pathlib import Path

from tests.test_house import ROOT, name_of, sources, text_of

RENAMES = json.loads((ROOT / "docs/renames.json").read_text())
MOST_MODULES = 25
GROWN = {
    "tests/browser",  # evenings of the whole site
    "tests/rules/pathfinder/oracle",  # a second reading of one law, by somebody who had not read the first
}


def modules() -> set[str]:
    return {name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in sources()}


def test_no_module_comes_back_under_its_old_name():
    """Where something new stands under an old name today, it is none of the old house's."""
    today = set(RENAMES["modules"].values())
    assert sorted((modules() & RENAMES["modules"].keys()) - today - packages()) == []


def packages() -> set[str]:
    return {name_of(path.parent).replace("/", ".") for path in sources() if path.name == "__init__.py"}


def test_what_moved_is_where_the_list_says():
    assert sorted(set(RENAMES["modules"].values()) - modules()) == []


def test_no_name_comes_back():
    """Classes and functions that were renamed, in the modules they stand in now."""
    back = []
    for old, new in RENAMES["names"].items():
        place, _dot, name = new.rpartition(".")
        defined = {
            node.name
            for node in ast.parse(text_of(path_of(place))).body
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        }
        if name not in defined or old.rpartition(".")[2] in defined:
            back.append(old)
    assert back == []


def path_of(module: str) -> Path:
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_no_folder_has_more_modules_than_one_reads_at_a_glance():
    found: dict[Path, int] = defaultdict(int)
    for path in (*sources(), *(ROOT / "tests").rglob("*.py")):
        found[path.parent] += path.name != "__init__.py"
    assert {name_of(folder) for folder, many in found.items() if many > MOST_MODULES} == GROWN

"""Names of modules: those that went stay away, a file name means one thing, folders stay small."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.test_house import ROOT, name_of, sources, text_of

RENAMES = json.loads((ROOT / "docs/renames.json").read_text())
MOST_MODULES = 25

OF_EVERY_SLICE = {
    "__init__", "api", "api_urls", "apps", "forms", "models", "page", "paper", "queries", "serializers", "services",
    "slots", "ui", "urls", "views", "words",
}  # fmt: skip
"""What any slice may call a file: its name says which part of the slice it is."""

NAMED_BY_DJANGO = {"config/postgres/base.py"}
"""Where Django looks for a module by its name; commands and template tags stand apart from all other names, too."""

MEANINGS = {
    "reform_api": "the API of reformed armies, by the kind of their law",
    "reform_queries": "which armies are reformed together, by the kind of their law",
    "reform_services": "services that reform armies, by the kind of their law",
    "reform_views": "the page that reforms armies, by the kind of their law",
    "setup_forms": "a law's forms for the setup of a battle",
    "page_parts": "parts of a page object",
    "engine_options": "what an engine player weighs, by each law",
    "command": "command: its steps, by each law",
    "activation": "the turn of one unit, by each law",
    "secrecy": "what a reader may know of a battle",
    "access": "what a user may read of armies, commanders and stores",
    "aftermath": "what a battle does to the world",
    "archive_tables": "what of an app travels in a campaign's document",
    "army": "the models of armies",
    "battle_law": "the battle half of a law: its protocol, and each law's own",
    "battle_state": "what a battle is at one moment",
    "bulk_orders": "what several armies can be ordered at once",
    "cards": "armies as cards on the battle page",
    "catalogues": "a law's catalogues",
    "choices": "choices of a forecast, and tables of them",
    "command_phase": "what is legal in a command phase",
    "command_shapes": "commands in the shape of the API",
    "commands": "what may be asked of a battle",
    "conditions": "what can hold for a battlefield",
    "decide": "a command becomes events, or is refused",
    "demo": "a demonstration battle",
    "examples": "what a law adds to the document of the API",
    "dice": "dice: who rolls them, and how they are asked for",
    "documents": "what is written down of an army",
    "engine_choice": "what the engine player does next",
    "entering": "how armies enter a battle",
    "errors": "exception classes",
    "events": "what happened, as facts with their dice",
    "field": "a map with what lies and stands on it",
    "figures": "figures, each with the lines it is made of",
    "fold": "events folded into a state",
    "forecast_law": "what a law says of the future of its battles",
    "gm_forms": "forms of the GM's commands",
    "ground": "the ground a battle is fought on",
    "house": "house rules: what a campaign may set of its law",
    "hypothetical": "armies and battles that are nowhere",
    "knowledge": "what a viewer may believe of armies whose sheets they do not read",
    "law": "a law of war as the apps know it, and what laws inherit",
    "legal": "what may be done now, and by whom",
    "narrate": "events for the log, with their dice and sums",
    "opening": "how a battle may begin",
    "order_forms": "the form of one army's order",
    "overrides": "what the GM may set by hand",
    "own_contribution": "what an app contributes to the pages and services of all apps",
    "own_things": "what a campaign may have of its own, as a law says it",
    "passage": "days that pass",
    "phase": "a phase or round from its first step to its last",
    "pieces": "pieces of what is legal",
    "proposal": "the proposal of an aftermath",
    "realm": "the realm half of a law: its protocol, and a law's own",
    "ruleset": "a law as the apps know it",
    "ruleset_ui": "the protocol of a law's UI",
    "rulings": "where a rule id leads",
    "run": "what a phase needs while it is resolved",
    "sentences": "one sentence for each thing that is told",
    "setting": "a battle nobody fights, for the odds workshop",
    "settled": "a battle by another law, settled as an army's own law counts losses",
    "setup": "units placed before a battle begins",
    "shown": "a state as one reader may see it",
    "simulate": "battles thrown many times",
    "situation": "what holds of units where they stand",
    "spec": "what an army is made of",
    "specs": "rows as the rules want them",
    "starter": "what there is to begin with",
    "state": "the state of a battle",
    "steps": "steps of the onboarding checklist",
    "strike": "attacks and their damage",
    "summary": "a battle at a glance",
    "table_rows": "what a ruleset has as rows of a table",
    "tally": "battles that were thrown, counted",
    "tasks": "work that is done elsewhere: by another process or a worker",
    "text": "words for people, kept apart from their language",
    "tracked_fields": "what of an app's models the chronicle records",
    "travel": "marches over the map of a campaign",
    "turn": "turns of a battle and their phases",
    "unit_card": "what the battle page says of a picked unit",
    "week": "what one week does",
    "weeks": "what days and weeks do by a law, as armies.weeks asks it",
    "workshop_law": "a law in the odds workshop",
    "workshop_ui": "a law's UI of the odds workshop",
    "world": "the world as an aftermath reads and changes it",
}
"""What a file name means that more than one file bears. A further file of that name means the same or is called
something else.
"""
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
        defined = names_in(place)
        if name not in defined or old.rpartition(".")[2] in defined:
            back.append(old)
    assert back == []


@cache
def names_in(module: str) -> set[str]:
    """What a module defines: classes, functions, and names it assigns to."""
    found = set()
    for node in ast.parse(text_of(path_of(module))).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return found


def path_of(module: str) -> Path:
    path = ROOT / module.replace(".", "/")
    package = path / "__init__.py"
    return package if package.exists() else path.with_suffix(".py")


def files_by_name() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in sources():
        name = name_of(path)
        if path.stem not in OF_EVERY_SLICE and name not in NAMED_BY_DJANGO and not BY_NAME & set(path.parts):
            found[path.stem].append(name)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


BY_NAME = {"management", "migrations", "templatetags"}
"""Folders where Django finds a module by its name."""


def test_a_file_name_means_one_thing():
    """Who adds a second file of a name says in `MEANINGS` what both mean, or takes another name."""
    unsaid = {name: paths for name, paths in files_by_name().items() if name not in MEANINGS}
    assert unsaid == {}


def test_meanings_are_of_names_that_are_used_twice():
    assert sorted(MEANINGS.keys() - files_by_name().keys()) == []


def test_the_word_face_is_left_to_dice():
    """Settings, classes and modules say UI."""
    apps = [module for module in modules() if module.partition(".")[0] not in ("rules", "manage")]
    named = {f"{module}.{name}" for module in apps for name in names_in(module) if not name.startswith("_")}
    assert sorted(name for name in named if OLD_WORD.search(name) and "die" not in name.lower()) == []


OLD_WORD = re.compile(r"(?<![a-z])(FACE|Faces?|face|faces)(?![a-z])")


def test_no_folder_has_more_modules_than_one_reads_at_a_glance():
    found: dict[Path, int] = defaultdict(int)
    for path in (*sources(), *(ROOT / "tests").rglob("*.py")):
        found[path.parent] += path.name != "__init__.py"
    assert {name_of(folder) for folder, many in found.items() if many > MOST_MODULES} == GROWN

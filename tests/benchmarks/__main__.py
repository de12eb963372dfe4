"""`python -m tests.benchmarks [part of a name …]`: a table on the screen, the same in build/bench.json."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from rules.odds.tasks import ONE_CORE
from tests.benchmarks import Row

HERE = Path(__file__).parent
OUTPUT = HERE.parent.parent / "build" / "bench.json"
Benchmark = Callable[[], Iterable[Row]]


def main(wanted: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    os.environ.update(dict.fromkeys(ONE_CORE, "1"))  # as wherever something is reckoned
    import django

    django.setup()
    _take_a_name()
    rows: list[Row] = []
    for benchmark in _benchmarks(wanted):
        with _empty_database():
            rows += map(_show, benchmark())
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps([row._asdict() for row in rows], indent=2) + "\n")
    print(f"{sum(row.met for row in rows)} of {len(rows)} targets met; written to {OUTPUT}")


def _benchmarks(wanted: list[str]) -> Iterator[Benchmark]:
    for path in sorted(HERE.glob("bench_*.py")):
        module = import_module(f"tests.benchmarks.{path.stem}")
        for name, value in sorted(vars(module).items()):
            if name.startswith("bench_") and callable(value) and _is_wanted(f"{path.stem}.{name}", wanted):
                yield value


def _is_wanted(name: str, wanted: list[str]) -> bool:
    return not wanted or any(part in name for part in wanted)


def _take_a_name() -> None:
    """A database that no run of the tests in this folder has: it would be taken from under it."""
    from django.db import connection

    from tests.databases import nobody_elses

    connection.settings_dict["TEST"]["NAME"] = nobody_elses(connection.creation._get_test_db_name())


@contextmanager
def _empty_database() -> Iterator[None]:
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases, teardown_test_environment

    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        teardown_databases(databases, verbosity=0)
        teardown_test_environment()


def _show(row: Row) -> Row:
    sign = "≤" if row.better == "lower" else "≥"
    print(f"{'ok  ' if row.met else 'MISS'}  {row.name:<60} {row.value:>12,.3f}  {sign} {row.target:,.3f}", flush=True)
    return row


if __name__ == "__main__":
    main(sys.argv[1:])

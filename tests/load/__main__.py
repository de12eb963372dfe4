"""`python -m tests.load LOCUST`: a site under load, by the program at that path; a table, and `build/site.json`.

CAMPAIGNS (300), PLAYING (30), MINUTES (10) and WORKERS (2) are read from the environment.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from config.ops.data_directory import BASE_DIR
from tests.config.house import House, Postgres, manage

OUTPUT = BASE_DIR / "build" / "site.json"
LOCUSTFILE = Path(__file__).parent / "locustfile.py"
CAMPAIGNS, PLAYING, MINUTES, WORKERS = (
    int(os.environ.get(name, usual))
    for name, usual in (("CAMPAIGNS", "300"), ("PLAYING", "30"), ("MINUTES", "10"), ("WORKERS", "2"))
)
EVERY = 10  # seconds between two looks at the machine


@dataclass(frozen=True)
class Look:
    """`memory`: MiB that the processes of the site hold for themselves; `connections`: of the database."""

    seconds: float
    memory: float
    database_memory: float
    connections: int
    busy: float


def main(locust: str) -> None:
    with tempfile.TemporaryDirectory(prefix="warhost-") as directory:
        home = Path(directory)
        with House(home, WARHOST_DEMO="on", WARHOST_WORKERS=str(WORKERS), WARHOST_THROTTLE="off") as house:
            house.ready()
            began = time.monotonic()
            tables = home / "tables.json"
            made = manage(home, "shell", "-c", f"from tests.load.seed import seed; seed({str(tables)!r}, {CAMPAIGNS})")
            assert made.returncode == 0, made.stderr
            print(f"{CAMPAIGNS} campaigns brought in within {time.monotonic() - began:.0f} s")
            with watched(house, Postgres(home)) as looks:
                rows = driven(locust, house, tables, home)
    found = {
        "campaigns": CAMPAIGNS,
        "playing": PLAYING,
        "minutes": MINUTES,
        "workers": WORKERS,
        "cores": os.cpu_count(),
    }
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps({**found, "requests": rows, "looks": [asdict(look) for look in looks]}, indent=2))
    show(rows, looks)


def driven(locust: str, house: House, tables: Path, home: Path) -> list[dict[str, Any]]:
    """What Locust counted, a row for each kind of request and one for all."""
    command = [
        locust, "-f", str(LOCUSTFILE), "--headless", "--host", f"http://127.0.0.1:{house.port}",
        "--run-time", f"{MINUTES}m", "--spawn-rate", "60", "--csv", str(home / "load"), "--only-summary",
        "--users", str(CAMPAIGNS * 6), "--loglevel", "WARNING", "--reset-stats",
    ]  # fmt: skip
    more = {"WARHOST_TABLES": str(tables), "WARHOST_PLAYING": str(PLAYING)}
    subprocess.run(command, env={**os.environ, **more}, check=False, stdout=subprocess.DEVNULL)
    with (home / "load_stats.csv").open() as lines:
        return [
            {
                "name": row["Name"], "count": int(row["Request Count"]), "failures": int(row["Failure Count"]),
                "median_ms": float(row["Median Response Time"] or 0), "p95_ms": float(row["95%"] or 0),
                "p99_ms": float(row["99%"] or 0), "per_second": round(float(row["Requests/s"]), 2),
            }
            for row in csv.DictReader(lines) if row["Request Count"] != "0"
        ]  # fmt: skip


@contextmanager
def watched(house: House, postgres: Postgres) -> Iterator[list[Look]]:
    looks: list[Look] = []
    over = threading.Event()
    began = time.monotonic()

    def look() -> None:
        while not over.wait(EVERY):
            own = [house_process := psutil.Process(house.process.pid), *house_process.children(recursive=True)]
            theirs = postgres.processes()
            ids = {one.pid for one in theirs}
            looks.append(Look(
                round(time.monotonic() - began), held(one for one in own if one.pid not in ids), held(theirs),
                len(postgres.postmaster.children()), psutil.cpu_percent(),
            ))  # fmt: skip

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield looks
    finally:
        over.set()
        thread.join()


def held(processes: Any) -> float:
    total = 0.0
    for one in processes:
        try:
            total += one.memory_full_info().uss / 2**20
        except psutil.Error:
            continue
    return round(total, 1)


def show(rows: list[dict[str, Any]], looks: list[Look]) -> None:
    print(f"{'':44}{'count':>8}{'failed':>8}{'median':>9}{'p95':>9}{'p99':>9}  ms")
    for row in rows:
        numbers = (
            f"{row['count']:>8}{row['failures']:>8}{row['median_ms']:>9.0f}{row['p95_ms']:>9.0f}{row['p99_ms']:>9.0f}"
        )
        print(f"{row['name']:44}{numbers}")
    for look in (looks[0], looks[len(looks) // 2], looks[-1]) if looks else ():
        print(
            f"after {look.seconds:4.0f} s: {look.memory:6.0f} MiB, database {look.database_memory:.0f} MiB, "
            f"{look.connections} processes of it, processors {look.busy:.0f} % busy"
        )


if __name__ == "__main__":
    main(sys.argv[1])

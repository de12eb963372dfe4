"""A campaign of ten thousand armies after a week, taken along and brought in: seconds, and what has to be held."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterator
from tempfile import TemporaryFile
from time import perf_counter

from armies.weeks import services as time
from kingdom.archive.export_rows import write_document
from kingdom.archive.services import import_campaign
from kingdom.models import Campaign, User
from tests.benchmarks import Row
from tests.benchmarks.bench_weeks import campaign_of
from tests.databases import tried

ARMIES = 10_000
MB = 1_048_576


def bench_document() -> Iterator[Row]:
    gm = User.objects.create_user(username="gm")
    campaign = campaign_of(gm, ARMIES)
    time.confirm_time(by=gm, campaign=campaign, days=7)
    campaign = Campaign.objects.get(pk=campaign.pk)
    with TemporaryFile() as file:
        start = perf_counter()
        file.writelines(write_document(campaign))
        written, size = perf_counter() - start, file.tell() / MB
        start = perf_counter()
        import_campaign(by=gm, file=file)
        read = perf_counter() - start
        tracemalloc.start()
        with open(os.devnull, "wb") as nowhere:
            nowhere.writelines(write_document(campaign))
        held_writing = tracemalloc.get_traced_memory()[1] / MB
        tracemalloc.reset_peak()
        with tried():
            import_campaign(by=gm, file=file)
        held_reading = tracemalloc.get_traced_memory()[1] / MB
        tracemalloc.stop()
    name = f"document of {ARMIES:,} armies and their week ({size:.0f} MB)"
    yield Row(f"{name} written, s", written, 30, "lower")
    yield Row(f"{name} brought in, s", read, 90, "lower")
    yield Row(f"{name} written, MB held at most", held_writing, 32, "lower")
    yield Row(f"{name} brought in, MB held at most", held_reading, 64, "lower")

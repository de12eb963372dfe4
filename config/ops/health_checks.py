"""Health checks for a supervisor (liveness, readiness), and metrics for Prometheus. Every process counts; any of them
answers for all.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.web import gate
from core.client_info import is_among
from core.tracing import RequestNote

# Metrics for Prometheus at /metrics/. Every process counts; any of them answers for all.
#
# Labels are methods, URL patterns and statuses, whose number is bounded.

SHARED = "PROMETHEUS_MULTIPROC_DIR"  # prometheus_client reads it on import
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
QUERIES = (0, 1, 2, 5, 10, 20, 50, 100)


def share(home: Path) -> None:
    """Let processes started from now on share their counts, beginning at zero."""
    room = home / "metrics" / secrets.token_hex(4)
    room.mkdir(parents=True)
    os.environ[SHARED] = str(room)


def end_sharing() -> None:
    shutil.rmtree(os.environ.pop(SHARED, ""), ignore_errors=True)


class MetricSet:
    """The metrics of one process."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        where = ["method", "route"]
        self.requests = Counter("warhost_requests", "Requests answered.", [*where, "status"])
        self.seconds = Histogram("warhost_request_seconds", "How long answers took.", where, buckets=SECONDS)
        self.queries = Histogram("warhost_request_queries", "Queries an answer took.", where, buckets=QUERIES)
        self.streams = Gauge("warhost_live_streams", "Live pages connected.", multiprocess_mode="livesum")


@cache
def instruments() -> MetricSet:
    return MetricSet()


def count(exchange: RequestNote, seconds: float | None) -> None:
    """Count a request. `seconds`: None for a stream, which has no end of its own."""
    kept = instruments()
    where = (exchange.method, exchange.route)
    kept.requests.labels(*where, str(exchange.status)).inc()
    if seconds is not None:
        kept.seconds.labels(*where).observe(seconds)
        kept.queries.labels(*where).observe(exchange.queries)


def is_open_to(request: HttpRequest) -> bool:
    """Return whether the request may read metrics: by WARHOST_METRICS_TOKEN, or from an address in
    WARHOST_METRICS_FROM. Nobody may if neither is set.
    """
    token = settings.METRICS_TOKEN
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and constant_time_compare(shown, token):
        return True
    return is_among(request.META.get("REMOTE_ADDR", ""), settings.METRICS_FROM)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

    instruments()
    return HttpResponse(generate_latest(_of_all() or REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _of_all() -> Any:
    """Return the registry of all processes that share counts; None without sharing. Dead processes keep their counters
    only.
    """
    if not (room := os.environ.get(SHARED)):
        return None
    from prometheus_client import CollectorRegistry, multiprocess

    for gauge in Path(room).glob("gauge_live*_*.db"):
        number = int(gauge.stem.rpartition("_")[2])
        if not _lives(number):
            multiprocess.mark_process_dead(number)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return registry


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


# Health checks for a supervisor: liveness, readiness and metrics.


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Return 200 if the queue has room, the database answers and all migrations are applied; else 503 with the
    reason.
    """
    trouble = _trouble()
    return JsonResponse({"status": trouble or "ok"}, status=503 if trouble else 200)


class Supervision:
    """Middleware that answers these under any host name, since a supervisor uses the IP address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path in MEASURES and is_open_to(request):
            return metrics(request)
        return QUESTIONS.get(request.path, self.get_response)(request)


LIVING, READY, MEASURES = (frozenset({f"/{name}/", f"/{name}"}) for name in ("healthz", "readyz", "metrics"))
QUESTIONS: dict[str, Callable[[HttpRequest], HttpResponseBase]] = {
    **dict.fromkeys(LIVING, healthz),
    **dict.fromkeys(READY, readyz),
}
SUPERVISED = {path: f"/{path.strip('/')}/" for path in LIVING | READY | MEASURES}


def _trouble() -> str:
    if gate.pages.is_full:
        return "too many requests are waiting"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _require_migrated()
    except Error:
        return "the database does not answer"
    except Unmigrated:
        return "migrations are missing"
    return ""


class Unmigrated(Exception):
    """The database lacks migrations of this version."""


@cache  # the cache stores only success: an exception is not cached, so it is checked again
def _require_migrated() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise Unmigrated

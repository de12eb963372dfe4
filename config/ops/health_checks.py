"""Health checks for a supervisor: liveness, readiness and metrics."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.web import gate, metrics


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
        if request.path in MEASURES and metrics.is_open_to(request):
            return metrics.metrics(request)
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

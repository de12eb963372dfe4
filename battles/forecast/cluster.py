"""Dask cluster that computes sweeps where `WARHOST_DASK` names its scheduler.

Its workers need the same Warhost on their path, and nothing of its database. The package `distributed` is imported
only once a cluster is named.
"""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import Any

from django.conf import settings

from battles.forecast.process_pool import before_closing
from rules.core.errors import IllegalCommand
from rules.core.text import _, say
from rules.odds.tasks import Task, perform_anywhere

PATIENCE = 5  # seconds for the scheduler to answer; nobody's request waits for it
MISSING = _("WARHOST_DASK names a cluster, but the package “distributed” is not installed: pip install distributed.")
AWAY = _("The cluster that WARHOST_DASK names does not answer: {address}. Start its scheduler, or unset WARHOST_DASK.")
STRANGE = _("The workers of the cluster have no Warhost of this version on their path: {module} is missing there.")


class Cluster:
    """`battles.forecast.process_pool.Pool`, elsewhere. What keeps it from working is the answer to every task, in
    words.
    """

    def __init__(self, address: str = ""):
        self._address = address
        self._client: Any = None
        self._lock = Lock()

    @property
    def address(self) -> str:
        return self._address or settings.DASK

    @property
    def size(self) -> int:
        """As many pieces as its workers do at once, as far as is known."""
        return sum(self._client.nthreads().values()) if self._client is not None else 1

    def submit(self, task: Task) -> Future[Any]:
        try:
            work = self._executor().submit(perform_anywhere, list(settings.LAWS), task.function, task.arguments)
        except IllegalCommand as refusal:
            return _failed(refusal)
        answer: Future[Any] = Future()
        work.add_done_callback(lambda done: _pass_on(done, answer))
        answer.add_done_callback(lambda given: work.cancel() if given.cancelled() else None)
        return answer

    def give_up(self, future: Future[Any]) -> None:
        """A piece that a worker is at it finishes: they are small."""
        future.cancel()

    def stop(self) -> None:
        """Nobody waits for it any more."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _executor(self) -> Any:
        """Raises `IllegalCommand` where there is no way to it."""
        with self._lock:
            if self._client is None or self._client.status != "running":
                self._client = _client_of(self.address)
                before_closing(self.stop)
            return self._client.get_executor(pure=False)


def _client_of(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise IllegalCommand(MISSING) from error
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise IllegalCommand(say(AWAY, address=address)) from error


def _failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


def _pass_on(done: Future[Any], answer: Future[Any]) -> None:
    """What came of it there; what a worker does not know is told as such."""
    if not answer.set_running_or_notify_cancel() or done.cancelled():
        return
    error = done.exception()
    if isinstance(error, ModuleNotFoundError):
        error = IllegalCommand(say(STRANGE, module=error.name or "rules"))
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(done.result())

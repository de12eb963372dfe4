"""Server: uvicorn with limits on how long and how much a client may make it wait."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from asyncio import TimerHandle
from itertools import count
from typing import Any

import uvicorn
from django.conf import settings
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.supervisors import Multiprocess

HEAD_LIMIT = 65_536  # bytes of a request's head, of a body's trailers, and of malformed input
PARTING = 10  # seconds for a client to fetch the last bytes of a closing connection
ENDLESS = "endless"  # key in scope["state"]: the application sets it for an answer without end
HANG_UP = "hang up"  # key in scope["state"]: function that aborts the connection

TOO_SLOW = 408, "The request did not arrive in time."
TOO_LONG = 431, "The head of the request is too large."
FULL = 503, "Too many connections. Try again in a moment."


NUMBERS = count()


async def hang_up(scope: Any) -> None:
    """Abort the connection of a request, whatever is still to be sent."""
    abort = scope.get("state", {}).get(HANG_UP)
    if abort is not None:
        abort()
        await asyncio.sleep(0)  # lets the connection notice before its request is over


class Connection(HttpToolsProtocol):
    """HTTP connection with timeouts: `HEAD_SECONDS` for a head, `IDLE_SECONDS` for the next request, `STALL_SECONDS`
    for a reader.

    Bodies have timeouts in config/web/request_bodies.py. When `CONNECTIONS` are open, the one that has waited longest
    for its client makes room for the next.
    """

    running: RequestResponseCycle | None = None
    since = 0.0  # order of arrival: the loop's clock is the same for connections accepted at once
    number = 0
    unparsed = 0  # bytes not yet parsed as a head or a body
    head_timer: TimerHandle | None = None
    stall_timer: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since, self.number = self.loop.time(), next(NUMBERS)
        if self._make_room():
            self._await_head()
        else:
            self._refuse(*FULL)

    def connection_lost(self, exc: Exception | None) -> None:
        for cycle in (self.running, *(cycle for cycle, _app in self.pipeline)):
            if cycle and not cycle.response_complete:  # the latest request is not always the running one
                cycle.disconnected = True
                cycle.message_event.set()
        self._unset_keepalive_if_required()
        self._stop_waiting()
        self._reader_is_back()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.unparsed += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            self._part()
        elif self.unparsed > HEAD_LIMIT:
            self._refuse(*TOO_LONG)
        elif self._is_idle():
            self._await_head()

    def on_headers_complete(self) -> None:
        self.unparsed = 0
        self._stop_waiting()
        super().on_headers_complete()
        self.headers = []  # trailers of a body are not headers of its request

    def on_body(self, body: bytes) -> None:
        self.unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.unparsed = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()
        if self.transport.is_closing():
            self._part()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.stall_timer = self.loop.call_later(settings.STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._reader_is_back()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._part()

    def shutdown(self) -> None:
        """Shut down: a running page is finished, but slow bodies and live streams are not waited for."""
        if self.running is not None and self.running.scope.get("state", {}).get(ENDLESS):
            self.transport.close()
            self._part()
        elif not self._is_idle() and self.waits_for_client:
            self.transport.abort()
        else:
            super().shutdown()

    @property
    def waits_for_client(self) -> bool:
        """Whether the connection waits for the client to send something."""
        return self._is_idle() or (self.running is not None and self.running.more_body)

    def _is_idle(self) -> bool:
        return (self.running is None or self.running.response_complete) and not self.pipeline

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.running = cycle
        cycle.scope.setdefault("state", {})[HANG_UP] = self.transport.abort
        super()._start_asgi_task(cycle, app)

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore an upgrade to another protocol; the request is answered and is the last of the connection."""
        self.cycle.keep_alive = False

    def _await_head(self) -> None:
        if self.head_timer is None:
            self.head_timer = self.loop.call_later(settings.HEAD_SECONDS, self._head_overdue)

    def _stop_waiting(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None

    def _head_overdue(self) -> None:
        self.head_timer = None
        if not self.transport.is_closing() and self._is_idle():
            if self.unparsed:
                self._refuse(*TOO_SLOW)
            else:
                self.transport.close()
                self._part()

    def _reader_is_back(self) -> None:
        if self.stall_timer is not None:
            self.stall_timer.cancel()
            self.stall_timer = None

    def _make_room(self) -> bool:
        if len(self.connections) <= settings.CONNECTIONS:
            return True
        others = [one for one in self.connections if one is not self and not one.transport.is_closing()]
        if len(others) < settings.CONNECTIONS:
            return True
        waiting = [one for one in others if isinstance(one, Connection) and one.waits_for_client]
        if waiting:
            min(waiting, key=lambda one: (one.since, one.number)).transport.abort()
        return bool(waiting)

    def _refuse(self, status: int, said: str) -> None:
        """Close the connection with a short answer, unless one is being sent."""
        if self._is_idle():
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head % len(said) + said.encode())
        self.transport.close()
        self._part()

    def _part(self) -> None:
        """Abort the closed transport after a while: by itself it would wait for the client without end."""
        self.loop.call_later(PARTING, self.transport.abort)


log = logging.getLogger(__name__)
SPARE_FILES = 256  # for the database, the log, bodies and everything else beside connections


HUNG = 10  # seconds until a process that does not respond is replaced


def build_server(application: Any, *, patience: int = 3, begins: bool = False) -> uvicorn.Server:
    """Return a server for one process. `patience`: seconds for running pages when it stops. `begins`: use the lifespan
    protocol (`config.web.lifespan`).
    """
    return uvicorn.Server(_config(application, patience=patience, lifespan="on" if begins else "off"))


def servers(workers: int, door: socket.socket, *, patience: int = 3) -> Processes:
    """Return a manager of several processes on one socket. One that dies is replaced; SIGHUP renews all in turn."""
    return Processes(_config("config.asgi:application", patience=patience, lifespan="on", workers=workers), [door])


class Processes(Multiprocess):
    """uvicorn's process manager, which also logs deaths."""

    def run_well(self) -> bool:
        """Run until told to stop. Return False if the processes could not start."""
        self.run()
        return STARTUP_FAILURE not in {process.exitcode for process in self.processes}

    def keep_subprocess_alive(self) -> None:
        before = {process.pid for process in self.processes}
        super().keep_subprocess_alive()
        if lost := before - {process.pid for process in self.processes}:
            log.warning("A process died and was replaced: %s", ", ".join(map(str, sorted(filter(None, lost)))))


def _config(application: Any, *, patience: int, **more: Any) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        http=Connection,
        ws="none",
        log_level="error",
        log_config=None,  # config/ops/logs.py formats its lines
        access_log=False,  # config/web/access_log.py writes the access log
        server_header=False,
        proxy_headers=False,  # Django determines client address and scheme itself
        timeout_keep_alive=settings.IDLE_SECONDS,
        timeout_graceful_shutdown=patience,
        timeout_worker_healthcheck=HUNG,
        **more,
    )


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Its connections send small answers without delay (TCP_NODELAY)."""
    door = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048)
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio sets it only on sockets it has created
    return door


def raise_file_limit() -> None:
    """Raise the limit of open files as far as allowed, and lower the number of connections to fit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.CONNECTIONS + SPARE_FILES
    soft = max(soft, wanted if hard == resource.RLIM_INFINITY else min(wanted, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    settings.CONNECTIONS = max(1, min(settings.CONNECTIONS, soft - SPARE_FILES))

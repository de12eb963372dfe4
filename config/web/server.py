"""Server: uvicorn as Warhost runs it, with bounds on how long and how much a client may make it wait."""

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

HEAD_LIMIT = 65_536  # bytes of a request's head, of the trailers of a body, of what is no request at all
PARTING = 10  # seconds in which a client may fetch the last bytes of a connection that is being closed
ENDLESS = "endless"  # a door says so in scope["state"] when its answer has no end of its own
HANG_UP = "hang up"  # where scope["state"] says how the connection is ended

TOO_SLOW = 408, "The request did not arrive in time."
TOO_LONG = 431, "The head of the request is too large."
FULL = 503, "Too many connections. Try again in a moment."


NUMBERS = count()


async def hang_up(scope: Any) -> None:
    """End the connection of a request, whatever of its answer is still on the way."""
    abort = scope.get("state", {}).get(HANG_UP)
    if abort is not None:
        abort()
        await asyncio.sleep(0)  # the connection hears of it before its request is over


class Connection(HttpToolsProtocol):
    """Waits `HEAD_SECONDS` for a head, `IDLE_SECONDS` for the next request, `STALL_SECONDS` for a reader.

    Bodies are timed where they are read (config/web/request_bodies.py). When `CONNECTIONS` are open, the one that has
    kept us waiting longest makes room for the next.
    """

    running: RequestResponseCycle | None = None
    since = 0.0  # the loop's clock, which stands still for those it takes in at once
    number = 0
    unparsed = 0  # bytes that have not yet become a head or a body
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
            if cycle and not cycle.response_complete:  # the latest request is not always the one under way
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
        self.headers = []  # the trailers of a body are no headers of its request

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
        """A page under way is finished; nobody waits for a slow body or for the end of a live stream."""
        if self.running is not None and self.running.scope.get("state", {}).get(ENDLESS):
            self.transport.close()
            self._part()
        elif not self._is_idle() and self.waits_for_client:
            self.transport.abort()
        else:
            super().shutdown()

    @property
    def waits_for_client(self) -> bool:
        """Whether nothing can happen here before the client sends something."""
        return self._is_idle() or (self.running is not None and self.running.more_body)

    def _is_idle(self) -> bool:
        return (self.running is None or self.running.response_complete) and not self.pipeline

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.running = cycle
        cycle.scope.setdefault("state", {})[HANG_UP] = self.transport.abort
        super()._start_asgi_task(cycle, app)

    def _unsupported_upgrade_warning(self) -> None:
        """The request is answered as if it had not asked to speak another protocol, and is the last one."""
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
        """Close with a word, except in the middle of an answer."""
        if self._is_idle():
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head % len(said) + said.encode())
        self.transport.close()
        self._part()

    def _part(self) -> None:
        """A closed transport waits without end for a client that does not fetch the rest."""
        self.loop.call_later(PARTING, self.transport.abort)


log = logging.getLogger(__name__)
SPARE_FILES = 256  # for the database, the log, bodies and everything else that is no connection


HUNG = 10  # seconds after which a process that says nothing is replaced


def build_server(application: Any, *, patience: int = 3, begins: bool = False) -> uvicorn.Server:
    """`patience`: seconds a page under way is given when the server stops. `begins`: the application is told when the
    server begins and ends (`config.web.lifespan`).
    """
    return uvicorn.Server(_config(application, patience=patience, lifespan="on" if begins else "off"))


def servers(workers: int, door: socket.socket, *, patience: int = 3) -> Processes:
    """So many processes behind one door. One that dies is replaced; SIGHUP renews all in turn."""
    return Processes(_config("config.asgi:application", patience=patience, lifespan="on", workers=workers), [door])


class Processes(Multiprocess):
    """uvicorn's own, which says when one died."""

    def run_well(self) -> bool:
        """Until it is told to stop. False when its processes could not begin, however often one tried."""
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
        log_config=None,  # its lines are ours, too (config/ops/logs.py)
        access_log=False,  # config/web/access_log.py writes one
        server_header=False,
        proxy_headers=False,  # whom a request comes from and how is Django's to judge
        timeout_keep_alive=settings.IDLE_SECONDS,
        timeout_graceful_shutdown=patience,
        timeout_worker_healthcheck=HUNG,
        **more,
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. What it accepts sends small answers at once instead of waiting for an acknowledgement."""
    door = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048)
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio would only for a socket of its own making
    return door


def raise_file_limit() -> None:
    """As many open files as this process may have, and no more connections than fit into them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.CONNECTIONS + SPARE_FILES
    soft = max(soft, wanted if hard == resource.RLIM_INFINITY else min(wanted, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    settings.CONNECTIONS = max(1, min(settings.CONNECTIONS, soft - SPARE_FILES))

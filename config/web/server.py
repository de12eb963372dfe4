"""Server: uvicorn as Warhost runs it."""

from __future__ import annotations

import logging
import resource
import socket
from typing import Any

import uvicorn
from django.conf import settings
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from config.web.connections import Connection

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

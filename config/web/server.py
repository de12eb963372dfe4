"""uvicorn as Warhost runs it."""

from __future__ import annotations

import resource
import socket
from typing import Any

import uvicorn
from django.conf import settings

from config.web.connections import Connection

SPARE_FILES = 256  # for the database, the log, bodies and everything else that is no connection


def server(application: Any, *, patience: int = 3) -> uvicorn.Server:
    """`patience`: seconds a page under way is given when the server stops."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            http=Connection,
            ws="none",
            lifespan="off",
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # whom a request comes from and how is Django's to judge
            timeout_keep_alive=settings.IDLE_SECONDS,
            timeout_graceful_shutdown=patience,
        )
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

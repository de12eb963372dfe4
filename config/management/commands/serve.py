from __future__ import annotations

import os
import socket
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config import serving
from config.home import home


class Command(BaseCommand):
    help = "Migrates, prepares and serves Warhost. Ctrl-C or SIGTERM stops the server and the embedded database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")

    def handle(self, *, port: int, host: str, **options: Any) -> None:
        door = serving.claim_port(host, port)
        try:
            names = serving.welcome_network(host)
            serving.await_database(self.stdout.write)
            serving.prepare_database()
            password = serving.settle_in(self.stdout.write)
            serving.collect_static()
            self._greet(names, port, host, password)
            self._serve(door)
        except (KeyboardInterrupt, SystemExit):  # SIGINT, and SIGTERM as config.embedded turns it into an exit
            pass
        self.stdout.write("Warhost has stopped.")

    def _greet(self, names: list[str], port: int, host: str, password: str) -> None:
        self.stdout.write("Warhost is ready.")
        for name in names:
            self.stdout.write(f"  {'https' if settings.HTTPS else 'http'}://{name}:{port}/")
        if password:
            kept = home() / serving.FIRST_PASSWORD
            self.stdout.write(f"Sign in as {serving.GAME_MASTER} with the password {password} (kept in {kept}).")
        if host in serving.LOOPBACK:
            self.stdout.write("To let players on your network in: make run HOST=0.0.0.0")
        self.stdout.write("Stop with Ctrl-C.")
        self.stdout.flush()

    def _serve(self, door: socket.socket) -> None:
        serving.open_pool()
        import uvicorn

        from config.asgi import application  # after the static files are there: WhiteNoise lists them once

        server = uvicorn.Config(
            application,
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=settings.HTTPS,
            timeout_graceful_shutdown=3,
        )
        try:
            uvicorn.Server(server).run(sockets=[door])
        finally:
            serving.close_pool()

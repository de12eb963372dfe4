"""Command `serve`: starts the server."""

from __future__ import annotations

import os
import socket
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config.ops import serve
from config.ops.data_directory import get_home
from config.ops.infrastructure_errors import find_trouble
from config.ops.worker import daily, run_worker
from config.web.server import build_server, servers


class Command(BaseCommand):
    help = "Migrates, prepares and serves Warhost. Ctrl-C or SIGTERM stops the server and the embedded database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")
        parser.add_argument(
            "--workers",
            type=int,
            default=int(os.environ.get("WARHOST_WORKERS") or 1),
            help="processes behind the one port, best as many as there are cores",
        )

    def handle(self, *, port: int, host: str, workers: int, **options: Any) -> None:
        if workers < 1:
            raise CommandError("At least one process must serve: --workers 1 or more.")
        os.environ["HOST"] = host  # the server's processes read it from the environment
        door = serve.claim_port(host, port)
        try:
            names = serve.welcome_network(host)
            serve.await_database(self.stdout.write)
            serve.prepare_database()
            password = serve.settle_in(self.stdout.write)
            serve.collect_static()
            self._greet(names, port, host, password)
            self._serve(door, workers)
        except (
            KeyboardInterrupt,
            SystemExit,
        ):  # SIGINT, or SIGTERM, which config.ops.embedded_postgres turns into an exit
            pass
        except Exception as error:
            if trouble := find_trouble(error):
                raise CommandError(f"{trouble.words} ({error})") from error
            raise
        self.stdout.write("Warhost has stopped.")

    def _greet(self, names: list[str], port: int, host: str, password: str) -> None:
        self.stdout.write("Warhost is ready.")
        for address in serve.list_addresses(names, port):
            self.stdout.write(f"  {address}")
        if settings.HTTPS:
            self.stdout.write(f"It waits for its HTTPS proxy on {host} port {port}, in plain HTTP.")
        if password:
            kept = get_home() / serve.FIRST_PASSWORD
            self.stdout.write(f"Sign in as {serve.GAME_MASTER} with the password {password} (kept in {kept}).")
        if host in serve.LOOPBACK and not settings.HTTPS:
            self.stdout.write("To let players on your network in: make run HOST=0.0.0.0")
        self.stdout.write("Stop with Ctrl-C.")
        self.stdout.flush()

    def _serve(self, door: socket.socket, workers: int) -> None:
        if workers > 1:
            serve.share_out(workers, self.stdout.write)
            connections.close_all()
            with daily(), run_worker(settings.WORKS):
                well = servers(workers, door).run_well()
            if not well:
                raise CommandError("The processes that answer could not begin: see above.")
            return
        from config.asgi import application  # after collecting static files: WhiteNoise lists them once

        connections.close_all()
        with daily(), run_worker(settings.WORKS):
            build_server(application, begins=True).run(sockets=[door])

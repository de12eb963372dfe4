"""Command `worker`: runs queued tasks."""

from __future__ import annotations

import signal
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from battles.forecast import single_flight
from config.ops import serve
from config.ops.worker import HANDS, QueueWorker


class Command(BaseCommand):
    help = "Runs queued tasks: webhooks, mails, turns of the computer. Ctrl-C or SIGTERM stops it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hands", type=int, default=HANDS, help="tasks at once")

    def handle(self, *, hands: int, **options: Any) -> None:
        over = Event()
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, lambda *_: over.set())
        serve.await_database(self.stdout.write)
        self.stdout.write("Warhost works. Stop with Ctrl-C.")
        self.stdout.flush()
        QueueWorker(over, hands=max(1, hands)).work()
        single_flight.close()
        self.stdout.write("Warhost works no more.")

"""`python -m tests.benchmarks.load URL PATH CLIENTS SECONDS`: answers per second, each client on a connection it keeps.

A process of its own, so that clients and server do not share one interpreter.
"""

from __future__ import annotations

import sys
import threading
from time import perf_counter

from tests.config.web.wire import Wire


def rate(url: str, path: str, clients: int, seconds: float) -> float:
    counts = [0] * clients
    until = perf_counter() + seconds

    def work(number: int) -> None:
        with Wire(url) as wire:
            while perf_counter() < until:
                wire.ask(path)
                counts[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


if __name__ == "__main__":
    url, path, clients, seconds = sys.argv[1:]
    print(rate(url, path, int(clients), float(seconds)))

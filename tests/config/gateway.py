"""A gate between Warhost and its database: it can be shut, fall silent, or lose the answer to a COMMIT."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from typing import Self


class Gateway:
    """Listens on a port of this machine and passes everything on to a PostgreSQL's Unix socket, while it is open."""

    def __init__(self, target: str):
        self.target = target
        self.open = True  # shut, it refuses whoever knocks and drops whoever is in
        self.silent = False  # takes what is said and passes nothing on
        self.loses_commit = False  # the next COMMIT arrives, its answer does not
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self._done = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._welcome, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._done = True
        self._door.close()

    def _welcome(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                if self.open:
                    threading.Thread(target=self._serve, args=(client,), daemon=True).start()
                else:
                    client.close()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self.target)
            with suppress(OSError):
                while self.open and not self._done and self._pass_on(client, server):
                    pass

    def _pass_on(self, client: socket.socket, server: socket.socket) -> bool:
        ready = [] if self.silent else select.select([client, server], [], [], 0.02)[0]
        if self.silent:
            threading.Event().wait(0.02)
        for one, other in ((client, server), (server, client)):
            if one in ready:
                said = one.recv(65536)
                if not said:
                    return False
                other.sendall(said)
                if one is client and self.loses_commit and b"COMMIT" in said:
                    self.loses_commit = False
                    server.recv(65536)  # it is done, and nobody will hear of it
                    return False
        return True

"""Lifespan protocol (ASGI): the server tells the application in each process when it starts and ends."""

from __future__ import annotations

import asyncio
import gc
import logging
from typing import Any

from config.ops import serve

log = logging.getLogger(__name__)


async def application(scope: Any, receive: Any, send: Any) -> None:
    while (await receive())["type"] == "lifespan.startup":
        try:
            await asyncio.to_thread(serve.begin)
            freeze_memory()
        except Exception as error:
            log.exception("This process cannot begin.")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
    await asyncio.to_thread(serve.end)
    await send({"type": "lifespan.shutdown.complete"})


def freeze_memory() -> None:
    """Leave what exists now out of every later garbage collection: modules and templates stay until the end, and
    looking through all of them would stop requests for a quarter of a second.
    """
    gc.collect()
    gc.freeze()

"""What a process does when it has begun."""

from __future__ import annotations

import gc

from config.web.lifespan import freeze_memory


def test_what_exists_at_the_start_is_left_out_of_later_collections() -> None:
    freeze_memory()
    try:
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()

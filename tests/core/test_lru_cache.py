"""What a process keeps stays within its bounds."""

from __future__ import annotations

from core.request_memo import LRUCache


def test_what_was_asked_for_last_is_kept_and_no_more_than_there_is_room_for():
    kept: LRUCache[str, str] = LRUCache(3)
    for name in "abc":
        kept.keep(name, name)
    assert kept.get("a") == "a"
    kept.keep("d", "d")
    assert [name for name in "abcd" if kept.get(name)] == ["a", "c", "d"]
    assert len(kept) == 3
    kept.clear()
    assert kept.get("d") is None

"""What a process keeps stays within its bounds."""

from __future__ import annotations

from core.lru_cache import LRUCache


def test_the_latest_are_kept_and_no_more_than_there_is_room_for():
    kept: LRUCache[str, str] = LRUCache(3)
    for name in "abcd":
        kept.keep(name, name)
    assert [*kept.copy()] == ["b", "c", "d"]


def test_all_together_weigh_no_more_than_they_may():
    kept: LRUCache[str, str] = LRUCache(10, heaviest=10, weight=len)
    kept.keep("small", "ab"), kept.keep("large", "abcdefgh")
    assert [*kept.copy()] == ["small", "large"]
    kept.keep("more", "a")
    assert [*kept.copy()] == ["large", "more"]
    kept.keep("large", "a")
    kept.keep("again", "abcdefgh")
    assert [*kept.copy()] == ["more", "large", "again"]


def test_what_is_heavier_than_all_may_be_is_not_kept_and_what_is_forgotten_weighs_nothing():
    kept: LRUCache[str, str] = LRUCache(10, heaviest=3, weight=len)
    kept.keep("too heavy", "abcd")
    assert len(kept) == 0
    kept.keep("one", "abc")
    kept.clear()
    kept.keep("two", "abc")
    assert [*kept.copy()] == ["two"]

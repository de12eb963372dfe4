"""What every test may ask for; the browser's fixtures are in tests/browsing.py."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import resvg_py
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.template.backends import jinja2
from django.test.signals import template_rendered
from django.utils import translation
from hypothesis import HealthCheck, settings

from kingdom import contributions
from kingdom.models import base
from rules.odds.tasks import ONE_CORE

os.environ.update(dict.fromkeys(ONE_CORE, "1"))  # the other cores have tests of their own

pytest_plugins = [
    "tests.everyday",
    "tests.chance",
    "tests.browsing",
    "tests.databases",
    "tests.worlds",
    "tests.meanwhile",
]

settings.register_profile("dev", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("dev"), max_examples=10, derandomize=True, database=None)
settings.register_profile("full", settings.get_profile("dev"), max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: some test always waits for a browser or for a server that starts."""
    return (os.cpu_count() or 1) + 1


SLOW_MOST = 3600
"""Seconds a slow test may take; pyproject.toml says it for the others."""


class Failures:
    """Tells of each failure when it happens: a long run that is broken off has told what it knew."""

    def __init__(self, config: pytest.Config):
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            terminal.write(f"\n{report.nodeid} failed ({report.when})\n")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Failures(config))


FAILED_BY_THE_BROWSER = ["TargetClosedError", r"to be visible, enabled and stable\s*$"]
"""Errors after which a test is tried again: its browser was ended since it answered nothing any more, or it drew no
frame, in which an element could stand still to be clicked (tests/browsing.py). Only tests with a browser are marked:
each marked test asks the distributing process how often it was tried, and waits for the answer.
"""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits most comes first: one worker has it, and the others have the rest. A slow test has more time."""
    items.sort(key=lambda item: not _waits(item))
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_MOST))
        if _has_browser(item):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=FAILED_BY_THE_BROWSER))


def _waits(item: pytest.Item) -> bool:
    return _has_browser(item) or hasattr(getattr(item, "module", None), "House")


def _has_browser(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is loaded by now stays: the collector need not look at it again after every few hundred objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(300_000, 20, 100)


def pytest_unconfigure() -> None:
    """At the end pytest collects five times what nobody needs any more: three seconds a worker."""
    gc.freeze()


class _ToldOf(jinja2.Template):
    """What is drawn by Jinja2 is told to the test's client, as Django tells it of its own: `response.context`."""

    def render(self, context=None, request=None):
        known = {} if context is None else context
        drawn = super().render(known, request)
        template_rendered.send(sender=self, template=self, context=known)
        return drawn


@pytest.fixture(autouse=True, scope="session")
def _pieces_are_told_of() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2, "Template", _ToldOf)
        yield


@pytest.fixture(autouse=True, scope="session")
def _static_addresses_are_kept() -> Iterator[None]:
    """A page names thirty files. The address of each is put together once, not for each page of each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesStorage, "url", cache(StaticFilesStorage.url))
        yield


@pytest.fixture(autouse=True, scope="session")
def _pictures_are_kept() -> Iterator[None]:
    """The points of a drawing are reckoned once, however many people it is sent to."""
    drawn: dict[str, Any] = {}
    whole = resvg_py.svg_to_bytes

    def points(**given: Any) -> Any:
        asked = repr(given)
        if asked not in drawn:
            drawn[asked] = whole(**given)
        return drawn[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resvg_py, "svg_to_bytes", points)
        yield


@pytest.fixture
def contribute(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Instead of what the house has in these fields, it has this until the test is over: `contribute(slots=[])`."""

    def replaced(**fields: Any) -> None:
        whole = replace(contributions.contributed(), **fields)
        monkeypatch.setattr(contributions, "_merge", lambda: whole)

    return replaced


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """What a test left behind it in this process and the next one must not see."""
    translation.deactivate()  # a page asked for in French leaves the thread speaking French
    # Ids made under a clock set forward sort after those that other workers make later.
    if base._last >> 74 > time.time_ns() // 1_000_000:
        base._last = 0

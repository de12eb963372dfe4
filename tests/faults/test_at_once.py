"""The same thing by many at the same moment: it is done once, and everybody is told so."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

import pytest

from tests.faults.report import rounds, spread, told
from tests.faults.site import Site, at_once

pytestmark = pytest.mark.slow
THREADS, PHASES = 20, 100
KEYED, KEYS = 50, 10


def test_twenty_resolve_one_phase_and_it_is_resolved_once(site: Site) -> None:
    battle, statuses, seconds = site.battle(), Counter[int](), []
    for _round in range(rounds(PHASES)):
        version = site.version(battle)
        answers = at_once(THREADS, lambda _each, version=version: site.command(battle, "resolve", version))
        statuses.update(answer.status for answer in answers)
        seconds += [answer.seconds for answer in answers]
        assert sum(answer.status == 200 for answer in answers) == 1
        assert site.version(battle) == version + 1
        assert site.command(battle, "undo", version + 1).status == 200
    told(
        "twenty resolve one phase", rounds=rounds(PHASES), done=statuses[200], told_so=statuses[412], **spread(seconds)
    )
    assert statuses == {200: rounds(PHASES), 412: rounds(PHASES) * (THREADS - 1)}


def test_one_key_fifty_times_at_once_is_one_deed(site: Site) -> None:
    seconds = []
    for number in range(rounds(KEYS)):
        body, key = {"name": f"Once {number}", "ruleset": "combat-de-masse"}, uuid4().hex
        answers = at_once(KEYED, lambda _each, body=body, key=key: site.post("campaigns/", body, key))
        assert {answer.status for answer in answers} == {201}
        assert len({answer.json["id"] for answer in answers}) == 1
        seconds += [answer.seconds for answer in answers]
    names = [one["name"] for one in site.json("campaigns/?limit=200")["results"]]
    assert [names.count(f"Once {number}") for number in range(rounds(KEYS))] == [1] * rounds(KEYS)
    told("one key fifty times at once", rounds=rounds(KEYS), deeds=rounds(KEYS), **spread(seconds))

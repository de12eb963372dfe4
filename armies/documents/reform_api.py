"""API of reformed armies with a declared document: divide and combine (C-9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from armies.documents.reform_queries import law_of
from armies.documents.reform_services import (
    FormedHost,
    ReformedPart,
    TakenTroops,
    preview_reform,
    reform_armies,
)
from armies.models import Army
from armies.reform.api import (
    PartInputBase,
    PartRead,
    ReformedBase,
    ReformInputBase,
    describe_plan,
    find_named,
    read_request,
)
from armies.reform.plans import MOST_ARMIES
from core.api.serializers import Input
from core.text import render
from kingdom.api.fields import WholeField
from kingdom.models import User
from rules.movable_entries import MOVES_MOST

PART_MOST = 60


class TakenTroopsInput(Input):
    """Troops that an army takes from another (`army`): the entry at the place `entry`, from 0, of its list `part`
    (`units`, `troops`, `characters`). `heads`: how many, where the ruleset counts them; without it all.
    """

    army = serializers.UUIDField()
    part = serializers.CharField(max_length=PART_MOST)
    entry = WholeField(min_value=0)
    heads = WholeField(required=False, allow_null=True)


class ReformedPartInput(PartInputBase):
    """An army that takes troops. `army`: one of those that take part; without it a new army with this `name`.
    `commander`: the commander of one of the armies.
    """

    takes = serializers.ListField(child=TakenTroopsInput(), required=False, max_length=MOVES_MOST)


class HostReformInput(ReformInputBase):
    """`armies` take part besides this one. Without `parts` they are combined into this army. What nobody takes stays
    where it is; an army with nothing left is dissolved.

    To confirm, send the `mark` of the preview: 428 without it, 412 if the preview would differ by now.
    """

    parts = serializers.ListField(child=ReformedPartInput(), required=False, max_length=MOST_ARMIES)


class FormedHostSerializer(serializers.Serializer):
    """An army as it comes of it. `army`: null for a new one in a preview. `troops`: its troops in words."""

    army = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()
    commander = serializers.UUIDField(allow_null=True)
    health = serializers.IntegerField()
    health_max = serializers.IntegerField()
    upkeep = serializers.IntegerField(help_text="BP a week")
    troops = serializers.ListField(child=serializers.CharField())


class HostReformedSerializer(ReformedBase):
    """Result of reforming the armies. `gone`: armies that are dissolved. `freed`: commanders left without an army."""

    armies = FormedHostSerializer(many=True)


def answer_reform(by: User, army: Army, given: Mapping[str, Any], mark: str | None) -> tuple[dict[str, Any], str]:
    """Previews the reform, or carries it out if a mark is given. Returns the response body and the mark. Raises
    `NotVisible` with the pointer.
    """
    asked = read_request(by, army, given, _read_part)
    plan = preview_reform(**asked) if mark is None else reform_armies(by=by, mark=mark, **asked)
    return dict(HostReformedSerializer(describe_plan(plan, _describe)).data), plan.mark


def _read_part(whom: PartRead[Army], given: Mapping[str, Any], at: str) -> ReformedPart:
    taken = [
        TakenTroops(
            find_named(whom.armies, one["army"], f"{at}/takes/{number}/army"),
            one["part"],
            one["entry"],
            one.get("heads"),
        )
        for number, one in enumerate(given.get("takes", []))
    ]
    return ReformedPart(whom.army, whom.name, whom.commander, tuple(taken))


def _describe(one: FormedHost) -> dict[str, Any]:
    labels = law_of(one.like.campaign).label_entries(one.sheet)
    return {
        "health": one.measure.fit,
        "health_max": one.measure.health,
        "upkeep": one.measure.upkeep,
        "troops": [render(label) for told in labels.values() for label in told],
    }

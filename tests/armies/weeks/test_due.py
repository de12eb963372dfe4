"""What is said to be due this week is what the week takes, under every ruleset that pays armies (C-5, B-69).

Mass combat has a test of its own: `tests/armies/pathfinder/weeks/test_foretold.py`.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from armies.breaking_point.weeks.weeks import outlook_of
from armies.models import Army
from armies.weeks.queries import list_due
from armies.weeks.services import confirm_time
from core.text import render
from kingdom.models import Campaign, Kingdom, Membership
from kingdom.realms import treasury_services
from tests.armies.weeks.conftest import now
from tests.everyday import at_most
from tests.kingdom.conftest import make_user

DOCUMENTS = ("wing-command", "thucidide-fantasy")
BREAKING_POINT = "breaking-point"
armies = st.lists(
    st.fixed_dictionaries(
        {
            "status": st.sampled_from(["ready", "ready", "routed", "disbanded"]),
            "upkeep": st.sampled_from([0, 1, 4, 9]),
            "health": st.sampled_from([0, 5, 9]),
        }
    ),
    max_size=4,
)
kingdoms = st.fixed_dictionaries(
    {
        "day": st.integers(0, 13),
        "pays": st.booleans(),
        "free": st.sampled_from([False, False, True]),
        "treasury": st.sampled_from([0, 3, 200]),
        "armies": armies,
    }
)


def founded(law: str, drawn: dict[str, Any], gm: Any) -> Kingdom:
    """A kingdom with armies that have no troops any more, but still cost what is drawn."""
    pays = int(drawn["pays"]) if law == BREAKING_POINT else drawn["pays"]
    campaign = Campaign.objects.create(name="C", ruleset=law, day=drawn["day"], house_rules={"upkeep": pays})
    Membership.objects.create(campaign=campaign, user=gm, role="gm")
    kingdom = Kingdom.objects.create(campaign=campaign, name="K", without_treasury=drawn["free"])
    if drawn["treasury"]:
        treasury_services.append(
            kingdom=kingdom, amount=drawn["treasury"], reason="Found", source="manual", by=gm, day=0
        )
    for number, figures in enumerate(drawn["armies"]):
        common = {"campaign": campaign, "kingdom": kingdom, "sheet": {"units": []}, "health_max": 9}
        Army.objects.create(name=f"A{number}", **common, **figures)
    return now(kingdom)


def spent_in_the_week(kingdom: Kingdom, gm: Any) -> int:
    campaign = Campaign.objects.get(pk=kingdom.campaign_id)
    confirm_time(by=gm, campaign=campaign, days=campaign.days_to_upkeep)
    return kingdom.treasury - now(kingdom).treasury


class WhatIsDueIsTaken(TestCase):
    @settings(max_examples=at_most(4, full=settings.default.max_examples // 2))
    @given(kingdoms, st.sampled_from(DOCUMENTS))
    def test_c5_under_laws_of_documents(self, drawn, law):
        gm = make_user("gm")
        kingdom = founded(law, drawn, gm)
        due = [render(line.text) for line in list_due(gm, kingdom.campaign) if line.rule == "C-5"]
        standing = [one["upkeep"] for one in drawn["armies"] if one["status"] != "disbanded"]
        owed = sum(standing) if drawn["pays"] and not drawn["free"] else 0
        assert [f"Army upkeep: {owed} BP" in text for text in due] == ([True] if owed else [])
        assert spent_in_the_week(kingdom, gm) == min(owed, drawn["treasury"])

    @settings(max_examples=at_most(4, full=settings.default.max_examples // 2))
    @given(kingdoms)
    def test_b69_under_breaking_point(self, drawn):
        gm = make_user("gm")
        kingdom = founded(BREAKING_POINT, drawn, gm)
        outlook = outlook_of(kingdom)
        assert spent_in_the_week(kingdom, gm) == min(outlook.upkeep, drawn["treasury"])

"""What is said to be due this week is what the week takes, under every ruleset that pays armies (C-5, B-69).

Mass combat has a test of its own: `tests/armies/pathfinder/weeks/test_foretold.py`.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from armies.breaking_point.weeks.weeks import outlook_of
from armies.models import Army
from armies.weeks.queries import list_due
from armies.weeks.services import confirm_time
from core.text import load_said, render
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, Kingdom, Membership
from kingdom.realms import treasury_services
from tests.armies.weeks.conftest import now
from tests.everyday import at_most
from tests.kingdom.conftest import client_of, make_user

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


@pytest.mark.django_db
@pytest.mark.parametrize(("treasury", "paid"), [(3, 3), (0, 0)])
@pytest.mark.parametrize("law", DOCUMENTS)
def test_c5_what_could_not_be_paid_stands_in_the_chronicle_and_ledger(law, treasury, paid):
    gm = make_user("gm")
    army = {"status": "ready", "upkeep": 9, "health": 9}
    kingdom = founded(law, {"day": 0, "pays": True, "free": False, "treasury": treasury, "armies": [army]}, gm)
    told = f"Army upkeep: {paid} of 9 BP"
    entry = confirm_time(by=gm, campaign=kingdom.campaign, days=7)
    labels = [render(load_said(change["label"])) for change in entry.changes if change["field"] == "treasury"]
    assert labels == [told]
    reasons = [render(load_said(line.reason)) for line in kingdom.ledger.all()]
    assert (told in reasons) == bool(paid)
    page = client_of(gm).get(reverse("kingdom:entry", args=[kingdom.campaign.pk, entry.pk])).content.decode()
    assert told in page
    undo_last(by=gm, campaign=kingdom.campaign)
    assert Kingdom.objects.get().treasury == treasury

"""Every address of a law's example campaign answers its GM: those of the API, and in the full run pages, too."""

from __future__ import annotations

import pytest

from kingdom.onboarding import checklist
from tests.everyday import at_most
from tests.kingdom.archive.pages import broken_pages
from tests.kingdom.conftest import make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("law", ["combat-de-masse", "breaking-point", "wing-command", "thucidide-fantasy"])
def test_no_address_of_an_example_campaign_fails(db, law):
    gm = make_user("gm")
    campaign = checklist.make(owner=gm, law=law)
    assert broken_pages(gm, campaign, at_most(1, full=None), at_most("/api/", full="/")) == []

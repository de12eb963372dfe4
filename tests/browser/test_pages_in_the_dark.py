"""The pages no other test here opens: each once in the dark, in French, on the narrowest phone there is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from armies.models import Army
from battles.models import Battle
from kingdom.accounts.services import create_token
from kingdom.members.services import invite
from kingdom.models import CampaignImport, WebhookAttempt
from kingdom.realms.planned_services import plan_line
from kingdom.realms.services import found_settlement
from kingdom.realms.treasury_services import record_entry
from kingdom.sharing.services import create_share
from kingdom.webhooks.services import create_webhook, send_test
from tests.browsing import NARROW, overflow
from tests.everyday import at_most

UNFOLD = "document.querySelectorAll('main details:not(.menu)').forEach((one) => { one.open = true; })"


def fill(table: Any, settled: Battle) -> Iterator[tuple[str, str]]:
    """The address of each page, and what somebody has left there. The last one is looked at every day on a phone
    (test_aftermath_page.py).
    """
    gm, campaign, crown = table.gm, table.campaign, table.crown
    here = f"/c/{campaign.pk}"
    yield "/", ".card .badge"
    invite(by=gm, campaign=campaign, role="player", uses=2)
    yield f"{here}/members/", "[id^='link-']"
    plan_line(by=gm, kingdom=crown, name="Tolls", amount=3)
    record_entry(by=gm, kingdom=crown, amount=-5, reason="Roads")
    yield f"/kingdoms/{crown.pk}/ledger/", "#planned table"
    yield "/find/?q=ironwatch", "a[href^='/armies/']"
    yield f"{here}/units/", "table"
    yield "/account/", "form"
    create_token(by=gm, name="Dice bot")
    yield "/tokens/", "table"
    create_share(by=gm, campaign=campaign, kind="kingdom", thing=crown.pk)
    yield f"{here}/shares/", "table"
    told = {"url": "https://1.1.1.1/", "events": ["battle.ended"], "origin": "https://example.com"}
    hook = create_webhook(by=gm, campaign=campaign, **told).webhook
    sent = send_test(by=gm, webhook=hook)
    WebhookAttempt.objects.create(
        campaign=campaign, delivery=sent, trouble="refused", status=500, answer="No room.", milliseconds=9
    )
    yield f"{here}/webhooks/", f"a[href='/webhooks/{hook.pk}/']"
    yield f"/webhooks/{hook.pk}/", f"#delivery-{sent.pk} details"
    yield f"{here}/tables/armies/", "form"
    yield "/campaigns/import/", "form"
    failed = {"state": "failed", "faults": [("/campaign/name", "A name is missing.")]}
    yield f"/campaigns/import/{CampaignImport.objects.create(owner=gm, **failed).pk}/", "li"
    yield f"{here}/map/sheet/", "form"
    yield f"/settlements/{found_settlement(by=gm, kingdom=crown, name='Quay').pk}/", "form"
    Army.objects.filter(pk=table.spare.pk).update(status=Army.Status.DEFEATED)
    yield f"{here}/armies/?state=all", "tr.fallen"
    yield f"/battles/{settled.pk}/aftermath/", "#undo-aftermath"


def test_each_of_these_pages_is_accessible_and_fits(table, settled, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=NARROW, language="fr", dark=True)
    sign_in(page, table.gm)
    faults = []
    for number, (address, left) in enumerate(islice(fill(table, settled), at_most(16, full=17))):
        page.goto(address)
        assert page.locator(f"main {left}").count(), address
        page.evaluate(UNFOLD)
        shoot(page, f"dark-{number}")
        if (more := overflow(page)) > 0:
            faults.append(f"{address}: {more} px too wide")
        faults += [f"{address}: {fault}" for fault in accessibility(page)]
    assert faults == []

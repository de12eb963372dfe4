"""An army that was requested in vain opens the form again, filled with what was asked."""

from __future__ import annotations

import re

import pytest

from armies.forces.services import raise_army
from kingdom.access.decorators import ApprovalRequested
from kingdom.approvals.services import withdraw_request
from kingdom.campaign.services import update_campaign
from kingdom.models import ApprovalRequest, Campaign, Kingdom
from tests.kingdom.conftest import client_of
from tests.rulesets.drivers import driver_of, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["wing-command", "breaking-point", "thucidide-fantasy"])
def table(request, db):
    return table_of(driver_of(request.param))


def test_the_form_opens_with_what_was_asked(table):
    update_campaign(by=table.gm, campaign=Campaign.objects.get(pk=table.campaign.pk), players_may={"raise": "ask"})
    sheet = {name: value for name, value in table.watch.sheet.items() if name != "version"}
    with pytest.raises(ApprovalRequested) as asked:
        raise_army(by=table.ana, kingdom=Kingdom.objects.get(pk=table.crown.pk), name="Second watch", sheet=sheet)
    petition = ApprovalRequest.objects.get(pk=asked.value.petition.pk)
    form, ana = f"/kingdoms/{table.crown.pk}/armies/new/?request={petition.pk}", client_of(table.ana)
    assert ana.get(form).status_code == 404, "it waits"
    withdraw_request(by=table.ana, petition=petition)
    assert form in ana.get(f"/requests/{petition.pk}/").content.decode()
    markup = ana.get(form).content.decode()
    assert re.search(r'name="name"[^>]*value="Second watch"', markup)
    shown = ana.get(f"/armies/{table.watch.pk}/edit/").content.decode()
    count = [page.count('name="copy"') for page in (markup, shown)]
    assert count[0] == count[1] > 0, "as many entries as asked"
    assert client_of(table.gm).get(form).status_code == 404, "somebody else’s"
    assert client_of(table.bo).get(form).status_code == 403
    assert ana.get(form.replace(str(petition.pk), "x")).status_code == 404

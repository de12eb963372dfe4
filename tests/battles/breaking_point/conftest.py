"""The demonstration campaign of breaking points, with two players at it."""

from types import SimpleNamespace
from typing import Any

from armies.breaking_point.models import SiegeRow
from battles.breaking_point.demo import DRELEV, MIVON, load_demo
from battles.models import Battle
from kingdom.realms.services import assign_player
from tests.kingdom.conftest import client_of, make_user, seat
from tests.worlds import built_once


@built_once
def river(db) -> Any:
    return at_the_river()


def at_the_river() -> SimpleNamespace:
    """`bridge`, `orbit` and `siege`; `dru` plays Drelev, `miv` Mivon; `as_(user)` is a client signed in."""
    gm = make_user("gm")
    campaign = load_demo(owner=gm)
    dru, miv = seat(gm, campaign, make_user("dru"), "player"), seat(gm, campaign, make_user("miv"), "player")
    drelev, mivon = campaign.kingdoms.get(name=DRELEV), campaign.kingdoms.get(name=MIVON)
    assign_player(by=gm, kingdom=drelev, player=dru)
    assign_player(by=gm, kingdom=mivon, player=miv)
    named = {army.name: army for army in drelev.armies.all() | mivon.armies.all()}
    return SimpleNamespace(
        gm=gm, dru=dru, miv=miv, campaign=campaign,
        bridge=Battle.objects.get(name="Sellen bridge"), orbit=Battle.objects.get(name="Above the third moon"),
        siege=SiegeRow.objects.get(campaign=campaign), host=named["Host of Fort Drelev"],
        swords=named["Swordlords of Mivon"],
        home=named["Home fleet"], raiders=named["Corsairs of the deep"], as_=client_of,
    )  # fmt: skip

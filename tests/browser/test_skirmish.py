"""A skirmish in a browser: set up, played and answered on the board, by mouse, keyboard and thumb."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from playwright.sync_api import Page

from battles.models import Battle
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.browsing import PHONE
from tests.rulesets.drivers import table_of
from tests.rulesets.skirmish.driver import DRIVER as hexes
from tests.worlds import built_once


@built_once
def field(transactional_db) -> SimpleNamespace:
    return table_of(hexes)


@built_once
def fresh(field) -> Battle:
    found = opened(field).battle
    assert found
    return found


@built_once
def placed(field, fresh) -> Battle:
    play(Client(field.gm, fresh), hexes.before_orders(field)[:-1])
    return fresh


@built_once
def met(field, fresh) -> Battle:
    """The riders of the raiders have come near; the watch is to act."""
    play(Client(field.gm, fresh), hexes.before_dice(field))
    return fresh


def test_look(server, open_page, sign_in, field, fresh, shoot):
    gm = Client(field.gm, fresh)
    address = f"/battles/{fresh.pk}/"
    errors: list[str] = []

    def opened_by(user: Any, **more: Any) -> Page:
        page = open_page(**more)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        sign_in(page, user)
        page.goto(address)
        return page

    ana, phone, gmp = opened_by(field.ana), opened_by(field.ana, viewport=PHONE), opened_by(field.gm)
    shoot(ana, "sk-setup-ana")
    shoot(phone, "sk-setup-phone")
    shoot(gmp, "sk-setup-gm")
    play(gm, hexes.before_orders(field)[:8])
    ana.goto(address)
    shoot(ana, "sk-setup-ana-placed")
    phone.goto(address)
    shoot(phone, "sk-setup-phone-placed")
    play(gm, [*hexes.before_orders(field)[8:], hexes.own(field), hexes.theirs(field)])
    ana.goto(address)
    shoot(ana, "sk-none")
    phone.goto(address)
    shoot(phone, "sk-phone-none")
    unit = hexes.unit(field.watch, "R1").rpartition(":")[2]
    foe = hexes.unit(field.raiders, "R1").rpartition(":")[2]
    ana.goto(f"{address}?unit={unit}")
    shoot(ana, "sk-unit")
    phone.goto(f"{address}?unit={unit}")
    shoot(phone, "sk-phone-unit")
    ana.goto(f"{address}?unit={unit}&target={foe}")
    shoot(ana, "sk-target")
    phone.goto(f"{address}?unit={unit}&target={foe}")
    shoot(phone, "sk-phone-target")
    dark = opened_by(field.ana, dark=True)
    dark.goto(f"{address}?unit={unit}&target={foe}")
    shoot(dark, "sk-target-dark")
    bo = opened_by(field.bo)
    shoot(bo, "sk-bo-waits")
    fr = opened_by(field.ana, language="fr")
    fr.goto(f"{address}?unit={unit}&target={foe}")
    shoot(fr, "sk-target-fr")
    gm.ok(**hexes.thrown(field), dice=hexes.face(field.watch, "R1", 4))
    bo.goto(address)
    shoot(bo, "sk-asked")
    phone_bo = opened_by(field.bo, viewport=PHONE)
    shoot(phone_bo, "sk-phone-asked")
    ana.goto(address)
    shoot(ana, "sk-ana-waits")
    gm.ok(**hexes.answer(field.raiders, "R1", "F4"))
    rest = hexes.act(field.raiders, "R2", "F6", hexes.unit(field.watch, "R1"))
    gm.ok(**rest, dice=hexes.face(field.raiders, "R2", 1))
    gm.ok(type="end", winner=0, reason="Night falls")
    ana.goto(f"{address}")
    shoot(ana, "sk-over")
    ana.goto(f"{address}aftermath/")
    shoot(ana, "sk-aftermath")
    ana.goto(f"{address}replay/?step=16")
    shoot(ana, "sk-replay")
    ana.goto(f"{address}order-of-battle/")
    shoot(ana, "sk-print")
    ana.goto(f"{address}report/")
    shoot(ana, "sk-report")
    print(errors)

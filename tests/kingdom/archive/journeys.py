"""Documents of campaigns, taken along and brought in, and what makes two of them the same."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from armies.forces.services import reveal_army
from armies.models import Army
from armies.weeks.services import confirm_time
from battles.codec import storage
from battles.log.queries import check_replay
from battles.models import Battle
from battles.play.battle_state import get_engine, refold
from kingdom.archive.export_rows import write_document
from kingdom.archive.services import Arrival, import_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, Note, User
from kingdom.notes.queries import get_thing_for
from kingdom.notes.services import delete_note, edit_note, write_note
from kingdom.notes.targets import make_ref
from kingdom.realms.planned_services import plan_line
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import Refusal

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def taken_along(campaign: Campaign, *, named: bool = False) -> dict[str, Any]:
    return json.loads(b"".join(write_document(campaign, named=named)))


def bring_in(by: User, document: Any) -> Arrival:
    return import_campaign(by=by, file=io.BytesIO(json.dumps(document).encode()))


def but_for_ids(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its ids numbered as they come. Rows without an id of their own have no order to keep."""
    numbers: dict[str, str] = {}
    told = json.dumps({name: value for name, value in document.items() if name != "written_at"})
    found = json.loads(ID.sub(lambda one: numbers.setdefault(one[0], f"#{len(numbers)}"), told))
    for name, rows in document["tables"].items():
        if rows and "id" not in rows[0]:
            found["tables"][name] = sorted(found["tables"][name], key=json.dumps)
    return found


def live(gm: User, campaign: Campaign, weeks: int, chance: Random) -> Campaign:
    """Let these weeks pass at random: what the law refuses is not done."""
    for _week in range(weeks):
        for _deed in range(chance.randint(2, 6)):
            with suppress(Refusal):
                chance.choice(DEEDS)(gm, Campaign.objects.get(pk=campaign.pk), chance)
        campaign = Campaign.objects.get(pk=campaign.pk)
        with suppress(Refusal):
            confirm_time(by=gm, campaign=campaign, days=chance.choice([3, 7, 7, 7]), lenient=True)
    return Campaign.objects.get(pk=campaign.pk)


def _one(rows: Any, chance: Random) -> Any:
    return chance.choice(list(rows.order_by("pk")))


def _pay(gm: User, campaign: Campaign, chance: Random) -> None:
    kingdom = _one(campaign.kingdoms, chance)
    record_entry(by=gm, kingdom=kingdom, amount=chance.choice([-3, 5, 40]), reason="Trade “and” <b>more</b>")


def _plan(gm: User, campaign: Campaign, chance: Random) -> None:
    plan_line(by=gm, kingdom=_one(campaign.kingdoms, chance), name="Tribute", amount=chance.randint(1, 5))


def _write(gm: User, campaign: Campaign, chance: Random) -> None:
    army = _one(Army.objects.filter(campaign=campaign), chance)
    text = f"@{army.name} was seen: [here](/armies/{army.pk}/)\n\n<script>alert(1)</script>"
    audience = chance.choice(["public", "gm", f"kingdom:{army.kingdom_id}"])
    write_note(by=gm, about=get_thing_for(gm, make_ref("army", army.pk)), text=text, audience=audience)


def _rewrite(gm: User, campaign: Campaign, chance: Random) -> None:
    for note in Note.objects.filter(campaign=campaign, deleted_at=None)[:1]:
        if chance.random() < 0.5:
            edit_note(by=gm, note=note, text=f"{note.text}\n\nMore of it.")
        else:
            delete_note(by=gm, note=note)


def _reveal(gm: User, campaign: Campaign, chance: Random) -> None:
    reveal_army(by=gm, army=_one(Army.objects.filter(campaign=campaign), chance), revealed=chance.random() < 0.5)


def _undo(gm: User, campaign: Campaign, chance: Random) -> None:
    undo_last(by=gm, campaign=campaign)


DEEDS: list[Callable[[User, Campaign, Random], None]] = [_pay, _pay, _plan, _write, _write, _rewrite, _reveal, _undo]


def differences(one: Any, other: Any, at: str = "") -> list[str]:
    """Where two documents differ, the first few places."""
    if one == other:
        return []
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [found for name in one for found in differences(one[name], other[name], f"{at}/{name}")][:5]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [found for place, (a, b) in pairs for found in differences(a, b, f"{at}/{place}")][:5]
    return [f"{at}: {str(one)[:300]} ≠ {str(other)[:300]}"]


def same_battle(here: Battle, there: Battle) -> None:
    """Holds that a battle that was brought in stands as the one that was taken along, and replays."""
    assert check_replay(there).identical
    assert (there.version, there.status) == (here.version, here.status)
    assert _as_it_stands(there) == _as_it_stands(here)


def _as_it_stands(battle: Battle) -> str:
    """All that makes its state, from its records, ids numbered as they come."""
    engine, numbers = get_engine(battle), dict[str, str]()
    told = json.dumps(storage.get_keeper(engine).dump_frozen(engine.freeze(refold(battle))), default=str)
    return ID.sub(lambda one: numbers.setdefault(one[0], f"#{len(numbers)}"), told)

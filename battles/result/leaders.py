"""Leaders in a finished battle, and their fates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from battles.field.field_ui import FieldAsked
from battles.models import Battle
from battles.setup.page import pick_colour
from kingdom.models import ChronicleEntry
from rules.core.text import Said, Term, _, say
from rules.law import AFTERMATH, Combatant

FALLEN, UNHURT, FATE_OPEN = _("fallen"), _("unhurt"), _("fate open")
SETTLED: Mapping[str, tuple[str, Term, str]] = {
    "killed": ("tombstone", _("killed"), "bad"),
    "captured": ("padlock", _("captured"), "warn"),
}
ESCAPED = ("run", _("escaped"), "quiet")


class LeaderFate(NamedTuple):
    """A leader, or another character who was lost. `tone`: "warn", "bad" or "quiet"."""

    name: str
    colour: str
    icon: str
    word: Said
    tone: str
    about: tuple[Said | str, ...]


def list_commanders(asked: FieldAsked, fates_open: Collection[str]) -> Iterator[LeaderFate]:
    """Commanders of the armies whose figures the reader knows. `fates_open`: slugs of the fates of armies for whose
    commanders the aftermath still rolls.
    """
    settled = {} if asked.summary.status == AFTERMATH else _settled_fates(asked.battle)
    for army in asked.summary.armies.values():
        if army.leader and army.leader_name and asked.viewer.knows(army.id):
            led = _("leads {army}") if army.fighting else _("led {army}")
            fate = _fate(army, settled, fates_open, over=asked.summary.status != AFTERMATH)
            yield LeaderFate(army.leader_name, pick_colour(army.side), *fate, (say(led, army=army.name),))


def _fate(
    army: Combatant, settled: Mapping[str, str], fates_open: Collection[str], *, over: bool
) -> tuple[str, Said, str]:
    if army.leader in settled:
        return SETTLED[settled[army.leader]]
    if army.status in fates_open:
        return ESCAPED if over else ("hourglass", FATE_OPEN, "warn")
    return "crested-helmet", UNHURT if army.fighting else army.status_word, "quiet"


def _settled_fates(battle: Battle) -> dict[str, str]:
    """Fates of commanders whom the confirmed aftermath killed or made captive, by id."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    entry = entries.order_by("-seq").first()
    changes = entry.changes if entry else []
    return {
        change["subject_id"]: change["after"]
        for change in changes
        if (change["subject_kind"], change["field"]) == ("commander", "status") and change["after"] in SETTLED
    }

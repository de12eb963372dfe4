"""Guards and followers of changed house rules: nothing in use disappears, and no army becomes invalid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from armies.documents.ruleset_changes import build_measure_follower, list_in_chunks
from armies.models import Commander
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal, refuse
from rules.core.text import _
from rules.registry import family_of
from rules.thucidide_fantasy.own import unknown_to

FAMILY = "thucidide_fantasy"
IN_USE = _("{thing} is in use by {name}. Change that first.")
NO_MORE = _("Under these rules, {name} would no longer be valid: {why}")

measure_amended = build_measure_follower(FAMILY)

type Read = Callable[[Mapping[str, Any]], Any]


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Guard: every army and commander valid under the current law must stay valid under this one.

    Raises `IllegalCommand` naming the first that wouldn't.
    """
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    now = get_ruleset(campaign)
    if law.tables == now.tables:
        return
    for name, document, read, wanted in _documents(campaign, now, law):
        if _refusal(read, document) is None and (why := _refusal(wanted, document)) is not None:
            _refuse(now, law, name, document, why)


def _documents(campaign: Campaign, now: Any, law: Any) -> Iterator[tuple[str, Mapping[str, Any], Read, Read]]:
    """Each document with its name, its current reader and its future reader."""
    for army in list_in_chunks(campaign):
        yield army.name, army.sheet, now.armies.value_of, law.armies.value_of
    for leader in Commander.objects.filter(campaign=campaign).order_by("pk"):
        yield leader.name, leader.sheet, now.armies.commander_of, law.armies.commander_of


def _refusal(read: Read, document: Mapping[str, Any]) -> Refusal | None:
    try:
        read(document)
    except Refusal as refusal:
        return refusal
    return None


def _refuse(now: Any, law: Any, name: str, document: Mapping[str, Any], why: Refusal) -> None:
    if (lost := unknown_to(law.tables, document)) is not None:
        kind, slug = lost
        refuse(IN_USE, field="/house_rules", thing=now.tables._asdict()[kind][slug].name, name=name)
    refuse(NO_MORE, field="/house_rules", name=name, why=why.message)

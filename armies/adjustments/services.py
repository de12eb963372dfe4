"""Services for the GM's lasting adjustments of an army's figures, and their check.

An adjustment is stored as {id, figure, amount, reason, until}. The ruleset says which figures can be adjusted
(`Law.adjustable`). One of the maximum health may also have `spared`: damage beyond the army's last health, which
comes back when the maximum rises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.http import Http404

from armies.forces.busy import lock_army
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from core.clean_input import (
    DAY_MAX,
    REASON_MAX,
    WHOLE_MAX,
    clean_optional_whole,
    clean_slug,
    clean_text,
    clean_whole,
)
from core.text import render
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign, User
from kingdom.models.base import uuid7
from kingdom.realms.figures import get_ruleset
from rules.adjustments import Adjustable, LastingAdjustment, bound_sums
from rules.core.errors import demand
from rules.core.text import Term, _, say

MOST_ADJUSTMENTS = 20
MEMBERS, SPARED = ("figure", "amount", "reason"), "spared"


@gm_only
@transaction.atomic
def adjust_army(
    *, by: User, army: Army, figure: str, amount: int, reason: str, until: int | None = None
) -> dict[str, Any]:
    """Adjusts a figure of the army until the end of day `until`, or for good (GM). Returns the adjustment.

    Raises `InvalidInput`, and `IllegalCommand` for an army that is busy or no longer stands.
    """
    require_gm(by, army.campaign)
    law = get_ruleset(army.campaign).adjustable
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=law.rule, on=[("army", army)]) as told:
        army = lock_army(army)
        given = {"figure": figure, "amount": amount, "reason": reason, "until": until}
        made = {"id": uuid7().hex, **clean_adjustment(given, law, least=army.campaign.day)}
        most = _("An army can have {most} adjustments at most. End one first.")
        demand(len(army.adjustments) < MOST_ADJUSTMENTS, most, field="/figure", most=MOST_ADJUSTMENTS)
        _demand_sums([*army.adjustments, made], law, "/amount", army.adjustments)
        told.text = say(_("{army} adjusted: {figure} {amount:+}. {reason}"), army=army.name,
                        figure=name_figure(law, figure), amount=made["amount"], reason=made["reason"])  # fmt: skip
        _keep(army, [*army.adjustments, made])
    return made


@gm_only
@transaction.atomic
def end_adjustment(*, by: User, army: Army, adjustment: str) -> None:
    """Ends an adjustment of the army (GM). Raises Http404 if it has ended, and `IllegalCommand` as `adjust_army`."""
    require_gm(by, army.campaign)
    law = get_ruleset(army.campaign).adjustable
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=law.rule, on=[("army", army)]) as told:
        army = lock_army(army)
        ended = next((one for one in army.adjustments if one["id"] == adjustment), None)
        if ended is None:
            raise Http404
        told.text = say(_("{army}: an adjustment ended ({figure} {amount:+})."), army=army.name,
                        figure=name_figure(law, ended["figure"]), amount=ended["amount"])  # fmt: skip
        _keep(army, [one for one in army.adjustments if one["id"] != adjustment])


@gm_only
@transaction.atomic
def replace_adjustments(*, by: User, army: Army, adjustments: Sequence[Mapping[str, Any]]) -> None:
    """Gives the army these adjustments in place of its own (GM), as a file has them. Those it has stay the same.

    Raises `InvalidInput`, and `IllegalCommand` as `adjust_army`.
    """
    require_gm(by, army.campaign)
    law = get_ruleset(army.campaign).adjustable
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=law.rule, on=[("army", army)]) as told:
        army = lock_army(army)
        most = _("An army can have {most} adjustments at most.")
        demand(len(adjustments) <= MOST_ADJUSTMENTS, most, field="/adjustments", most=MOST_ADJUSTMENTS)
        left = list(army.adjustments)
        kept = [_find(left, given) or {"id": uuid7().hex, **clean_adjustment(given, law, least=army.campaign.day)}
                for given in adjustments]  # fmt: skip
        _demand_sums(kept, law, "/adjustments")
        told.text = say(_("{army}: adjustments changed."), army=army.name)
        _keep(army, kept)


def _demand_sums(
    adjustments: Sequence[Mapping[str, Any]], law: Adjustable, field: str, before: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Checks that the adjustments of no figure add up beyond its bound. A sum that was beyond it `before` may come
    nearer. Raises `InvalidInput`.
    """
    wrong = _("The adjustments would add up to {total:+} ({figure}). Keep them between −{most} and +{most}.")
    for slug, figure in law.figures.items():
        total, was = (sum(one["amount"] for one in given if one["figure"] == slug) for given in (adjustments, before))
        sound = abs(total) <= max(figure.most, abs(was))
        demand(sound, wrong, field=field, total=total, figure=figure.name, most=figure.most)


def _find(left: list[dict[str, Any]], given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The one of these that says the same, taken from them; None if there is none."""
    found = next((one for one in left if all(one[name] == given.get(name) for name in (*MEMBERS, "until"))), None)
    if found is not None:
        left.remove(found)
    return found


def _keep(army: Army, adjustments: list[dict[str, Any]]) -> None:
    spared = count_spared(army.adjustments)
    army.adjustments = adjustments
    army.save(update_fields=["adjustments"])
    get_army_ui(army.campaign).follow_adjustments(army, spared)


# Damage beyond the last of its health.


def count_spared(adjustments: Iterable[Mapping[str, Any]]) -> int:
    return sum(one.get(SPARED, 0) for one in adjustments)


def adjusts_health(adjustments: Iterable[Mapping[str, Any]], law: Adjustable) -> bool:
    """Whether one of them is of the maximum health, which can keep what was spared."""
    return any(one["figure"] == law.health for one in adjustments)


def keep_spared(adjustments: Sequence[dict[str, Any]], law: Adjustable, spared: int) -> list[dict[str, Any]]:
    """The adjustments, with this amount of spared damage stored in the last one of health."""
    kept = [{name: value for name, value in one.items() if name != SPARED} for one in adjustments]
    last = next((one for one in reversed(kept) if one["figure"] == law.health), None)
    if spared > 0 and last is not None:
        last[SPARED] = spared
    return kept


# Adjustments as they are stored.


def name_figure(law: Adjustable, figure: str) -> Term:
    return law.figures[figure].name if figure in law.figures else Term(figure)


def clean_adjustment(
    given: Mapping[str, Any], law: Adjustable, *, least: int = 0, kept: bool = False
) -> dict[str, Any]:
    """Return the adjustment, each member validated. `least`: first day that it may end on; `kept`: it is stored
    already. Raises `InvalidInput` with the member's pointer.
    """
    figure = clean_slug(given.get("figure"), field="/figure", among=tuple(law.figures))
    most = law.figures[figure].most
    amount = clean_whole(given.get("amount"), field="/amount", least=-most, most=most)
    demand(amount, _("An adjustment of 0 changes nothing. Enter another number."), field="/amount")
    return {
        "figure": figure,
        "amount": amount,
        "reason": clean_text(given.get("reason"), field="/reason", most=REASON_MAX, kept=kept),
        "until": clean_optional_whole(given.get("until"), field="/until", least=least, most=DAY_MAX),
    }


def demand_adjustments(army: Army) -> None:
    """Checks the adjustments of an imported army. Raises `InvalidInput`."""
    law, stored = get_ruleset(army.campaign).adjustable, army.adjustments
    wrong = _("This isn’t a valid list of adjustments.")
    demand(isinstance(stored, list) and len(stored) <= MOST_ADJUSTMENTS, wrong, field="/adjustments")
    known: set[str] = set()
    for place, one in enumerate(stored):
        sound = isinstance(one, dict) and one.keys() - {SPARED} == {"id", *MEMBERS, "until"}
        demand(sound and isinstance(one["id"], str) and one["id"] not in known, wrong, field=f"/adjustments/{place}")
        known.add(one["id"])
        clean_adjustment(one, law, kept=True)
        if SPARED in one:
            demand(one["figure"] == law.health, wrong, field=f"/adjustments/{place}")
            clean_whole(one[SPARED], field=f"/adjustments/{place}/{SPARED}", least=1, most=WHOLE_MAX)


def read_adjustments(army: Army) -> tuple[LastingAdjustment, ...]:
    """The army's adjustments as the rules read them."""
    return as_lasting(army.adjustments, get_ruleset(army.campaign).adjustable) if army.adjustments else ()


def as_lasting(adjustments: Iterable[Mapping[str, Any]], law: Adjustable) -> tuple[LastingAdjustment, ...]:
    """Stored adjustments as the rules read them. Their sums are within bounds, also where some that weighed against
    others have ended, or a file brought more.
    """
    return bound_sums((LastingAdjustment(*(one[name] for name in MEMBERS)) for one in adjustments), law)


def describe_adjustment(campaign: Campaign, one: Mapping[str, Any]) -> str:
    """An adjustment in words: figure and amount, reason, last day."""
    template = _("{figure} {amount:+}: {reason}") if one["until"] is None else (
        _("{figure} {amount:+}: {reason} (until day {day})")
    )  # fmt: skip
    figure = name_figure(get_ruleset(campaign).adjustable, one["figure"])
    return render(say(template, figure=figure, amount=one["amount"], reason=one["reason"], day=one["until"]))

"""Services for commanders: figures, offices and boons (PF-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from armies.pathfinder.commanders.command_services import count_days_led, refuse_if_leading_busy
from armies.pathfinder.forces.access import lock_commander
from armies.pathfinder.forces.specs import build_commander_spec
from armies.pathfinder.models import PathfinderCommander
from core.clean_input import BP_MAX, LAST_DAY, NAME_MAX, clean_optional_whole, clean_slug, clean_text, clean_whole
from kingdom.access.decorators import RequestedChange, drop_unchanged, gm_only, needs_approval, require_not_deleted
from kingdom.access.queries import is_gm, require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.core.content import SWITCHED_OFF
from rules.core.errors import IllegalCommand, InvalidInput, demand, require
from rules.core.text import Said, _, say
from rules.pathfinder.leadership import taught_refusal
from rules.pathfinder.weeks.week_state import DAYS_A_WEEK

WHOLE = {
    "level": (1, 60),
    "charisma_modifier": (-5, 30),
    "soldier_ranks": (0, 60),
    "captures": (0, 1000),
    "active_days": (0, DAYS_A_WEEK),
}
FLAGS = ("leadership_feat", "player_character", "notorious")
OPTIONAL = ("office", "office_boon", "office_tactic")
PRESENT = frozenset({"status", "away_until", "active_days"})  # fields on which their days with the army depend
FIGURES = frozenset({"level", "charisma_modifier", "soldier_ranks", "leadership_feat", "player_character"})
APPOINTED = frozenset({*OPTIONAL, "boons", "active_days"})
GM_ONLY = frozenset({"status", "notorious", "captures", "away_until", "ransom"})


@needs_approval("armies.pathfinder.appoint_commander", "appoint")
@transaction.atomic
def appoint_commander(*, by: User, kingdom: Kingdom, name: str, **fields: Any) -> PathfinderCommander:
    """Appoints a new commander of the kingdom. Raises `InvalidInput` for figures, office or boons they cannot have,
    `Http404` where the kingdom is dissolved meanwhile.
    """
    require_runs(by, kingdom)
    commander = PathfinderCommander(campaign=kingdom.campaign, kingdom=kingdom)
    with record_changes(by=by, campaign=kingdom.campaign, kind="army", rule="PF-2.1") as told:
        require_not_deleted(kingdom)
        _write(by, commander, {"name": name, **fields})
        _check(commander, [])
        commander.save(force_insert=True)
        told.made("commander", commander)
        told.text = say(_("{kingdom} appointed {commander}."), commander=commander.name, kingdom=kingdom.name)
    return commander


def _changes(given: Mapping[str, Any]) -> RequestedChange:
    """Request to change a commander. Figures and appointments need leave; the service refuses what only the GM may
    set.
    """
    commander = given["commander"]
    given = {name: value or None if name in OPTIONAL else value for name, value in given.items()}
    if isinstance(given.get("boons"), list):
        given["boons"] = _as_kept(commander, given["boons"])
    wanted = drop_unchanged(commander, given, given.keys() - {"commander"})
    kinds = {"attributes": FIGURES, "appoint": APPOINTED}
    return RequestedChange([kind for kind, fields in kinds.items() if wanted.keys() & fields], wanted)


def _as_kept(commander: PathfinderCommander, boons: list[Any]) -> list[Any]:
    """Boons in their normal form; unchanged if invalid, for the service to refuse."""
    try:
        return clean_boons(commander, boons)
    except InvalidInput:
        return boons


@needs_approval("armies.pathfinder.update_commander", "attributes", "appoint", wish=_changes)
@transaction.atomic
def update_commander(*, by: User, commander: PathfinderCommander, **fields: Any) -> PathfinderCommander:
    """Changes the given fields. A boon known before may become dormant (R-7); a new one must be allowed.

    A commander who is captured or killed leaves their army. The army's Consumption becomes a captive's ransom, unless
    another is given (PF-2.8).
    """
    require_runs(by, commander.kingdom)
    on = [("commander", commander)]
    with record_changes(by=by, campaign=commander.campaign, kind="army", rule="PF-2.1", on=on) as told:
        commander = lock_commander(commander)
        told.watch([("army", led)] if (led := commander.led) else ())
        refuse_if_leading_busy(commander)
        known = list(commander.boons)
        if led and fields.keys() & PRESENT:
            count_days_led(led)
        _write(by, commander, fields)
        _check(commander, known)
        _set_ransom(commander)
        commander.save()
        if commander.status != PathfinderCommander.Status.FREE:
            release(commander)
        told.text = _changed(commander)
    return commander


def _set_ransom(commander: PathfinderCommander) -> None:
    """Clears the ransom unless they are a captive; by default it is the Consumption of the army they led."""
    if commander.status != PathfinderCommander.Status.CAPTURED:
        commander.ransom = None
    elif commander.ransom is None and (led := commander.led):
        commander.ransom = led.consumption


def _changed(commander: PathfinderCommander) -> Said:
    return say(_("{commander}’s sheet was changed."), commander=commander.name)


def release(commander: PathfinderCommander) -> None:
    """Takes the commander's army from them, if they have one."""
    led = commander.led
    if led is not None:
        count_days_led(led, parting=True)
        led.commander = None
        led.save(update_fields=["commander"])


def _write(by: User, commander: PathfinderCommander, fields: dict[str, Any]) -> None:
    """Sets cleaned fields. Raises `InvalidInput`, and `PermissionDenied` for a player who changes fields of the GM."""
    for field, value in fields.items():
        value = _clean(commander, field, value)
        if field in GM_ONLY and value != getattr(commander, field) and not is_gm(by, commander.campaign):
            raise PermissionDenied
        setattr(commander, field, value)
    if not commander.office:
        demand(not fields.get("office_boon"), _("Choose the office that gives this boon."), field="/office")
        commander.office = commander.office_boon = commander.office_tactic = None


def _clean(commander: PathfinderCommander, field: str, value: Any) -> Any:
    pointer = f"/{field}"
    if field in WHOLE:
        least, most = WHOLE[field]
        return clean_whole(value, field=pointer, least=least, most=most)
    if field in FLAGS:
        demand(isinstance(value, bool), _("Use true or false."), field=pointer)
        return value
    if field in OPTIONAL:
        return _clean_optional(commander, field, value)
    match field:
        case "name":
            return clean_text(value, field=pointer)
        case "away_until":
            return clean_optional_whole(value, field=pointer, least=0, most=LAST_DAY)
        case "ransom":
            return clean_optional_whole(value, field=pointer, least=0, most=BP_MAX)
        case "character_class":
            return clean_text(value, field=pointer, most=NAME_MAX) if value else ""
        case "status":
            return clean_slug(value, field=pointer, among=PathfinderCommander.Status.values)
        case "boons":
            return clean_boons(commander, value)
    raise TypeError(f"unknown field {field}")


def _clean_optional(commander: PathfinderCommander, field: str, value: Any) -> str | None:
    ruleset = get_ruleset(commander.campaign)
    known = {"office": ruleset.offices, "office_boon": ruleset.boons, "office_tactic": ruleset.tactics}[field]
    slug = clean_slug(value, field=f"/{field}", among=known) if value else None
    new = field == "office_tactic" and slug != commander.office_tactic and slug
    if new and (said := taught_refusal(ruleset, new)):
        raise InvalidInput(said, f"/{field}")
    return slug


def clean_boons(commander: PathfinderCommander, boons: Any) -> list[dict[str, Any]]:
    """The boons in their normal form `{boon, tactic}`. Raises `InvalidInput` with a pointer."""
    demand(isinstance(boons, list), _("Send the boons as a list."), field="/boons")
    return [_clean_boon(commander, place, boon) for place, boon in enumerate(boons)]


def _clean_boon(commander: PathfinderCommander, place: int, boon: Any) -> dict[str, Any]:
    ruleset, pointer = get_ruleset(commander.campaign), f"/boons/{place}"
    boon = {"boon": boon} if isinstance(boon, str) else boon
    demand(
        isinstance(boon, dict) and not set(boon) - {"boon", "tactic"},
        _("Send each boon with the fields “boon” and “tactic”."),
        field=pointer,
    )
    slug = clean_slug(boon.get("boon"), field=f"{pointer}/boon", among=ruleset.boons)
    tactic = boon.get("tactic") or None
    if tactic is not None:
        tactic = clean_slug(tactic, field=f"{pointer}/tactic", among=ruleset.tactics)
    return {"boon": slug, "tactic": tactic}


def _check(commander: PathfinderCommander, known: list[dict[str, Any]]) -> None:
    """Checks the commander. Boons `known` before may lack what they need (R-7).

    Raises `InvalidInput` with all problems at once.
    """
    spec = build_commander_spec(commander)
    fresh = [place for place, boon in enumerate(commander.boons) if boon not in known]
    get_ruleset(commander.campaign).check_commander(spec if fresh else replace(spec, boons=()))
    found = [(f"/boons/{place}", _why_not(commander, commander.boons[place])) for place in fresh]
    problems = [(pointer, said) for pointer, said in found if said]
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))


def _why_not(commander: PathfinderCommander, choice: Mapping[str, Any]) -> Said | None:
    """Why a new boon is refused: missing Leadership, held by office already, or switched off in this campaign; None if
    it is not.
    """
    ruleset, spec, slug = get_ruleset(commander.campaign), build_commander_spec(commander), choice["boon"]
    boon, has = ruleset.boons[slug], ruleset.commander_sheet(spec).leadership.total
    if boon.off:
        return say(SWITCHED_OFF, item=boon.name)
    if choice["tactic"] and (said := taught_refusal(ruleset, choice["tactic"])):
        return said
    if commander.office_boon == slug and not boon.needs_tactic:
        return say(_("{boon} comes with this commander’s office and doesn’t need to be learned."), boon=boon.name)
    if boon.met_by(has):
        return None
    return say(
        _("{boon} needs leadership {needed}; this commander has {has}."),
        boon=boon.name,
        needed=boon.leadership,
        has=has,
    )


@needs_approval("armies.pathfinder.learn_boon", "appoint")
@transaction.atomic
def learn_boon(
    *, by: User, commander: PathfinderCommander, boon: str, tactic: str | None = None
) -> PathfinderCommander:
    """The commander learns one boon. Raises `IllegalCommand` that says what is missing (PF-2.4, PF-2.9)."""
    require_runs(by, commander.kingdom)
    on = [("commander", commander)]
    with record_changes(by=by, campaign=commander.campaign, kind="army", rule="PF-2.4", on=on) as told:
        commander = lock_commander(commander)
        refuse_if_leading_busy(commander)
        choice = {"boon": boon, "tactic": tactic or None}
        _require_learnable(commander, choice)
        commander.boons = [*commander.boons, choice]
        commander.save(update_fields=["boons"])
        told.text = say(_("{commander} learned {boon}."), commander=commander.name, boon=_name(commander, boon))
    return commander


def _name(commander: PathfinderCommander, boon: str) -> Said:
    return get_ruleset(commander.campaign).boons[boon].name


def _require_learnable(commander: PathfinderCommander, choice: dict[str, Any]) -> None:
    """Raises `InvalidInput` for an invalid choice, `IllegalCommand` for a boon they cannot have yet."""
    ruleset, spec = get_ruleset(commander.campaign), build_commander_spec(commander)
    boon = ruleset.boons.get(choice["boon"])
    demand(boon, _("Unknown boon. Choose one from the list."), field="/boon")
    demand(bool(choice["tactic"]) == boon.needs_tactic, _("Choose the tactic this boon gives."), field="/tactic")
    require(choice not in commander.boons, _("{commander} already knows this."), field="/boon",
            commander=commander.name)  # fmt: skip
    try:
        ruleset.check_boon_learned(spec, boon.slug, choice["tactic"])
    except InvalidInput as refusal:
        raise IllegalCommand(refusal.message, refusal.field) from None


@needs_approval("armies.pathfinder.forget_boon", "appoint")
@transaction.atomic
def forget_boon(
    *, by: User, commander: PathfinderCommander, boon: str, tactic: str | None = None
) -> PathfinderCommander:
    """Removes a boon, to correct a mistake or make room for another. Raises `IllegalCommand` if they do not know it, or
    lead a busy army.
    """
    require_runs(by, commander.kingdom)
    on = [("commander", commander)]
    with record_changes(by=by, campaign=commander.campaign, kind="army", rule="PF-2.4", on=on) as told:
        commander = lock_commander(commander)
        refuse_if_leading_busy(commander)
        choice = {"boon": boon, "tactic": tactic or None}
        knows = choice in commander.boons
        require(knows, _("{commander} doesn’t know this boon."), field="/boon", commander=commander.name)
        commander.boons = [known for known in commander.boons if known != choice]
        commander.save(update_fields=["boons"])
        told.text = say(_("{commander} gave up a boon."), commander=commander.name)
    return commander


@gm_only
@transaction.atomic
def remove_commander(*, by: User, commander: PathfinderCommander) -> None:
    """Deletes a commander (GM). Their army stays without one. Undo restores them."""
    require_gm(by, commander.campaign)
    text = say(_("{commander} was deleted."), commander=commander.name)
    with record_changes(by=by, campaign=commander.campaign, kind="army", rule="PF-2.7", text=text) as told:
        try:
            commander = lock_commander(commander)
        except Http404:  # somebody else has deleted them meanwhile
            return
        told.watch([("army", led)] if (led := commander.led) else ())
        refuse_if_leading_busy(commander)
        release(commander)
        told.gone("commander", commander)
        commander.delete()

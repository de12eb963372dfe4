"""Services that import Foundry actors as kingdoms and armies: all or nothing, in one chronicle entry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import Http404

from armies.adjustments.cells import same, write_cell
from armies.adjustments.services import replace_adjustments
from armies.forces.busy import lock_armies
from armies.pathfinder.armies.resource_services import refresh
from armies.pathfinder.armies.services import correct_army, raise_army, request_sheet_change, update_army
from armies.pathfinder.forces.access import is_here
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.forces.table_rows import PathfinderCells
from armies.pathfinder.forces.tracked_fields import FIELDS
from armies.pathfinder.foundry.actor_shapes import ARMY, KINGDOM, OURS, peek_at, read_mark, read_name
from armies.pathfinder.foundry.army_actors import (
    ArmyFound,
    build_army_actor,
    keep_army_rest,
    place_of_resource,
    read_army,
)
from armies.pathfinder.foundry.kingdom_actors import (
    BESIDE,
    KingdomFound,
    build_kingdom_actor,
    keep_kingdom_rest,
    read_kingdom,
)
from armies.pathfinder.models import FoundryActor, PathfinderArmy
from armies.tables.imports import Bringing, carry_out, taken_back
from armies.tables.services import BroughtIn, demand_as_shown
from armies.tables.tables import FIELD, Cells, Piece, Problem
from core.clean_input import read_json
from core.errors import NotInRuleset
from core.text_search import build_phrase, normalize_typing
from kingdom.access.decorators import gm_only
from kingdom.access.queries import get_kingdom_for, is_gm, reads_kingdom, require_gm
from kingdom.chronicle.changes import Occasion
from kingdom.chronicle.transaction import record_changes
from kingdom.map.queries import get_followed_extent
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from kingdom.realms.services import found_kingdom, update_kingdom
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.text import Said, _, say
from rules.pathfinder.spec import ArmySpec

# Queries for actors to export.


def get_army_actor(user: User, army: PathfinderArmy) -> dict[str, Any]:
    """Actor of a loaded army whose sheet the user may read. Only a GM gets what is stored for Foundry."""
    return build_army_actor(army, select_kept_actor(army=army.pk) if is_gm(user, army.campaign) else None)


def get_kingdom_actor(user: User, kingdom_id: UUID | str) -> tuple[Kingdom, dict[str, Any]]:
    """Kingdom and actor, if the user may read its figures. Only a GM gets what is stored for Foundry. Raises
    `Http404`.
    """
    kingdom = get_kingdom_for(user, kingdom_id)
    if not reads_kingdom(user, kingdom):
        raise Http404
    if not is_here(kingdom.campaign):
        raise NotInRuleset(kingdom.campaign.ruleset)
    kept = select_kept_actor(kingdom=kingdom.pk) if is_gm(user, kingdom.campaign) else None
    return kingdom, build_kingdom_actor(kingdom, kept)


def select_kept_actor(**of: Any) -> Any:
    """The stored actor from which it was imported; None without one."""
    return FoundryActor.objects.filter(**of).values_list("actor", flat=True).first()


ACTORS_MOST = 100
CHARACTERS_MOST = 2_000_000
REASON = _("Imported from Foundry")
NO_ACTOR = _("This file has no Foundry actor. Export an army or a kingdom from Foundry.")


@gm_only
@transaction.atomic
def bring_in_actors(
    *, by: User, campaign: Campaign, text: str, kingdom: Kingdom | None = None, mark: str | None = None
) -> BroughtIn:
    """Imports kingdoms and armies from these actors (GM). `kingdom` gets armies that name none of this campaign.

    `mark`: the mark of the proposal that the user confirms. Raises `StaleProposal` if the proposal would differ now,
    and `InvalidInput` with every problem ("/rows/2/system/hd": number of the actor and path in it).
    """
    require_gm(by, campaign)
    with record_changes(by=by, campaign=campaign, kind="army", text=REASON) as told:
        found, parts = carry_out(_Actors(by, campaign, kingdom, text).pieces(), text)
        demand_as_shown(found, mark)
        told.take(parts)
        told.always = True  # Changes of what is stored for Foundry only are listed too.
        said = _("Armies and kingdoms imported from Foundry: {new} new, {changed} changed.")
        told.text = say(said, new=found.new, changed=found.changed)
    assert told.entry is not None
    return BroughtIn(found, told.entry)


@gm_only
def propose_actors(*, by: User, campaign: Campaign, text: str, kingdom: Kingdom | None = None) -> Bringing:
    """Preview of the import (GM). Everything is rolled back."""
    require_gm(by, campaign)
    return taken_back(campaign, lambda: carry_out(_Actors(by, campaign, kingdom, text).pieces(), text))


def read_actors(text: str) -> list[Mapping[str, Any]]:
    """One actor as exported by Foundry's "Export Data", or a list of them. Raises `InvalidInput`."""
    demand(len(text) <= CHARACTERS_MOST, _("This file is too large. Choose a smaller one."), field=FIELD)
    start = text.removeprefix("\ufeff").lstrip()[:1]
    demand(start and start in "{[", NO_ACTOR, field=FIELD)
    several = start == "["
    try:
        sent = read_json(text)
    except InvalidInput as refusal:
        raise refusal.repointed(partial(_row_of, several)) from None
    found = sent if several else [sent]
    demand(found, NO_ACTOR, field=FIELD)
    for line, one in enumerate(found, 1):
        demand(isinstance(one, dict), _("This isn’t a Foundry actor."), field=f"/rows/{line}")
    demand(
        len(found) <= ACTORS_MOST, _("Import at most {most} at a time. Split the file."), field=FIELD, most=ACTORS_MOST
    )
    return found


def _row_of(several: bool, pointer: str) -> str:
    """Pointer into the file in the form of the problems' pointers: "/rows/2/system/hd"."""
    if not pointer:
        return FIELD
    _root, place, rest = [*pointer.split("/", 2), ""][:3] if several else ("", "0", pointer[1:])
    return f"/rows/{int(place) + 1}/{rest}".rstrip("/")


@dataclass(frozen=True, slots=True)
class _Actors:
    """The actors of a file, and the existing rows they mean."""

    by: User
    campaign: Campaign
    chosen: Kingdom | None
    text: str

    def pieces(self) -> Iterator[Piece]:
        """Pieces of the import; kingdoms first, since armies may belong to them."""
        actors = list(enumerate(read_actors(self.text), 1))
        actors.sort(key=lambda found: found[1].get("type") != KINGDOM)
        return (self._piece(line, actor) for line, actor in actors)

    def _piece(self, line: int, actor: Mapping[str, Any]) -> Piece:
        where = partial(_where, line, str)
        try:
            match actor.get("type"):
                case str(kind) if kind == KINGDOM:
                    return self._kingdom(line, actor)
                case str(kind) if kind == ARMY:
                    return self._army(line, actor)
            raise InvalidInput(_("This isn’t an army or kingdom from pf1-kingdom-sheet."), "/type")
        except Refusal as refusal:
            problems = tuple(Problem(*where(pointer), message) for pointer, message in refusal.errors)
            return Piece(line, read_name(actor), "", None, _nothing, where, problems)

    # Kingdoms.

    def _kingdom(self, line: int, actor: Mapping[str, Any]) -> Piece:
        found, there = read_kingdom(actor), self._kingdom_there(actor)
        warnings, sheet = found.warnings, dict(found.sheet)
        if (followed := get_followed_extent(self.campaign)) in sheet:
            del sheet[followed]
            warnings = (*warnings, _("The kingdom’s size follows its hexes on the map and was not imported."))
        if found.treasury is not None and there is not None and there.without_treasury:
            warnings = (*warnings, _("The kingdom has no treasury, so the file’s treasury was not imported."))
        before = None if there is None else [_kingdom_cells(there)]
        do = partial(self._do_kingdom, actor, found, sheet, there)
        return Piece(line, found.name, "", before, do, partial(_where, line, found.place), warnings=warnings)

    def _kingdom_there(self, actor: Mapping[str, Any]) -> Kingdom | None:
        rows = list(Kingdom.objects.filter(campaign=self.campaign))
        own = [one for one in rows if one.pk == read_mark(actor)]
        return next(iter(own or [one for one in rows if normalize_typing(one.name) == _name(actor)]), None)

    def _do_kingdom(
        self, actor: Mapping[str, Any], found: KingdomFound, sheet: dict[str, Any], there: Kingdom | None
    ) -> Any:
        if there is None:
            named: dict[str, Any] = {"name": found.name, "treasury": found.treasury or 0, **sheet}
            there = found_kingdom(by=self.by, campaign=self.campaign, **named)
        else:
            there.campaign = self.campaign
            update_kingdom(by=self.by, kingdom=there, name=_kept_name(actor, there, found.name), **sheet)
            treasury = None if there.without_treasury else found.treasury
            if treasury is not None and (gained := treasury - there.treasury):
                record_entry(by=self.by, kingdom=there, amount=gained, reason=REASON)
        _keep(self.campaign, actor, kingdom=there)
        pk = there.pk
        return lambda: [_kingdom_cells(Kingdom.objects.get(pk=pk))]

    # Armies.

    def _army(self, line: int, actor: Mapping[str, Any]) -> Piece:
        there = self._army_there(actor)
        found = read_army(actor, get_ruleset(self.campaign), there, self.campaign.day)
        under = there.kingdom.name if there else found.kingdom or getattr(self.chosen, "name", "")
        before = None if there is None else [_army_cells(there)]
        do = partial(self._do_army, actor, found, there)
        where = partial(_where, line, found.place)
        warnings = (*found.warnings, *self._not_its_kingdom(found, there))
        return Piece(line, found.name, under, before, do, where, warnings=warnings)

    def _army_there(self, actor: Mapping[str, Any]) -> PathfinderArmy | None:
        """The existing army: the one it was exported from, else the standing one of its name in its kingdom."""
        rows = PathfinderArmy.objects.filter(campaign=self.campaign).complete()
        alike = rows.filter(name__plain=build_phrase(_name(actor)))
        own = [army for army in alike if army.standing and normalize_typing(army.name) == _name(actor)]
        own_id = read_mark(actor)
        known = list(rows.filter(pk=own_id)) if own_id else []
        kingdom = normalize_typing(str(peek_at(actor, f"{OURS}/kingdom") or getattr(self.chosen, "name", "")))
        found: PathfinderArmy | None = next(
            iter(known or [a for a in own if normalize_typing(a.kingdom.name) == kingdom]), None
        )
        if found is not None:
            found.campaign = found.kingdom.campaign = self.campaign
        return found

    def _do_army(self, actor: Mapping[str, Any], found: ArmyFound, there: PathfinderArmy | None) -> Any:
        if there is None:
            army = raise_army(by=self.by, kingdom=self._of(found), name=found.name, **found.what)
        else:
            army, given = there, {"name": _kept_name(actor, there, found.name), **found.what}
            wanted = dict(request_sheet_change({"army": army, **given}).arguments)
            wanted.pop("army", None)
            if wanted:
                army = update_army(by=self.by, army=army, **wanted)
        army = self._again(army)
        if found.adjustments is not None and not same(found.adjustments, army.adjustments):
            replace_adjustments(by=self.by, army=army, adjustments=found.adjustments)
            army = self._again(army)
        state = {"hp": found.hp, "morale": found.morale}
        changed = {name: value for name, value in state.items() if value not in (None, getattr(army, name))}
        if changed:
            correct_army(by=self.by, army=army, **changed)
        self._outfit(self._again(army), found)
        _keep(self.campaign, actor, army=army)
        return lambda: [_army_cells(self._again(army))]

    def _not_its_kingdom(self, found: ArmyFound, there: PathfinderArmy | None) -> Iterator[Said]:
        """Warnings where the file names another kingdom than the army will have."""
        if there is not None:
            if found.kingdom and normalize_typing(found.kingdom) != normalize_typing(there.kingdom.name):
                yield say(_("The army stays in its kingdom, {kingdom}."), kingdom=there.kingdom.name)
        elif found.kingdom and self.chosen and self._called(found.kingdom) is None:
            said = _("This campaign has no kingdom “{name}”, so the army goes to {kingdom}.")
            yield say(said, name=found.kingdom[:60], kingdom=self.chosen.name)

    def _called(self, name: str) -> Kingdom | None:
        rows = Kingdom.objects.filter(campaign=self.campaign) if name else ()
        return next((one for one in rows if normalize_typing(one.name) == normalize_typing(name)), None)

    def _of(self, found: ArmyFound) -> Kingdom:
        kingdom = self._called(found.kingdom) or self.chosen
        said = _("This campaign has no kingdom “{name}”. Choose which kingdom this army belongs to.")
        demand(kingdom or not found.kingdom, said, field=f"/{OURS}/kingdom", name=found.kingdom[:60])
        demand(kingdom, _("Choose which kingdom this army belongs to."), field="/system/kingdom")
        assert kingdom is not None
        kingdom.campaign = self.campaign
        return kingdom

    def _again(self, army: PathfinderArmy) -> PathfinderArmy:
        found: PathfinderArmy = PathfinderArmy.objects.complete().get(pk=army.pk)
        found.campaign = found.kingdom.campaign = self.campaign
        return found

    def _outfit(self, army: PathfinderArmy, found: ArmyFound) -> None:
        """Sets tactics and resources as the file says: nothing is paid, and a lack of room is the GM's business."""
        known = {row.tactic: row.granted for row in army.tactics.all()}
        tactics = known
        if found.tactics is not None:
            tactics = {slug: known.get(slug, slug in found.granted) for slug in found.tactics}
        held = {row.resource: row.quantity for row in army.resources.all()}
        if tactics == known and found.resources == held:
            return
        spec = build_army_spec(army)
        for slug, quantity in found.resources.items():
            if slug not in held:
                self._refuse(spec, slug, quantity)
        with record_changes(by=self.by, campaign=self.campaign, kind="army", on=[("army", army)], text=REASON):
            army = lock_armies([army.pk], PathfinderArmy)[army.pk]
            occasion = Occasion(self.campaign, self.by, REASON, "army", self.campaign.day)
            FIELDS["repertoire"].write(army, tactics, occasion)
            FIELDS["resources"].write(army, found.resources, occasion)
            refresh(army)

    def _refuse(self, spec: ArmySpec, resource: str, quantity: int) -> None:
        """Raises `Refusal` where the army cannot use the resource, with its pointer in the actor."""
        try:
            get_ruleset(self.campaign).refuse_resource(spec, resource, quantity)
        except Refusal as refusal:
            raise refusal.repointed(lambda _pointer: place_of_resource(resource)) from None


def _name(actor: Mapping[str, Any]) -> str:
    return normalize_typing(read_name(actor))


def _kept_name(actor: Mapping[str, Any], there: Kingdom | PathfinderArmy, name: str) -> str:
    """The new name. A row found by its name keeps its own apostrophes."""
    return (
        name if read_mark(actor) == there.pk or normalize_typing(name) != normalize_typing(there.name) else there.name
    )


def _keep(campaign: Campaign, actor: Mapping[str, Any], **of: Any) -> None:
    FoundryActor.objects.update_or_create(**of, defaults={"campaign": campaign, "actor": dict(actor)})


def _army_cells(army: PathfinderArmy) -> Cells:
    (cells,) = PathfinderCells().cells(army)
    tactics = ", ".join(sorted(row.tactic for row in army.tactics.all()))
    held = ", ".join(sorted(f"{row.resource} × {row.quantity}" for row in army.resources.all()))
    kept = select_kept_actor(army=army)
    rest = _print(keep_army_rest(kept, get_ruleset(army.campaign))) if kept else ""
    adjusted = write_cell(army.adjustments)
    return {"army": army.name, **cells, "tactics": tactics, "resources": held, "adjustments": adjusted, "foundry": rest}


def _kingdom_cells(kingdom: Kingdom) -> Cells:
    figures = {name: getattr(kingdom, name) for name in ("alignment", "unrest", "size", "treasury", *BESIDE)}
    kept = select_kept_actor(kingdom=kingdom)
    return {"kingdom": kingdom.name, **figures, "foundry": _print(keep_kingdom_rest(kept)) if kept else ""}


def _print(rest: Mapping[str, Any]) -> str:
    """Short hash of what is stored for Foundry only, so that changes of it can be listed."""
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:8] if rest else ""


def _where(line: int, place: Callable[[str], str], pointer: str) -> tuple[int, str]:
    return line, place(pointer).removeprefix("/")


def _nothing() -> Any:
    """Placeholder function for pieces with a problem, which are never carried out."""
    raise AssertionError

"""Services for kingdoms: founding, changes, players and dissolution, by the campaign's ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from core.clean_input import (
    ATTRIBUTE_MAX,
    BP_MAX,
    DISTRICTS_MAX,
    REASON_MAX,
    clean_optional_whole,
    clean_slug,
    clean_text,
    clean_whole,
)
from core.live import notify_campaign
from core.text_search import build_phrase
from kingdom.access.decorators import (
    RequestedChange,
    drop_unchanged,
    gm_only,
    internal,
    lock_campaign_as_gm,
    needs_approval,
    require_not_deleted,
)
from kingdom.access.queries import forget_seats, is_gm, require_gm, require_runs, seats_that_play
from kingdom.campaign.queries import arms_in
from kingdom.chronicle.field_change import unless_remembered
from kingdom.chronicle.last_changes import note_kingdoms
from kingdom.chronicle.transaction import Recording, record_changes
from kingdom.contributions import contributed
from kingdom.map.queries import get_followed_extent
from kingdom.models import Campaign, Kingdom, KingdomPlayer, Settlement, ShareLink, User
from kingdom.models.heraldry import clean_arms, draw_arms
from kingdom.realms import treasury_services as ledger
from kingdom.realms.figures import NO_TREASURY, SWITCHES, get_realm_law, list_switches
from kingdom.sharing.services import end_lost_links
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, Term, _, say
from rules.realm import RealmLaw, SheetFigure, counted

OWN = frozenset({"name", "alignment", "arms"})
FREE = frozenset({"name", "arms"})


def sheet_of(campaign: Campaign) -> Mapping[str, SheetFigure]:
    """Return the figures on a kingdom's sheet in the campaign's ruleset."""
    return get_realm_law(campaign).sheet


@gm_only
@transaction.atomic
def found_kingdom(
    *, by: User, campaign: Campaign, name: str, treasury: int = 0, players: Collection[User] = (), **fields: object
) -> Kingdom:
    """Create a kingdom (GM). `treasury` BP become the ledger's opening balance. Raises `InvalidInput`.

    The arms are drawn from the name, with an outline that no other kingdom of the campaign has if one is left; given
    parts of `arms` take precedence.
    """
    require_gm(by, campaign)
    opening = clean_whole(treasury, field="/treasury", least=-BP_MAX, most=BP_MAX)
    rich = opening and fields.get(NO_TREASURY) is True
    demand(not rich, _("A kingdom without a treasury has no BP. Enter 0."), field="/treasury")
    with record_changes(by=by, campaign=campaign, kind="kingdom", private=False) as told:
        cleaned = {**_start(campaign), **clean_fields(campaign, {"name": name, "arms": None, **fields})}
        cleaned["arms"] = _arms_given(campaign, cleaned)
        _refuse_namesake(campaign, str(cleaned["name"]))
        if followed := get_followed_extent(campaign):
            cleaned[followed] = 0
        kingdom = Kingdom.objects.create(campaign=campaign, **cleaned)
        ledger.open_ledger(by=by, kingdom=kingdom, amount=opening)
        told.about(kingdom)
        told.text, told.always = say(_("{kingdom} was founded."), kingdom=kingdom.name), True
    assign_players(by=by, kingdom=kingdom, players=players)
    return kingdom


def _refuse_namesake(campaign: Campaign, name: str, but: Kingdom | None = None) -> None:
    """Raise `InvalidInput` if another kingdom of the campaign has this name, compared without case and accents.

    A kingdom may keep its name: an imported campaign may hold two of one name.
    """
    wanted = build_phrase(name)
    if but is not None and build_phrase(but.name) == wanted:
        return
    others = Kingdom.objects.filter(campaign=campaign)
    others = others.exclude(pk=but.pk) if but else others
    taken = next(
        (other for other in others.order_by().values_list("name", flat=True) if build_phrase(other) == wanted), None
    )
    demand(taken is None, _("This campaign already has a kingdom named {name}. Choose another name."), field="/name",
           name=taken)  # fmt: skip


def _start(campaign: Campaign) -> dict[str, object]:
    return {slug: figure.start for slug, figure in sheet_of(campaign).items() if figure.start is not None}


def _changes(given: Mapping[str, Any]) -> RequestedChange:
    """Return the changed fields. A change of name and arms alone needs no approval."""
    known = OWN | SWITCHES.keys() | sheet_of(given["kingdom"].campaign).keys()
    wanted = drop_unchanged(given["kingdom"], given, known)
    return RequestedChange(("attributes",) if wanted.keys() & known - FREE else (), wanted)


@needs_approval("kingdom.update_kingdom", "attributes", wish=_changes)
@transaction.atomic
def update_kingdom(
    *, by: User, kingdom: Kingdom, players: Collection[User] | None = None, reason: str = "", **fields: object
) -> Kingdom:
    """Change the sheet (whoever runs the kingdom; players and some figures only the GM).

    The chronicle names the changes, and the `reason` if given. Raises `InvalidInput`, Http404 if the kingdom is
    dissolved meanwhile, and `PermissionDenied` when a player changes a GM's figure.
    """
    require_runs(by, kingdom)
    campaign, on = kingdom.campaign, [("kingdom", kingdom)]
    with record_changes(by=by, campaign=campaign, kind="kingdom", rule=get_realm_law(campaign).rule, on=on) as told:
        told.held("kingdom", kingdom)
        cleaned = clean_fields(campaign, fields)
        if "name" in cleaned:
            _refuse_namesake(campaign, str(cleaned["name"]), but=kingdom)
        if "arms" in cleaned:
            cleaned["arms"] = _arms_given(campaign, cleaned, kingdom)
        told.text = _why(kingdom, reason, cleaned)
        _update(by, kingdom, cleaned, told)
    if players is not None:
        assign_players(by=by, kingdom=kingdom, players=players)
    return kingdom


def _update(by: User, kingdom: Kingdom, cleaned: dict[str, object], told: Recording) -> None:
    changed = {name: value for name, value in cleaned.items() if getattr(kingdom, name) != value}
    sheet = sheet_of(kingdom.campaign)
    gms = {name for name in changed if name in SWITCHES or (name in sheet and sheet[name].gm)}
    if gms and not is_gm(by, kingdom.campaign):
        raise PermissionDenied
    if followed := changed.keys() & {get_followed_extent(kingdom.campaign)}:
        raise InvalidInput(
            _("This value follows the hexes the kingdom claims on the map. Change its claims there."),
            f"/{min(followed)}",
        )
    for name, value in changed.items():
        setattr(kingdom, name, value)
    if changed:
        kingdom.save(update_fields=[*changed])
    if changed.get(NO_TREASURY):
        for follow in contributed().treasury_followers:
            follow(kingdom, told)


def _arms_given(campaign: Campaign, cleaned: Mapping[str, Any], kingdom: Kingdom | None = None) -> dict[str, str]:
    """Return the arms to store: the given parts over the present ones, or over those drawn from the name."""
    given = cleaned["arms"]
    if kingdom and given is not None:
        return clean_arms(given, now=kingdom.arms_borne)._asdict()
    name = str(cleaned.get("name") or kingdom)
    return clean_arms(given or {}, now=draw_arms(name, arms_in(campaign, but=kingdom)))._asdict()


def _why(kingdom: Kingdom, reason: str, cleaned: Mapping[str, Any]) -> Said:
    if reason:
        reason = clean_text(reason, field="/reason", most=REASON_MAX)
        return say(_("{kingdom}: {reason}"), kingdom=kingdom.name, reason=reason)
    if cleaned.keys() == {"arms"}:
        return say(_("{kingdom} has new arms."), kingdom=kingdom.name)
    return say(_("{kingdom}’s sheet was changed."), kingdom=kingdom.name)


@gm_only
@transaction.atomic
def dissolve_kingdom(*, by: User, kingdom: Kingdom) -> None:
    """Delete a kingdom with its settlements, armies and ledger (GM). Undo restores all of it. Raises `IllegalCommand`
    if a battle or another object refers to one of its armies.
    """
    require_gm(by, kingdom.campaign)
    campaign, on = kingdom.campaign, [("kingdom", kingdom)]
    why = _(
        "An army of this kingdom took part in a battle, so the kingdom can’t be deleted. Disband its armies instead."
    )
    busy = _("An army of this kingdom is busy. Open its page and finish what it’s doing first.")
    with (
        record_changes(by=by, campaign=campaign, kind="kingdom", on=on, private=False) as told,
        unless_remembered(why, busy),
    ):
        for held in told.rows("kingdom").values():  # none if it was dissolved meanwhile
            told.text = say(_("{kingdom} was deleted."), kingdom=held.name)
            told.gone("kingdom", held)
            held.delete()


@gm_only
@transaction.atomic
def assign_players(*, by: User, kingdom: Kingdom, players: Collection[User]) -> None:
    """Set the members who run the kingdom beside the GM (GM). Raises `InvalidInput` for viewers and strangers.

    Share links to it by members who no longer run it end. Raises Http404 if the kingdom is dissolved meanwhile.
    """
    lock_campaign_as_gm(by, kingdom.campaign)
    require_not_deleted(kingdom)
    wanted = {player.pk: player for player in players}
    seats = seats_that_play(kingdom.campaign_id).filter(user__in=wanted)
    seated = set(seats.values_list("user_id", flat=True))
    for player in wanted.values():
        demand(player.pk in seated, _("{user} isn’t a player in this campaign."), field="/players", user=str(player))
    if set(KingdomPlayer.objects.filter(kingdom=kingdom).values_list("user_id", flat=True)) != wanted.keys():
        note_kingdoms(kingdom.campaign, [kingdom.pk])
    KingdomPlayer.objects.filter(kingdom=kingdom).exclude(user__in=wanted).delete()
    KingdomPlayer.objects.bulk_create(
        [KingdomPlayer(campaign_id=kingdom.campaign_id, kingdom=kingdom, user=player) for player in wanted.values()],
        ignore_conflicts=True,
    )
    forget_seats(kingdom.campaign)
    end_lost_links(kingdom.campaign, ShareLink.objects.filter(thing=kingdom.pk).exclude(created_by__in=wanted))
    notify_campaign(kingdom.campaign_id)


@internal
def add_player(*, kingdom: Kingdom, player: User) -> None:
    """Let a new member run the kingdom as well, as the GM's invitation said."""
    KingdomPlayer.objects.get_or_create(campaign_id=kingdom.campaign_id, kingdom=kingdom, user=player)
    note_kingdoms(kingdom.campaign, [kingdom.pk])


@gm_only
def assign_player(*, by: User, kingdom: Kingdom, player: User) -> None:
    """Let one more member run the kingdom (GM)."""
    assign_players(by=by, kingdom=kingdom, players={*kingdom.players.all(), player})


def clean_fields(campaign: Campaign, fields: dict[str, object]) -> dict[str, object]:
    """Return the given sheet fields, each validated; arms are left as given. Raises `InvalidInput` with the field's
    pointer.
    """
    realm = get_realm_law(campaign)
    switches = list_switches(realm)
    for name in fields:
        used = name not in SWITCHES or name in switches
        demand(used, _("Armies never need commanders in this ruleset. Leave this out."), field=f"/{name}")
        known = name in {*realm.sheet, *FREE, *switches} or (name == "alignment" and realm.alignments)
        demand(known, _("Kingdoms have no size in this ruleset."), field=f"/{name}")
    return {name: _clean(realm, name, value) for name, value in fields.items()}


def _clean(realm: RealmLaw, name: str, value: object) -> object:
    field = f"/{name}"
    if figure := realm.sheet.get(name):
        clean = clean_optional_whole if figure.optional else clean_whole
        return clean(value, field=field, least=figure.least, most=figure.most)
    if name in SWITCHES:
        demand(isinstance(value, bool), _("Use true or false."), field=field)
        return value
    if name == "alignment":
        return clean_slug(value, field=field, among=realm.alignments)
    return value if name == "arms" else clean_text(value, field=field)


# Services for settlements and their buildings.

BUILDINGS_MAX = 2_000
FIELDS = frozenset({"name", "districts", "buildings", "defense_override"})


@needs_approval("kingdom.found_settlement", "found")
@transaction.atomic
def found_settlement(
    *,
    by: User,
    kingdom: Kingdom,
    name: str,
    districts: int = 1,
    buildings: Iterable[str] = (),
    defense_override: int | None = None,
) -> Settlement:
    """Create a settlement (whoever runs the kingdom; only the GM sets a fixed Defense). Raises `InvalidInput`, Http404
    if the kingdom is dissolved meanwhile.
    """
    require_runs(by, kingdom)
    settlement = Settlement(campaign_id=kingdom.campaign_id, kingdom=kingdom)
    rule = get_realm_law(kingdom.campaign).rule
    with record_changes(by=by, campaign=kingdom.campaign, kind="kingdom", rule=rule) as told:
        require_not_deleted(kingdom)
        _put(by, settlement, name=name, districts=districts, buildings=buildings, defense_override=defense_override)
        settlement.save(force_insert=True)
        told.made("settlement", settlement)
        told.text = _of(_("{kingdom} founded {settlement}."), settlement, _("{kingdom} founded {settlement}: {what}."))
    return settlement


def _settlement_changes(given: Mapping[str, Any]) -> RequestedChange:
    """Return the changed fields. A new name alone needs no approval."""
    wanted = drop_unchanged(given["settlement"], given, FIELDS)
    return RequestedChange(("found",) if wanted.keys() & FIELDS - {"name"} else (), wanted)


@needs_approval("kingdom.update_settlement", "found", wish=_settlement_changes)
@transaction.atomic
def update_settlement(*, by: User, settlement: Settlement, **fields: object) -> Settlement:
    """Change name, districts, buildings or Defense; other fields stay. Raises `InvalidInput`."""
    require_runs(by, settlement.kingdom)
    current = {name: getattr(settlement, name) for name in sorted(FIELDS)}
    campaign, on = settlement.kingdom.campaign, [("settlement", settlement)]
    with record_changes(by=by, campaign=campaign, kind="kingdom", rule=get_realm_law(campaign).rule, on=on) as told:
        _put(by, settlement, **{**current, **fields})
        settlement.save(update_fields=list(current))
        told.text = _of(_("{kingdom}: {settlement} was changed."), settlement)
    return settlement


def _of(template: Term, settlement: Settlement, with_what: Term | None = None) -> Said:
    """Return the sentence: `with_what`, if given and the settlement has contents to name, else `template`."""
    names = {"kingdom": settlement.kingdom.name, "settlement": settlement.name}
    what = _contents(settlement) if with_what else []
    return say(with_what, **names, what=what) if with_what and what else say(template, **names)


def _contents(settlement: Settlement) -> list[Said]:
    """Return its districts, if it has several, and its buildings with their numbers."""
    standing, known = Counter(settlement.buildings), get_realm_law(settlement.kingdom.campaign).buildings
    several = settlement.districts > 1
    districts = [say(_("{count} districts"), count=settlement.districts)] if several else []
    return [*districts, *(counted(known[slug], standing[slug]) for slug in known if standing[slug])]


@needs_approval("kingdom.raze_settlement", "found")
@transaction.atomic
def raze_settlement(*, by: User, settlement: Settlement) -> None:
    """Delete a settlement (whoever runs the kingdom). Undo restores it."""
    require_runs(by, settlement.kingdom)
    campaign, on = settlement.kingdom.campaign, [("settlement", settlement)]
    with record_changes(by=by, campaign=campaign, kind="kingdom", rule=get_realm_law(campaign).rule, on=on) as told:
        for town in told.rows("settlement").values():  # none if it was razed meanwhile
            lost = _("{kingdom}: {settlement} was razed, and with it {what}.")
            told.text = _of(_("{kingdom}: {settlement} was razed."), town, lost)
            told.gone("settlement", town)
            town.delete()


def _put(
    by: User, settlement: Settlement, *, name: object, districts: object, buildings: object, defense_override: object
) -> None:
    settlement.name = clean_text(name, field="/name")
    settlement.districts = clean_whole(districts, field="/districts", least=1, most=DISTRICTS_MAX)
    realm = get_realm_law(settlement.kingdom.campaign)
    settlement.buildings = clean_buildings(realm, buildings, districts=settlement.districts)
    override = clean_optional_whole(defense_override, field="/defense_override", least=0, most=ATTRIBUTE_MAX)
    if override != settlement.defense_override and not is_gm(by, settlement.kingdom.campaign):
        raise PermissionDenied
    unknown = override is not None and realm.defense((), None) is None
    demand(not unknown, _("Settlements don’t have this value in this ruleset. Remove it."), field="/defense_override")
    settlement.defense_override = override


def clean_buildings(realm: RealmLaw, buildings: object, *, districts: int) -> list[str]:
    """Return the slugs in the catalogue's order, within the numbers that the ruleset allows. Raises `InvalidInput`."""
    demand(isinstance(buildings, list | tuple), _("Send a list of buildings."), field="/buildings")
    slugs = list(buildings)  # type: ignore[call-overload]
    demand(
        len(slugs) <= BUILDINGS_MAX,
        _("A settlement can have {most} buildings at most."),
        field="/buildings",
        most=BUILDINGS_MAX,
    )
    for position, slug in enumerate(slugs):
        known = isinstance(slug, str) and slug in realm.buildings
        demand(known, _("Unknown building “{slug}”."), field=f"/buildings/{position}", slug=str(slug)[:60])
    standing = Counter(slugs)
    realm.check_buildings(standing, districts=districts)
    return [slug for slug in realm.buildings for _each in range(standing[slug])]

"""Queries for lists of battles, for armies eligible for a new one, and for battles by another ruleset than the
campaign's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import CharField, Count, Q, QuerySet, Value
from django.db.models.functions import Concat

from armies.forces.access import battle_roster, list_named_armies
from armies.forces.busy import build_barred, words_of_leaving
from armies.models import Army, Commander
from armies.models.army import rows_of
from armies.ruleset_ui import get_army_ui
from battles.models import Battle, BattleArmy
from battles.play import battle_state as play_battle_state
from battles.play.battle_state import get_law
from battles.queries import get_battle_for, get_veil, list_battles, wholly_known
from battles.ruleset_ui import get_battle_ui
from core.clean_input import NAME_MAX, parse_uuid
from core.text_search import build_phrase, filter_by_words, fold_name
from kingdom.access.queries import is_gm, reads_all, run_kingdom_ids
from kingdom.models import Campaign, User
from kingdom.models.base import make_natural_key
from kingdom.realms.figures import get_ruleset
from rules import registry
from rules.aftermath import Muster
from rules.core.errors import demand
from rules.core.text import Said, Term, _
from rules.core.viewers import BY_SLUG, band_of
from rules.law import OPEN, DieSide, Law, Viewer

# Queries for lists of battles. They read the stored summaries and fold nothing.

LOOKED = "_looked"  # Attribute that caches on a battle whose figures its reader knows.


@dataclass(frozen=True, slots=True)
class Glance:
    """A battle in a list.

    `sides`: [{name, armies: [{army, name, hp, hp_max, status, word, share?}]}]. `word`: how the army left the field.
    `share`: whether health is a percentage. `words`: health in words, instead of figures.
    """

    battle: Battle
    phase: Mapping[str, Any]
    sides: list[dict[str, Any]]
    winner: str | None
    over: bool


def glance_at(battle: Battle, user: User) -> Glance:
    """Summary of the battle as this member may see it, for lists. For several battles call `look_at` first."""
    sides = [_with_words(battle, side) for side in sides_told(battle, user)]
    return Glance(battle, battle.state["phase"], sides, winner_of(battle), battle.state["result"] is not None)


def glances(battles: Sequence[Battle], user: User) -> list[Glance]:
    """Summaries of these battles as this member may see them."""
    return [glance_at(battle, user) for battle in look_at(battles, user)]


def winner_of(battle: Battle) -> str | None:
    """Name of the victorious side; None where there is none."""
    result, sides = battle.state["result"], battle.state["sides"]
    return sides[result["winner"]]["name"] if result and result["winner"] is not None else None


def sides_told(battle: Battle, user: User) -> list[dict[str, Any]]:
    """The sides as lists show them to this member. Where health is told in words there are no figures, but `looks`
    (`rules.core.viewers`).
    """
    sides = battle.state["sides"]
    if not _veiled(battle, user):
        return sides
    if LOOKED not in battle.__dict__:
        look_at([battle], user)
    own, known = battle.__dict__[LOOKED]
    viewer = Viewer(armies=own, reads=known, veil=get_veil(battle.campaign), beside=_beside(sides, own))
    return [{**side, "armies": [_told_to(viewer, army) for army in side["armies"]]} for side in sides]


def look_at[B: Sequence[Battle]](battles: B, user: User) -> B:
    """Loads whose figures the user knows in these battles, caches it on them and returns them.

    At most two queries for battles of one campaign, none where it hides nothing from the user.
    """
    campaigns: dict[UUID, Campaign] = {}
    for battle in battles:
        battle.campaign = campaigns.setdefault(battle.campaign_id, battle.campaign)
    veiled = [battle for battle in battles if _veiled(battle, user)]
    run = {key for battle in veiled for key in run_kingdom_ids(user, battle.campaign)}
    own, known = defaultdict[UUID, set[str]](set), defaultdict[UUID, set[str]](set)
    for key, army, kingdom, told in _seats(veiled, run):
        if kingdom in run:
            own[key].add(str(army))
        if told:
            known[key].add(str(army))
    for battle in veiled:
        battle.__dict__[LOOKED] = frozenset(own[battle.pk]), frozenset(known[battle.pk])
    return battles


def _veiled(battle: Battle, user: User) -> bool:
    return get_veil(battle.campaign) != OPEN and not reads_all(user, battle.campaign)


def _seats(battles: list[Battle], kingdoms: set[UUID]) -> Iterable[tuple[UUID, UUID, UUID, bool]]:
    """Rows of (battle, army, its kingdom, whether players of these kingdoms know the army wholly)."""
    if not battles:
        return ()
    seats = BattleArmy.objects.filter(battle__in=battles).order_by().annotate(told=wholly_known(kingdoms))
    return seats.values_list("battle_id", "army_id", "army__kingdom_id", "told")


def _beside(sides: list[dict[str, Any]], own: frozenset[str]) -> frozenset[str]:
    named = [{army["army"] for army in side["armies"]} for side in sides]
    return frozenset(army for side in named if not own.isdisjoint(side) for army in side)


def _told_to(viewer: Viewer, army: dict[str, Any]) -> dict[str, Any]:
    if viewer.measures(army["army"]):
        return army
    band = band_of(army["hp"], army["hp_max"])
    return {**army, "hp": None, "hp_max": None, "looks": band.slug}


def _with_words(battle: Battle, side: dict[str, Any]) -> dict[str, Any]:
    words = words_of_leaving(battle)
    told = ({**army, "word": words.get(army["status"]), "words": in_a_word(army)} for army in side["armies"])
    return {**side, "armies": list(told)}


def in_a_word(army: Mapping[str, Any]) -> Said | None:
    """Health in words; None where it is told in figures."""
    return BY_SLUG[army["looks"]].word if "looks" in army else None


def state_told(battle: Battle) -> Mapping[str, Any]:
    """The battle's summary for lists. The battle is folded where an earlier version stored no `awaited`."""
    if "awaited" not in battle.state:
        battle.state = play_battle_state.summarize_for_lists(battle, play_battle_state.load_state(battle))
    return battle.state


def battles_of_commander(user: User, commander: Commander) -> QuerySet[Battle]:
    """Battles in which the commander led an army, newest first."""
    return list_battles(user).filter(seats__commander=commander).order_by("-id").distinct()


# Battles by another ruleset than the campaign's: which rulesets can be chosen, and the armies converted to them.

NONE = _("Armies of this campaign can only fight under its own ruleset.")
GONE = _("{army} can’t fight anymore.")
CANNOT = _("{army} can only fight under its own ruleset.")
UNKNOWN = _("The armies of this campaign can’t fight under “{slug}”. Choose one of: {choices}.")
SLUG_SHOWN = 40


def list_battle_laws(campaign: Campaign) -> list[Law]:
    """Rulesets the campaign's armies can fight by: its own first, then the others, without house rules."""
    own: Law = get_ruleset(campaign)
    if not get_army_ui(campaign).musters:
        return [own]
    others = (law for law in registry.RULESETS.values() if law.family != own.family and law.battle.takes_others)
    return [own, *others]


def choose_battle_law(campaign: Campaign, slug: Any = None) -> Law:
    """The ruleset with this slug; the campaign's own where none is given. Raises `InvalidInput` for one its armies
    cannot fight by.
    """
    laws = {law.slug: law for law in list_battle_laws(campaign)}
    named = slug or campaign.ruleset
    demand(isinstance(named, str) and named in laws, UNKNOWN, field="/ruleset",
           slug=str(named)[:SLUG_SHOWN], choices=", ".join(laws))  # fmt: skip
    return laws[named]


def is_by_another_law(battle: Battle, campaign: Campaign | None = None) -> bool:
    """Whether the battle's ruleset is of another family than the campaign's. `campaign`: saves a query."""
    own = (campaign or battle.campaign).ruleset
    return registry.family_of(battle.ruleset) != registry.family_of(own)


def choose_other_law(campaign: Campaign, slug: Any = None) -> Law:
    """The ruleset with this slug among those that are not the campaign's own; the first where none is given. Raises
    `InvalidInput`.
    """
    others = {law.slug: law for law in list_battle_laws(campaign)[1:]}
    named = slug or next(iter(others), campaign.ruleset)
    demand(named in others, UNKNOWN if others else NONE, field="/ruleset",
           slug=str(named)[:SLUG_SHOWN], choices=", ".join(others))  # fmt: skip
    return others[named]


def get_law_of_armies(battle: Battle) -> Law:
    """Ruleset of the armies' sheets: the battle's own, or the campaign's where the battle is by another family."""
    return get_ruleset(battle.campaign) if is_by_another_law(battle) else get_law(battle)


def find_dice_words(battle: Battle) -> tuple[Mapping[str, Term], Mapping[str, tuple[DieSide, ...]]]:
    """Names of the battle's rolls and the sides of its dice, including those of its aftermath."""
    laws = dict.fromkeys((get_law_of_armies(battle), get_law(battle)))
    rolls = {name: term for law in laws for name, term in get_battle_ui(law).rolls.items()}
    return rolls, {name: sides for law in laws for name, sides in law.battle.die_sides.items()}


def build_own_documents(battle: Battle) -> dict[str, Any]:
    """The campaign ruleset's document of each army in the battle, by id, as it is now."""
    ui = get_battle_ui(get_ruleset(battle.campaign))
    rows = rows_of(get_army_ui(battle.campaign).army).filter(seats__battle=battle).complete()
    return {str(army.pk): ui.document(army) for army in rows}


def house_rules_for(campaign: Campaign, law: Law) -> Mapping[str, Any]:
    """The campaign's house rules, if this is the campaign's own ruleset; else none."""
    rules: Mapping[str, Any] = campaign.house_rules if law.slug == campaign.ruleset else {}
    return rules


def build_document(law: Law, army: Army, pointer: str = "") -> Any:
    """The document of the army for a battle by this ruleset. Needs the prefetched sheet and `campaign`.

    Raises `InvalidInput` with the pointer where the army cannot fight by it.
    """
    if law.family == registry.family_of(army.campaign.ruleset):
        return get_battle_ui(law).document(army)
    return law.battle.army_from(mustered_by(army, pointer))


def mustered_by(army: Army, pointer: str = "") -> Muster:
    """The army's muster, from which other rulesets make their documents. Raises `InvalidInput` with the pointer where
    it has none.
    """
    demand(army.status in Army.STANDING, GONE, field=pointer, army=army.name)
    muster = get_army_ui(army.campaign).muster(army)
    demand(muster is not None, CANNOT, field=pointer, army=army.name)
    assert muster is not None
    return muster


# Eligible armies for a new battle under any ruleset: their counts, and search among them.

FEW, MOST_FOUND = 24, 30  # most armies that are listed; most that a search shows


class EligibleArmy(NamedTuple):
    """A kingdom with the count of its standing armies. `free`: those in no open battle."""

    id: str
    name: str
    armies: int
    free: int


def count_eligible(campaign: Campaign) -> list[EligibleArmy]:
    """The campaign's kingdoms that have standing armies, by name. One query."""
    found = [EligibleArmy(str(key), *more) for key, *more in _counted(campaign)]
    return sorted(found, key=lambda one: (make_natural_key(one.name), one.id))


def _counted(campaign: Campaign) -> QuerySet[Army, Any]:
    free = Count("pk", filter=~build_barred(campaign))
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING).order_by()
    return rows.values_list("kingdom", "kingdom__name").annotate(armies=Count("pk"), unheld=free)


def is_many(found: Collection[EligibleArmy]) -> bool:
    """Whether there are too many armies to list, so that they are searched."""
    return sum(one.armies for one in found) > FEW


def found_by(rows: QuerySet[Army], find: str, but: Collection[str]) -> tuple[list[UUID], int]:
    """The first `MOST_FOUND` armies whose name or kingdom has every word of `find`, and how many more there are. `but`:
    ids left out.
    """
    find = find.replace("\0", "").strip()
    if not find:
        return [], 0
    keys = filter_by_words(rows, find, "name", "kingdom__name").exclude(pk__in=but).values_list("pk", flat=True)
    first = list(keys[: MOST_FOUND + 1])
    return first[:MOST_FOUND], keys.count() - MOST_FOUND if len(first) > MOST_FOUND else 0


def free_armies(campaign: Campaign) -> QuerySet[Army]:
    """Standing armies that can join a battle, by kingdom."""
    return list_named_armies(campaign).exclude(build_barred(campaign))


# Reserves: armies that could join a battle. They are searched by name, for a campaign may have thousands.


OFFERED = 12


def reserves_of(battle: Battle) -> QuerySet[Army]:
    """Standing armies of the campaign that can join a battle, each with a `label`: its name and its kingdom's."""
    label = Concat("name", Value(" ("), "kingdom__name", Value(")"), output_field=CharField())
    return battle_roster(battle.campaign).exclude(build_barred(battle.campaign)).annotate(label=label)


def reserves_like(user: User, battle_id: UUID, text: str) -> list[str]:
    """Labels of a few reserves whose name or kingdom contains the text, for the GM. Raises `Http404`,
    `PermissionDenied`.
    """
    battle = get_battle_for(user, battle_id)
    if not is_gm(user, battle.campaign):
        raise PermissionDenied
    if "\0" in text:
        return []
    found: Any = reserves_of(battle)
    return [army.label for army in found.filter(label__plain__contains=build_phrase(text))[:OFFERED]]


def find_reserves(battle: Battle, text: str) -> list[str]:
    """Ids of the reserves with this id, name or label: two at most, so that the caller sees an ambiguity.

    Accents are ignored unless several names differ only by them.
    """
    key, rows = parse_uuid(text), reserves_of(battle)
    if key:
        return [str(pk) for pk in rows.filter(pk=key).values_list("pk", flat=True)]
    alike: Any = rows.filter(Q(name__plain=build_phrase(text)) | Q(label__plain=build_phrase(text)))
    found = list(alike.values_list("pk", "name", "label")[:OFFERED])
    so = [pk for pk, *names in found if fold_name(text) in map(fold_name, names)]
    return [str(pk) for pk in (so or [pk for pk, *_names in found])[:2]]


NUMBER_LENGTH = 6  # most characters of " (999)"


def find_free_name(campaign: Campaign, name: str) -> str:
    """The name, with a number if the campaign has a battle of that name already."""
    short = name[: NAME_MAX - NUMBER_LENGTH]
    taken = set(Battle.objects.filter(campaign=campaign, name__startswith=short).values_list("name", flat=True))
    numbered = (f"{short} ({number})" for number in count(2))
    return name if name not in taken else next(one for one in numbered if one not in taken)

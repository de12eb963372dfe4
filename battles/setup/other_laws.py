"""Battles by another ruleset than the campaign's: which rulesets can be chosen, and the armies converted to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.models import Army
from armies.models.army import rows_of
from armies.ruleset_ui import get_army_ui
from battles.models import Battle
from battles.play.battle_state import get_law
from battles.ruleset_ui import get_battle_ui
from core.text import render
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules import registry
from rules.core.errors import demand
from rules.core.text import Term, _
from rules.law import DieSide, Law
from rules.muster import Muster

NONE = _("Armies of this campaign can only fight by its own ruleset.")
GONE = _("{army} can’t fight any more.")
CANNOT = _("{army} can only fight by its own ruleset.")
UNKNOWN = _("The armies of this campaign can’t fight by “{slug}”. Choose one of: {choices}.")
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
    return law.battle.army_from(mustered_by(army, pointer), render)


def mustered_by(army: Army, pointer: str = "") -> Muster:
    """The army's muster, from which other rulesets make their documents. Raises `InvalidInput` with the pointer where
    it has none.
    """
    demand(army.status in Army.STANDING, GONE, field=pointer, army=army.name)
    muster = get_army_ui(army.campaign).muster(army)
    demand(muster is not None, CANNOT, field=pointer, army=army.name)
    assert muster is not None
    return muster

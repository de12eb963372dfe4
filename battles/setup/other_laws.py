"""Other laws a campaign's armies can fight by, and what an army is by them."""

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
    """The laws the campaign's armies can fight by: its own first, others as they are by themselves."""
    own: Law = get_ruleset(campaign)
    if not get_army_ui(campaign).musters:
        return [own]
    others = (law for law in registry.RULESETS.values() if law.family != own.family and law.battle.takes_others)
    return [own, *others]


def choose_battle_law(campaign: Campaign, slug: Any = None) -> Law:
    """The law of this slug, the campaign's own where none is named. Raises `InvalidInput` for one that won't do."""
    laws = {law.slug: law for law in list_battle_laws(campaign)}
    named = slug or campaign.ruleset
    demand(isinstance(named, str) and named in laws, UNKNOWN, field="/ruleset",
           slug=str(named)[:SLUG_SHOWN], choices=", ".join(laws))  # fmt: skip
    return laws[named]


def is_by_another_law(battle: Battle, campaign: Campaign | None = None) -> bool:
    """Whether it is fought by another family of laws than its armies are of. `campaign`: its own, where at hand."""
    own = (campaign or battle.campaign).ruleset
    return registry.family_of(battle.ruleset) != registry.family_of(own)


def choose_other_law(campaign: Campaign, slug: Any = None) -> Law:
    """The law of this slug, the first where none is named, of those that aren't the campaign's own. Raises
    `InvalidInput` where there is none.
    """
    others = {law.slug: law for law in list_battle_laws(campaign)[1:]}
    named = slug or next(iter(others), campaign.ruleset)
    demand(named in others, UNKNOWN if others else NONE, field="/ruleset",
           slug=str(named)[:SLUG_SHOWN], choices=", ".join(others))  # fmt: skip
    return others[named]


def get_law_of_armies(battle: Battle) -> Law:
    """The law that says what its armies are: the battle's, or the campaign's where it is by another."""
    return get_ruleset(battle.campaign) if is_by_another_law(battle) else get_law(battle)


def find_dice_words(battle: Battle) -> tuple[Mapping[str, Term], Mapping[str, tuple[DieSide, ...]]]:
    """What its rolls are called and its dice show, those of its aftermath too."""
    laws = dict.fromkeys((get_law_of_armies(battle), get_law(battle)))
    rolls = {name: term for law in laws for name, term in get_battle_ui(law).rolls.items()}
    return rolls, {name: sides for law in laws for name, sides in law.battle.die_sides.items()}


def build_own_documents(battle: Battle) -> dict[str, Any]:
    """By id, each of its armies as the campaign's law knows it, as it is now."""
    ui = get_battle_ui(get_ruleset(battle.campaign))
    rows = rows_of(get_army_ui(battle.campaign).army).filter(seats__battle=battle).complete()
    return {str(army.pk): ui.document(army) for army in rows}


def house_rules_for(campaign: Campaign, law: Law) -> Mapping[str, Any]:
    """The campaign's house rules amend its own law alone."""
    rules: Mapping[str, Any] = campaign.house_rules if law.slug == campaign.ruleset else {}
    return rules


def build_document(law: Law, army: Army, pointer: str = "") -> Any:
    """The army as the law of a battle knows it. Wants all that its sheet reads, and its `campaign`.

    Raises `InvalidInput` with the pointer where it can't fight by this law.
    """
    if law.family == registry.family_of(army.campaign.ruleset):
        return get_battle_ui(law).document(army)
    return law.battle.army_from(mustered_by(army, pointer), render)


def mustered_by(army: Army, pointer: str = "") -> Muster:
    """The army as its own law musters it. Raises `InvalidInput` with the pointer where it doesn't."""
    demand(army.status in Army.STANDING, GONE, field=pointer, army=army.name)
    muster = get_army_ui(army.campaign).muster(army)
    demand(muster is not None, CANNOT, field=pointer, army=army.name)
    assert muster is not None
    return muster

"""Services for a campaign's arsenal.

Its entries are part of the campaign's house rules. A change to them is therefore a change of the ruleset: armies follow
it, battles keep the earlier entries, the chronicle lists it and can undo it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import override

from armies.arsenal.own_things import OwnThings, find_own_things
from core.text import render
from core.text_search import build_phrase, number_slugs
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.campaign.house_rules import clean_house_rules
from kingdom.campaign.services import change_law
from kingdom.chronicle import changes
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, demand, require
from rules.core.text import _, say
from rules.house import OWN

TAKEN = _("“{name}” already exists. Choose another name.")

type OwnEntries = dict[str, dict[str, Any]]
type Kept = dict[str, OwnEntries]


@gm_only
@transaction.atomic
def save_thing(*, by: User, campaign: Campaign, kind: str, thing: Mapping[str, Any], slug: str = "") -> str:
    """Stores an entry of this kind, in place of the one with this slug (GM). Returns its slug.

    Without a slug one is made from the name. Raises `InvalidInput` with pointers into the entry, and `IllegalCommand`
    where an army would become invalid.
    """
    require_gm(by, campaign)
    known = find_own_things(campaign)
    demand(kind in known.kinds, _("Choose one of: {known}."), field="/kind", known=", ".join(known.kinds))
    own = _own(changes.hold(campaign))
    of_kind = own.setdefault(kind, {})
    slug = slug or _free_slug(known, kind, of_kind, thing)
    text = _("Changed in the arsenal: {thing}.") if slug in of_kind else _("Added to the arsenal: {thing}.")
    before, of_kind[slug] = of_kind.get(slug), dict(thing)
    rules = _clean(campaign, own, f"/{kind}/{slug}")
    _demand_free_name(campaign, kind, of_kind, slug, before)
    change_law(by=by, campaign=campaign, said=say(text, thing=str(thing["name"])[:120]), house_rules=rules)
    return slug


@gm_only
@transaction.atomic
def remove_thing(*, by: User, campaign: Campaign, kind: str, slug: str) -> None:
    """Deletes an entry of the campaign's own (GM). Raises `IllegalCommand` that names who uses it."""
    require_gm(by, campaign)
    own = _own(changes.hold(campaign))
    require(slug in own.get(kind, {}), _("This entry isn’t in the campaign’s arsenal."))
    name = own[kind].pop(slug)["name"]
    bearer = find_own_things(campaign).bearing(own, kind, slug)
    require(bearer is None, _("{thing} is used by {bearer}. Remove it there first."), thing=name, bearer=bearer)
    said = say(_("Deleted from the arsenal: {thing}."), thing=name)
    change_law(by=by, campaign=campaign, said=said, house_rules=_clean(campaign, own, ""))


def _own(campaign: Campaign) -> Kept:
    return {kind: dict(things) for kind, things in campaign.house_rules.get(OWN, {}).items()}


def _demand_free_name(
    campaign: Campaign, kind: str, of_kind: OwnEntries, slug: str, before: Mapping[str, Any] | None
) -> None:  # fmt: skip
    """Raises `InvalidInput` for a name that another entry of the kind has, the ruleset's in any language included. An
    entry may keep the name it had `before`.
    """
    name = build_phrase(of_kind[slug]["name"])
    if before is not None and name == build_phrase(before["name"]):
        return
    found = get_ruleset(campaign).catalogues.get(kind)
    items = [one for known, one in found.items.items() if known not in of_kind] if found else []
    names = [other["name"] for known, other in of_kind.items() if known != slug]
    for language, _name in settings.LANGUAGES:
        with override(language):
            names += [render(one.name) for one in items]
    taken = next((one for one in names if build_phrase(one) == name), None)
    demand(taken is None, TAKEN, field="/thing/name", name=taken)


def _free_slug(known: OwnThings, kind: str, of_kind: Mapping[str, Any], thing: Mapping[str, Any]) -> str:
    """A slug made from the name, with a number where the ruleset or the campaign has one like it."""
    stem = stem_of(kind, str(thing.get("name", "")))
    return next(slug for slug in number_slugs(stem) if slug not in of_kind and not known.taken(kind, slug))


def stem_of(kind: str, name: str) -> str:
    """First part of a slug, made from the name; the kind where the name has no usable characters."""
    of_kind = kind.removesuffix("ies") + "y" if kind.endswith("ies") else kind.rstrip("s")
    return slugify(name.replace("_", "-"))[:70].strip("-") or of_kind.replace("_", "-")


def _clean(campaign: Campaign, own: Kept, at: str) -> dict[str, Any]:
    """The house rules with these entries. Raises `InvalidInput` with pointers into the entry `at` this place."""
    try:
        return clean_house_rules({**campaign.house_rules, OWN: own}, ruleset=campaign.ruleset)
    except InvalidInput as refusal:
        errors = tuple((_within(pointer, at), message) for pointer, message in refusal.errors)
        raise InvalidInput(refusal.message, errors[0][0], errors) from None


def _within(pointer: str, at: str) -> str:
    """Pointer below `/thing` for a fault in the sent entry; `/slug` for any other fault."""
    inner = pointer.removeprefix(f"/house_rules/{OWN}")
    return f"/thing{inner.removeprefix(at)}" if at and inner.startswith(at) else "/slug"

"""Services for types of troops of a campaign's own (WC-HOUSE), kept among its house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.campaign.house_rules import clean_house_rules
from kingdom.campaign.ruleset_services import change_law
from kingdom.chronicle import changes
from kingdom.models import Campaign, User
from rules.core.errors import InvalidInput
from rules.core.text import _, say
from rules.house import OWN
from rules.wing_command.own import TYPES


@gm_only
@transaction.atomic
def save_type(*, by: User, campaign: Campaign, slug: str, type_: Mapping[str, Any]) -> None:
    """Write a type of troops, in place of the one with this slug (GM). Armies follow. Raises `InvalidInput` with
    pointers into the type.
    """
    require_gm(by, campaign)
    held = changes.hold(campaign)
    own = {kind: dict(things) for kind, things in held.house_rules.get(OWN, {}).items()}
    types = {**own.get(TYPES, {}), slug: dict(type_)}
    at = f"/house_rules/{OWN}/{TYPES}/{slug}"
    try:
        rules = clean_house_rules({**held.house_rules, OWN: {**own, TYPES: types}}, ruleset=held.ruleset)
    except InvalidInput as refusal:
        errors = tuple((_within(pointer, at), message) for pointer, message in refusal.errors)
        raise InvalidInput(refusal.message, errors[0][0], errors) from None
    name = str(type_.get("name", ""))[:120]
    change_law(by=by, campaign=campaign, said=say(_("Type of troops: {name}."), name=name), house_rules=rules)


def _within(pointer: str, at: str) -> str:
    """What concerns no member of the type concerns its slug."""
    return pointer.removeprefix(at) if pointer.startswith(f"{at}/") else "/slug"

"""Words of the army pages that belong to no item of the rules: options of abilities, and their choices."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import Term, _

OPTIONS: Mapping[str, Term] = {
    "ranged": _("has an offensive spell with range"),
    "to": _("immune to"),
    "creature_type": _("creature type"),
    "choice": _("choice"),
    "tactic": _("tactic"),
}
CHOICES: Mapping[str, Term] = {
    "healing": _("healing"),
    "cauldron": _("cauldron"),
    "companions": _("companions"),
    "animal": _("animal"),
}


def option_label(slug: str) -> Term:
    return OPTIONS.get(slug, Term(slug.replace("_", " ")))


def choice_label(slug: str) -> Term:
    return CHOICES.get(slug, Term(slug.replace("-", " ")))

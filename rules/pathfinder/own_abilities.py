"""Special abilities that a campaign adds to the law's (PF-9, PF-HOUSE), made of the effects that the law's own have.

They are stored among its house rules: `{"abilities": {slug: {…}}}`. Units name them by slug, as they name the law's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, NamedTuple

from rules.core.shapes import KEPT, DeclaredShape, Each, Label, OneOf, Text, WholeNumber, Wrong, shape_of
from rules.core.text import Said, Term, _, say, signed
from rules.house import OwnGiven, read_own
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.effects import (
    BLOODIED,
    Against,
    Amount,
    Condition,
    Doing,
    For,
    Has,
    In,
    Is,
    Modifier,
    OfType,
    Pairing,
    Stat,
    acr,
    half_acr,
    own_value,
)
from rules.pathfinder.catalogue.items import Ability

KIND = "abilities"
KINDS: Mapping[str, Term] = {KIND: _("Special ability")}
RULE = "PF-HOUSE"
NAME_MOST, SUMMARY_MOST = 60, 300
AMOUNT_MOST, EFFECTS_MOST = 20, 12
NUMBER = "number"

type Own = Mapping[str, Mapping[str, Mapping[str, Any]]]

# Vocabulary of effects: figures, what an amount is multiplied by, and conditions.

STATS: Mapping[str, Term] = {
    Stat.OM.value: _("Offense (OM)"), Stat.DV.value: _("Defense (DV)"), Stat.DAMAGE.value: _("Damage"),
    Stat.MORALE.value: _("Morale checks"), Stat.FOE_OM.value: _("Enemy’s Offense (OM)"),
    Stat.FOE_DV.value: _("Enemy’s Defense (DV)"), Stat.SIEGEBREAKER.value: _("Second check of siegebreaker"),
}  # fmt: skip
TIMES: Mapping[str, tuple[Term, Amount]] = {
    NUMBER: (_("× its number"), own_value), "half-acr": (_("× half the ACR"), half_acr), "acr": (_("× the ACR"), acr),
}  # fmt: skip
FIGHTING = frozenset({Stat.OM, Stat.DV, Stat.DAMAGE, Stat.FOE_OM, Stat.FOE_DV})
CHECKS = frozenset({Stat.MORALE})


class When(NamedTuple):
    """Condition of a modifier: its words, and the figures whose modifiers may have it."""

    words: Term
    condition: Condition
    stats: frozenset[Stat] = frozenset(Stat)


WHEN: Mapping[str, When] = {
    "melee": When(_("in melee"), Pairing("melee"), FIGHTING),
    "first-melee": When(_("in its first melee phase"), Pairing("melee") & Is("first-melee"), FIGHTING),
    "shot": When(_("at range"), Pairing("shot"), FIGHTING),
    "ambush": When(_("in an ambush"), Doing("ambush"), FIGHTING),
    "parting": When(_("in a parting shot"), Doing("parting"), FIGHTING),
    "bloodied": When(_("with half its hit points or less"), BLOODIED),
    "behind-walls": When(_("behind walls"), Is("behind-walls")),
    "bright-light": When(_("in bright light"), In("bright-light")),
    "on-water": When(_("on water"), In("on-water")),
    "rout": When(_("against rout"), For("rout"), CHECKS),
    "fear": When(_("against fear"), For("fear"), CHECKS),
    "withdraw": When(_("to withdraw"), For("withdraw"), CHECKS),
    "stop": When(_("to stop a withdrawal"), For("stop"), CHECKS),
    "tactic": When(_("to change tactic"), For("tactic"), CHECKS),
    "strategy": When(_("to change strategy"), For("strategy"), CHECKS),
}  # fmt: skip
_LIVING_DEAD = Has(t.UNDEAD) | OfType("undead")
AGAINST: Mapping[str, When] = {
    "undead": When(_("the undead"), Against(_LIVING_DEAD), FIGHTING),
    "living": When(_("the living"), Against(~_LIVING_DEAD & ~OfType("construct")), FIGHTING),
    **{
        slug: When(words, Against(OfType(slug)), FIGHTING)
        for slug, words in {
            "aberration": _("aberrations"), "animal": _("animals"), "construct": _("constructs"),
            "dragon": _("all dragons"), "fey": _("fey creatures"), "humanoid": _("humanoids"),
            "magical-beast": _("magical beasts"), "monstrous-humanoid": _("monstrous humanoids"), "ooze": _("oozes"),
            "outsider": _("outsiders"), "plant": _("plants"), "vermin": _("all vermin"),
        }.items()
    },
    "evil": When(_("the evil"), Against(Is("evil")), FIGHTING),
    "mounted": When(_("mounted armies"), Against(Has(t.MOUNTED)), FIGHTING),
    "flying": When(_("flying armies"), Against(Has(t.FLIES)), FIGHTING),
    "casters": When(_("spellcasters"), Against(Has(t.CASTS)), FIGHTING),
    "not-overcoming": When(_("armies that can’t overcome it"), Against(~Is("overcomes")), FIGHTING),
}  # fmt: skip
NAMED_IN_THE_ENGINE = ("inspire-courage", "judgment", "rage", "smite-evil", "vortex", "wild-shape")
LIKES: Mapping[str, Term] = {
    slug: one.name for slug, one in ABILITIES.items()
    if one.value == "none" and not one.options and slug not in NAMED_IN_THE_ENGINE
}  # fmt: skip
"""Abilities that an own one may work like: those without a number, a choice, or a part that only their name has."""


# Entries.


class OwnModifier(NamedTuple):
    """A number on a figure, possibly times another, under at most two conditions."""

    stat: Annotated[str, OneOf(STATS), Label(_("Figure"))]
    amount: Annotated[int, WholeNumber(-AMOUNT_MOST, AMOUNT_MOST), KEPT, Label(_("Amount"))] = 1
    times: Annotated[
        str, OneOf({slug: words for slug, (words, _amount) in TIMES.items()}),
        Label(_("Times"), options={"": Term("× 1"), **{slug: words for slug, (words, _amount) in TIMES.items()}}),
    ] = ""  # fmt: skip
    when: Annotated[
        str, OneOf({slug: one.words for slug, one in WHEN.items()}),
        Label(_("When"), options={"": _("always"), **{slug: one.words for slug, one in WHEN.items()}}),
    ] = ""  # fmt: skip
    against: Annotated[
        str, OneOf({slug: one.words for slug, one in AGAINST.items()}),
        Label(_("Against"), options={"": _("all armies"), **{slug: one.words for slug, one in AGAINST.items()}}),
    ] = ""  # fmt: skip

    def judged(self, wrong: Wrong) -> OwnModifier:
        if not self.amount:
            wrong("amount", _("Enter a number other than 0."))
        for member, known in (("when", WHEN), ("against", AGAINST)):
            found = known.get(getattr(self, member))
            if found is not None and Stat(self.stat) not in found.stats:
                wrong(member, _("{figure} can’t depend on this. Choose another."), figure=STATS[self.stat])
        return self


type OwnModifiers = Annotated[
    tuple[Annotated[str, OneOf(STATS)] | OwnModifier, ...],
    Each(EFFECTS_MOST),
    Label(_("Modifiers"), one=_("Figure"), another=_("Figure")),
]  # fmt: skip
type OwnImmunities = Annotated[
    tuple[Annotated[str, OneOf(KIND)], ...], Each(EFFECTS_MOST), Label(_("Immunities"), one=_("Immune to"))
]


class OwnAbility(NamedTuple):
    """A campaign's own special ability. Like those of the law it has no price and doesn't change the ACR."""

    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))]
    summary: Annotated[
        str, Text(SUMMARY_MOST), Label(_("Description"), _("In your campaign’s words, shown wherever it counts."))
    ]  # fmt: skip
    number: Annotated[
        bool, Label(_("Has a number"), _("Written beside it for each unit, like the 3 of Spellcasting 3."))
    ] = False
    like: Annotated[
        str, OneOf("likes"),
        Label(_("Works like"), _("It does all that this ability does. Whoever is immune to that is immune to it.")),
    ] = ""  # fmt: skip
    modifiers: OwnModifiers = ()
    immune: OwnImmunities = ()

    def judged(self, wrong: Wrong) -> OwnAbility:
        found = tuple(OwnModifier(one) if isinstance(one, str) else one for one in self.modifiers)
        for place, one in enumerate(found):
            if one.times == NUMBER and not self.number:
                wrong.below("modifiers", place)("times", _("This ability has no number. Tick “Has a number” first."))
        for place, slug in enumerate(self.immune):
            if slug in self.immune[:place]:
                wrong.below("immune")(str(place), _("This is listed twice. Remove one."))
        return self._replace(modifiers=found)


SHAPE = shape_of(OwnAbility)
SHAPES: Mapping[str, DeclaredShape] = {KIND: SHAPE}


def clean_own(given: object) -> dict[str, dict[str, Any]]:
    """Validate a campaign's own abilities and return them in their stored form. Raises `InvalidInput`, as
    `read_own`.
    """
    return read_own(given, SHAPES, taken, _known)


def _known(_kept: Own, given: OwnGiven) -> Mapping[str, Any]:
    """Return the abilities that an immunity may name: the law's, and any of the campaign's."""
    own = {slug: Term(str(thing.get("name", slug))) for slug, thing in given[KIND].items() if isinstance(thing, dict)}
    return {KIND: {**{slug: one.name for slug, one in ABILITIES.items()}, **own}, "likes": LIKES}


def taken(kind: str, slug: str) -> bool:
    """Whether the law itself has an ability with this slug."""
    return slug in ABILITIES


def names_of(own: Own) -> dict[str, str]:
    """Return the slugs of a campaign's own abilities by their names."""
    return {str(thing["name"]): slug for slug, thing in own.get(KIND, {}).items()}


def bearing(own: Own, kind: str, slug: str) -> Said | None:
    """Return the name of another own ability that is immune to this one, None if there is none."""
    found = own.get(KIND, {}).items()
    return next((Term(kept["name"]) for key, kept in found if key != slug and slug in kept.get("immune", ())), None)


# Use among the law's abilities.


def abilities_of(law: Mapping[str, Ability], own: Own) -> dict[str, Ability]:
    """Return the campaign's own abilities, working like those of this law."""
    return {slug: _ability(slug, SHAPE.read_document(kept, known=_known({}, own)), law)
            for slug, kept in own.get(KIND, {}).items()}  # fmt: skip


def _ability(slug: str, own: OwnAbility, law: Mapping[str, Ability]) -> Ability:
    named = Ability(slug, Term(own.name), RULE, Term(own.summary), value="required" if own.number else "none")
    modifiers = tuple(_modifier(one) for one in own.modifiers if isinstance(one, OwnModifier))
    told = tuple(facts_of(own, law))
    own_effects = replace(named, modifiers=modifiers, immune=own.immune, told=told)
    model = law[own.like] if own.like else None
    if model is None or model.off:
        return replace(own_effects, off=model is not None and not (modifiers or own.immune))
    return replace(
        named, modifiers=model.modifiers, traits=model.traits, immune=model.immune, use=model.use,
        mechanic=model.key, like=own.like, beside=own_effects, told=told,
    )  # fmt: skip


def _modifier(one: OwnModifier) -> Modifier:
    conditions = [known[slug].condition for known, slug in ((WHEN, one.when), (AGAINST, one.against)) if slug]
    when = conditions[0] & conditions[1] if len(conditions) == 2 else conditions[0] if conditions else None
    return Modifier(Stat(one.stat), multiplied(one.amount, one.times) if one.times else one.amount, when)


@cache
def multiplied(amount: int, times: str) -> Amount:
    """Return the amount times what `TIMES` names. Equal arguments give the same function."""
    _words, each = TIMES[times]
    return each if amount == 1 else lambda situation, value: amount * each(situation, value)


# Effects in words.


def facts_of(own: OwnAbility, law: Mapping[str, Ability]) -> Iterator[Said]:
    if own.number:
        yield _("has a number")
    if own.like:
        yield say(_("works like {ability}"), ability=law[own.like].name)
    yield from (modifier_in_words(one) for one in own.modifiers if isinstance(one, OwnModifier))
    for slug in own.immune:
        yield say(_("immune to {ability}"), ability=law[slug].name if slug in law else slug)


def modifier_in_words(one: OwnModifier) -> Said:
    """Return a modifier in words: "Defense (DV) +2 in melee against undead"."""
    parts: list[Said] = [say(_("{figure} {amount}"), figure=STATS[one.stat], amount=signed(one.amount))]
    parts += [TIMES[one.times][0]] if one.times else []
    parts += [WHEN[one.when].words] if one.when else []
    parts += [say(_("against {armies}"), armies=AGAINST[one.against].words)] if one.against else []
    told = parts[0]
    for part in parts[1:]:
        told = say(Term("{told} {more}"), told=told, more=part)
    return told

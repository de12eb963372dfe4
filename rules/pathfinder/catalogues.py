"""Codex of this law: what a reader can look up, kind by kind, with the figures of each item in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rules.core.content import Item, rules_told
from rules.core.text import Said, Term, _, by_number, minus, say, signed
from rules.law import Catalogue
from rules.pathfinder.catalogue.marks import MARKS
from rules.pathfinder.rulebook import Rulebook

# Rule index: each rule of the law in a sentence, where a rule id beside a figure or a line of the log leads.

_RULES = (
    ("PF-1.1", _("Challenge rating ladder"),
     _("Ratings go 1/8, 1/6, 1/4, 1/3, 1/2, 1, 2, 3 and on by ones; size moves an army by steps on it.")),
    ("PF-1.2", _("Army size"),
     _("The head count gives the size; the size moves the challenge rating, scales prices and sets what a "
       "defeat costs the kingdom.")),
    ("PF-1.3", _("Army challenge rating"),
     _("The unit’s rating, or the mount’s if it is higher, moved by the steps of the size. Below 1/8 there is "
       "no army.")),
    ("PF-1.4", _("Hit points of an army"),
     _("Challenge rating times the average of one hit die, rounded down, at least 1.")),
    ("PF-1.5", _("Offense and Defense"),
     _("OM is the challenge rating rounded down plus modifiers; DV is 10 more.")),
    ("PF-1.6", _("Experience for an army"),
     _("A beaten army is worth what a creature of its challenge rating is worth.")),
    ("PF-1.7", _("Consumption"),
     _("Half the challenge rating in BP a week, at least 1, plus what its resources and the week add.")),
    ("PF-1.8", _("Speed"),
     _("Hexes a day from the unit’s speed; difficult ground halves it, teleportation ignores it.")),
    ("PF-1.9", _("Morale"),
     _("It runs from −4 to +4 and starts at 0; at −5 the army disbands.")),
    ("PF-1.10", _("Tactics an army knows"),
     _("At most half its challenge rating; the standard tactic and withdrawal always, and those lent to it, do "
       "not count.")),
    ("PF-1.11", _("One kind of unit"),
     _("An army has one unit type; a contingent with other figures is an army of its own.")),
    ("PF-1.12", _("Alignment"),
     _("It matters only to abilities that name it.")),
    ("PF-2.1", _("A commander’s figures"),
     _("Charisma, soldiering (a fifth of his ranks; who holds an office has at least 1, and a sixth of his level), "
       "level and the Leadership feat make him what he is.")),
    ("PF-2.2", _("Leadership"),
     _("Level plus Charisma modifier, +3 with the Leadership feat.")),
    ("PF-2.3", _("Morale bonus of a commander"),
     _("His Charisma modifier and his soldiering, on every morale check of his army.")),
    ("PF-2.4", _("Boons a commander knows"),
     _("One, and one more for each point of soldiering; the boon of his office is extra.")),
    ("PF-2.5", _("An active commander"),
     _("He helps only while he is with the army: three days a week, and on the field in battle.")),
    ("PF-2.6", _("Offices"),
     _("An office of the kingdom brings its holder one boon.")),
    ("PF-2.7", _("An army without a commander"),
     _("Each week morale −1, unless its consumption is paid twice; a soldier may be promoted.")),
    ("PF-2.8", _("Losing a commander"),
     _("When his army is defeated a d100 says whether he is killed, captured or escapes; for a player character "
       "the GM does.")),
    ("PF-2.9", _("Boons"),
     _("What an active commander gives his army.")),
    ("PF-3.1", _("Checks of a battle"),
     _("A d20 and the modifier: OM to attack, morale to hold, a kingdom’s attribute less Unrest for the kingdom.")),
    ("PF-3.2", _("Course of a battle"),
     _("Perhaps an ambush, then tactics, shooting, and melee until one side is left.")),
    ("PF-3.3", _("Ambush"),
     _("Hidden armies check against the Defense of their target; beaten, it does nothing in the tactics phase.")),
    ("PF-3.4", _("Tactics phase"),
     _("The GM sets the field; every army chooses a tactic it may use.")),
    ("PF-3.5", _("Order of a phase"),
     _("Lingering harm, changes of tactic and strategy, declarations, opposed checks, attacks all at once, "
       "their effects, weather, rout.")),
    ("PF-3.6", _("Attack and damage"),
     _("A check above the DV deals the difference, with what changes damage. A natural 20 always deals 1; a "
       "natural 1 costs the next attack.")),
    ("PF-3.7", _("Strategy track"),
     _("Five steps from defensive to reckless. One step is free in a melee phase; more need a morale check of 20.")),
    ("PF-3.8", _("Who may attack"),
     _("At range only those that can shoot; hand to hand everybody who is not kept from it.")),
    ("PF-3.9", _("Rout"),
     _("An army that lost hit points and has no more than its challenge rating left checks morale against 15, "
       "or flees under a parting shot.")),
    ("PF-3.10", _("Withdrawal"),
     _("Opposed morale checks against each attacker: beat all and it is gone, beat some and it leaves late, "
       "beat none and it stays.")),
    ("PF-3.11", _("Tactics"),
     _("How an army fights. Changing takes a morale check of 15.")),
    ("PF-3.12", _("Heroes and the GM’s hand"),
     _("Heroes who prevail give their army +4, who fail −4; the GM may set any figure himself.")),
    ("PF-4", _("Battlefield conditions"),
     _("Ground, light and weather, for the whole field or for some armies, as long as the battle lasts.")),
    ("PF-4.1", _("Wind"),
     _("It weakens shooting, or makes it impossible; engines and rocks bear more of it.")),
    ("PF-4.2", _("Spells on the field"),
     _("They change it only if they last an hour and cover a great square.")),
    ("PF-5", _("Resources"),
     _("What an army carries: bought once by its size, paid for every week.")),
    ("PF-5.1", _("Who can use a resource"),
     _("Mindless armies use no engines, animals no potions or weapons; the GM decides the rest.")),
    ("PF-5.2", _("Handing resources on"),
     _("To an army no larger than the giver, free of charge, for one point of the giver’s morale. A disbanded "
       "army’s are given, stored or sold at half price.")),
    ("PF-6", _("After the battle"),
     _("What becomes of the armies, their commanders and their kingdoms.")),
    ("PF-6.1", _("A defeated army"),
     _("It is gone; its kingdom loses attributes by its size, and its commander’s fate is rolled.")),
    ("PF-6.2", _("A routed army"),
     _("Morale −1; it starts no battle until its kingdom passes a Loyalty check.")),
    ("PF-6.3", _("A victorious army"),
     _("A Loyalty check may bring it a tactic and morale +1; another may bring its commander a boon.")),
    ("PF-6.4", _("Experience of the victors"),
     _("The winners’ player characters earn what each beaten army is worth.")),
    ("PF-6.5", _("What outlasts a battle"),
     _("Lost hit points, disease and energy drain; everything else ends with it.")),
    ("PF-6.6", _("An even fight"),
     _("An army is worth its challenge rating: equal ratings are an even fight. That one army of ACR 9 equals three of "
       "ACR 6 is meant above all for humanoid armies (R-92); the workshop shows what these rules give.")),
    ("PF-7", _("Time"),
     _("What days, weeks and months do to armies.")),
    ("PF-7.1", _("Day of rest"),
     _("An army that neither moves nor fights heals its challenge rating; a Loyalty check a day may heal as "
       "much again.")),
    ("PF-7.2", _("The week’s pay"),
     _("Consumption is paid from the treasury; unpaid, morale is 2 lower until the arrears are paid.")),
    ("PF-7.3", _("Disease and drain"),
     _("Illness costs 1 OM and DV more every day until a Stability check cures it; energy drain ends after a day.")),
    ("PF-7.4", _("The month"),
     _("The kingdom’s own expenses, and the Loyalty checks of routed armies.")),
    ("PF-7.5", _("Healing by the hour"),
     _("Fast healing returns its full value each hour out of battle, regeneration half of it.")),
    ("PF-8.1", _("What a kingdom is"),
     _("Economy, Loyalty and Stability, Unrest taken from all three, size, treasury and settlements.")),
    ("PF-8.2", _("Control DC"),
     _("20, plus size, plus districts, plus what the GM adds; or what he sets.")),
    ("PF-8.3", _("Defense of a settlement"),
     _("Walls, moats, towers, barracks and castles add up; or the GM sets it.")),
    ("PF-8.4", _("Upkeep phase"),
     _("Stability check, expenses, and the Unrest that debts and negative attributes bring.")),
    ("PF-8.5", _("Monstrous armies"),
     _("They are raised only with an alliance or friendship, which the GM confirms.")),
    ("PF-9", _("Special abilities"),
     _("What an army can do because most of its units can.")),
    ("R-3", _("Mounted armies"),
     _("They move at the mount’s speed; hit die and abilities stay the unit’s.")),
    ("R-7", _("A commander known for losing"),
     _("The −1 enters his army’s checks and never its stored morale; a boon whose leadership is missing sleeps.")),
    ("R-13", _("Fog"),
     _("It halves the damage of attacks by the attacker’s own fog, not bleeding or sandstorms.")),
    ("R-14", _("Fortifications"),
     _("One object with parts, shared by the armies inside: siege wear belongs to it, climbers meet three "
       "quarters, fliers and teleporters none.")),
    ("R-15", _("Siege engines at work"),
     _("Each wears the target’s fortification by 1d4 in melee, before all attacks; a destroyed engine is lost "
       "for good.")),
    ("R-21", _("A target that is gone"),
     _("Gone before the orders are revealed, it counts as not ordered; gone after, the attack is lost.")),
    ("R-22", _("Used once"),
     _("What is used once per battle is spent even if it proves useless; one drink a phase.")),
    ("R-23", _("Rage and tactics"),
     _("Rage replaces barred tactics and strategies by the standard ones at once; a tactic whose need is gone "
       "has no effect.")),
    ("R-24", _("Wild shape and judgment"),
     _("A shape acts at once and takes spellcasting away; a judgment is chosen each phase, before attacks.")),
    ("R-25", _("Inspire courage"),
     _("The bards have it always; one ally may be named and keeps it until another is.")),
    ("R-26", _("Effects of an attack"),
     _("Trip, grab, siege wear and opposing a withdrawal need an attack made this phase; declarations, potions "
       "and healing do not.")),
    ("R-27", _("Declared for the rest of a battle"),
     _("Style and specialisation follow the blow, shot or melee; a challenge never moves to another army; "
       "smiting needs an evil target.")),
    ("R-28", _("False retreat and dirty fighters"),
     _("The lure names one enemy, and the next phase’s +6 holds against it alone; the phase of dirty fighting "
       "is declared.")),
    ("R-29", _("Trip and grab"),
     _("Each army that trips in melee takes 1 from its target’s DV this phase; each that grabs takes 2 from its "
       "morale checks.")),
    ("R-31", _("Withdrawal, closer"),
     _("All beaten: it leaves at once or shoots from afar. Some beaten: it leaves at the end, and every "
       "opponent may attack. None: it stays.")),
    ("R-32", _("Withdrawals without dice"),
     _("Armies that always withdraw or that nobody can see need no roll; otherwise a mindless opponent holds "
       "them without one.")),
    ("R-33", _("Taunt"),
     _("It acts on the declared target; after two successes that army is immune to all taunts.")),
    ("R-40", _("Damage, closer"),
     _("No difference left: the house minimum. Otherwise the factors, rounded down, at least 1; a natural 20’s "
       "single point is never multiplied.")),
    ("R-41", _("Extra dice"),
     _("Rolled only when the attack hits and can hurt; one roll for each source.")),
    ("R-43", _("Bleeding"),
     _("One mark for each damaging melee attack, rolled at the start of the next phase, never multiplied.")),
    ("R-44", _("Drain and paralysis"),
     _("They add up with every attack that does damage.")),
    ("R-45", _("Fear"),
     _("An afraid army that fails a check with a fixed DC in the next phase routs without a reroll.")),
    ("R-52", _("Last stand"),
     _("Ferocity fights one more melee phase at −4; then the fate that had befallen it falls.")),
    ("R-54", _("Spawn"),
     _("The attack that takes the last hit point may heal the slayer or raise a new army.")),
    ("R-55", _("A captured army"),
     _("It keeps its hit points and morale and gives no parting shot; its commander is captured with it.")),
    ("R-56", _("Victory, closer"),
     _("Hit points first, then the checks, each victorious army its own; in a draw nobody wins.")),
    ("R-69", _("Dice that lie"),
     _("The dice of an aftermath stay as they fell; only an explicit act throws them again.")),
    ("R-72", _("Difficult hexes on a march"),
     _("A difficult hex takes two of the day’s hexes; what is left is carried into the next day.")),
    ("R-81", _("What is chosen for a week"),
     _("It holds for the whole week, is shown while it runs and may be changed until it ends.")),
    ("R-84", _("The first melee of an army that rises"),
     _("It counts its melee phases from the next one: in that phase it takes any strategy without a check.")),
    ("R-85", _("Interruptions, closer"),
     _("What armies have set on the field, such as a sandstorm, ends; what is used once per battle may be used again. "
       "Walls stay as worn as they are.")),
    ("R-88", _("Surrender"),
     _("Ordered in a melee phase: the army does nothing else, and at the end of the phase it is captured with its "
       "commander. Its kingdom bears it as a defeat.")),
    ("R-89", _("Staying at range"),
     _("Where every army that can shoot is ordered to stay at range, and each side has one, another ranged phase "
       "follows, as long as there is ammunition.")),
    ("R-90", _("Invincible"),
     _("The GM rules that the attacks of one enemy do nothing to an army: no damage, nothing that follows from it, "
       "no trip, no grab, and that enemy does not stop its withdrawal.")),
    ("R-93", _("The two checks of a victor"),
     _("They are independent of each other, unless the campaign makes the second only if the first succeeds.")),
    ("R-95", _("Marches over the map"),
     _("By road every hex is open ground; a forced march goes half as far again and costs half the challenge rating in "
       "hit points each day.")),
)  # fmt: skip
INDEX: Mapping[str, Item] = rules_told(*_RULES)


NAMED_UNITS = by_number("{name}, {count} unit", "{name}, {count} units")
KINDS: Mapping[str, Term] = {
    "tactics": _("Tactics"),
    "strategies": _("Strategies"),
    "conditions": _("Battlefield conditions"),
    "boons": _("Boons"),
    "resources": _("Resources"),
    "abilities": _("Special abilities"),
    "offices": _("Offices"),
    "buildings": _("Buildings"),
    "sizes": _("Army sizes"),
}
CLASSES: Mapping[str, Term] = {
    "alchemist": _("alchemist"),
    "barbarian": _("barbarian"),
    "bard": _("bard"),
    "cavalier": _("cavalier"),
    "cleric": _("cleric"),
    "druid": _("druid"),
    "fighter": _("fighter"),
    "inquisitor": _("inquisitor"),
    "monk": _("monk"),
    "paladin": _("paladin"),
    "ranger": _("ranger"),
    "rogue": _("rogue"),
    "summoner": _("summoner"),
    "witch": _("witch"),
}
FIGURES = (
    "units", "step", "defeat", "om", "dv", "damage", "leadership", "tier", "needs_tactic", "price", "consumption",
    "scaled", "several", "replaces", "value", "class_levels", "always_known", "boons", "defense",
)  # fmt: skip


def catalogues_of(law: Rulebook) -> dict[str, Catalogue]:
    found = {
        kind: Catalogue(label, getattr(law, kind), _teller(law, kind), FIGURES, _members)
        for kind, label in KINDS.items()
    }
    marks = {slug: mark for slug, mark in MARKS.items() if not mark.hidden}
    return {
        **found,
        "marks": Catalogue(_("Marks of armies in battle"), marks, _no_figures),
        "rules": Catalogue(_("Rules"), INDEX, _no_figures),
    }


def _no_figures(item: Any) -> tuple[Said, ...]:
    return ()


def _members(item: Any) -> dict[str, Any]:
    """What the API answers of an item beside its figures."""
    told: dict[str, Any] = {}
    if hasattr(item, "factor"):
        told["price_factor"] = str(item.factor)
    if options := getattr(item, "options", ()):
        told["options"] = [
            {"slug": o.slug, "kind": o.kind, "choices": list(o.choices), "required": o.required} for o in options
        ]
    if buildings := getattr(item, "buildings", ()):
        told["buildings"] = list(buildings)
    return told


def _teller(law: Rulebook, kind: str) -> Callable[[Any], Iterable[Said]]:
    return lambda item: _facts(law, kind, item)


def _facts(law: Rulebook, kind: str, item: Any) -> Iterator[Said]:
    match kind:
        case "sizes":
            yield say(_("from {units} units"), units=item.units)
            yield say(_("ACR {step} steps"), step=signed(item.step))
            yield say(_("prices × {factor}"), factor=str(item.factor))
            yield say(_("defeat: {economy} / {loyalty} / {stability}"), **_losses(item.defeat))
        case "strategies" if item.step:
            yield say(
                _("OM {om}, DV {dv}, damage {damage}"),
                om=signed(item.om), dv=signed(item.dv), damage=signed(item.damage),
            )  # fmt: skip
        case "resources":
            yield say(_("{price} BP"), price=item.price)
            weekly = _("{consumption} BP for each use, in its week") if item.use else _("{consumption} BP a week")
            yield say(weekly, consumption=item.consumption)
            yield from (law.buildings[slug].name for slug in item.buildings if slug in law.buildings)
        case "boons" if item.leadership:
            yield say(_("leadership {leadership}"), leadership=item.leadership)
        case "abilities" if item.class_levels:
            yield from (_class_level(part) for part in item.class_levels.split(", "))
        case "offices":
            yield from (law.boons[slug].name for slug in item.boons if slug in law.boons)
        case "buildings" if item.defense:
            yield say(_("Defense {defense}"), defense=signed(item.defense))


def _class_level(text: str) -> Said:
    """ "paladin 4" with the class in the reader's words."""
    name, _space, level = text.rpartition(" ")
    return say(_("{character_class} {level}"), character_class=CLASSES.get(name, Term(name)), level=level)


def _losses(defeat: tuple[int, int, int]) -> dict[str, str]:
    return dict(zip(("economy", "loyalty", "stability"), map(minus, defeat), strict=True))

"""Codex of mass combat: catalogues of items by kind, with each item's figures in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rules.core.content import Item, rules_told
from rules.core.text import Said, Term, _, by_number, minus, say, signed
from rules.law import Catalogue
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.rulebook import Rulebook

# Index of rules, a sentence each. Rule ids beside figures and in the log link to it.

_RULES = (
    ("PF-1.1", _("Challenge rating ladder"),
     _("Ratings are 1/8, 1/6, 1/4, 1/3, 1/2, 1, 2, 3 and so on. An army’s size moves its rating up or down.")),
    ("PF-1.2", _("Army size"),
     _("The number of units determines the size. The size changes the challenge rating, the prices and the cost of "
       "a defeat.")),
    ("PF-1.3", _("Army challenge rating"),
     _("The rating of the unit, or of its mount if higher, shifted by the army’s size. Below 1/8, it isn’t an army.")),
    ("PF-1.4", _("Hit points of an army"),
     _("Challenge rating times the average of one hit die, rounded down, at least 1.")),
    ("PF-1.5", _("Offense and Defense"),
     _("OM is the challenge rating rounded down, plus modifiers. DV is 10 more.")),
    ("PF-1.6", _("Experience for an army"),
     _("A defeated army is worth as much XP as a creature of its challenge rating.")),
    ("PF-1.7", _("Consumption"),
     _("Half the challenge rating in BP a week, at least 1, plus the extra cost of resources and events.")),
    ("PF-1.8", _("Speed"),
     _("The unit’s speed sets how many hexes it covers a day. Difficult ground halves that; teleporting armies "
       "ignore it.")),
    ("PF-1.9", _("Morale"),
     _("From −4 to +4, starting at 0. At −5 the army disbands.")),
    ("PF-1.10", _("Tactics an army knows"),
     _("At most half its challenge rating. The standard tactic, withdrawal and borrowed tactics don’t count.")),
    ("PF-1.11", _("One kind of unit"),
     _("An army has one unit type. Troops with other figures form an army of their own.")),
    ("PF-1.12", _("Alignment"),
     _("Only some abilities depend on alignment.")),
    ("PF-2.1", _("A commander’s figures"),
     _("Charisma, soldiering, level and the Leadership feat. Soldiering is a fifth of the skill’s ranks; office "
       "holders have at least 1, plus a sixth of their level.")),
    ("PF-2.2", _("Leadership"),
     _("Level plus Charisma modifier, +3 with the Leadership feat.")),
    ("PF-2.3", _("Morale bonus of a commander"),
     _("The commander’s Charisma modifier plus soldiering, on every morale check of the army.")),
    ("PF-2.4", _("Boons a commander knows"),
     _("One, plus one per point of soldiering. The boon of an office is extra.")),
    ("PF-2.5", _("An active commander"),
     _("A commander only helps while present: three days a week with the army, and on the field in battle.")),
    ("PF-2.6", _("Offices"),
     _("An office of the kingdom gives its holder one boon.")),
    ("PF-2.7", _("An army without a commander"),
     _("Morale −1 each week, unless Consumption is paid twice. A soldier can be promoted.")),
    ("PF-2.8", _("Losing a commander"),
     _("When the army is defeated, a d100 decides whether the commander is killed, captured or escapes. For a "
       "player character the GM decides.")),
    ("PF-2.9", _("Boons"),
     _("Benefits an active commander gives the army.")),
    ("PF-3.1", _("Checks of a battle"),
     _("A d20 plus a modifier: OM to attack, Morale to hold, an attribute minus Unrest for the kingdom.")),
    ("PF-3.2", _("Course of a battle"),
     _("An ambush if any, then tactics, shooting, and melee until one side is left.")),
    ("PF-3.3", _("Ambush"),
     _("Hidden armies make a check against their target’s Defense. On a success, the target can’t act in the "
       "tactics phase.")),
    ("PF-3.4", _("Tactics phase"),
     _("The GM sets the conditions. Each army chooses a tactic it can use.")),
    ("PF-3.5", _("Order of a phase"),
     _("Ongoing damage, changes of tactic and strategy, announcements, opposed checks, simultaneous attacks, "
       "their effects, weather, rout.")),
    ("PF-3.6", _("Attack and damage"),
     _("A check above the DV deals the difference, plus damage modifiers. A natural 20 always deals at least 1. A "
       "natural 1 costs the army its next attack.")),
    ("PF-3.7", _("Strategy track"),
     _("Five steps from defensive to reckless. One step per melee phase is free; more need a DC 20 morale check.")),
    ("PF-3.8", _("Armies able to attack"),
     _("At range only armies that can shoot. In melee all armies, unless something prevents it.")),
    ("PF-3.9", _("Rout"),
     _("An army that lost hit points and has at most its challenge rating left makes a DC 15 morale check. If it "
       "fails, it flees and takes parting shots.")),
    ("PF-3.10", _("Withdrawal"),
     _("Opposed morale checks against each attacker. Beat all and the army leaves, beat some and it leaves late, "
       "beat none and it stays.")),
    ("PF-3.11", _("Tactics"),
     _("An army’s way of fighting. Changing it takes a DC 15 morale check.")),
    ("PF-3.12", _("Heroes and GM overrides"),
     _("Heroes who succeed give their army +4, heroes who fail −4. The GM can set any figure.")),
    ("PF-4", _("Battlefield conditions"),
     _("Ground, light and weather, for the whole field or for some armies, while the battle lasts.")),
    ("PF-4.1", _("Wind"),
     _("Wind weakens ranged attacks or makes them impossible. Siege engines and rocks are less affected.")),
    ("PF-4.2", _("Spells on the field"),
     _("Spells only count if they last an hour and cover a large square.")),
    ("PF-5", _("Resources"),
     _("Army equipment: bought once at a price set by its size, then paid for weekly.")),
    ("PF-5.1", _("Use of resources"),
     _("Mindless armies can’t use engines, animals can’t use potions or weapons. The GM decides other cases.")),
    ("PF-5.2", _("Transferring resources"),
     _("To an army that isn’t larger than the giver. It costs no BP but one point of the giver’s Morale. Resources "
       "of a disbanded army are given away, stored or sold at half price.")),
    ("PF-6", _("After the battle"),
     _("What happens after a battle to armies, their commanders and their kingdoms.")),
    ("PF-6.1", _("A defeated army"),
     _("The army is gone. Its kingdom loses attribute points based on its size, and its commander’s fate is rolled.")),
    ("PF-6.2", _("A routed army"),
     _("Morale −1. The army can’t start a battle until its kingdom passes a Loyalty check.")),
    ("PF-6.3", _("A victorious army"),
     _("A Loyalty check can give the army a tactic and Morale +1, another can give its commander a boon.")),
    ("PF-6.4", _("Experience of the victors"),
     _("The victors’ player characters earn the XP of each defeated army.")),
    ("PF-6.5", _("Lasting effects of a battle"),
     _("Lost hit points, disease and energy drain. All else ends with the battle.")),
    ("PF-6.6", _("An even fight"),
     _("Equal challenge ratings make an even fight. One army of ACR 9 equals three of ACR 6, but mainly for "
       "humanoid armies (R-92); the workshop shows the real odds.")),
    ("PF-7", _("Time"),
     _("Effects of days, weeks and months on armies.")),
    ("PF-7.1", _("Day of rest"),
     _("An army that neither moves nor fights regains its challenge rating in hit points. One Loyalty check a day "
       "can restore as much again.")),
    ("PF-7.2", _("The week’s pay"),
     _("Consumption is paid from the treasury. If it isn’t paid, Morale is 2 lower until the arrears are paid.")),
    ("PF-7.3", _("Disease and drain"),
     _("Disease lowers OM and DV by 1 more each day until a Stability check cures it. Energy drain ends after a day.")),
    ("PF-7.4", _("The month"),
     _("The kingdom’s own expenses, and Loyalty checks for routed armies.")),
    ("PF-7.5", _("Healing by the hour"),
     _("Outside battle, fast healing restores its full value each hour, regeneration half.")),
    ("PF-8.1", _("Kingdom figures"),
     _("Economy, Loyalty and Stability, each reduced by Unrest; size, treasury and settlements.")),
    ("PF-8.2", _("Control DC"),
     _("20 + size + districts + the GM’s modifier, or a value set by the GM.")),
    ("PF-8.3", _("Defense of a settlement"),
     _("Walls, moats, towers, barracks and castles add up, or the GM sets the value.")),
    ("PF-8.4", _("Upkeep phase"),
     _("Stability check, expenses, and Unrest from debts and negative attributes.")),
    ("PF-8.5", _("Monstrous armies"),
     _("Monstrous armies can only be raised with an alliance or friendship confirmed by the GM.")),
    ("PF-9", _("Special abilities"),
     _("Abilities that most units of an army have.")),
    ("PF-HOUSE", _("House rules"),
     _("What your campaign does its own way: rules it changes, and special abilities it adds.")),
    ("R-3", _("Mounted armies"),
     _("Mounted armies move at the mount’s speed. Hit dice and abilities are the unit’s.")),
    ("R-7", _("Commander with a reputation for losing"),
     _("The −1 counts in the army’s checks, not in its stored Morale. A boon without the leadership it needs is "
       "dormant.")),
    ("R-13", _("Fog"),
     _("Fog around the attacker halves the damage of its attacks. Bleeding and sandstorms aren’t halved.")),
    ("R-14", _("Fortifications"),
     _("A fortification has parts and is shared by the armies inside. Siege damage to it remains. Climbers face "
       "three quarters of its Defense, flyers and teleporters none.")),
    ("R-15", _("Siege engines at work"),
     _("Each engine takes 1d4 off the target’s fortification in melee, before all attacks. A destroyed engine is "
       "lost for good.")),
    ("R-21", _("A target that has left"),
     _("If the target leaves before orders are revealed, the army counts as having no target. If it leaves later, "
       "the attack is lost.")),
    ("R-22", _("Once per battle"),
     _("Abilities usable once per battle are spent even if they have no effect. One potion per phase.")),
    ("R-23", _("Rage and tactics"),
     _("Rage replaces forbidden tactics and strategies with the standard ones at once. A tactic without its "
       "requirement has no effect.")),
    ("R-24", _("Wild shape and judgment"),
     _("Wild shape takes effect at once and removes spellcasting. A judgment is chosen each phase, before attacks.")),
    ("R-25", _("Inspire courage"),
     _("Bards always inspire courage. You can choose one ally, which stays inspired until you choose another.")),
    ("R-26", _("Effects of an attack"),
     _("Trip, grab, siege damage and opposing a withdrawal need an attack in this phase. Announcements, potions "
       "and healing don’t.")),
    ("R-27", _("Effects for the rest of a battle"),
     _("Style and specialization apply to ranged or melee attacks. A challenge never moves to another army. "
       "Smiting needs an evil target.")),
    ("R-28", _("False retreat and dirty fighters"),
     _("The lure names one enemy, and the +6 of the next phase only counts against it. The phase of dirty "
       "fighting has to be announced.")),
    ("R-29", _("Trip and grab"),
     _("Each army that trips in melee takes 1 off its target’s DV in this phase. Each army that grabs takes 2 off "
       "its target’s morale checks.")),
    ("R-31", _("Withdrawal in detail"),
     _("If it beats all opponents, the army leaves at once or shoots from afar. If it beats some, it leaves at the "
       "end, and every opponent can attack it. If none, it stays.")),
    ("R-32", _("Withdrawals without dice"),
     _("Armies that always withdraw, or that nobody can see, don’t roll. Otherwise a mindless opponent holds "
       "them without a roll.")),
    ("R-33", _("Taunt"),
     _("A taunt works on its announced target. After two successes that army is immune to all taunts.")),
    ("R-40", _("Damage in detail"),
     _("If the total is 0 or less: the minimum set by house rule. Otherwise multiplied by the factors, rounded "
       "down, at least 1. The single point of a natural 20 is never multiplied.")),
    ("R-41", _("Extra dice"),
     _("Extra dice are only rolled when the attack hits and can do damage, once per source.")),
    ("R-43", _("Bleeding"),
     _("One bleeding mark per damaging melee attack, rolled at the start of the next phase, never multiplied.")),
    ("R-44", _("Drain and paralysis"),
     _("Drain and paralysis add up with every attack that deals damage.")),
    ("R-45", _("Fear"),
     _("An army that is afraid and fails a check with a fixed DC in the next phase routs without a reroll.")),
    ("R-52", _("Last stand"),
     _("With ferocity an army fights one more melee phase at −4. Then it suffers its fate.")),
    ("R-54", _("Spawn"),
     _("The attack that takes the last hit point can heal the attacker or raise a new army.")),
    ("R-55", _("A captured army"),
     _("A captured army keeps its hit points and Morale and takes no parting shots. Its commander is captured with "
       "it.")),
    ("R-56", _("Victory in detail"),
     _("Victorious armies first regain hit points, then each makes its own checks. In a draw nobody wins.")),
    ("R-69", _("Stored dice"),
     _("The dice of an aftermath stay as rolled until someone chooses to roll them again.")),
    ("R-72", _("Difficult hexes on a march"),
     _("A difficult hex costs two of the day’s hexes. Unused movement carries over to the next day.")),
    ("R-81", _("Choices for a week"),
     _("A choice counts for the whole week. It is shown, and can be changed, until the week ends.")),
    ("R-84", _("First melee of a risen army"),
     _("A risen army counts its melee phases from the next one. In that phase it can take any strategy without a "
       "check.")),
    ("R-85", _("Interruptions in detail"),
     _("An interruption ends effects raised by armies on the field, such as a sandstorm. Abilities usable once per "
       "battle can be used again. Walls stay damaged.")),
    ("R-88", _("Surrender"),
     _("Surrender is ordered in a melee phase. The army does nothing else and is captured with its commander at "
       "the end of the phase. For its kingdom it counts as a defeat.")),
    ("R-89", _("Staying at range"),
     _("Another ranged phase follows if all armies that can shoot are ordered to stay at range, each side has "
       "one, and ammunition is left.")),
    ("R-90", _("Invincible"),
     _("The GM can make an army invincible against one enemy: that enemy’s attacks deal no damage and have no "
       "effects, and it can’t trip, grab or stop a withdrawal.")),
    ("R-93", _("The two checks of a victor"),
     _("The two checks are independent, unless the campaign only allows the second if the first succeeds.")),
    ("R-94", _("Reforming armies"),
     _("Outside battles and marches, armies of the same kingdom, unit and place can be divided or combined, and a "
       "worn-down army can be regrouped into a smaller one at full strength. An army in reserve is paid once a "
       "month and needs a week to be ready.")),
    ("R-95", _("Marches over the map"),
     _("By road all hexes count as open ground. A forced march goes 50% farther and costs half the challenge "
       "rating in hit points each day.")),
    ("R-96", _("Armies in reserve"),
     _("An army in reserve marches nowhere and joins no battle until it is ready. It is paid every week again from the "
       "week in which it is ready; the week in which it is called up is still one in reserve.")),
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
    """Return the members of an item in the API, apart from its figures."""
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
            weekly = _("{consumption} BP per use, that week") if item.use else _("{consumption} BP a week")
            yield say(weekly, consumption=item.consumption)
            yield from (law.buildings[slug].name for slug in item.buildings if slug in law.buildings)
        case "boons" if item.leadership:
            yield say(_("leadership {leadership}"), leadership=item.leadership)
        case "abilities" if item.class_levels:
            yield from class_levels_of(item)
        case "abilities":
            yield from item.told
        case "offices":
            yield from (law.boons[slug].name for slug in item.boons if slug in law.boons)
        case "buildings" if item.defense:
            yield say(_("Defense {defense}"), defense=signed(item.defense))


def class_levels_of(ability: Any) -> tuple[Said, ...]:
    """The classes and levels that have the ability: "paladin 4"."""
    return tuple(_class_level(part) for part in ability.class_levels.split(", ") if part)


def _class_level(text: str) -> Said:
    """Format "paladin 4" with the class in the reader's language."""
    name, _space, level = text.rpartition(" ")
    return say(_("{character_class} {level}"), character_class=CLASSES.get(name, Term(name)), level=level)


def _losses(defeat: tuple[int, int, int]) -> dict[str, str]:
    return dict(zip(("economy", "loyalty", "stability"), map(minus, defeat), strict=True))

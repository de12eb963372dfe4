"""Random battles with everything the law knows in them, each from one whole number."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from rules.pathfinder.battle.state.battle_state import Ambush, Opening, Side
from rules.pathfinder.spec import AbilityChoice, ArmySpec, BoonChoice, CommanderSpec, MountSpec, TacticKnown, UnitSpec
from tests.rules.pathfinder.oracle.armies import army_from
from tests.rules.pathfinder.oracle.grounds import conditions
from tests.rules.pathfinder.oracle.plots import PLOTS, Mood, Plot, thickened
from tests.rules.pathfinder.oracle.tables import SIZES, cr_index, size_index

LAWS = ("combat-de-masse", "ultimate-campaign")
ALIGNMENTS = ("LG", "N", "CE", "NE", "CG", "LE")
DICE = ("d4", "d6", "d8", "d10", "d12")
NUMBERS = {"spellcasting": 4, "fast-healing": 6, "regeneration": 8, "bravery": 4, "poison-resistance": 8}
COUNTS = (1, 10, 25, 50, 100, 100, 100, 200, 200, 500, 1000)

THEMES = (  # abilities that meet rarely by chance, and matter most when they do
    ("fear", "unnatural-aura", "animal-companion", "mount", "bravery", "rage", "inspire-courage", "aura-of-courage"),
    ("ferocity", "regeneration", "create-spawn", "fast-healing", "bleed", "poison", "poison-resistance"),
    ("invisibility", "blindsense", "blindsight", "flight", "burrow", "earth-glide"),
    ("swarm", "incorporeal", "ki-pool", "significant-defense", "judgment", "track"),
    ("challenge", "order", "smite-evil", "combat-style", "weapon-specialization", "hunters-bond"),
    ("breath-weapon", "evasion", "spellcasting", "spell-resistance", "channel-negative-energy", "lay-on-hands"),
    ("grab", "trip", "paralysis", "vortex", "energy-drain", "disease"),
    ("aquatic", "amphibious", "climb", "mobility", "favored-terrain", "rock-throwing", "rock-catching"),
)


def drawn_from(catalogue: Any) -> Any:
    """Without the names that came later, so that the battle of a number stays the same battle."""
    return replace(catalogue, abilities={k: item for k, item in catalogue.abilities.items() if k != "ethereal-travel"})


def settled(seed: int, house: dict[str, Any], opening: Opening, mood: Mood) -> tuple[dict[str, Any], Opening, Mood]:
    """The same battle with more in it of what the third comparison settled (R-84 to R-93)."""
    rng = Random(f"settled {seed}")
    house = {**house, "second_loyalty_check": rng.choice(("always", "after-first"))}
    unpaid = Random(f"unpaid {seed}")  # PF-7.2; of its own: what was drawn before stays as it was
    armies = tuple(replace(spec, unit=_settled(rng, spec.unit), arrears=unpaid.random() < 0.15)
                   for spec in opening.armies)  # fmt: skip
    opening = replace(opening, armies=armies, ammunition=rng.choice((None, None, 1, 2, 3)))
    favourite = {**mood.favourite, "create-sandstorm": 0.7}
    return house, opening, replace(mood, surrender=0.06, stay=0.85, spawn=0.9, favourite=favourite)


def _settled(rng: Random, unit: UnitSpec) -> UnitSpec:
    held = {choice.ability for choice in unit.abilities}
    chances = {"ethereal-travel": 0.3, "create-spawn": 0.3, "create-sandstorm": 0.3, "fear": 0.2, "poison": 0.2}
    new = [AbilityChoice(slug) for slug, chance in chances.items() if slug not in held and rng.random() < chance]
    listed = (*new, *unit.abilities) if rng.random() < 0.5 else (*unit.abilities, *new)
    return replace(unit, abilities=listed, ranged=unit.ranged or rng.random() < 0.7)


def scenario(seed: int, catalogue: Any) -> tuple[str, dict[str, Any], Opening, Mood]:
    """The law, its house rules, an opening and a temper. `catalogue` only names the content."""
    rng = Random(seed)
    law = rng.choice(LAWS)
    house: dict[str, Any] = {}
    if rng.random() < 0.25:
        house["minimum_damage"] = 0
    if rng.random() < 0.25:
        house["parting_shots"] = "all"
    if rng.random() < 0.3:
        house["overlay"] = overlay(rng, catalogue)
    plot = rng.choices(list(PLOTS.values()), [one.weight for one in PLOTS.values()])[0]
    plot = plot if rng.random() < 0.75 else Plot(Mood())
    ids = ["A", "B", "C", "D"][: rng.choice((3, 4) if plot.hunted else (2, 2, 3, 3, 4))]
    sides = (Side("prey", ("A",)), Side("hunters", tuple(ids[1:]))) if plot.hunted else _sides(rng, ids)
    first = set(sides[0].armies)
    theme = rng.choice(THEMES) if rng.random() < 0.7 else ()
    armies = tuple(random_army(rng, army, catalogue, theme, may_be_routed=army not in first) for army in ids)
    opening = thickened(rng, plot, _opening(rng, armies, sides), partial(_ability, rng, catalogue=catalogue))
    off = house.get("overlay", {}).get("conditions", {})
    kept = tuple(condition for condition in opening.conditions if condition.condition not in off)
    return law, house, replace(opening, conditions=kept), plot.mood


def overlay(rng: Random, catalogue: Any) -> dict[str, Any]:
    """Items switched off and changed numbers, as a campaign keeps them."""
    found: dict[str, Any] = {}
    for kind, most in (("abilities", 20), ("tactics", 3), ("boons", 3), ("resources", 3), ("conditions", 3)):
        always = ("standard", "withdraw")
        slugs = [slug for slug in getattr(catalogue, kind) if slug not in always]
        found[kind] = {slug: {"off": True} for slug in rng.sample(slugs, rng.randint(0, most))}
    for slug in rng.sample(list(catalogue.boons), 3):
        found["boons"].setdefault(slug, {"leadership": rng.choice((0, 3, 9, 15))})
    found["resources"].setdefault("healing-potions", {"price": 4, "consumption": rng.choice((0, 1, 7))})
    return found


def _sides(rng: Random, ids: list[str]) -> tuple[Side, ...]:
    count = 3 if len(ids) > 2 and rng.random() < 0.3 else 2
    groups: list[list[str]] = [[] for _ in range(count)]
    shuffled = rng.sample(ids, len(ids))
    for index, army in enumerate(shuffled):
        groups[index if index < count else rng.randrange(count)].append(army)
    return tuple(Side(f"side {index}", tuple(group)) for index, group in enumerate(groups))


def random_army(rng: Random, army: str, catalogue: Any, theme: tuple[str, ...], *, may_be_routed: bool) -> ArmySpec:
    abilities = _abilities(rng, catalogue, theme)
    names = {choice.ability for choice in abilities}
    tactics = tuple(TacticKnown(slug, True) for slug in catalogue.tactics if rng.random() < 0.45)
    while True:
        cr = rng.choice(("1/3", "1/2", "1", "1", "2", "3", "4", "5", "6", "7", "8", "10"))
        count = rng.choice(COUNTS)
        unit = UnitSpec(
            name="soldier", cr=cr, hit_die=rng.choice(DICE), creature_type=rng.choice(list(catalogue.creature_types)),
            alignment=rng.choice(ALIGNMENTS), level=rng.randint(1, 9), ranged=rng.random() < 0.3, abilities=abilities,
        )  # fmt: skip
        mount = None
        if rng.random() < 0.15:
            kind = rng.choice(("animal", "magical-beast"))
            mount = MountSpec("mount", rng.choice((None, "1", "4", "9")), 12, kind)
        spec = ArmySpec(
            army, f"army {army}", unit, count, mount=mount, commander=_commander(rng, army, catalogue),
            resources=_resources(rng, names, unit), tactics=tactics, morale=rng.randint(-4, 4),
            disease=rng.choice((0, 0, 0, 1, 2)), drain=rng.choice((0, 0, 0, 0, 1)),
            status="routed" if may_be_routed and rng.random() < 0.05 else "ready",
        )  # fmt: skip
        if 4 <= cr_index(cr) + SIZES[size_index(count)][2] <= 22:  # from ACR 1/2 to 18
            hurt = rng.randint(1, army_from(spec, 0, {})["hp_max"]) if rng.random() < 0.25 else None
            return replace(spec, hp=hurt)


def _abilities(rng: Random, catalogue: Any, theme: tuple[str, ...]) -> tuple[AbilityChoice, ...]:
    count = rng.choice((0, 1, 2, 3, 4, 6, 8, 12))
    slugs = rng.sample(list(catalogue.abilities), count)
    slugs += [slug for slug in rng.sample(theme, min(len(theme), rng.randint(1, 4))) if slug not in slugs]
    return tuple(_ability(rng, slug, catalogue) for slug in slugs)


def _ability(rng: Random, slug: str, catalogue: Any) -> AbilityChoice:
    value = rng.randint(1, NUMBERS[slug]) if slug in NUMBERS else None
    options: dict[str, Any] = {}
    if slug == "spellcasting" and rng.random() < 0.6:
        options["ranged"] = rng.random() < 0.7
    if slug == "immunity":
        options["to"] = rng.sample(list(catalogue.abilities), rng.randint(1, 8))
    if slug == "favored-enemy":
        options["creature_type"] = rng.choice(list(catalogue.creature_types))
    if slug == "hunters-bond":
        options["choice"] = rng.choice(("companions", "animal"))
    if slug == "hex":
        options["choice"] = rng.choice(("healing", "cauldron"))
    if slug == "tactician":
        options["tactic"] = rng.choice([name for name in catalogue.tactics if name not in ("standard", "withdraw")])
    return AbilityChoice(slug, value, options)


def _resources(rng: Random, abilities: set[str], unit: UnitSpec) -> dict[str, int]:
    found = {}
    for slug in ("ranged-weapons", "improved-armor", "magic-armor", "improved-weapons", "magic-weapons", "mounts",
                 "healing-potions"):  # fmt: skip
        if rng.random() < 0.2 and unit.creature_type != "animal":
            found[slug] = 1
    if rng.random() < 0.25 and "mindless" not in abilities:
        found["siege-engines"] = rng.randint(1, 3)
    return found


def _commander(rng: Random, army: str, catalogue: Any) -> CommanderSpec | None:
    if rng.random() < 0.3:
        return None
    office = rng.choice([None, None, *catalogue.offices])
    office_boon = rng.choice(catalogue.offices[office].boons) if office else None
    names = rng.sample(list(catalogue.boons), rng.randint(0, 4))
    if rng.random() < 0.3 and "hold-the-line" not in names:
        names.append("hold-the-line")
    others = [slug for slug in catalogue.tactics if slug not in ("standard", "withdraw")]
    boons = tuple(BoonChoice(slug, rng.choice(others) if slug == "bonus-tactic" else None) for slug in names)
    return CommanderSpec(
        f"commander of {army}", "commander", level=rng.randint(1, 16), charisma_modifier=rng.randint(-2, 5),
        soldier_ranks=rng.randint(0, 16), leadership_feat=rng.random() < 0.3, office=office, office_boon=office_boon,
        office_tactic=rng.choice(others) if office_boon == "bonus-tactic" else None, boons=boons,
        player_character=rng.random() < 0.2, notorious=rng.random() < 0.2, active=rng.random() < 0.9,
    )  # fmt: skip


def _opening(rng: Random, armies: tuple[ArmySpec, ...], sides: tuple[Side, ...]) -> Opening:
    ids = [spec.id for spec in armies]
    side_of = {army: index for index, side in enumerate(sides) for army in side.armies}
    pairs = [(a, b) for a in ids for b in ids if side_of[a] != side_of[b]]

    def some(chance: float) -> tuple[str, ...]:
        return tuple(army for army in ids if rng.random() < chance)

    ambushes = tuple(Ambush(*pair) for pair in rng.sample(pairs, 1 if rng.random() < 0.2 else 0))
    return Opening(
        armies, sides, conditions=conditions(rng, ids), overcomes=tuple(p for p in pairs if rng.random() < 0.25),
        sees_invisible=some(0.15), cannot_leave=some(0.1), engines_shoot=some(0.3), magical=some(0.2),
        ambushes=ambushes,
    )  # fmt: skip

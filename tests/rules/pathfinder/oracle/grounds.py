"""Random ground, light and weather."""

from __future__ import annotations

from random import Random

from rules.pathfinder.battle.state.battle_state import Part, SetCondition


def conditions(rng: Random, ids: list[str]) -> tuple[SetCondition, ...]:
    found = []
    for slug in ("darkness", "dim-light", "bright-light", "fog", "rain", "sandstorm", "snow", "wind",
                 "suits-mobility"):  # fmt: skip
        if rng.random() < 0.12:
            value = None
            if slug == "wind":
                value = rng.choice(("moderate", "strong", "severe", "windstorm", "hurricane", "tornado"))
            found.append(SetCondition(slug, value, *scope(rng, ids)))
    for slug in ("advantageous-terrain", "battlefield-advantage", "suits-mobility", "on-water"):
        if rng.random() < 0.15:
            found.append(SetCondition(slug, None, (rng.choice(ids),)))
    if rng.random() < 0.15:
        found.append(SetCondition("heroes", rng.choice((4, -4)), (rng.choice(ids),)))
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        found.append(fort(rng, ids))
    return tuple(found)


def scope(rng: Random, ids: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    chance = rng.random()
    if chance < 0.2:
        return (rng.choice(ids),), ()
    return (), (rng.choice(ids),) if chance < 0.4 else ()


def fort(rng: Random, ids: list[str]) -> SetCondition:
    inside = tuple(rng.sample(ids, rng.randint(1, 2)))
    if rng.random() < 0.4:
        return SetCondition("fortification", rng.choice((None, 1, 2, 4, 6)), inside)
    exempt = (rng.choice(inside),) if rng.random() < 0.15 else ()
    parts = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(("wall", "moat", "force", "other"))
        material = rng.choice(("stone", "earth", "wood", "metal", "water", "force", "other"))
        parts.append(Part(kind, material, rng.randint(1, 5)))
    value = sum(part.value for part in parts) if rng.random() < 0.5 else None
    return SetCondition("fortification", value, inside, exempt, tuple(parts))

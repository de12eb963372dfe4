"""Shape of a board in the API: units, and what can be chosen of what was picked (`?pick=unit&pick=hex&pick=target`)."""

from __future__ import annotations

from typing import Any

from core.text import render
from rules.hexbattle.board import Act, Board, BoardLegal, Counter, Piece, Step, Target


def units_of(board: Board) -> list[dict[str, Any]]:
    """Every unit its reader knows of, in the order in which lists have them."""
    return [_unit(counter) for counter in board.counters]


def _unit(counter: Counter) -> dict[str, Any]:
    return {
        "unit": counter.unit,
        "army": counter.army,
        "side": counter.side,
        "name": render(counter.name),
        "type": counter.glyph,
        "tag": counter.tag,
        "at": counter.at or None,
        "kind": "character" if counter.character else "troop",
        "states": [render(state) for state in counter.states],
        "can_act": counter.can_act,
        "done": counter.done,
    }


def lying_on(board: Board) -> dict[str, Any]:
    """What lies on the map for a while, and who fell where."""
    effects = [
        {
            "hex": one.hex,
            "effect": one.slug,
            "label": render(one.label),
            "left": one.left,
            "unit": one.unit or None,
            "about": render(one.about),
        }
        for one in board.effects
    ]
    return {
        "overlays": [{"hex": at, "terrain": slug} for at, slug in board.overlays.items()],
        "effects": effects,
        "losses": [{"hex": at, "name": render(name)} for at, name in board.losses],
    }


def choices_of(legal: BoardLegal) -> dict[str, Any]:
    """`able`: units that can act; `choices`: hexes, targets and acts of the one picked; `way`: the path to the hex."""
    choices = [
        *(_step(step) for step in legal.steps),
        *(_target(target) for target in legal.targets),
        *(_act(act) for act in legal.acts),
    ]
    return {
        "picked": [one for one in legal.picked if one],
        "able": list(legal.able),
        "choices": choices,
        "way": list(legal.way),
        "must": render(legal.must) if legal.must else None,
        "does": render(legal.confirm.title) if legal.confirm else None,
    }


def _step(step: Step) -> dict[str, Any]:
    told = {"what": "hex", "id": step.hex, "cost": step.cost, "halts": step.kind == "halt"}
    return {**told, **_barred(step)}


def _target(target: Target) -> dict[str, Any]:
    told: dict[str, Any] = {
        "what": "target", "id": target.target, "at": target.at, "from": target.source or None, "how": target.how,
    }  # fmt: skip
    chance = None if target.chance is None else str(target.chance)
    lines = [render(line) for line in target.sum]
    outcomes = [_outcome(piece) for piece in target.outcomes]
    told |= {"chance": chance, "throw": render(target.throw), "sum": lines, "outcomes": outcomes}
    return {**told, **_barred(target)}


def _outcome(piece: Piece) -> dict[str, Any]:
    return {"slug": piece.slug, "label": render(piece.label), "chance": str(piece.chance)}


def _act(act: Act) -> dict[str, Any]:
    return {"what": "act", "id": act.slug, "label": render(act.label), **_barred(act)}


def _barred(one: Step | Target | Act) -> dict[str, Any]:
    return {"why_not": render(one.why_not)} if one.why_not else {}

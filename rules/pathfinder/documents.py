"""JSON documents of armies, parsed into specs and written back. Unknown items are refused (PF-1, PF-9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from rules.army_law import FromAfar
from rules.core.errors import InvalidInput, Refusal, Unlisted
from rules.core.text import Message, Said, Term, _, say
from rules.law import Measure
from rules.pathfinder.catalogue.items import Ability, AbilityOption
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import army_sheet, rating_of
from rules.pathfinder.spec import AbilityChoice, ArmySpec, MountSpec, UnitSpec, parse_cr
from rules.realm import SheetFigure

type Problems = list[tuple[str, Said]]
MOST_VALUE = 60
MOST_NAME = 120
MOST_SPEED = 120  # metres per round


def unit_from_json(data: object, law: Rulebook, at: str = "/unit") -> UnitSpec:
    """Parse a unit in the API's format. Raises `InvalidInput` with a JSON pointer for every problem."""
    problems: Problems = []
    body = _mapping(data, at, problems)
    unit = UnitSpec(
        name=_text(body, "name", at, problems),
        cr=_cr(body, at, problems),
        hit_die=_one_of(body, "hit_die", law.hit_dice, "d8", at, problems),
        speed_m=_speed(body.get("speed_m", 9), f"{at}/speed_m", problems),
        creature_type=_one_of(body, "creature_type", tuple(law.creature_types), "humanoid", at, problems),
        alignment=_one_of(body, "alignment", law.alignments, "N", at, problems),
        level=_whole(body.get("level", 1), 1, MOST_VALUE, f"{at}/level", problems),
        ranged=_flag(body.get("ranged", False), f"{at}/ranged", problems),
        abilities=_choices(body.get("abilities", []), law, f"{at}/abilities", problems),
    )
    _unknown_keys(body, set(UnitSpec.__slots__), at, problems)
    _refuse_all(problems)
    return unit


def mount_from_json(data: object, law: Rulebook, at: str = "/mount") -> MountSpec | None:
    """Parse an army's mount, or None. Raises `InvalidInput`."""
    if data is None:
        return None
    problems: Problems = []
    body = _mapping(data, at, problems)
    cr, speed = body.get("cr"), body.get("speed_m")
    mount = MountSpec(
        name=_mount_name(body, at, problems),
        cr=None if cr in (None, "") else _cr(body, at, problems),
        speed_m=None if speed in (None, "") else _speed(speed, f"{at}/speed_m", problems),
        creature_type=_one_of(body, "creature_type", tuple(law.creature_types), "animal", at, problems),
    )
    _unknown_keys(body, set(MountSpec.__slots__), at, problems)
    _refuse_all(problems)
    return mount


def unit_to_json(unit: UnitSpec) -> dict[str, Any]:
    plain = {name: getattr(unit, name) for name in UnitSpec.__slots__ if name != "abilities"}
    return {**plain, "abilities": [choice_to_json(choice) for choice in unit.abilities]}


def mount_to_json(mount: MountSpec | None) -> dict[str, Any] | None:
    return None if mount is None else {name: getattr(mount, name) for name in MountSpec.__slots__}


def choice_to_json(choice: AbilityChoice) -> dict[str, Any]:
    body: dict[str, Any] = {"ability": choice.ability}
    if choice.value is not None:
        body["value"] = choice.value
    if choice.options:
        body["options"] = dict(choice.options)
    return body


def choice_from_json(data: object, law: Rulebook, at: str, problems: Problems) -> AbilityChoice | None:
    body = _mapping(data, at, problems)
    ability = law.abilities.get(str(body.get("ability")))
    if ability is None:
        problems.append((f"{at}/ability", _lacking(body.get("ability"))))
        return None
    _unknown_keys(body, {"ability", "value", "options"}, at, problems)
    return AbilityChoice(ability.slug, _value(ability, body, at, problems), _options(ability, body, law, at, problems))


def _choices(data: object, law: Rulebook, at: str, problems: Problems) -> tuple[AbilityChoice, ...]:
    if not isinstance(data, list):
        problems.append((at, _("Must be a list of abilities.")))
        return ()
    found = [choice_from_json(item, law, f"{at}/{index}", problems) for index, item in enumerate(data)]
    seen: set[str] = set()
    for index, choice in enumerate(found):
        if choice is not None and choice.ability in seen:
            problems.append(
                (
                    f"{at}/{index}/ability",
                    say(_("{ability} is listed twice. Remove one."), ability=law.abilities[choice.ability].name),
                )
            )
        seen.add(choice.ability if choice else "")
    return tuple(choice for choice in found if choice is not None)


def _value(ability: Ability, body: Mapping[str, Any], at: str, problems: Problems) -> int | None:
    value = body.get("value")
    if ability.value == "none":
        if value is not None:
            problems.append(
                (f"{at}/value", say(_("{ability} doesn’t take a number. Leave it empty."), ability=ability.name))
            )
        return None
    if value is None or value == "":
        problems.append((f"{at}/value", say(_("{ability} needs a number."), ability=ability.name)))
        return None
    return _whole(value, 1, MOST_VALUE, f"{at}/value", problems)


def _options(
    ability: Ability, body: Mapping[str, Any], law: Rulebook, at: str, problems: Problems
) -> dict[str, object]:
    given = _mapping(body.get("options") or {}, f"{at}/options", problems)
    _unknown_keys(given, {option.slug for option in ability.options}, f"{at}/options", problems)
    chosen: dict[str, object] = {}
    for option in ability.options:
        value = given.get(option.slug)
        if value in (None, "", []):
            if option.required:
                problems.append(
                    (
                        f"{at}/options/{option.slug}",
                        say(_("{ability}: choose {option}."), ability=ability.name, option=OPTION_NAMES[option.slug]),
                    )
                )
            continue
        problem = _option_problem(option, value, law)
        if problem is not None:
            problems.append((f"{at}/options/{option.slug}", problem))
        chosen[option.slug] = list(value) if isinstance(value, list) else value  # a copy
    return chosen


OPTION_NAMES = {
    "ranged": _("a spell with range"),
    "to": _("its immunities"),
    "creature_type": _("the creature type"),
    "choice": _("one of the two"),
    "tactic": _("the tactic"),
}


def _option_problem(option: AbilityOption, value: object, law: Rulebook) -> Said | None:
    match option.kind:
        case "flag":
            return None if isinstance(value, bool) else _("Use true or false.")
        case "many":
            return _many_problem(value, law)
        case "tactic":
            allowed: tuple[str, ...] = tuple(law.tactics)
        case "creature_type":
            allowed = tuple(law.creature_types)
        case "choice":
            allowed = option.choices
        case _:
            assert_never(option.kind)
    return None if value in allowed else say(_("Choose one of: {choices}."), choices=", ".join(allowed))


def _many_problem(value: object, law: Rulebook) -> Said | None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return _("Must be a list of abilities.")
    unknown = [item for item in value if item not in law.abilities]
    return _lacking(unknown[0]) if unknown else None


def _lacking(slug: object) -> Said:
    kind = Unlisted if isinstance(slug, str) else Message
    return kind(_("Ability “{slug}” not found."), {"slug": str(slug)[:60]})


def _mapping(data: object, at: str, problems: Problems) -> Mapping[str, Any]:
    if isinstance(data, Mapping):
        return data
    problems.append((at, _("Enter a JSON object.")))
    return {}


def _unknown_keys(body: Mapping[str, Any], known: set[str], at: str, problems: Problems) -> None:
    for key in body:
        if key not in known:
            problems.append((f"{at}/{key}", say(_("Unknown field “{name}”. Remove it."), name=str(key)[:60])))


def _text(body: Mapping[str, Any], name: str, at: str, problems: Problems) -> str:
    value = body.get(name)
    text = value.strip() if isinstance(value, str) else ""
    if not 1 <= len(text) <= MOST_NAME:
        problems.append((f"{at}/{name}", _("Enter a name of 1 to 120 characters.")))
    return text


def _mount_name(body: Mapping[str, Any], at: str, problems: Problems) -> str:
    """Return the mount's name, "" if it has none."""
    value = body.get("name")
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > MOST_NAME:
        problems.append(
            (f"{at}/name", say(_("Enter a name of at most {most} characters, or leave it empty."), most=MOST_NAME))
        )
        return ""
    return value


def _cr(body: Mapping[str, Any], at: str, problems: Problems) -> str:
    try:
        return str(parse_cr(body.get("cr", ""), f"{at}/cr"))
    except Refusal as refusal:
        problems.append((f"{at}/cr", refusal.message))
        return "1"


def _one_of(
    body: Mapping[str, Any], name: str, allowed: tuple[str, ...], default: str, at: str, problems: Problems
) -> str:
    value = body.get(name, default)
    if value in allowed:
        return str(value)
    problems.append((f"{at}/{name}", say(_("Choose one of: {choices}."), choices=", ".join(allowed))))
    return default


def _whole(value: object, low: int, high: int, at: str, problems: Problems) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    problems.append((at, say(_("Enter a whole number from {low} to {high}."), low=low, high=high)))
    return low


def _speed(value: object, at: str, problems: Problems) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= MOST_SPEED:
        return float(value) if value != int(value) else int(value)
    problems.append((at, say(_("Enter a speed in meters per round, above 0 and at most {most}."), most=MOST_SPEED)))
    return 9


def _flag(value: object, at: str, problems: Problems) -> bool:
    if not isinstance(value, bool):
        problems.append((at, _("Use true or false.")))
    return value is True


def _refuse_all(problems: Problems) -> None:
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))


# Army documents (PF-1.11): the unit, the number of units, and the mount.


class ArmyDocuments:
    """`rules.law.SheetLaw` of mass combat. A document is `{unit, count, mount}`, with unit and mount in the API's
    format.
    """

    version = 1
    health = _("Hit points")
    upkeep = _("Consumption")
    shrinks = False
    entries: Mapping[str, SheetFigure] = {}  # its own form asks for the unit

    def __init__(self, law: Rulebook):
        self._law = law

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document in its stored form. `measure` checks the count. Raises `InvalidInput`."""
        unit = unit_to_json(unit_from_json(document.get("unit"), self._law))
        mount = mount_to_json(mount_from_json(document.get("mount") or None, self._law))
        return {"unit": unit, "count": document.get("count"), "mount": mount}

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Measure a newly raised army, without commander, tactics and resources. Raises `InvalidInput`."""
        unit, mount = (
            unit_from_json(document["unit"], self._law),
            mount_from_json(document.get("mount"), self._law),
        )
        sheet = army_sheet(self._law, ArmySpec("", "", unit, document["count"], mount))
        text = say(_("{count} × {unit}"), count=document["count"], unit=unit.name)
        return Measure(sheet.hp_max, sheet.consumption.total, text)

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """Return the unit's name and the army's size, which follows from its count (PF-1.2)."""
        unit = unit_from_json(document["unit"], self._law)
        size, _acr = rating_of(ArmySpec("", "", unit, document["count"]))
        return FromAfar(say(Term("{unit}"), unit=unit.name), say(_("{size} army"), size=size.name))

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        unit = document.get("unit") or {}
        return [say(_("{count} × {unit}"), count=document["count"], unit=unit["name"])] if "name" in unit else ()

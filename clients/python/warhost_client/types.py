"""Types of what the API takes and answers, generated from openapi.yaml by `make client`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


type AbilityEnum = Literal["A", "B", "C", "D", "E"]


class AbilityOptions(TypedDict):
    """
    Options by ability: `ranged` of spellcasting, `to` of immunity, `creature_type` of favored-enemy, `choice` of
    hunters-bond and hex, `tactic` of tactician.
    """

    ranged: NotRequired[bool]
    to: NotRequired[list[str]]
    creature_type: NotRequired[str]
    choice: NotRequired[str]
    tactic: NotRequired[str]


class AbilityOptionsRequest(TypedDict):
    """
    Options by ability: `ranged` of spellcasting, `to` of immunity, `creature_type` of favored-enemy, `choice` of
    hunters-bond and hex, `tactic` of tactician.
    """

    ranged: NotRequired[bool]
    to: NotRequired[list[str]]
    creature_type: NotRequired[str]
    choice: NotRequired[str]
    tactic: NotRequired[str]


class AbilityRequest(TypedDict):
    ability: str
    value: NotRequired[int]
    options: NotRequired[AbilityOptionsRequest]


class ActorsInputRequest(TypedDict):
    """
    `file`: the JSON text of an actor, or of a list of them. `kingdom`: gets armies that name no kingdom of this
    campaign. To confirm, send the `mark` of the proposal.
    """

    file: str
    kingdom: NotRequired[str | None]
    confirm: NotRequired[bool]
    mark: NotRequired[str]


class Advised(TypedDict):
    army: str
    why: str


class AftermathChange(TypedDict):
    """
    A change in a proposal: the value before and after, and the rule.
    """

    subject: str
    kind: str
    id: str
    field: str
    before: Any
    after: Any
    rule: str
    label: str


class AftermathNote(TypedDict):
    text: str
    rule: str


class Aim(TypedDict):
    body: str
    name: str
    why_not: str | None


type AppealsEnum = Literal["consent", "never"]


type ApprovalStatusEnum = Literal["waiting", "granted", "refused", "withdrawn"]


type ArmourWeightEnum = Literal["very-light", "light", "medium", "heavy", "very-heavy"]


class ArmyHidden(TypedDict):
    id: str
    hidden: bool


class ArmyOdds(TypedDict):
    """
    `distribution` holds pairs of health left and its chance. `fates` are by status.
    """

    army: str
    distribution: list[list[float]]
    fates: dict[str, float]


class ArmyOnMap(TypedDict):
    id: str
    name: str
    kingdom: str
    hex: str
    last_seen: int | None


class ArmyPlace(TypedDict):
    hex: str
    place: str


type ArmyStatusEnum = Literal["ready", "routed", "defeated", "disbanded", "captured"]


type ArtEnum = Literal["fire", "spirit", "nature"]


class Ask(TypedDict):
    """
    A die to type. `label` is its purpose. `need` is what it has to reach, null if the ruleset cannot say. `sides`
    are the possible inputs of a die without numbers.
    """

    army: str
    roll: str
    die: str
    label: str
    need: str | None
    sides: NotRequired[list[str]]


class AskedDie(TypedDict):
    """
    A die on the table. If it bears no numbers, `value` is the number of its side, from 1.
    """

    army: str
    roll: str
    die: str
    value: int


type AskedKindEnum = Literal["choice", "hex", "number", "die"]


class AssignInputRequest(TypedDict):
    commander: str | None


type AttributeEnum = Literal["economy", "loyalty", "stability"]


class Awaited(TypedDict):
    army: str
    what: list[str]


class Barred(TypedDict):
    rows: dict[str, str]
    columns: dict[str, str]


type BattleKindEnum = Literal["field", "fleet", "assault"]


class BattleMapLine(TypedDict):
    """
    A battle map in the list.
    """

    id: str
    campaign: str
    name: str
    columns: int
    rows: int
    kept_by: str | None
    kept_at: str


class BattleParagraph(TypedDict):
    """
    A battle in prose. `over`: false while it is still fought.
    """

    id: str
    name: str
    day: int
    date: str
    over: bool
    text: str


type BattleStatusEnum = Literal["setup", "running", "aftermath", "closed"]


class BodyChoices(TypedDict):
    key: str
    name: str
    attack: list[Aim]
    shoot: list[Aim]
    cannot_attack: str | None
    cannot_shoot: str | None
    may_pursue: bool
    may_withdraw: bool
    waits: bool


type BodyDeedEnum = Literal["attack", "shoot", "hold"]


class BodyFigures(TypedDict):
    """
    Figures of an army, a group or a unit. `breaking_point` in %, null where it never breaks.
    """

    strength: int
    power: int
    fire_power: int
    force: int
    combat: int
    defense: int
    breaking_point: int | None
    breaking_value: int | None
    mobility: int
    range: str


class BodyOrder(TypedDict):
    do: str
    target: str
    pursue: bool
    riposte: bool


class BodyOrderInputRequest(TypedDict):
    """
    What a body does: attack, shoot or hold.
    """

    do: BodyDeedEnum
    target: NotRequired[str | None]
    pursue: NotRequired[bool]
    riposte: NotRequired[bool]


class Boon(TypedDict):
    boon: str
    tactic: NotRequired[str | None]


class BoonInputRequest(TypedDict):
    boon: str
    tactic: NotRequired[str | None]


class BoonRequest(TypedDict):
    boon: str
    tactic: NotRequired[str | None]


class BoonState(TypedDict):
    """
    A boon of the catalogue for a commander; `why`: what they lack.
    """

    boon: str
    known: bool
    office: bool
    active: bool
    why: str | None


class BorneTrait(TypedDict):
    """
    A trait, and the magic object it comes from.
    """

    trait: str
    object: str | None


class BreakingPointCommanderInputRequest(TypedDict):
    kingdom: str
    name: str
    mental: NotRequired[int]
    presence: NotRequired[int]
    combat: NotRequired[int]
    art_of_war: NotRequired[int]
    diplomacy: NotRequired[int]


class BreakingPointOrderMembersRequest(TypedDict):
    bodies: NotRequired[dict[str, BodyOrderInputRequest]]
    withdraw: NotRequired[bool]
    commit: NotRequired[bool]
    rally: NotRequired[str | None]
    distance: NotRequired[str | None]


class Cell(TypedDict):
    """
    A cell of an entry that the CSV import would change. `row`: name of the row, where the entry has several.
    """

    row: str
    column: str
    before: str | float | bool | None
    after: str | float | bool | None


class Change(TypedDict):
    """
    A line of a proposal or of a chronicle entry: one changed field.
    """

    subject: str
    subject_kind: str
    subject_id: str
    field: str
    before: Any
    after: Any
    rule: str
    label: str


class CharacterInputRequest(TypedDict):
    """
    A character who fights in a unit of an army (its number from 0).
    """

    name: str
    army: str
    unit: int
    armour: NotRequired[int]


type ChargeEnum = Literal[
    "crown",
    "wolf",
    "dragon",
    "horse",
    "lion",
    "stag",
    "bear",
    "griffin",
    "eagle",
    "raven",
    "tower",
    "sun",
    "moon",
    "star",
    "key",
    "oak",
    "rose",
    "lily",
    "anchor",
    "hammer",
    "wheat",
    "sword",
    "axe",
    "skull",
    "laurels",
    "waves",
    "fist",
]


class CheckInputRequest(TypedDict):
    """
    `dice`: the result typed by the user, `14` or `[14]`; without it the server rolls.
    """

    attribute: AttributeEnum
    dc: NotRequired[int | None]
    dice: NotRequired[list[int] | None]


class Choice(TypedDict):
    """
    An option of an order. `why` says why it is not available now; `note` what it would take.
    """

    slug: str
    label: str
    available: bool
    why: str | None
    note: str | None
    current: bool


class Chronicle(TypedDict):
    """
    A chronicle entry. `changes` are the lines the reader may read.

    `seq` is null for a reader who may not read everything: gaps would show how many entries are hidden.
    """

    id: str
    seq: int | None
    day: int
    at: str
    by: str | None
    kind: NotRequired[str]
    text: str
    battle_id: NotRequired[str | None]
    undone: bool
    undone_at: NotRequired[str | None]
    undone_by: str | None
    changes: list[Change]


type Hex = str


class ClaimInputRequest(TypedDict):
    """
    `kingdom`: null for hexes that nobody claims.
    """

    kingdom: str | None
    hexes: list[Hex]


type CombatByEngineEnum = Literal["engine", "table"]


type CombatByTableEnum = Literal["table", "gm"]


type CommandClassEnum = Literal["regular", "irregular", "chaotic"]


type CommanderStatusEnum = Literal["free", "captured", "killed"]


type ContingentCharacterEnum = Literal["hero", "caster", "useful"]


type CorrectionsToldEnum = Literal["told", "bare"]


type DeliveryStateEnum = Literal["waiting", "delivered", "given-up", "withheld"]


class Die(TypedDict):
    army: str
    roll: str
    die: int
    value: int
    source: str
    by: str


class DieInputRequest(TypedDict):
    army: str
    roll: str
    values: list[str | int | None]


type DivisionEnum = Literal["plain", "pale", "fess", "bend", "quarterly", "chevron", "pile", "chief", "bordure"]


type DreamOfEnemyEnum = Literal["list", "deployment"]


class DueLine(TypedDict):
    day: int
    date: str
    kingdom: str | None
    text: str
    rule: str
    bad: bool


class DuplicateInputRequest(TypedDict):
    """
    `name`: the first name, from which the others are numbered; by default the army's own.
    """

    copies: NotRequired[int]
    name: NotRequired[str]


type EffectEnum = Literal["trait", "shot", "blows", "healing", "dice", "flags"]


class Epoch(TypedDict):
    """
    Date of day 0 of the campaign.
    """

    year: NotRequired[int]
    month: NotRequired[int]
    day: NotRequired[int]


class EpochRequest(TypedDict):
    """
    Date of day 0 of the campaign.
    """

    year: NotRequired[int]
    month: NotRequired[int]
    day: NotRequired[int]


type EventEnum = Literal["arrival", "recovery", "empty_treasury"]


type ExperienceEnum = Literal["recruits", "regular", "elite", "guard"]


class FantasyTurn(TypedDict):
    """
    The current turn. `side`: whose player turn it is. `active`: the units activated in it, at most `activations`
    times `share`. `order`: the manoeuvre order given.
    """

    number: int
    limit: int
    phase: str | None
    side: int | None
    active: list[str]
    activations: int | None
    share: int | None
    order: str | None


class FantasyUnitOwn(TypedDict):
    """
    Current figures of a unit or character. `stands`: for a hero, the resistance left. `cards`, `points`: visible
    only to their own side and the GM.
    """

    stands: int | None
    start: int | None
    weight: int | None
    assault: int
    melee: int
    shot: int
    range: int
    move: int
    calm: int
    experience: str | None
    temper: str | None
    traits: list[BorneTrait]
    master: str | None
    turned: bool
    rank: str | None
    cards: list[str] | None
    points: int | None
    activated: bool
    fought: bool
    announced: bool


class Fault(TypedDict):
    pointer: str
    detail: str


class FieldMark(TypedDict):
    """
    A condition of the field, of a side (by its name) or of a body.
    """

    condition: str
    value: NotRequired[str | int | None]
    side: NotRequired[str]
    body: NotRequired[str]


class FieldMarkInputRequest(TypedDict):
    """
    A condition of the field, of a side or of a body.
    """

    condition: str
    value: NotRequired[str | int | None]
    side: NotRequired[str | int | None]
    body: NotRequired[str | None]
    reason: NotRequired[str]


class Weapons(TypedDict):
    """
    Weapon of its own, or `slug` of the table with the number each head bears. A bare slug is possible too.
    """

    slug: NotRequired[str]
    name: NotRequired[str]
    damage: NotRequired[int]
    rate: NotRequired[str]
    range: NotRequired[str]
    area: NotRequired[int]
    number: NotRequired[int]
    accuracy: NotRequired[int]
    bursts: NotRequired[bool]
    thrown: NotRequired[bool]
    secondary: NotRequired[bool]
    firearm: NotRequired[bool]
    siege: NotRequired[bool]
    munitions: NotRequired[list[int]]


class Machine(TypedDict):
    """
    Machine of its own; a bare slug of the table is possible too. A missing modifier does not count.
    """

    name: NotRequired[str]
    toughness: NotRequired[int]
    armour: NotRequired[int]
    mobility: NotRequired[int]
    control: NotRequired[int]
    attack: NotRequired[int]
    defense: NotRequired[int]


type FiguresToldEnum = Literal["shown", "hidden"]


type FlyersBesideEnum = Literal["count", "not"]


type ForecastMethodEnum = Literal["exact", "simulated"]


class Foretold(TypedDict):
    """
    The end of the running week without further decisions, in BP. `purse`: before armies are paid; `after`: at the
    end of that day. `due`: for the week; `owed`: from before; `upkeep`: of the kingdom itself until then; `planned`:
    planned income (above 0) or costs until then.
    """

    day: int
    treasury: int
    after: int
    upkeep: int
    planned: int
    purse: int
    armies: int
    due: int
    owed: int
    spent: int
    unpaid: int
    paid_double: int
    leaderless: int
    losing_morale: int
    deserting: int


class FortificationPart(TypedDict):
    kind: NotRequired[str]
    material: NotRequired[str]
    value: int


class FortificationPartRequest(TypedDict):
    kind: NotRequired[str]
    material: NotRequired[str]
    value: int


class ForwardCommandRequest(TypedDict):
    """
    Resolve phase after phase until something happens: an army breaks, a leader falls, orders could change, a choice
    is due, the battle ends. Typed dice cannot be sent; with `ask` it stops where some are needed.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["forward"]


class FoughtPhase(TypedDict):
    kind: str
    number: int


class Found(TypedDict):
    """
    `id`: of the resource of this kind (a `glimpse` is an army that the map shows but whose sheet is hidden); of a
    rule its ruleset, kind and slug. `url`: its page.
    """

    kind: str
    id: str
    name: str
    about: str
    campaign: str
    url: str


type GeneratedMapInputKindEnum = Literal["plain", "mixed", "rough", "wooded", "hilly", "marshy"]


class GeneratedMapInputRequest(TypedDict):
    """
    Options of a map generated from a seed.
    """

    columns: int
    rows: int
    kind: GeneratedMapInputKindEnum
    seed: str
    river: NotRequired[bool]
    symmetric: NotRequired[bool]


class GivenByEngine(TypedDict):
    """
    `refused` says by army why it keeps its order.
    """

    version: int
    given: list[str]
    refused: dict[str, str]


class GlanceArmy(TypedDict):
    army: str
    name: str
    hp: int | None
    hp_max: int | None
    looks: str
    status: str


class GlanceSide(TypedDict):
    name: str
    armies: list[GlanceArmy]


type HaltKindEnum = Literal["over", "army", "leader", "order", "choice", "dice", "long"]


type HealthToldEnum = Literal["exact", "words"]


class Held(TypedDict):
    resource: str
    quantity: int


type HexChoiceWhatEnum = Literal["hex", "target", "act"]


class HexDrawn(TypedDict):
    hex: str
    terrain: str


class HexEffect(TypedDict):
    """
    An effect on a hex. `left`: turns left, null if it stays. `unit`: the unit it moves along with, null for the hex
    itself. `about`: what it does.
    """

    hex: str
    effect: str
    label: str
    left: int | None
    unit: str | None
    about: str


class HexLoss(TypedDict):
    """
    A unit that fell, and its hex.
    """

    hex: str
    name: str


class HexOutcome(TypedDict):
    """
    One possible result of an attack. `chance`: an exact fraction, like "5/36".
    """

    slug: str
    label: str
    chance: str


class HexOverlay(TypedDict):
    """
    Temporary terrain over that of the map.
    """

    hex: str
    terrain: str


class HiddenInputRequest(TypedDict):
    hidden: bool


type HindranceEnum = Literal["animals", "all"]


class HostChoices(TypedDict):
    """
    What your army may be ordered now.
    """

    army: str
    bodies: list[BodyChoices]
    may_withdraw: bool
    may_commit: bool
    may_change_distance: bool
    rally: list[str]


class HostOrder(TypedDict):
    """
    An order as it was given; `bodies` are by body.
    """

    army: str
    bodies: dict[str, BodyOrder]
    withdraw: bool
    commit: bool
    rally: str
    distance: str


class Tactics(TypedDict):
    off: NotRequired[bool]


class Boons(TypedDict):
    off: NotRequired[bool]
    leadership: NotRequired[int]


class Resources(TypedDict):
    off: NotRequired[bool]
    price: NotRequired[int]
    consumption: NotRequired[int]


class Abilities(TypedDict):
    off: NotRequired[bool]


class Abilities1(TypedDict):
    threshold: NotRequired[int]


class Conditions(TypedDict):
    off: NotRequired[bool]


class Weapons2(TypedDict):
    damage: NotRequired[int]
    accuracy: NotRequired[int]


class Weapons3(TypedDict):
    assault: NotRequired[int]
    melee: NotRequired[int]
    shot: NotRequired[int]
    range: NotRequired[int]


class UnitTypes(TypedDict):
    toughness: NotRequired[int]
    charge: NotRequired[int]


class Machines(TypedDict):
    toughness: NotRequired[int]
    armour: NotRequired[int]
    mobility: NotRequired[int]


class Troops(TypedDict):
    off: NotRequired[bool]
    move: NotRequired[int]
    melee: NotRequired[int]
    shot: NotRequired[int]
    range: NotRequired[int]
    guard: NotRequired[int]
    points: NotRequired[int]


class Troops1(TypedDict):
    stands: NotRequired[int]
    points: NotRequired[int]


class Spells(TypedDict):
    off: NotRequired[bool]
    difficulty: NotRequired[int]


class Spells1(TypedDict):
    cost: NotRequired[int]


class Moves(TypedDict):
    move: NotRequired[int]
    calm: NotRequired[int]


class Hits(TypedDict):
    hits: NotRequired[int]
    confirms: NotRequired[int]


class Experiences(TypedDict):
    dice: NotRequired[int]
    points: NotRequired[int]


class Overlay(TypedDict):
    tactics: NotRequired[dict[str, Tactics]]
    boons: NotRequired[dict[str, Boons]]
    resources: NotRequired[dict[str, Resources]]
    abilities: NotRequired[dict[str, Abilities] | dict[str, Abilities1]]
    conditions: NotRequired[dict[str, Conditions]]
    weapons: NotRequired[dict[str, Weapons2] | dict[str, Weapons3]]
    unit_types: NotRequired[dict[str, UnitTypes]]
    machines: NotRequired[dict[str, Machines]]
    troops: NotRequired[dict[str, Troops] | dict[str, Troops1]]
    spells: NotRequired[dict[str, Spells] | dict[str, Spells1]]
    moves: NotRequired[dict[str, Moves]]
    hits: NotRequired[dict[str, Hits]]
    experiences: NotRequired[dict[str, Experiences]]


type HowEnum = Literal["melee", "missile"]


class Invitation(TypedDict):
    id: str
    role: str
    kingdom: str | None
    url: str
    expires: str
    uses: int
    used: int
    open: bool
    guests: bool


type Player = str


type KnowledgeEnum = Literal["nothing", "name", "glance", "all"]


class KnownArmy(TypedDict):
    """
    An army as far as you know it. `kind`, `size` and `health` are words, null where only its name is known. If you
    know `all` of it, `armies/{id}/` has its sheet.
    """

    id: str
    campaign: str
    kingdom: str
    name: str
    known: KnowledgeEnum
    kind: str | None
    size: str | None
    health: str | None


class LandInputRequest(TypedDict):
    """
    A map generated from a seed; `confirm` makes it the campaign's map.
    """

    columns: int
    rows: int
    kind: str
    seed: str
    river: NotRequired[bool]
    roads: NotRequired[bool]
    symmetric: NotRequired[bool]
    confirm: NotRequired[bool]


type LanguageEnum = Literal["en", "fr"]


type LastsEnum = Literal["now", "next", "two"]


type LeaderLevelEnum = Literal["poor", "normal", "great"]


type LeaningEnum = Literal["balanced", "cautious", "bold", "reckless"]


type LeaveEnum = Literal["free", "ask", "no"]


class LedgerInputRequest(TypedDict):
    amount: int
    reason: str


type LedgerSourceEnum = Literal[
    "opening", "manual", "purchase", "sale", "week", "planned", "battle", "ransom", "undo", "other"
]


class Length(TypedDict):
    mean: float
    p90: int


class Line(TypedDict):
    """
    One line of a breakdown.
    """

    label: str
    value: int
    rule: str


class Loss(TypedDict):
    economy: int
    loyalty: int
    stability: int
    ransom: int
    spared: int


class LoyaltyCheck(TypedDict):
    roll: int
    total: int
    dc: int
    success: bool


class Manner(TypedDict):
    slug: str
    name: str
    help: str


class ManyArmiesInputRequest(TypedDict):
    """
    `armies` of one campaign, and a `deed` of its ruleset with its `options`.

    To confirm, send the `mark` of the proposal: 428 without it, 412 if the proposal would differ by now.
    """

    armies: list[str]
    deed: str
    options: NotRequired[dict[str, str | int | bool | dict[str, str | None]]]
    confirm: NotRequired[bool]
    mark: NotRequired[str]


class MapClaimStrokeRequest(TypedDict):
    """
    Assign hexes to a kingdom; `kingdom` null assigns them to nobody.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    command: Literal["claim"]
    kingdom: NotRequired[str | None]


class MapEdge(TypedDict):
    """
    An obstacle between two hexes.
    """

    between: list[str]
    obstacle: str


class MapEdgeRequest(TypedDict):
    """
    An obstacle between two hexes.
    """

    between: list[str]
    obstacle: str


type BetweenItem = str


class MapEdgeStrokeRequest(TypedDict):
    """
    Put an obstacle between two hexes; without `obstacle` it is removed.
    """

    command: Literal["edge"]
    between: list[BetweenItem]
    obstacle: NotRequired[str]


class MapGenerateStrokeRequest(TypedDict):
    """
    Generate a new map from a seed.
    """

    columns: int
    rows: int
    kind: str
    seed: str
    river: NotRequired[bool]
    roads: NotRequired[bool]
    symmetric: NotRequired[bool]
    command: Literal["generate_map"]


class MapLabelStrokeRequest(TypedDict):
    """
    Name a hex; without `text` the name is removed.
    """

    command: Literal["label"]
    hex: str
    text: NotRequired[str | None]


class MapLaid(TypedDict):
    """
    The map now in use. `told`: a sentence that says what was done, and which armies left the map.
    """

    format: NotRequired[str]
    version: NotRequired[int]
    name: NotRequired[str]
    kind: NotRequired[str]
    columns: int
    rows: int
    terrain: list[str]
    heights: NotRequired[dict[str, int]]
    edges: NotRequired[list[MapEdge]]
    roads: NotRequired[list[list[str]]]
    rivers: NotRequired[list[list[str]]]
    labels: NotRequired[dict[str, str]]
    credits: NotRequired[str]
    claims: NotRequired[dict[str, list[str]]]
    told: str


class MapPaintStrokeRequest(TypedDict):
    """
    Paint a terrain.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    command: Literal["paint"]
    terrain: str


class MapRaiseStrokeRequest(TypedDict):
    """
    Set a height; without one the hexes become flat.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    command: Literal["raise"]
    height: NotRequired[int]


class MapResizeStrokeRequest(TypedDict):
    """
    Change the size of the map.
    """

    columns: int
    rows: int
    command: Literal["resize"]


class MapRiverStrokeRequest(TypedDict):
    """
    A river along these hexes, or from `start` to `to`; `there` false removes it.
    """

    hexes: NotRequired[list[str]]
    start: NotRequired[str]
    to: NotRequired[str]
    there: NotRequired[bool]
    command: Literal["river"]


class MapRoadStrokeRequest(TypedDict):
    """
    A road along these hexes, or from `start` to `to`; `there` false removes it.
    """

    hexes: NotRequired[list[str]]
    start: NotRequired[str]
    to: NotRequired[str]
    there: NotRequired[bool]
    command: Literal["road"]


class March(TypedDict):
    """
    A march by road, in days; 0 for teleportation. `pace`: breakdown of its speed in hexes a day; `cost`: of the
    speed that the road takes, where a difficult hex counts twice.
    """

    days: int
    hexes: int
    teleports: bool
    pace: list[Line]
    cost: list[Line]


type PathItem = str


type MannerItem = str


class MarchInputRequest(TypedDict):
    """
    `path`: the hexes entered, in order; or `to`: the destination, reached by the cheapest route. `manner`: as listed
    by GET. `confirm: false` only computes the march.
    """

    path: NotRequired[list[PathItem]]
    to: NotRequired[str]
    manner: NotRequired[list[MannerItem]]
    confirm: NotRequired[bool]


type MarkEnum = Literal["document", "ruling", "reconstruction", "seen"]


type MediumEnum = Literal["land", "air", "sea", "space"]


class Mention(TypedDict):
    """
    `name`: its present name.
    """

    word: str
    about: str
    name: str


type MetKnownEnum = Literal["name", "glance", "all"]


type MinimumDamageEnum = Literal[1, 0]


class Mix(TypedDict):
    """
    How often each choice is made in optimal play, and the resulting chance (`value`).
    """

    rows: list[float]
    columns: list[float]
    value: float


class Month(TypedDict):
    name: str
    days: int


class MonthRequest(TypedDict):
    name: str
    days: int


class Mount(TypedDict):
    name: NotRequired[str]
    cr: NotRequired[str | None]
    speed_m: NotRequired[float | None]
    creature_type: NotRequired[str]


class MountRequest(TypedDict):
    name: NotRequired[str]
    cr: NotRequired[str | None]
    speed_m: NotRequired[float | None]
    creature_type: NotRequired[str]


type MusterSizeEnum = Literal[
    "fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"
]


class MusteredCharacter(TypedDict):
    """
    A character of the contingent. `points`: spell points, 0 if they don't cast. Heroes have dice and resistance.
    """

    key: str
    name: str
    commander: bool
    kind: str
    rank: str
    level: str
    points: int
    hero: bool
    melee: int
    resistance: int
    traits: list[BorneTrait]


class MusteredLeader(TypedDict):
    """
    Leader of the army. `rank` is how well they lead: 6 is an officer, 15 a great general.
    """

    id: str
    name: str
    rank: int
    autonomous: bool


class MusteredStands(TypedDict):
    """
    A unit of the contingent. Its dice are those of its weapons, without its experience.
    """

    name: str
    type: str
    kind: str
    weight: int
    stands: int
    move: int
    calm: int
    assault: int
    melee: int
    shot: int
    range: int
    experience: str
    temper: str
    traits: list[BorneTrait]
    master: str


class MusteredUnit(TypedDict):
    """
    A troop or character of the wing. `kind`: the type of a troop, or the kind of a character.
    """

    name: str
    kind: str
    character: bool
    commander: bool
    size: str
    move: int
    melee: int
    shot: int
    range: int
    guard: int
    flies: bool
    infiltrates: bool
    profile: str
    ability: str
    art: str
    level: int


class MusteredWing(TypedDict):
    """
    An army as a wing, with order and morale marker as it enters the battle's setup.
    """

    order: str
    morale: int
    units: list[MusteredUnit]


class Note(TypedDict):
    """
    A note. `mentions`: the objects behind its words after “@”, as far as you may see them.
    """

    id: str
    campaign: str
    about: str
    audience: str
    text: str
    day: int
    by: str | None
    at: str
    edited_by: str | None
    edited_at: str | None
    version: int
    mentions: list[Mention]


class NoteInputRequest(TypedDict):
    about: str
    text: str
    audience: NotRequired[str]
    day: NotRequired[int]


class OddsTable(TypedDict):
    """
    The chance that the row army's side wins, null where a choice is barred. `best` is the best
    row of each column.
    """

    kind: str
    row: str
    column: str
    rows: list[str]
    columns: list[str]
    win: list[list[float | None]]
    best: list[int | None]
    mix: Mix
    barred: Barred
    method: str
    error: float


class Offer(TypedDict):
    """
    A resource that an army may buy: price in BP, BP per week, and what prevents the purchase.
    """

    resource: str
    price: int
    consumption: int
    open: bool
    unfit: str | None
    building: str | None
    missing_bp: int


class OfferInputRequest(TypedDict):
    user: str


type OnEnum = Literal["friend", "enemy", "unit", "enemy-or-hex"]


type OpeningOrderEnum = Literal["attack", "advance", "hold"]


class Option(TypedDict):
    slug: str
    label: str


class OrderPoints(TypedDict):
    """
    The character who is giving special orders, and their points left.
    """

    character: str
    points: int


type OrdersAssumedEnum = Literal["average", "worst"]


class OvercomeInputRequest(TypedDict):
    """
    `attacker` overcomes the protection of `defender`.
    """

    attacker: str
    defender: str


class OwnArmour(TypedDict):
    """
    Armor. `worn` defaults to half of `full`.
    """

    name: str
    full: int
    worn: NotRequired[int]


class OwnArmourRequest(TypedDict):
    """
    Armor. `worn` defaults to half of `full`.
    """

    name: str
    full: int
    worn: NotRequired[int]


class Weapons4(TypedDict):
    """
    Weapon of the tables, with the number that each head bears.
    """

    slug: NotRequired[str]
    number: NotRequired[int]
    secondary: NotRequired[bool]


class OwnMachine(TypedDict):
    """
    Machine with its weapons.
    """

    name: str
    toughness: int
    armour: int
    mobility: int
    control: NotRequired[int]
    attack: NotRequired[int]
    defense: NotRequired[int]
    weapons: NotRequired[list[str | Weapons4]]


class OwnMachineRequest(TypedDict):
    """
    Machine with its weapons.
    """

    name: str
    toughness: int
    armour: int
    mobility: int
    control: NotRequired[int]
    attack: NotRequired[int]
    defense: NotRequired[int]
    weapons: NotRequired[list[str | Weapons4]]


class OwnType(TypedDict):
    name: str
    toughness: int
    charge: NotRequired[int]
    starves: NotRequired[bool]
    anywhere: NotRequired[bool]
    mounted: NotRequired[bool]
    chariots: NotRequired[bool]
    beasts: NotRequired[bool]
    flies: NotRequired[bool]
    never: NotRequired[bool]


class OwnTypeRequest(TypedDict):
    name: str
    toughness: int
    charge: NotRequired[int]
    starves: NotRequired[bool]
    anywhere: NotRequired[bool]
    mounted: NotRequired[bool]
    chariots: NotRequired[bool]
    beasts: NotRequired[bool]
    flies: NotRequired[bool]
    never: NotRequired[bool]


class OwnWeapon(TypedDict):
    name: str
    damage: int
    rate: NotRequired[str]
    range: NotRequired[str]
    area: NotRequired[int]
    accuracy: NotRequired[int]
    bursts: NotRequired[bool]
    thrown: NotRequired[bool]
    secondary: NotRequired[bool]
    firearm: NotRequired[bool]
    siege: NotRequired[bool]
    munitions: NotRequired[list[int]]


class OwnWeaponRequest(TypedDict):
    name: str
    damage: int
    rate: NotRequired[str]
    range: NotRequired[str]
    area: NotRequired[int]
    accuracy: NotRequired[int]
    bursts: NotRequired[bool]
    thrown: NotRequired[bool]
    secondary: NotRequired[bool]
    firearm: NotRequired[bool]
    siege: NotRequired[bool]
    munitions: NotRequired[list[int]]


class PaginatedBattleMapLineList(TypedDict):
    next: str | None
    previous: str | None
    results: list[BattleMapLine]


class PaginatedChronicleList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Chronicle]


class PaginatedInvitationList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Invitation]


class PaginatedKnownArmyList(TypedDict):
    next: str | None
    previous: str | None
    results: list[KnownArmy]


class PaginatedNoteList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Note]


class Pairing(TypedDict):
    """
    Result of one army of a sweep against another: chances to win, to lose, that nobody wins, and that it stays
    undecided. `phases` is the mean number of phases.
    """

    army: str
    against: str
    win: float
    lose: float
    mutual: float
    undecided: float
    phases: float
    method: ForecastMethodEnum
    error: float


class Parting(TypedDict):
    """
    What happens to a resource: how many, and the BP it brings.
    """

    resource: str
    quantity: int
    choice: str
    bp: int
    text: str


type PartingShotsEnum = Literal["enemies", "all"]


class PatchedBattleMapChangeRequest(TypedDict):
    name: NotRequired[str]


class PatchedBreakingPointCommanderChangeRequest(TypedDict):
    """
    Changes of a commander. Only the GM may send `status`, `away_until` (the day of return) and `ransom`.
    """

    name: NotRequired[str]
    mental: NotRequired[int]
    presence: NotRequired[int]
    combat: NotRequired[int]
    art_of_war: NotRequired[int]
    diplomacy: NotRequired[int]
    status: NotRequired[CommanderStatusEnum]
    away_until: NotRequired[int | None]
    ransom: NotRequired[int | None]


class PatchedCommanderChangeRequest(TypedDict):
    """
    Changes of a commander. Only the GM may send `status`, `notorious`, `captures`, `away_until` (the day of return)
    and `ransom` (BP).
    """

    name: NotRequired[str]
    character_class: NotRequired[str]
    level: NotRequired[int]
    charisma_modifier: NotRequired[int]
    soldier_ranks: NotRequired[int]
    leadership_feat: NotRequired[bool]
    player_character: NotRequired[bool]
    office: NotRequired[str | None]
    office_boon: NotRequired[str | None]
    office_tactic: NotRequired[str | None]
    boons: NotRequired[list[BoonRequest]]
    status: NotRequired[CommanderStatusEnum]
    notorious: NotRequired[bool]
    captures: NotRequired[int]
    away_until: NotRequired[int | None]
    active_days: NotRequired[int]
    ransom: NotRequired[int | None]


class PatchedMapRulesInputRequest(TypedDict):
    """
    `fog`: players see only what their kingdoms have seen; `sizes`: a kingdom's size is the number of its hexes.
    """

    fog: NotRequired[bool]
    sight: NotRequired[int]
    sizes: NotRequired[bool]
    put_away: NotRequired[bool]


class PatchedNoteChangeRequest(TypedDict):
    text: NotRequired[str]
    audience: NotRequired[str]
    day: NotRequired[int]


class PatchedPlaceInputRequest(TypedDict):
    kingdom: NotRequired[str]
    name: NotRequired[str]
    kind: NotRequired[str]
    garrison: NotRequired[int]
    settlement: NotRequired[str | None]
    outer: NotRequired[str | None]


class PatchedSettlementChangeRequest(TypedDict):
    name: NotRequired[str]
    districts: NotRequired[int]
    buildings: NotRequired[list[str]]
    defense_override: NotRequired[int | None]


class Traits(TypedDict):
    """
    A trait of a unit or character in addition to its type's. `likes`: types of troops, for hindrance only.
    """

    trait: NotRequired[str]
    likes: NotRequired[list[str]]
    object: NotRequired[str]


class PatchedWeekInputRequest(TypedDict):
    """
    `choices` by name: lists of ids. Choices left out stay as they are.
    """

    choices: NotRequired[dict[str, bool | list[str]]]


class Ambush(TypedDict):
    by: str
    target: str


class AmbushItem(TypedDict):
    by: str
    target: str


class PathfinderEndCommandRequest(TypedDict):
    """
    End the battle (GM).
    """

    reason: str
    winner: NotRequired[str | int | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["end"]


class PathfinderInterruptCommandRequest(TypedDict):
    """
    Interrupt the battle (GM).
    """

    reason: NotRequired[str | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["interrupt"]


class PathfinderMarchInputRequest(TypedDict):
    """
    A march on the map: `path` or `to`, and `manner`. Without these a march by road to a `place`, over numbers of
    open and difficult hexes. `confirm: false` only computes it.
    """

    path: NotRequired[list[PathItem]]
    to: NotRequired[str]
    manner: NotRequired[list[MannerItem]]
    confirm: NotRequired[bool]
    place: NotRequired[str]
    hexes: NotRequired[int]
    difficult_hexes: NotRequired[int]
    land: NotRequired[bool]


class PathfinderNextCommandRequest(TypedDict):
    """
    End the set-up, or add a ranged phase (`"kind": "ranged"`).
    """

    kind: NotRequired[str | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["next"]


class PathfinderOverrideCommandRequest(TypedDict):
    """
    Set a figure of an army by hand (GM).
    """

    army: str
    field: str
    value: NotRequired[str | int | None]
    reason: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["override"]


class PathfinderResolveCommandRequest(TypedDict):
    """
    Resolve the phase. The server rolls missing dice.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["resolve"]


class PauseInputRequest(TypedDict):
    paused: bool


class Payment(TypedDict):
    """
    What an army claimed of its kingdom for a week, and what it got.
    """

    day: int
    kingdom: str
    army: str
    name: str
    due: int
    spent: int
    paid: bool
    arrears_paid: bool
    double: bool
    breakdown: list[Line]


class Phase(TypedDict):
    kind: str
    number: int


class PictureInputRequest(TypedDict):
    file: bytes


type PictureKindEnum = Literal["army", "commander", "kingdom", "unit"]


class Place(TypedDict):
    """
    A fortified place. `siege`: the running one; `stationed`: null for readers who may not read its kingdom.
    """

    id: str
    campaign: str
    kingdom: str
    settlement: NotRequired[str | None]
    name: str
    kind: str
    garrison: int
    outer: NotRequired[str | None]
    siege: str | None
    stationed: list[str] | None


class PlaceArmyInputRequest(TypedDict):
    army: str


class PlaceInputRequest(TypedDict):
    kingdom: str
    name: str
    kind: str
    garrison: int
    settlement: NotRequired[str | None]
    outer: NotRequired[str | None]


class Placed(TypedDict):
    id: str
    name: str
    kingdom: str
    hex: str


class PlainArmy(TypedDict):
    army: str
    name: str
    side: int
    health: int
    health_max: int
    status: str


class PlainSupposedInputRequest(TypedDict):
    """
    An army that is not in the campaign. `sheet`: its ruleset's document.
    """

    name: str
    sheet: dict[str, Any]


PlayersMay = TypedDict(
    "PlayersMay",
    {
        "attributes": NotRequired[LeaveEnum],
        "treasury": NotRequired[LeaveEnum],
        "raise": NotRequired[LeaveEnum],
        "disband": NotRequired[LeaveEnum],
        "buy": NotRequired[LeaveEnum],
        "found": NotRequired[LeaveEnum],
        "appoint": NotRequired[LeaveEnum],
        "march": NotRequired[LeaveEnum],
    },
)


PlayersMayRequest = TypedDict(
    "PlayersMayRequest",
    {
        "attributes": NotRequired[LeaveEnum],
        "treasury": NotRequired[LeaveEnum],
        "raise": NotRequired[LeaveEnum],
        "disband": NotRequired[LeaveEnum],
        "buy": NotRequired[LeaveEnum],
        "found": NotRequired[LeaveEnum],
        "appoint": NotRequired[LeaveEnum],
        "march": NotRequired[LeaveEnum],
    },
)


type PostureEnum = Literal["ground", "infiltrating", "close_flight", "high_flight"]


class Error(TypedDict):
    pointer: NotRequired[str]
    detail: NotRequired[str]


class Problem(TypedDict):
    """
    What is wrong (RFC 9457). `errors`: what of the request is at fault, by JSON pointer. `instance`: this one request, as its X-Request-ID and the log of the server name it. `version`: of a battle that has moved on, the one it is in now.
    """

    type: str
    title: str
    status: int
    detail: str
    instance: NotRequired[str]
    version: NotRequired[int]
    errors: NotRequired[list[Error]]


type ProfileEnum = Literal["regular", "irregular", "chaotic", "autonomous"]


class PromoteInputRequest(TypedDict):
    name: str


class Question(TypedDict):
    """
    A question to decide: answer with `choices: {key: slug}`. `chosen` applies until then.
    """

    key: str
    label: str
    options: list[Option]
    chosen: str | None


type RankEnum = Literal["general", "sub-general", "senior-officer", "hero"]


class Reached(TypedDict):
    hex: str
    days: int


type RecoveryCapEnum = Literal["none", "half"]


class RefuseInputRequest(TypedDict):
    reason: NotRequired[str]


class ReinforceCommandRequest(TypedDict):
    """
    An army of the campaign joins a side.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["reinforce"]
    army: str
    side: str | int


class Reminded(TypedDict):
    players: list[str]


class RestInputRequest(TypedDict):
    """
    `loyalty_check` makes a Loyalty check to regain the ACR once more; `dice` is its typed d20 (`14` or `[14]`).
    """

    loyalty_check: NotRequired[bool]
    dice: NotRequired[list[int] | None]


class Result(TypedDict):
    winner: str | None
    reason: str


class RetreatInputRequest(TypedDict):
    after: NotRequired[int]
    hp: NotRequired[int]


type RhythmEnum = Literal["week", "month"]


type RoleEnum = Literal["gm", "player", "viewer"]


class Roll(TypedDict):
    """
    Dice of one kind. `source` is "rolled" or "typed", `by` whoever typed them.
    """

    roll: str
    army: str
    die: str
    values: list[int]
    sides: NotRequired[list[str]]
    source: str
    by: str


class RuleItem(TypedDict):
    """
    An item of a ruleset. Its figures are further members, by their names.
    """

    slug: str
    name: str
    description: str
    rule: str
    mark: NotRequired[MarkEnum]
    off: NotRequired[bool]


type RulesetEnum = Literal[
    "combat-de-masse", "ultimate-campaign", "breaking-point", "wing-command", "thucidide-fantasy"
]


type ScopeEnum = Literal["read", "play", "manage"]


type SecondLoyaltyCheckEnum = Literal["always", "after-first"]


class Secrecy(TypedDict):
    """
    What players learn of enemies in battle: their `health` (`exact`, `words`), their attack and defence figures
    (`figures`: `shown`, `hidden`), and figures the GM sets by hand (`corrections`: `told`, `bare`).
    """

    health: NotRequired[HealthToldEnum]
    figures: NotRequired[FiguresToldEnum]
    corrections: NotRequired[CorrectionsToldEnum]


class SecrecyRequest(TypedDict):
    """
    What players learn of enemies in battle: their `health` (`exact`, `words`), their attack and defence figures
    (`figures`: `shown`, `hidden`), and figures the GM sets by hand (`corrections`: `told`, `bare`).
    """

    health: NotRequired[HealthToldEnum]
    figures: NotRequired[FiguresToldEnum]
    corrections: NotRequired[CorrectionsToldEnum]


type SecurityEventKindEnum = Literal[
    "signed-in",
    "sign-in-failed",
    "signed-out",
    "session-ended",
    "others-ended",
    "password-changed",
    "password-reset",
    "factor-on",
    "factor-off",
    "passkey-added",
    "passkey-removed",
    "codes-made",
    "mail-changed",
    "token-made",
    "token-revoked",
]


class SetHeadInputRequest(TypedDict):
    side: int
    leaning: LeaningEnum | None
    left: NotRequired[bool]


class Settlement(TypedDict):
    """
    A settlement: its districts, buildings and Defense.
    """

    id: str
    kingdom: str
    name: str
    districts: NotRequired[int]
    buildings: NotRequired[list[str]]
    defense: NotRequired[int]
    defense_override: NotRequired[int | None]


class SettlementInputRequest(TypedDict):
    name: str
    districts: NotRequired[int]
    buildings: NotRequired[list[str]]
    defense_override: NotRequired[int | None]
    kingdom: str


class SettlementPlace(TypedDict):
    hex: str
    revealed: bool


class SettlementPlaceInputRequest(TypedDict):
    hex: str
    revealed: NotRequired[bool]


class ShareInputRequest(TypedDict):
    army: str
    quantity: NotRequired[int]


type ShareKindEnum = Literal["live", "replay", "report", "kingdom"]


class ShareLink(TypedDict):
    """
    `url`: the link itself, only in the response that creates it; later it is null, since it is not stored.
    """

    id: str
    kind: ShareKindEnum
    thing: str
    url: str | None
    by: str | None
    created_at: str
    expires: str | None
    last_used_at: str | None


class ShareLinkInputRequest(TypedDict):
    kind: ShareKindEnum
    thing: str
    days: NotRequired[int | None]


type ShieldEnum = Literal["heater", "notched", "square", "round", "kite", "angular"]


class Side(TypedDict):
    name: str
    armies: list[str]


class SideInputRequest(TypedDict):
    name: NotRequired[str]
    armies: list[str]


class SideLuck(TypedDict):
    name: str
    luck: float


class SideOdds(TypedDict):
    """
    Chances of a side. `rout` and `destroyed`: its whole force ends so. `low` and `high` are the bounds of `win` with
    your knowledge.
    """

    name: str
    win: float
    rout: float
    destroyed: float
    low: float
    high: float


class SideStep(TypedDict):
    name: str
    luck: float
    before: float
    after: float


class SiegeAssaultCommandRequest(TypedDict):
    """
    Begin an assault.
    """

    type: Literal["assault"]


class SiegeDieInputRequest(TypedDict):
    army: str
    roll: str
    values: list[int]


class SiegeInputRequest(TypedDict):
    place: str
    armies: list[str]
    chief: NotRequired[str | None]


class SiegeJoinCommandRequest(TypedDict):
    """
    An army joins the siege.
    """

    army: NotRequired[str]
    type: Literal["join"]


class SiegeLiftCommandRequest(TypedDict):
    """
    Lift the siege.
    """

    type: Literal["lift"]


type SiegeLineStatusEnum = Literal["open", "broken", "sortie", "assault", "lifted", "honours", "unconditional", "taken"]


class SiegeLog(TypedDict):
    """
    `typed_by`: who typed each of the `dice`, "" for the server's; empty where all are the server's.
    """

    day: int
    text: str
    rule: str
    dice: list[int]
    typed_by: list[str]


class SiegeOrdersCommandRequest(TypedDict):
    """
    Standing orders of the besiegers and of the garrison.
    """

    bombards: NotRequired[bool]
    answers: NotRequired[bool]
    hears: NotRequired[bool]
    type: Literal["orders"]


type SiegeOutcomeEnum = Literal["goes-on", "lifted", "fell"]


class SiegeReliefCommandRequest(TypedDict):
    """
    Begin a battle of relief.
    """

    type: Literal["relief"]


class SiegeSide(TypedDict):
    """
    `heads`: rounded to one figure where `about`. `force`, `lost` and `breaks_at` in points, null where you may not
    know them.
    """

    armies: list[str]
    share_lost: int
    heads: int | None
    about: bool
    force: int | None
    lost: int | None
    breaks_at: int | None
    commands: bool


class SiegeSortieCommandRequest(TypedDict):
    """
    Begin a sortie.
    """

    type: Literal["sortie"]


class SiegeSurrenderCommandRequest(TypedDict):
    """
    Surrender the place.
    """

    type: Literal["surrender"]


class SiegeTermsCommandRequest(TypedDict):
    """
    Offer terms. `dice`: the faces of the open die, one after another. `money`: Build Points, paid if the terms are taken.
    """

    dice: NotRequired[list[SiegeDieInputRequest]]
    ask: NotRequired[bool]
    money: NotRequired[int]
    type: Literal["terms"]


class SpellCard(TypedDict):
    """
    A spell a caster has cards of.
    """

    spell: str
    count: int
    cost: int


class SpellChance(TypedDict):
    """
    A spell of the caster's art: its aptitude, and the highest result of 2D6 that succeeds.
    """

    spell: str
    aptitude: int
    limit: int
    breakdown: list[Line]


type SpoilWhatEnum = Literal["pieces", "baggage", "stores"]


class StandInputRequest(TypedDict):
    hex: str


type StandingOrderEnum = Literal["attack", "advance", "hold", "retreat"]


class Step(TypedDict):
    phase: FoughtPhase
    sides: list[SideStep]


type StepEnum = Literal["reading", "writing", "checking"]


class Stock(TypedDict):
    """
    A resource in a kingdom's stores, for armies of `size` or smaller.
    """

    id: str
    campaign: str
    kingdom: str
    resource: str
    size: str
    quantity: int
    mount: Mount | None


class Stop(TypedDict):
    day: int
    hex: str


class StormedPlaceInputRequest(TypedDict):
    """
    The place that is assaulted.
    """

    kind: str
    garrison: int
    name: NotRequired[str]


class StoryChapter(TypedDict):
    """
    A season. `summary`: a sentence about all of its battles; null where there is only one.
    """

    title: str
    summary: str | None
    battles: list[BattleParagraph]


class StoryChapters(TypedDict):
    pages: int
    chapters: list[StoryChapter]


class StoryLine(TypedDict):
    """
    A line of the story. `entry`: of the chronicle, with its id and sentence; `note`: the note itself.
    """

    type: str
    id: str
    day: int
    at: str
    by: str | None
    text: str
    undone: bool
    note: Note | None


class StoryPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[StoryLine]


class Stroke(TypedDict):
    """
    `changed` are the hexes that look different now; `whole`: the map was replaced, read it anew. `told`: a sentence
    that says what was done, and which armies left the map because their hexes became impassable.
    """

    version: int
    whole: bool
    changed: list[HexDrawn]
    told: str


class Sum(TypedDict):
    """
    A figure of this event, as a sum of lines.
    """

    label: str
    lines: list[Line]


type SupplyEnum = Literal["cards", "points"]


class Resource(TypedDict):
    resource: str
    quantity: NotRequired[int]


class Tactics1(TypedDict):
    tactic: str
    granted: NotRequired[bool]


class SupposedCommanderInputRequest(TypedDict):
    """
    Changes of a commander. Only the GM may send `status`, `notorious`, `captures`, `away_until` (the day of return)
    and `ransom` (BP).
    """

    name: NotRequired[str]
    character_class: NotRequired[str]
    level: NotRequired[int]
    charisma_modifier: NotRequired[int]
    soldier_ranks: NotRequired[int]
    leadership_feat: NotRequired[bool]
    player_character: NotRequired[bool]
    office: NotRequired[str | None]
    office_boon: NotRequired[str | None]
    office_tactic: NotRequired[str | None]
    boons: NotRequired[list[BoonRequest]]
    status: NotRequired[CommanderStatusEnum]
    notorious: NotRequired[bool]
    captures: NotRequired[int]
    away_until: NotRequired[int | None]
    active_days: NotRequired[int]
    ransom: NotRequired[int | None]


class SupposedGeneralInputRequest(TypedDict):
    name: NotRequired[str]
    mental: NotRequired[int]
    presence: NotRequired[int]
    combat: NotRequired[int]
    art_of_war: NotRequired[int]
    diplomacy: NotRequired[int]


class TableInputRequest(TypedDict):
    """
    `file`: the text of the CSV. To confirm, send the proposal's `mark`: 428 without it, 412 if it would differ by
    now.
    """

    file: str
    confirm: NotRequired[bool]
    mark: NotRequired[str]


type TableLineWhatEnum = Literal["new", "changed", "same", "wrong"]


class TableProblem(TypedDict):
    pointer: str
    detail: str


class TacticInputRequest(TypedDict):
    tactic: str
    granted: NotRequired[bool]


type TagsEnum = Literal[
    "animal",
    "armored",
    "beast",
    "brave",
    "breathes-fire",
    "chaotic",
    "dragon",
    "flies",
    "frightens",
    "giant",
    "hard-to-hurt",
    "infiltrates",
    "inspires",
    "magic-proof",
    "mindless",
    "rides",
    "shoots",
    "throws-rocks",
    "undead",
    "unnatural",
    "unseen",
]


class Template(TypedDict):
    """
    A template a campaign may begin with.
    """

    slug: str
    name: str
    description: str


class Thresholds(TypedDict):
    """
    Losses from which a body is in each state.
    """

    battered: int
    decimated: int
    annihilated: int


class ThucidideFantasyActivateCommandRequest(TypedDict):
    """
    Activate units and characters. `leader`: None if free characters only or nobody leads. Sent as `activate`.
    """

    leader: NotRequired[str | None]
    units: NotRequired[list[str]]
    characters: NotRequired[list[str]]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["activate"]


class ThucidideFantasyAnnounceCommandRequest(TypedDict):
    """
    A caster announces a spell instead of moving. Sent as `announce`.
    """

    caster: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["announce"]


class ThucidideFantasyAnswerCommandRequest(TypedDict):
    """
    The answer to a pending question, for rulesets that ask back.
    """

    key: str
    choice: NotRequired[str]
    answers: NotRequired[dict[str, str | int | None]]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["answer"]


class ThucidideFantasyAnswerGodCommandRequest(TypedDict):
    """
    Choose what a god gives (T-98): stands by unit, with hexes for units that return; or one unit and a hex.
    """

    stands: NotRequired[dict[str, int]]
    places: NotRequired[dict[str, str]]
    unit: NotRequired[str]
    hex: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["answer_god"]


class ThucidideFantasyAttachCommandRequest(TypedDict):
    """
    A character joins a unit, or returns to the reserve (None). Sent as `attach`.
    """

    character: str
    unit: NotRequired[str | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["attach"]


class ThucidideFantasyAttackCommandRequest(TypedDict):
    """
    Start a melee. Sent as `attack`.
    """

    unit: str
    target: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["attack"]


class Map(TypedDict):
    """
    the map: the slug of one of the house (meadows, the-ford, the-pass), a map as its file says it, or an object with the choices of a map that is made: `columns`, `rows`, `kind`, `seed`, `river`, `symmetric`
    """

    columns: NotRequired[int]
    rows: NotRequired[int]
    kind: NotRequired[str]
    seed: NotRequired[str]
    river: NotRequired[bool]
    symmetric: NotRequired[bool]


class ThucidideFantasyCarryLoadInputRequest(TypedDict):
    """
    Infantry that a flyer picks up beside its start and sets down beside its end (T-89).
    """

    unit: str
    down: str


class ThucidideFantasyCastCommandRequest(TypedDict):
    """
    Cast a spell. `targets`: ids, hexes and slugs (T-98). Sent as `cast`.
    """

    caster: str
    spell: str
    targets: NotRequired[list[str]]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["cast"]


class ThucidideFantasyChooseCardsCommandRequest(TypedDict):
    """
    Choose the cards of a caster (T-35).
    """

    caster: str
    spells: list[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["choose_cards"]


class ThucidideFantasyCommanderInputRequest(TypedDict):
    kingdom: str
    name: str
    rank: NotRequired[RankEnum | None]
    level: NotRequired[LeaderLevelEnum | None]
    armour: NotRequired[ArmourWeightEnum | None]
    mounted: NotRequired[bool | None]
    melee: NotRequired[int | None]
    shot: NotRequired[int | None]
    range: NotRequired[int | None]
    resistance: NotRequired[int | None]
    traits: NotRequired[list[str | Traits] | None]
    cards: NotRequired[list[str] | None]
    points: NotRequired[int | None]


class ThucidideFantasyConsentCommandRequest(TypedDict):
    """
    A side allows its enemy's appeals to a god (T-98). Sent as `consent`.
    """

    side: int
    on: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["consent"]


class ThucidideFantasyContingentCharacterInput(TypedDict):
    """
    A character in an army document, not its commander. Only heroes fight; only heroes and casters cast spells.
    """

    name: str
    kind: ContingentCharacterEnum
    armour: NotRequired[ArmourWeightEnum]
    mounted: NotRequired[bool]
    melee: NotRequired[int | None]
    shot: NotRequired[int]
    range: NotRequired[int]
    resistance: NotRequired[int | None]
    traits: NotRequired[list[str | Traits]]
    cards: NotRequired[list[str]]
    points: NotRequired[int | None]


class ThucidideFantasyContingentCharacterInputRequest(TypedDict):
    """
    A character in an army document, not its commander. Only heroes fight; only heroes and casters cast spells.
    """

    name: str
    kind: ContingentCharacterEnum
    armour: NotRequired[ArmourWeightEnum]
    mounted: NotRequired[bool]
    melee: NotRequired[int | None]
    shot: NotRequired[int]
    range: NotRequired[int]
    resistance: NotRequired[int | None]
    traits: NotRequired[list[str | Traits]]
    cards: NotRequired[list[str]]
    points: NotRequired[int | None]


class ThucidideFantasyContingentUnitInput(TypedDict):
    """
    A unit of an army document. Empty members default to the values of its type.
    """

    type: str
    name: NotRequired[str]
    experience: NotRequired[ExperienceEnum]
    stands: NotRequired[int | None]
    lost: NotRequired[int]
    traits: NotRequired[list[str | Traits]]
    weapon: NotRequired[str]
    master: NotRequired[str]


class ThucidideFantasyContingentUnitInputRequest(TypedDict):
    """
    A unit of an army document. Empty members default to the values of its type.
    """

    type: str
    name: NotRequired[str]
    experience: NotRequired[ExperienceEnum]
    stands: NotRequired[int | None]
    lost: NotRequired[int]
    traits: NotRequired[list[str | Traits]]
    weapon: NotRequired[str]
    master: NotRequired[str]


class ThucidideFantasyDeclineCommandRequest(TypedDict):
    """
    Cast no spell after announcing one. Sent as `decline`.
    """

    caster: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["decline"]


class ThucidideFantasyDivineCommandRequest(TypedDict):
    """
    The GM starts an appeal to a god that the scenario provides for (TF-7). Sent as `divine`.
    """

    character: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["divine"]


class ThucidideFantasyEdgeCommandRequest(TypedDict):
    """
    Put an obstacle between two hexes; without `obstacle` it is removed.
    """

    between: list[BetweenItem]
    obstacle: NotRequired[str]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["edge"]


class ThucidideFantasyEditUnitCommandRequest(TypedDict):
    """
    The GM sets figures of a unit or character before the battle.
    """

    unit: str
    fields: dict[str, Any]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["edit_unit"]


class ThucidideFantasyEndCommandRequest(TypedDict):
    """
    The GM ends the battle. `winner`: a side, or None for a draw.
    """

    winner: NotRequired[int | None]
    reason: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["end"]


class ThucidideFantasyEndPhaseCommandRequest(TypedDict):
    """
    End the current phase of the player turn.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["end_phase"]


class ThucidideFantasyFleeCommandRequest(TypedDict):
    """
    Choose where a character flees to. Sent as `flee`.
    """

    character: str
    hex: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["flee"]


class ThucidideFantasyGenerateMapCommandRequest(TypedDict):
    """
    Generate a new map from a seed.
    """

    columns: int
    rows: int
    kind: str
    seed: str
    river: NotRequired[bool]
    roads: NotRequired[bool]
    symmetric: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["generate_map"]


class ThucidideFantasyGrantCommandRequest(TypedDict):
    """
    The GM gives a trait to a unit or character, or with `on` false takes it away. Sent as `grant`.
    """

    unit: str
    trait: str
    likes: NotRequired[list[str]]
    object: NotRequired[str]
    on: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["grant"]


class ThucidideFantasyHomeCommandRequest(TypedDict):
    """
    Set the home edge of a side.
    """

    side: int
    edge: str
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["home"]


class ThucidideFantasyLabelCommandRequest(TypedDict):
    """
    Name a hex; without `text` the name is removed.
    """

    hex: str
    text: NotRequired[str | None]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["label"]


class ThucidideFantasyLineUpCommandRequest(TypedDict):
    """
    Place all waiting units and characters of these armies. Sent as `line_up`.
    """

    armies: list[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["line_up"]


class ThucidideFantasyMoveCommandRequest(TypedDict):
    """
    Move a unit, or a character alone or leaving their unit. `to`: take the cheapest path there. `stay`: characters
    of its hex that don't go along. Sent as `move`.
    """

    unit: str
    path: NotRequired[list[str]]
    to: NotRequired[str]
    carry: NotRequired[ThucidideFantasyCarryLoadInputRequest | None]
    stay: NotRequired[list[str]]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["move"]


class ThucidideFantasyNameGeneralCommandRequest(TypedDict):
    """
    The GM names the army whose commander is the general of its side (T-84).
    """

    army: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["name_general"]


class ThucidideFantasyOptionCommandRequest(TypedDict):
    """
    The GM sets an option of this battle. Sent as `option`.
    """

    name: str
    value: Any
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["option"]


class ThucidideFantasyOrderCommandRequest(TypedDict):
    """
    Give a manoeuvre order (TF-1.13). `hexes`: for a woodsman. Sent as `order`.
    """

    kind: str
    unit: NotRequired[str]
    leader: NotRequired[str]
    hexes: NotRequired[int]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["order"]


class ThucidideFantasyOverrideCommandRequest(TypedDict):
    """
    The GM sets a state of a unit, character or side. `what`: its id, a hex, or the side's number.
    """

    what: str
    field: str
    value: Any
    reason: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["override"]


class ThucidideFantasyPaintCommandRequest(TypedDict):
    """
    Paint a terrain.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    terrain: str
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["paint"]


class ThucidideFantasyPlaceCommandRequest(TypedDict):
    """
    Place a unit on a hex of its zone, or return it to the reserve (`at` is "").
    """

    unit: str
    at: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["place"]


class ThucidideFantasyPursueCommandRequest(TypedDict):
    """
    Pursue, or decline with `target` None. Sent as `pursue`.
    """

    unit: str
    target: NotRequired[str | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["pursue"]


class ThucidideFantasyRaiseCommandRequest(TypedDict):
    """
    Set a height; without one the hexes become flat.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    height: NotRequired[int]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["raise"]


class ThucidideFantasyReadyCommandRequest(TypedDict):
    """
    A side declares itself ready, or (`on` false) undoes that.
    """

    side: int
    on: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["ready"]


class ThucidideFantasyReportCommandRequest(TypedDict):
    """
    The GM reports the result of a throw at the table (T-40). Sent as `report`.
    """

    stands: NotRequired[int]
    flags: NotRequired[int]
    hexes: NotRequired[int]
    counters: NotRequired[int]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["report"]


class ThucidideFantasyRerollCommandRequest(TypedDict):
    """
    Reroll a die of a throw, by its index, or None to keep all. `roll`: the throw's name. Sent as `reroll`.
    """

    roll: str
    index: NotRequired[int | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["reroll"]


class ThucidideFantasyResizeCommandRequest(TypedDict):
    """
    Change the size of the map.
    """

    columns: int
    rows: int
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["resize"]


class ThucidideFantasyRevealCommandRequest(TypedDict):
    """
    A dream shows a side its enemy's cards and spell points ("list"), or where it is set up ("deployment"), until the
    battle begins (TF-7). Sent as `reveal`.
    """

    side: int
    what: DreamOfEnemyEnum
    on: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["reveal"]


class ThucidideFantasyRiverCommandRequest(TypedDict):
    """
    A river along these hexes, or from `start` to `to`; `there` false removes it.
    """

    hexes: NotRequired[list[str]]
    start: NotRequired[str]
    to: NotRequired[str]
    there: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["river"]


class ThucidideFantasyRoadCommandRequest(TypedDict):
    """
    A road along these hexes, or from `start` to `to`; `there` false removes it.
    """

    hexes: NotRequired[list[str]]
    start: NotRequired[str]
    to: NotRequired[str]
    there: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["road"]


class ThucidideFantasySealCommandRequest(TypedDict):
    """
    A fog hides where a side is set up, until the battle begins (TF-7). Sent as `seal`.
    """

    side: int
    on: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["seal"]


class ThucidideFantasyShootCommandRequest(TypedDict):
    """
    Start a shot. Sent as `shoot`.
    """

    unit: str
    target: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["shoot"]


class ThucidideFantasyStartCommandRequest(TypedDict):
    """
    The GM ends setup and begins the battle.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["start"]


class ThucidideFantasyTurnAttackCommandRequest(TypedDict):
    """
    Attack with undead that the side has turned (T-33).
    """

    unit: str
    target: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["turn_attack"]


class ThucidideFantasyVictoryCommandRequest(TypedDict):
    """
    The number of enemy units a side has to destroy (T-41). Sent as `victory`.
    """

    side: int
    number: int
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["victory"]


class ThucidideFantasyZoneCommandRequest(TypedDict):
    """
    Add hexes to a side's zone; with `add` false, remove them.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    side: int
    add: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["zone"]


class ThucidideSpell(TypedDict):
    """
    A campaign's own spell, limited to effects that need only a trait, a weapon or a number of dice.
    """

    name: str
    cost: int
    on: OnEnum
    effect: EffectEnum
    character: NotRequired[bool]
    range: NotRequired[int]
    lasts: NotRequired[LastsEnum]
    trait: NotRequired[str]
    weapon: NotRequired[str]
    times: NotRequired[int]
    dice: NotRequired[int]
    advantages: NotRequired[bool]
    summary: NotRequired[str]


class ThucidideSpellRequest(TypedDict):
    """
    A campaign's own spell, limited to effects that need only a trait, a weapon or a number of dice.
    """

    name: str
    cost: int
    on: OnEnum
    effect: EffectEnum
    character: NotRequired[bool]
    range: NotRequired[int]
    lasts: NotRequired[LastsEnum]
    trait: NotRequired[str]
    weapon: NotRequired[str]
    times: NotRequired[int]
    dice: NotRequired[int]
    advantages: NotRequired[bool]
    summary: NotRequired[str]


class ThucidideWeapon(TypedDict):
    """
    A campaign's own weapon, for melee or for shooting.
    """

    name: str
    assault: NotRequired[int]
    melee: NotRequired[int]
    shot: NotRequired[int]
    range: NotRequired[int]
    fire: NotRequired[bool]
    natural: NotRequired[bool]
    summary: NotRequired[str]


class ThucidideWeaponRequest(TypedDict):
    """
    A campaign's own weapon, for melee or for shooting.
    """

    name: str
    assault: NotRequired[int]
    melee: NotRequired[int]
    shot: NotRequired[int]
    range: NotRequired[int]
    fire: NotRequired[bool]
    natural: NotRequired[bool]
    summary: NotRequired[str]


class TimeDieInputRequest(TypedDict):
    """
    Dice typed for an army or a kingdom.
    """

    army: NotRequired[str]
    kingdom: NotRequired[str]
    roll: str
    values: list[int | None]


class TimeEvent(TypedDict):
    """
    An event up to which time can pass, and the day by which it has happened.
    """

    event: EventEnum
    day: int
    text: str
    rule: str


class TimeNote(TypedDict):
    text: str
    rule: str


type TimeSpanEnum = Literal["week", "arrival", "recovery", "empty_treasury"]


type TinctureEnum = Literal["gules", "azure", "vert", "purpure", "tenne", "sable", "or", "argent"]


class Token(TypedDict):
    """
    `token`: the key itself.
    """

    token: str
    expiry: str | None
    id: str
    name: str
    scope: ScopeEnum
    campaign: str | None


class TokenInputRequest(TypedDict):
    name: NotRequired[str]
    scope: NotRequired[ScopeEnum]
    campaign: NotRequired[str | None]
    expiry: NotRequired[str]


type TokenKindEnum = Literal["troop", "character"]


class TransferInputRequest(TypedDict):
    resource: str
    to: list[ShareInputRequest]


class TreasuryDue(TypedDict):
    """
    BP per week for armies, per month for the kingdom, and once for potions and debts.
    """

    weekly: int
    monthly: int
    once: int


type TroopKindEnum = Literal["infantry", "cavalry", "camelry", "chariots", "elephants", "artillery"]


class UndoCommandRequest(TypedDict):
    """
    Undo the last command, or all that came after an event (GM).
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["undo"]
    to: NotRequired[int | None]


class UndoInputRequest(TypedDict):
    """
    `entry`: the chronicle entry to undo; `after`: the entry after which all is undone. Without both, the latest one
    is undone.
    """

    entry: NotRequired[str]
    after: NotRequired[str]


type UnitGroupEnum = Literal["contact", "shooting"]


class UnitOnField(TypedDict):
    """
    A unit of a body. For an enemy heads are rounded to one digit, and combat is null. `army` and `number` identify
    it in `share`. `lost` is its points of the body's losses, null before the end of the battle and where you may not
    know it.
    """

    army: str
    number: int
    name: str
    type: str
    strength: int
    combat: int | None
    lost: int | None


class UnitRequest(TypedDict):
    """
    One unit of a homogeneous army. CR as text: "1/3", "9"; speed in metres per round.
    """

    name: str
    cr: str
    hit_die: NotRequired[str]
    speed_m: NotRequired[float]
    creature_type: NotRequired[str]
    alignment: NotRequired[str]
    level: NotRequired[int]
    ranged: NotRequired[bool]
    abilities: NotRequired[list[AbilityRequest]]


class UnitRowRequest(TypedDict):
    slug: NotRequired[str]
    family: NotRequired[str]
    unit: UnitRequest


class UnitTypeInputRequest(TypedDict):
    campaign: str
    slug: NotRequired[str]
    family: NotRequired[str]
    unit: UnitRequest


class UnitTypesInputRequest(TypedDict):
    """
    Either rows in the shape of the export, or the text of a JSON or CSV file.
    """

    campaign: str
    units: NotRequired[list[UnitRowRequest]]
    file: NotRequired[str]


class UntilInputRequest(TypedDict):
    phases: NotRequired[int]
    hp: NotRequired[dict[str, int]]


class Use(TypedDict):
    kind: str
    slug: str
    label: str
    available: bool
    why: str | None
    left: int | None
    options: list[Choice]
    targets: list[Choice]
    needs_target: bool


class UseGiven(TypedDict):
    ability: NotRequired[str]
    resource: NotRequired[str]
    boon: NotRequired[str]
    tactic: NotRequired[str]
    option: str | None
    target: str | None


class UseInputRequest(TypedDict):
    """
    Something to use in this phase: name one of `ability`, `resource`, `boon` and `tactic`.
    """

    ability: NotRequired[str]
    resource: NotRequired[str]
    boon: NotRequired[str]
    tactic: NotRequired[str]
    option: NotRequired[str | None]
    target: NotRequired[str | None]


class Version(TypedDict):
    number: int
    text: str
    audience: str
    day: int
    by: str | None
    at: str


type VictoryShareEnum = Literal["quarter", "third", "half", "two-thirds", "all"]


class WaitingFight(TypedDict):
    """
    A combat waiting for an answer. `asks`: the kind of answer. `side`: who answers, null for the GM. `dice`:
    rolled.
    """

    attacker: str | None
    target: str | None
    asks: str
    side: int | None
    dice: int | None


class Way(TypedDict):
    """
    The rest of its present march; `stops` begin today.
    """

    since: int
    arrives: int
    manner: list[str]
    path: list[str]
    stops: list[Stop]


type WebhookEventEnum = Literal[
    "army.changed",
    "battle.begun",
    "battle.ended",
    "battle.phase.resolved",
    "battle.turn",
    "request.answered",
    "request.made",
    "time.advanced",
]


type WebhookHitchEnum = Literal["refused", "redirect", "nowhere", "forbidden", "unreachable", "untrusted", "slow"]


type WebhookShapeEnum = Literal["standard", "discord"]


type WebhookStateEnum = Literal["on", "paused", "off"]


type WebhookSwitchEnum = Literal["on", "paused"]


class Week(TypedDict):
    """
    Choices for the rest of the running week: lists of ids by name.
    """

    week: int
    ends: int
    choices: dict[str, list[str]]


class WeekAhead(TypedDict):
    """
    `balance` below 0: the BP missing to pay everything.
    """

    week: int
    day: int
    due: int
    balance: int


class WeekPast(TypedDict):
    week: int
    day: int
    paid: int
    balance: int


class WhichSideInputRequest(TypedDict):
    side: int


class WhichTableInputRequest(TypedDict):
    kind: str
    row: str
    column: str


class WingBattleFigures(TypedDict):
    """
    Current figures, with the effects of spells.
    """

    move: int
    melee: int
    shot: int
    range: int
    guard: int


class WingCommandAimCommandRequest(TypedDict):
    """
    Choose the target of a spell that succeeded: a unit's id or a hex.
    """

    target: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["aim"]


class WingCommandAnswerCommandRequest(TypedDict):
    """
    The answer to a pending question, for rulesets that ask back.
    """

    key: str
    choice: NotRequired[str]
    answers: NotRequired[dict[str, str | int | None]]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["answer"]


class WingCommandCastCommandRequest(TypedDict):
    """
    A caster casts the prepared spell. Sent as `cast`.
    """

    character: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["cast"]


class WingCommandChangeOrderCommandRequest(TypedDict):
    """
    A leader tests to give their wing another standing order.
    """

    character: str
    order: StandingOrderEnum
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["change_order"]


class WingCommandChooseSpellCommandRequest(TypedDict):
    """
    A caster prepares a spell face down.
    """

    character: str
    spell: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["choose_spell"]


class WingCommandCommanderInputRequest(TypedDict):
    kingdom: str
    name: str
    ability: NotRequired[AbilityEnum | None]
    profile: NotRequired[ProfileEnum | None]
    melee: NotRequired[int | None]
    guard: NotRequired[int | None]
    shot: NotRequired[int | None]
    range: NotRequired[int | None]
    move: NotRequired[int | None]
    fly: NotRequired[bool | None]
    infiltrate: NotRequired[bool | None]
    art: NotRequired[ArtEnum | None]
    level: NotRequired[int | None]
    pentacle: NotRequired[int | None]


class WingCommandDistributeCommandRequest(TypedDict):
    """
    Roll a character's order points.
    """

    character: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["distribute"]


class WingCommandDuelCommandRequest(TypedDict):
    """
    Fight a duel. Sent as `duel`.
    """

    character: str
    target: str
    how: NotRequired[HowEnum]
    charge: NotRequired[bool | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["duel"]


class WingCommandEdgeCommandRequest(TypedDict):
    """
    Put an obstacle between two hexes; without `obstacle` it is removed.
    """

    between: list[BetweenItem]
    obstacle: NotRequired[str]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["edge"]


class WingCommandEditUnitCommandRequest(TypedDict):
    """
    The GM sets figures of a unit before the battle.
    """

    unit: str
    fields: dict[str, Any]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["edit_unit"]


class WingCommandEndCommandRequest(TypedDict):
    """
    The GM ends the battle. `winner`: a side, or None for a draw.
    """

    winner: NotRequired[int | None]
    reason: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["end"]


class WingCommandEndDistributionCommandRequest(TypedDict):
    """
    End giving special orders; unused points are lost.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["end_distribution"]


class WingCommandEndWingCommandRequest(TypedDict):
    """
    End the activation of the acting wing.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["end_wing"]


class WingCommandGenerateMapCommandRequest(TypedDict):
    """
    Generate a new map from a seed.
    """

    columns: int
    rows: int
    kind: str
    seed: str
    river: NotRequired[bool]
    roads: NotRequired[bool]
    symmetric: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["generate_map"]


class WingCommandGiveOrderCommandRequest(TypedDict):
    """
    The character who distributes orders gives this unit a special order.
    """

    unit: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["give_order"]


class WingCommandHomeCommandRequest(TypedDict):
    """
    Set the home edge of a side.
    """

    side: int
    edge: str
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["home"]


class WingCommandLabelCommandRequest(TypedDict):
    """
    Name a hex; without `text` the name is removed.
    """

    hex: str
    text: NotRequired[str | None]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["label"]


class WingCommandLineUpCommandRequest(TypedDict):
    """
    Place all waiting units of these wings automatically.
    """

    wings: list[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["line_up"]


class WingCommandNameArmyLeaderCommandRequest(TypedDict):
    """
    The GM names the army leader of a side.
    """

    unit: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["name_army_leader"]


class WingCommandOptionCommandRequest(TypedDict):
    """
    The GM sets an option of this battle. Sent as `option`.
    """

    name: str
    value: Any
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["option"]


class WingCommandOverrideCommandRequest(TypedDict):
    """
    The GM sets a state of a unit or wing. `what`: its id, or a hex.
    """

    what: str
    field: str
    value: Any
    reason: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["override"]


class WingCommandPaintCommandRequest(TypedDict):
    """
    Paint a terrain.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    terrain: str
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["paint"]


class WingCommandPassCommandRequest(TypedDict):
    """
    End a side's command phase. Sent as `pass`.
    """

    side: int
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["pass"]


class WingCommandPlaceCommandRequest(TypedDict):
    """
    Place a unit on a hex of its zone, or return it to the reserve (`at` is "").
    """

    unit: str
    at: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["place"]


class WingCommandRaiseCommandRequest(TypedDict):
    """
    Set a height; without one the hexes become flat.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    height: NotRequired[int]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["raise"]


class WingCommandRallyCommandRequest(TypedDict):
    """
    A routed unit with a special order tests to rally. Sent as `rally`.
    """

    unit: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["rally"]


class WingCommandReadyCommandRequest(TypedDict):
    """
    A side declares itself ready, or (`on` false) undoes that.
    """

    side: int
    on: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["ready"]


class WingCommandReportCommandRequest(TypedDict):
    """
    The GM reports the result of an attack (with option `gm`). Sent as `report`.
    """

    result: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["report"]


class WingCommandResignCommandRequest(TypedDict):
    """
    A leader tests to give up command of their wing.
    """

    character: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["resign"]


class WingCommandResizeCommandRequest(TypedDict):
    """
    Change the size of the map.
    """

    columns: int
    rows: int
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["resize"]


class WingCommandResolveRoutCommandRequest(TypedDict):
    """
    Resolve the rout phase: routed units flee, then shaken and routed units test to rally.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["resolve_rout"]


class WingCommandRiverCommandRequest(TypedDict):
    """
    A river along these hexes, or from `start` to `to`; `there` false removes it.
    """

    hexes: NotRequired[list[str]]
    start: NotRequired[str]
    to: NotRequired[str]
    there: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["river"]


class WingCommandRoadCommandRequest(TypedDict):
    """
    A road along these hexes, or from `start` to `to`; `there` false removes it.
    """

    hexes: NotRequired[list[str]]
    start: NotRequired[str]
    to: NotRequired[str]
    there: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["road"]


class WingCommandRollInitiativeCommandRequest(TypedDict):
    """
    Roll for initiative, for both sides.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["roll_initiative"]


class WingCommandSetOrderCommandRequest(TypedDict):
    """
    Set the standing order a wing begins with.
    """

    wing: str
    order: StandingOrderEnum
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["set_order"]


class WingCommandSetPostureCommandRequest(TypedDict):
    """
    Set the posture a unit begins in.
    """

    unit: str
    posture: PostureEnum
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["set_posture"]


class WingCommandStartCommandRequest(TypedDict):
    """
    The GM ends setup and begins the battle.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["start"]


class WingCommandStrikeInputRequest(TypedDict):
    """
    The attack of an action.
    """

    target: str
    how: NotRequired[HowEnum]


class WingCommandTakeCommandCommandRequest(TypedDict):
    """
    A character tests to take command of a wing without a leader.
    """

    character: str
    wing: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["take_command"]


class WingCommandTakeWingCommandRequest(TypedDict):
    """
    Choose the wing that acts next.
    """

    wing: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["take_wing"]


class WingCommandTimeProposal(TypedDict):
    """
    What the days would do. `mark`: to be sent for confirmation; `version` is the same.
    """

    mark: str
    day: int
    until: int
    date: str
    changes: list[Change]
    notes: list[TimeNote]
    events: list[TimeEvent]
    warnings: list[str]
    dice: list[Die]
    version: str


type WingCommandWingCharacterInputKindEnum = Literal["plain", "champion", "archer-captain", "mage"]


class WingCommandWingCharacterInputRequest(TypedDict):
    """
    A character of the wing other than its commander.
    """

    name: str
    kind: NotRequired[WingCommandWingCharacterInputKindEnum]
    ability: NotRequired[AbilityEnum]
    profile: NotRequired[ProfileEnum]
    art: NotRequired[ArtEnum]
    level: NotRequired[int]
    pentacle: NotRequired[int]


class WingCommandWingTroopInput(TypedDict):
    """
    A troop of the wing, with steps of quality above its type (WC-10).
    """

    type: str
    name: NotRequired[str]
    melee: NotRequired[int]
    guard: NotRequired[int]
    infiltrate: NotRequired[bool]


class WingCommandWingTroopInputRequest(TypedDict):
    """
    A troop of the wing, with steps of quality above its type (WC-10).
    """

    type: str
    name: NotRequired[str]
    melee: NotRequired[int]
    guard: NotRequired[int]
    infiltrate: NotRequired[bool]


class WingCommandZoneCommandRequest(TypedDict):
    """
    Add hexes to a side's zone; with `add` false, remove them.
    """

    hexes: NotRequired[list[str]]
    at: NotRequired[str]
    size: NotRequired[str]
    side: int
    add: NotRequired[bool]
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["zone"]


class WingLeaderFigures(TypedDict):
    """
    Derived figures of a commander. Null if the ruleset no longer accepts the commander.
    """

    command_test: int
    order_points: str
    initiative: int
    breakdown: dict[str, list[Line]]
    spells: list[SpellChance]


class WingState(TypedDict):
    """
    A wing. `order`: null while it is secret. `shaken`: the number of its shaken markers.
    """

    wing: str
    army: str
    side: int
    name: str
    order: str | None
    morale: int
    shaken: int
    leader: str | None
    broken: bool
    activated: bool


class WingTroopType(TypedDict):
    """
    A campaign's own type of troops. `tag`: the letters on its counter.
    """

    name: str
    tag: str
    large: NotRequired[bool]
    move: NotRequired[int]
    melee: NotRequired[int]
    shot: NotRequired[int]
    range: NotRequired[int]
    guard: NotRequired[int]
    command_class: NotRequired[CommandClassEnum]
    points: NotRequired[int]
    fly: NotRequired[bool]
    infiltrate: NotRequired[bool]


class WingTroopTypeRequest(TypedDict):
    """
    A campaign's own type of troops. `tag`: the letters on its counter.
    """

    name: str
    tag: str
    large: NotRequired[bool]
    move: NotRequired[int]
    melee: NotRequired[int]
    shot: NotRequired[int]
    range: NotRequired[int]
    guard: NotRequired[int]
    command_class: NotRequired[CommandClassEnum]
    points: NotRequired[int]
    fly: NotRequired[bool]
    infiltrate: NotRequired[bool]


class WingTurn(TypedDict):
    """
    The current turn. `side`: whose turn it is. `active`: the acting wing.
    """

    number: int
    limit: int
    phase: str | None
    side: int | None
    active: str | None


class WingUnitFigures(TypedDict):
    """
    Figures of a unit, with the lines of each. `points`: for troops. `spells`: for casters.
    """

    name: str
    figures: dict[str, int]
    breakdown: dict[str, list[Line]]
    points: NotRequired[int]
    spells: NotRequired[list[SpellChance]]


type WingUnitOwnSizeEnum = Literal["small", "large"]


type WorkStateEnum = Literal["running", "done", "stopped", "failed"]


class Ability(TypedDict):
    ability: str
    value: NotRequired[int]
    options: NotRequired[AbilityOptions]


class AdvanceInputRequest(TypedDict):
    """
    `days`, or `to`: the end of the week, or the first arrival, recovery or empty treasury of the next 52 weeks.
    `choices` by name: lists of ids.

    To confirm, send the `mark` of the proposal: 428 without it, 412 if the proposal would differ by now. `day`: the day
    the proposal was made on; 412 if it is another by now.
    """

    days: NotRequired[int]
    to: NotRequired[TimeSpanEnum]
    confirm: NotRequired[bool]
    mark: NotRequired[str]
    day: NotRequired[int | None]
    choices: NotRequired[dict[str, bool | list[str]]]
    dice: NotRequired[list[TimeDieInputRequest]]


class AftermathCommandRequest(TypedDict):
    """
    Propose what the battle does to the campaign; with `confirm`, apply it.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["aftermath"]
    confirm: NotRequired[bool]
    choices: NotRequired[dict[str, str | None]]
    reroll: NotRequired[bool]


type AnyMarchInputRequest = PathfinderMarchInputRequest | MarchInputRequest


class ApprovalRequest(TypedDict):
    """
    An action a player asked of the GM: its kind, its text, and the fields it would change (or has changed, if
    granted).

    `status`: waiting, granted, refused (perhaps with a `reason`) or withdrawn. `entry` is the chronicle entry of the
    answer.
    """

    id: str
    campaign: str
    by: str | None
    day: int
    at: str
    kind: str
    text: str
    changes: list[Change]
    kingdoms: NotRequired[list[str]]
    status: NotRequired[ApprovalStatusEnum]
    reason: NotRequired[str]
    answered_by: str | None
    answered_at: NotRequired[str | None]
    entry: NotRequired[str | None]


class Arms(TypedDict):
    """
    The arms of a kingdom, by slugs: a metal on a field of colour, a colour on a field of metal.

    `field` is the tincture of the field, `tincture` that of the charge (and of a chief or a bordure).
    """

    shield: NotRequired[ShieldEnum]
    division: NotRequired[DivisionEnum]
    field: NotRequired[TinctureEnum]
    charge: NotRequired[ChargeEnum]
    tincture: NotRequired[TinctureEnum]


class ArmsRequest(TypedDict):
    """
    The arms of a kingdom, by slugs: a metal on a field of colour, a colour on a field of metal.

    `field` is the tincture of the field, `tincture` that of the charge (and of a chief or a bordure).
    """

    shield: NotRequired[ShieldEnum]
    division: NotRequired[DivisionEnum]
    field: NotRequired[TinctureEnum]
    charge: NotRequired[ChargeEnum]
    tincture: NotRequired[TinctureEnum]


class ArmyInputRequest(TypedDict):
    """
    A new army: full hp, morale 0, no tactics.
    """

    kingdom: str
    name: str
    unit: UnitRequest
    count: int
    mount: NotRequired[MountRequest | None]
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]


class ArmyLine(TypedDict):
    """
    One army: the result in words, or why there is none (`done` false). `changes` are listed for a proposal; those of
    a confirmed order are in its `entry`.
    """

    army: str
    name: str
    done: bool
    text: str
    changes: list[Change]


class ArmyLoss(TypedDict):
    army: str
    name: str
    size: str
    loss: Loss


class Asked(TypedDict):
    """
    A field of the answer, by `kind`: `choice` (slug of an option), `hex` (slug of an option, "C7"), `number` (whole
    number from `low` to `high`), `die` (index in `dice`, from 0, of the one rolled again; null for none).
    """

    key: str
    kind: AskedKindEnum
    label: str
    options: list[Option]
    low: int
    high: int
    dice: list[AskedDie]


class BattleLine(TypedDict):
    """
    A battle in a list.
    """

    id: str
    campaign: str
    name: str
    version: NotRequired[int]
    ruleset: str
    day: int
    phase: Phase
    status: NotRequired[BattleStatusEnum]
    sides: list[GlanceSide]
    result: Result | None


class Body(TypedDict):
    """
    Figures of an army, a group or a unit. `breaking_point` in %, null where it never breaks.
    """

    strength: int
    power: int
    fire_power: int
    force: int
    combat: int
    defense: int
    breaking_point: int | None
    breaking_value: int | None
    mobility: int
    range: str
    thresholds: Thresholds


class BodyOnField(TypedDict):
    """
    A body (B-5). If its figures are hidden, `masked` is true, force is 100 and losses are percent. An unknown
    reserve is one body of kind `reserve` until it comes.
    """

    id: str
    key: str
    name: str
    kind: str
    status: str
    state: str
    heads: int
    force: int
    losses: int | None
    penalty: int
    breaking_point: int | None
    masked: bool
    units: list[UnitOnField]
    figures: dict[str, int] | None
    breakdown: dict[str, list[Line]] | None


class Breakdowns(TypedDict):
    """
    Breakdowns of the figures.
    """

    om: list[Line]
    dv: list[Line]
    consumption: list[Line]
    morale_check: list[Line]
    speed: list[Line]


class BreakingPointConditionCommandRequest(TypedDict):
    """
    Set a condition of the field, or lift it.
    """

    condition: str
    value: NotRequired[str | int | None]
    side: NotRequired[str | int | None]
    body: NotRequired[str | None]
    reason: NotRequired[str]
    lift: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["condition"]


class BreakingPointEndCommandRequest(TypedDict):
    """
    End the battle (GM).
    """

    reason: str
    winner: NotRequired[str | int | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["end"]


class BreakingPointNextCommandRequest(TypedDict):
    """
    End the setup.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["next"]


class BreakingPointOrderCommandRequest(TypedDict):
    """
    Order an army. Orders stay secret until the round is resolved.
    """

    army: str
    bodies: NotRequired[dict[str, BodyOrderInputRequest]]
    withdraw: NotRequired[bool]
    commit: NotRequired[bool]
    rally: NotRequired[str | None]
    distance: NotRequired[str | None]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["order"]


class BreakingPointOverrideCommandRequest(TypedDict):
    """
    Set a figure of a body, or with `side` the score of a side, by hand (GM).
    """

    body: NotRequired[str]
    side: NotRequired[str | int]
    field: str
    value: NotRequired[str | int | None]
    reason: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["override"]


class BreakingPointResolveCommandRequest(TypedDict):
    """
    Resolve the phase. The server rolls the dice that are missing.
    """

    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["resolve"]


class BreakingPointShareCommandRequest(TypedDict):
    """
    Share what a body has lost among its units, once the battle is over.
    """

    army: str
    body: str
    units: dict[str, int]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["share"]


class BreakingPointTimeProposal(TypedDict):
    """
    What the days would do. `mark`: to be sent for confirmation; `version` is the same.
    """

    mark: str
    day: int
    until: int
    date: str
    changes: list[Change]
    notes: list[TimeNote]
    events: list[TimeEvent]
    warnings: list[str]
    dice: list[Die]
    version: str


class BuyInputRequest(TypedDict):
    """
    `stock` takes a set from the kingdom's stores instead of buying. Only the GM may send `waive_building`.
    """

    resource: NotRequired[str]
    quantity: NotRequired[int]
    waive_building: NotRequired[bool]
    mount: NotRequired[MountRequest | None]
    stock: NotRequired[str]


class Calendar(TypedDict):
    """
    Calendar of the campaign. Missing parts are those of the default calendar.
    """

    epoch: NotRequired[Epoch]
    months: NotRequired[list[Month]]
    weekdays: NotRequired[list[str]]


class CalendarRequest(TypedDict):
    """
    Calendar of the campaign. Missing parts are those of the default calendar.
    """

    epoch: NotRequired[EpochRequest]
    months: NotRequired[list[MonthRequest]]
    weekdays: NotRequired[list[str]]


class CampaignMap(TypedDict):
    """
    The map's document (`format`, `version`, `name`, `columns`, `rows`, `terrain`, `labels` …), and what is on it.

    Only what the reader sees: a hex they have never seen is the letter `unseen` in `terrain`.
    """

    format: str
    version: int
    name: str
    kind: str
    columns: int
    rows: int
    terrain: list[str]
    heights: NotRequired[dict[str, int]]
    edges: NotRequired[list[MapEdge]]
    roads: NotRequired[list[list[str]]]
    rivers: NotRequired[list[list[str]]]
    labels: NotRequired[dict[str, str]]
    credits: NotRequired[str]
    claims: dict[str, list[str]]
    settlements: list[Placed]
    armies: list[ArmyOnMap]
    unseen: NotRequired[str]
    told: NotRequired[str]
    fog: bool
    sight: int
    sizes: bool


class CharacterFigures(TypedDict):
    """
    Derived figures of a character. `figures`: for a hero. `spell_points`, `cards`: for a caster.
    """

    name: str
    figures: dict[str, int]
    breakdown: dict[str, list[Line]]
    traits: list[str]
    points: NotRequired[int]
    spell_points: NotRequired[int]
    cards: NotRequired[list[SpellCard]]


class Check(TypedDict):
    attribute: str
    roll: int
    source: str
    total: int
    dc: int
    success: bool
    breakdown: list[Line]


class Choices(TypedDict):
    """
    What your army may be ordered now.
    """

    army: str
    tactics: list[Choice]
    strategies: list[Choice]
    targets: list[Choice]
    uses: list[Use]
    may_hold_the_line: bool
    may_let_go: bool
    may_keep_range: bool
    may_spawn: bool
    may_surrender: bool
    may_stay_at_range: bool
    why_it_stays: str | None


class CommandSums(TypedDict):
    """
    Modifiers that the commander adds to a die.
    """

    command: int
    rally: int
    terms: int
    breakdown: dict[str, list[Line]]


class Commander(TypedDict):
    """
    A commander with derived Leadership, morale bonus and number of boons.
    """

    id: str
    campaign: str
    kingdom: str
    name: str
    character_class: NotRequired[str]
    level: NotRequired[int]
    charisma_modifier: NotRequired[int]
    soldier_ranks: NotRequired[int]
    leadership_feat: NotRequired[bool]
    player_character: NotRequired[bool]
    office: NotRequired[str | None]
    office_boon: NotRequired[str | None]
    office_tactic: NotRequired[str | None]
    boons: list[Boon]
    status: NotRequired[CommanderStatusEnum]
    notorious: NotRequired[bool]
    captures: NotRequired[int]
    away_until: NotRequired[int | None]
    active_days: NotRequired[int]
    ransom: NotRequired[int | None]
    army: str | None
    leadership: int
    morale_bonus: int
    boons_max: int
    boon_states: list[BoonState]
    breakdown: dict[str, list[Line]]


class CommanderInputRequest(TypedDict):
    """
    Changes of a commander. Only the GM may send `status`, `notorious`, `captures`, `away_until` (the day of return)
    and `ransom` (BP).
    """

    name: str
    character_class: NotRequired[str]
    level: NotRequired[int]
    charisma_modifier: NotRequired[int]
    soldier_ranks: NotRequired[int]
    leadership_feat: NotRequired[bool]
    player_character: NotRequired[bool]
    office: NotRequired[str | None]
    office_boon: NotRequired[str | None]
    office_tactic: NotRequired[str | None]
    boons: NotRequired[list[BoonRequest]]
    status: NotRequired[CommanderStatusEnum]
    notorious: NotRequired[bool]
    captures: NotRequired[int]
    away_until: NotRequired[int | None]
    active_days: NotRequired[int]
    ransom: NotRequired[int | None]
    kingdom: str


Condition = TypedDict(
    "Condition",
    {
        "value": NotRequired[str | int | None],
        "army": NotRequired[str],
        "armies": NotRequired[list[str]],
        "parts": NotRequired[list[FortificationPart]],
        "condition": str,
        "except": NotRequired[list[str]],
    },
)


ConditionRequest = TypedDict(
    "ConditionRequest",
    {
        "value": NotRequired[str | int | None],
        "army": NotRequired[str],
        "armies": NotRequired[list[str]],
        "parts": NotRequired[list[FortificationPartRequest]],
        "condition": str,
        "except": NotRequired[list[str]],
    },
)


class ContingentLeaderFigures(TypedDict):
    """
    Derived figures of a commander. Null if the ruleset no longer accepts the commander.
    """

    reach: int
    influence: int
    counters: int
    figures: dict[str, int]
    breakdown: dict[str, list[Line]]
    traits: list[str]
    spell_points: NotRequired[int]
    cards: NotRequired[list[SpellCard]]


class ContingentSide(TypedDict):
    """
    A side: its counters, the number of enemy units it has to destroy, and of its own counted as destroyed.
    """

    side: int
    name: str
    counters: int
    victory: int | None
    lost: int
    general: str | None
    consents: bool
    sealed: bool
    dreams: list[DreamOfEnemyEnum]


class ContingentUnitFigures(TypedDict):
    """
    Figures of a unit, with the lines of each: the weapon and experience it comes from.
    """

    name: str
    figures: dict[str, int]
    breakdown: dict[str, list[Line]]
    stands: int
    whole: int
    traits: list[str]
    points: int


class DiceNeeded(TypedDict):
    """
    The reason for a refusal, as in any problem. With `asks`: these dice must be typed first. `follows` then says
    which dice they may lead to, null if the ruleset cannot say.
    """

    type: str
    title: str
    status: int
    detail: str
    instance: NotRequired[str]
    errors: NotRequired[list[Fault]]
    asks: NotRequired[list[Ask]]
    follows: NotRequired[str | None]


class Disbanding(TypedDict):
    """
    Preview of disbanding.
    """

    bp: int
    resources: list[Parting]


class DisposalInputRequest(TypedDict):
    """
    What happens to one resource: give (`to`), store, or sell for half its price. Without quantities in `to`: all of
    it.
    """

    resource: str
    choice: str
    to: NotRequired[list[ShareInputRequest]]


class Event(TypedDict):
    """
    One event of the log, in words and in numbers.
    """

    seq: int
    type: str
    army: str | None
    target: str | None
    text: str
    rolls: list[Roll]
    numbers: dict[str, int]
    rule: str
    sums: list[Sum]
    by: str | None
    why: str | None
    undone: bool
    at: str


class EventPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[Event]


class Fairness(TypedDict):
    """
    `turning` is the index of the phase in `phases` that turned the battle, null for none. `likely` is the chance of
    this result before the first die, null if unknown. `told` is the result in sentences, `assumed` what it rests on.
    """

    method: ForecastMethodEnum
    error: float
    likely: float | None
    turning: int | None
    sides: list[SideLuck]
    phases: list[Step]
    told: list[str]
    assumed: list[str]


class FantasyUnit(TypedDict):
    """
    A unit with its figures.
    """

    unit: str
    army: str
    side: int
    name: str
    type: str
    tag: str
    at: str | None
    kind: TokenKindEnum
    states: list[str]
    can_act: bool
    done: bool
    own: FantasyUnitOwn


class FieldedUnit(TypedDict):
    """
    Homogeneous unit. Defaults come from its type, machine and weapons.
    """

    name: str
    type: NotRequired[str]
    strength: int
    combat: int
    armour: NotRequired[int]
    group: UnitGroupEnum
    weapons: NotRequired[list[str | Weapons]]
    machine: NotRequired[str | Machine]
    shield: NotRequired[bool]
    pieces: NotRequired[int]
    reserve: NotRequired[bool]
    toughness: NotRequired[int]
    never: NotRequired[bool]
    breaking: NotRequired[int]
    mobility: NotRequired[int]
    extra: NotRequired[int]
    engineers: NotRequired[bool]
    starves: NotRequired[bool]
    wounded: NotRequired[int]
    experience: NotRequired[int]
    sheet: BodyFigures


class Figures(TypedDict):
    """
    The lines of each figure.
    """

    om: list[Line]
    dv: list[Line]
    morale_check: list[Line]


class Find(TypedDict):
    """
    The best results of each kind, beginning with the kind of the best one. `more`: kinds with further results;
    search them alone.
    """

    results: list[Found]
    more: list[str]


class Forecast(TypedDict):
    """
    Chances to win, `mutual` and `undecided` add up to 1. `error` is 0 if exact, else half the width of the 95 %
    interval.
    """

    method: ForecastMethodEnum
    error: float
    undecided: float
    assumed: list[str]
    sides: list[SideOdds]
    mutual: float
    phases: Length
    played: int
    hp: list[ArmyOdds]
    matrix: NotRequired[OddsTable]


class Groups(TypedDict):
    """
    The groups that have units.
    """

    contact: NotRequired[Body]
    shooting: NotRequired[Body]
    reserve_contact: NotRequired[Body]
    reserve_shooting: NotRequired[Body]


class Halt(TypedDict):
    """
    Why the battle stopped. `army` is the one concerned, or "".
    """

    kind: HaltKindEnum
    army: str
    text: str


class Head(TypedDict):
    """
    A side. `leaning` is null if people command it. `proposals` are the orders that the engine would give its armies
    now; null while it is computing, so ask again.
    """

    side: int
    name: str
    leaning: LeaningEnum | None
    left: bool
    proposals: list[Advised] | None


class HeadInputRequest(TypedDict):
    """
    A side that the engine commands. `left`: its orders are given when the GM resolves, not only proposed.
    """

    side: int
    leaning: LeaningEnum
    left: NotRequired[bool]


HexChoice = TypedDict(
    "HexChoice",
    {
        "what": HexChoiceWhatEnum,
        "id": str,
        "why_not": str,
        "cost": int,
        "halts": bool,
        "at": str,
        "how": str,
        "chance": str | None,
        "throw": str,
        "sum": list[str],
        "outcomes": list[HexOutcome],
        "label": str,
        "from": str | None,
    },
)


class HomogeneousUnitRequest(TypedDict):
    """
    Homogeneous unit. Defaults come from its type, machine and weapons.
    """

    name: str
    type: NotRequired[str]
    strength: int
    combat: int
    armour: NotRequired[int]
    group: UnitGroupEnum
    weapons: NotRequired[list[str | Weapons]]
    machine: NotRequired[str | Machine]
    shield: NotRequired[bool]
    pieces: NotRequired[int]
    reserve: NotRequired[bool]
    toughness: NotRequired[int]
    never: NotRequired[bool]
    breaking: NotRequired[int]
    mobility: NotRequired[int]
    extra: NotRequired[int]
    engineers: NotRequired[bool]
    starves: NotRequired[bool]
    wounded: NotRequired[int]
    experience: NotRequired[int]


class Host(TypedDict):
    """
    An army on the field. `order` is null if you may not read it.
    """

    army: str
    name: str
    side: str
    status: str
    health: int | None
    health_max: int | None
    looks: str
    bodies: list[BodyOnField]
    order: HostOrder | None


class HostSheet(TypedDict):
    """
    Figures of an army, a group or a unit. `breaking_point` in %, null where it never breaks.
    """

    strength: int
    power: int
    fire_power: int
    force: int
    combat: int
    defense: int
    breaking_point: int | None
    breaking_value: int | None
    mobility: int
    range: str
    thresholds: Thresholds
    groups: Groups
    breakdown: dict[str, list[Line]]


class HouseRules(TypedDict):
    minimum_damage: NotRequired[MinimumDamageEnum]
    parting_shots: NotRequired[PartingShotsEnum]
    buildings_required: NotRequired[bool]
    recovery_cap: NotRequired[RecoveryCapEnum]
    second_loyalty_check: NotRequired[SecondLoyaltyCheckEnum]
    empty_phases: NotRequired[bool]
    plain_die: NotRequired[bool]
    halved_armour: NotRequired[bool]
    surprise_for_battle: NotRequired[bool]
    upkeep: NotRequired[int | bool]
    price: NotRequired[int]
    march: NotRequired[int]
    orders_to_characters: NotRequired[bool]
    combat: NotRequired[Literal["table", "gm"] | Literal["engine", "table"]]
    turn_limit: NotRequired[int]
    break_share: NotRequired[int]
    aptitude_bonus: NotRequired[int]
    supply: NotRequired[SupplyEnum]
    supply_points: NotRequired[int]
    hindrance: NotRequired[HindranceEnum]
    flyers_beside: NotRequired[FlyersBesideEnum]
    victory_share: NotRequired[VictoryShareEnum]
    appeals: NotRequired[AppealsEnum]
    survivors: NotRequired[int]
    stands_back: NotRequired[int]
    overlay: NotRequired[Overlay]
    own: NotRequired[dict[str, dict[str, dict[str, Any]]]]


class Import(TypedDict):
    """
    Progress of an import: `done` of `of` rows in this `step`; `of` is 0 while the number is unknown. `campaign`: the
    imported one; `faults`: what is wrong with the document, if nothing was imported.
    """

    id: str
    state: WorkStateEnum
    step: StepEnum
    done: NotRequired[int]
    of: NotRequired[int]
    campaign: str | None
    faults: list[dict[str, str]]
    warnings: list[str]


class Insight(TypedDict):
    id: str
    kingdom: str
    army: NotRequired[str | None]
    realm: NotRequired[str | None]
    mutual: NotRequired[bool]
    level: KnowledgeEnum


class InsightInputRequest(TypedDict):
    """
    `kingdom` is informed about one `army`, or about all armies of a `realm`. `mutual`: allies, who are informed
    about each other. `level` "nothing" ends it.
    """

    kingdom: str
    army: NotRequired[str]
    realm: NotRequired[str]
    mutual: NotRequired[bool]
    level: KnowledgeEnum


class InviteInputRequest(TypedDict):
    """
    `uses`: how many people the link seats (default 1); a link for a GM seats one. `kingdom`: the kingdom that
    players who join by the link run. `guests`: people may join by a name alone, without an account.
    """

    role: RoleEnum
    uses: NotRequired[int]
    kingdom: NotRequired[str | None]
    guests: NotRequired[bool]


type JobResult = Forecast | Pairing


class Kingdom(TypedDict):
    """
    A kingdom. Every figure is null for members who may not read its sheet. Everybody sees its arms.
    """

    id: str
    campaign: str
    name: str
    alignment: NotRequired[str | None]
    economy: NotRequired[int | None]
    loyalty: NotRequired[int | None]
    stability: NotRequired[int | None]
    unrest: NotRequired[int | None]
    size: NotRequired[int | None]
    districts: NotRequired[int | None]
    control_dc: NotRequired[int | None]
    control_dc_modifier: NotRequired[int | None]
    consumption: NotRequired[int | None]
    control_dc_override: NotRequired[int | None]
    treasury: int | None
    players: list[str]
    arms: Arms


class KingdomInputRequest(TypedDict):
    """
    `arms`: the given parts change, others stay; null restores the arms drawn from the name.
    """

    name: str
    alignment: NotRequired[str]
    economy: NotRequired[int]
    loyalty: NotRequired[int]
    stability: NotRequired[int]
    unrest: NotRequired[int]
    size: NotRequired[int]
    districts: NotRequired[int]
    control_dc_modifier: NotRequired[int]
    consumption: NotRequired[int]
    control_dc_override: NotRequired[int | None]
    arms: NotRequired[ArmsRequest | None]
    players: NotRequired[list[Player]]
    treasury: NotRequired[int]
    campaign: str


class Ledger(TypedDict):
    id: str
    seq: int
    day: int
    amount: int
    balance: int
    reason: str
    source: NotRequired[LedgerSourceEnum]
    by: str | None
    at: str


class ManyArmies(TypedDict):
    """
    `entry`: the chronicle entry of the order, null for a proposal.
    """

    deed: str
    mark: str
    armies: list[ArmyLine]
    notes: list[str]
    entry: Chronicle | None


class MapDocument(TypedDict):
    """
    The document of a map. Unknown members are kept and written back.
    """

    format: NotRequired[str]
    version: NotRequired[int]
    name: NotRequired[str]
    kind: NotRequired[str]
    columns: int
    rows: int
    terrain: list[str]
    heights: NotRequired[dict[str, int]]
    edges: NotRequired[list[MapEdge]]
    roads: NotRequired[list[list[str]]]
    rivers: NotRequired[list[list[str]]]
    labels: NotRequired[dict[str, str]]
    credits: NotRequired[str]
    claims: NotRequired[dict[str, list[str]]]


class MapDocumentRequest(TypedDict):
    """
    The document of a map. Unknown members are kept and written back.
    """

    format: NotRequired[str]
    version: NotRequired[int]
    name: NotRequired[str]
    kind: NotRequired[str]
    columns: int
    rows: int
    terrain: list[str]
    heights: NotRequired[dict[str, int]]
    edges: NotRequired[list[MapEdgeRequest]]
    roads: NotRequired[list[list[str]]]
    rivers: NotRequired[list[list[str]]]
    labels: NotRequired[dict[str, str]]
    credits: NotRequired[str]
    claims: NotRequired[dict[str, list[str]]]


class MapLoadStrokeRequest(TypedDict):
    """
    Replace the map by this document.
    """

    command: Literal["load_map"]
    map: MapDocumentRequest


type MapStrokeRequest = (
    MapPaintStrokeRequest
    | MapRaiseStrokeRequest
    | MapEdgeStrokeRequest
    | MapRoadStrokeRequest
    | MapRiverStrokeRequest
    | MapLabelStrokeRequest
    | MapClaimStrokeRequest
    | MapResizeStrokeRequest
    | MapLoadStrokeRequest
    | MapGenerateStrokeRequest
)


class MarchShape(TypedDict):
    """
    A march. `stops`: where the army stands today and after each day. `pace`: breakdown of its speed in hexes a day;
    `cost`: of the speed that the route takes; `wear`: of the health it costs.
    """

    days: int
    arrives: int
    path: list[str]
    stops: list[Stop]
    teleports: bool
    pace: list[Line]
    cost: list[Line]
    wear: list[Line]


class MarchingShape(TypedDict):
    """
    Where the army stands, its present march, its manners of marching, and the hexes it can reach within these
    days.
    """

    hex: str
    way: Way | None
    manners: list[Manner]
    reach: list[Reached]


class Member(TypedDict):
    """
    A member. `owner`: whether they own the campaign. `guest`: they joined without an account.
    """

    user: str
    role: RoleEnum
    owner: bool
    guest: bool


class MusteredContingent(TypedDict):
    """
    An army as a contingent, as it enters the battle's setup.
    """

    units: list[MusteredStands]
    characters: list[MusteredCharacter]


class MusteredTroops(TypedDict):
    """
    Troops of one kind. `rating` is the challenge rating of one head.
    """

    name: str
    heads: int
    rating: str
    protection: int
    tags: list[TagsEnum]


class Opponents(TypedDict):
    """
    `paused`: the engine plays no turns until the GM resumes it. `trouble` is the reason, null if
    the GM paused it.
    """

    sides: list[Head]
    paused: bool
    trouble: str | None


class OrderGiven(TypedDict):
    """
    An order as it was given. `target` is absent if none was named, null if the army holds.
    """

    army: str
    tactic: str | None
    strategy: str | None
    target: NotRequired[str | None]
    use: list[UseGiven]
    withdraw: str
    let_go: bool
    hold_the_line: bool
    spawn: str
    surrender: bool
    stay_at_range: bool


class Outlook(TypedDict):
    """
    `weeks_until_empty`: weeks that can be paid in full without income; null where that is years away.
    """

    treasury: int
    due: TreasuryDue
    coming: Foretold
    weeks_until_empty: int | None
    past: list[WeekPast]
    ahead: list[WeekAhead]
    losses: list[ArmyLoss]
    worst: Loss


class PaginatedApprovalRequestList(TypedDict):
    next: str | None
    previous: str | None
    results: list[ApprovalRequest]


class PaginatedBattleLineList(TypedDict):
    next: str | None
    previous: str | None
    results: list[BattleLine]


class PaginatedInsightList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Insight]


class PaginatedKingdomList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Kingdom]


class PaginatedLedgerList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Ledger]


class PaginatedMemberList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Member]


class PaginatedPlaceList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Place]


class PaginatedSettlementList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Settlement]


class PaginatedShareLinkList(TypedDict):
    next: str | None
    previous: str | None
    results: list[ShareLink]


class PaginatedStockList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Stock]


class PaginatedVersionList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Version]


class PatchedArmyChangeRequest(TypedDict):
    """
    Changes of an army. Only the GM may send `hp` and the members after it.
    """

    name: NotRequired[str]
    unit: NotRequired[UnitRequest]
    count: NotRequired[int]
    mount: NotRequired[MountRequest | None]
    commander: NotRequired[str | None]
    hp: NotRequired[int]
    morale: NotRequired[int]
    status: NotRequired[ArmyStatusEnum]
    arrears: NotRequired[bool]
    disease: NotRequired[int]
    ill: NotRequired[bool]
    drain: NotRequired[int]
    revealed: NotRequired[bool]


class PatchedBreakingPointArmyChangeRequest(TypedDict):
    """
    Changes of an army. Only the GM may send `status` and `revealed`.
    """

    name: NotRequired[str]
    units: NotRequired[list[HomogeneousUnitRequest]]
    commander: NotRequired[str | None]
    status: NotRequired[ArmyStatusEnum]
    revealed: NotRequired[bool]


class PatchedCampaignChangeRequest(TypedDict):
    """
    `first_steps`: whether the page shows GMs the checklist until it is done.

    `others_known`: what players know of all other armies; `met_known`: what they know at least of armies theirs have
    met, in a battle or under the fog of the map.
    """

    name: NotRequired[str]
    ruleset: NotRequired[RulesetEnum]
    house_rules: NotRequired[HouseRules]
    calendar: NotRequired[CalendarRequest]
    players_may: NotRequired[PlayersMayRequest]
    secrecy: NotRequired[SecrecyRequest]
    first_steps: NotRequired[bool]
    players_share: NotRequired[bool]
    others_known: NotRequired[KnowledgeEnum]
    met_known: NotRequired[MetKnownEnum]


class PatchedKingdomPatchRequest(TypedDict):
    """
    `reason` appears in the chronicle beside the changes.
    """

    name: NotRequired[str]
    alignment: NotRequired[str]
    economy: NotRequired[int]
    loyalty: NotRequired[int]
    stability: NotRequired[int]
    unrest: NotRequired[int]
    size: NotRequired[int]
    districts: NotRequired[int]
    control_dc_modifier: NotRequired[int]
    consumption: NotRequired[int]
    control_dc_override: NotRequired[int | None]
    arms: NotRequired[ArmsRequest | None]
    players: NotRequired[list[Player]]
    treasury: NotRequired[int]
    reason: NotRequired[str]


class PatchedPlannedInputRequest(TypedDict):
    """
    `since`: default today.
    """

    name: NotRequired[str]
    amount: NotRequired[int]
    every: NotRequired[RhythmEnum]
    since: NotRequired[int]
    until: NotRequired[int | None]


class PatchedRoleInputRequest(TypedDict):
    role: NotRequired[RoleEnum]


class PatchedThucidideFantasyArmyChangeRequest(TypedDict):
    """
    Changes of an army. Only the GM may send `health` and the members after it.
    """

    name: NotRequired[str]
    commander: NotRequired[str | None]
    health: NotRequired[int]
    status: NotRequired[ArmyStatusEnum]
    revealed: NotRequired[bool]
    units: NotRequired[list[ThucidideFantasyContingentUnitInputRequest]]
    characters: NotRequired[list[ThucidideFantasyContingentCharacterInputRequest] | None]


class PatchedThucidideFantasyCommanderChangeRequest(TypedDict):
    """
    Changes of a commander. Only the GM may send `status`, `away_until` (the day of return) and `ransom`.
    """

    name: NotRequired[str]
    status: NotRequired[CommanderStatusEnum]
    away_until: NotRequired[int | None]
    ransom: NotRequired[int | None]
    rank: NotRequired[RankEnum | None]
    level: NotRequired[LeaderLevelEnum | None]
    armour: NotRequired[ArmourWeightEnum | None]
    mounted: NotRequired[bool | None]
    melee: NotRequired[int | None]
    shot: NotRequired[int | None]
    range: NotRequired[int | None]
    resistance: NotRequired[int | None]
    traits: NotRequired[list[str | Traits] | None]
    cards: NotRequired[list[str] | None]
    points: NotRequired[int | None]


class PatchedWebhookChangeRequest(TypedDict):
    url: NotRequired[str]
    events: NotRequired[list[WebhookEventEnum]]
    name: NotRequired[str]
    shape: NotRequired[WebhookShapeEnum]
    language: NotRequired[LanguageEnum]
    state: NotRequired[WebhookSwitchEnum]


class PatchedWingCommandArmyChangeRequest(TypedDict):
    """
    Changes of an army. Only the GM may send `health` and the members after it.
    """

    name: NotRequired[str]
    commander: NotRequired[str | None]
    health: NotRequired[int]
    status: NotRequired[ArmyStatusEnum]
    revealed: NotRequired[bool]
    troops: NotRequired[list[WingCommandWingTroopInputRequest]]
    characters: NotRequired[list[WingCommandWingCharacterInputRequest] | None]
    order: NotRequired[OpeningOrderEnum | None]
    morale: NotRequired[int | None]


class PatchedWingCommandCommanderChangeRequest(TypedDict):
    """
    Changes of a commander. Only the GM may send `status`, `away_until` (the day of return) and `ransom`.
    """

    name: NotRequired[str]
    status: NotRequired[CommanderStatusEnum]
    away_until: NotRequired[int | None]
    ransom: NotRequired[int | None]
    ability: NotRequired[AbilityEnum | None]
    profile: NotRequired[ProfileEnum | None]
    melee: NotRequired[int | None]
    guard: NotRequired[int | None]
    shot: NotRequired[int | None]
    range: NotRequired[int | None]
    move: NotRequired[int | None]
    fly: NotRequired[bool | None]
    infiltrate: NotRequired[bool | None]
    art: NotRequired[ArtEnum | None]
    level: NotRequired[int | None]
    pentacle: NotRequired[int | None]


class PathfinderBattleInputRequest(TypedDict):
    """
    A battle to open: its sides, and what its ruleset asks of the field.
    """

    conditions: NotRequired[list[ConditionRequest]]
    overcomes: NotRequired[list[OvercomeInputRequest]]
    sees_invisible: NotRequired[list[str]]
    cannot_leave: NotRequired[list[str]]
    engines_shoot: NotRequired[list[str]]
    magical: NotRequired[list[str]]
    ambush: NotRequired[Ambush | list[AmbushItem] | None]
    ammunition: NotRequired[int | None]
    campaign: str
    name: str
    sides: list[SideInputRequest]
    ruleset: NotRequired[str]
    opponents: NotRequired[list[HeadInputRequest]]


PathfinderConditionCommandRequest = TypedDict(
    "PathfinderConditionCommandRequest",
    {
        "value": NotRequired[str | int | None],
        "army": NotRequired[str],
        "armies": NotRequired[list[str]],
        "parts": NotRequired[list[FortificationPartRequest]],
        "condition": str | Condition,
        "lift": NotRequired[bool],
        "dice": NotRequired[list[DieInputRequest]],
        "ask": NotRequired[bool],
        "type": Literal["condition"],
        "except": NotRequired[list[str]],
    },
)


class PathfinderOrderCommandRequest(TypedDict):
    """
    Order an army. Orders stay secret until the phase is resolved.
    """

    tactic: NotRequired[str | None]
    strategy: NotRequired[str | None]
    target: NotRequired[str | None]
    use: NotRequired[list[UseInputRequest] | None]
    withdraw: NotRequired[str | None]
    let_go: NotRequired[bool]
    hold_the_line: NotRequired[bool]
    spawn: NotRequired[str | None]
    surrender: NotRequired[bool]
    stay_at_range: NotRequired[bool]
    army: str
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["order"]


class PathfinderOrderMembersRequest(TypedDict):
    """
    An army's order. An absent member counts as not given; `target: null` holds.
    """

    tactic: NotRequired[str | None]
    strategy: NotRequired[str | None]
    target: NotRequired[str | None]
    use: NotRequired[list[UseInputRequest] | None]
    withdraw: NotRequired[str | None]
    let_go: NotRequired[bool]
    hold_the_line: NotRequired[bool]
    spawn: NotRequired[str | None]
    surrender: NotRequired[bool]
    stay_at_range: NotRequired[bool]


class PathfinderTimeProposal(TypedDict):
    """
    What the days would do. `mark`: to be sent for confirmation; `version` is the same.
    """

    payments: list[Payment]
    grouped: bool
    mark: str
    day: int
    until: int
    date: str
    changes: list[Change]
    notes: list[TimeNote]
    events: list[TimeEvent]
    warnings: list[str]
    dice: list[Die]
    version: str


class Pending(TypedDict):
    """
    A question to answer first: send `{"type": "answer", "key", "choice", "answers"}`. `choice` is the slug of an
    option, omitted if there are none. `answers` has a member for each of `asks`, by its key.
    """

    key: str
    army: str
    text: str
    options: list[Option]
    asks: list[Asked]


class Picture(TypedDict):
    """
    `file`: the address of the WebP file, at most 512 × 512 pixels. `digest`: changes with the picture.
    """

    kind: PictureKindEnum
    key: str
    file: str
    digest: str
    width: int
    height: int


class PictureList(TypedDict):
    """
    All pictures at once: there is only one page.
    """

    next: str | None
    previous: str | None
    results: list[Picture]


class Planned(TypedDict):
    """
    Planned income (above 0) or costs in BP, due on the last day of each week or the first of each month, after day
    `since` and up to day `until` (null: for ever).
    """

    id: str
    name: str
    amount: int
    every: RhythmEnum
    since: int
    until: int | None


class PlannedInputRequest(TypedDict):
    """
    `since`: default today.
    """

    name: str
    amount: int
    every: NotRequired[RhythmEnum]
    since: NotRequired[int]
    until: NotRequired[int | None]


class Proposal(TypedDict):
    """
    What the battle would do to the world. Confirm with the same choices and dice. `lying` are the `rolls` already
    made at an earlier confirmation. They stay until `reroll` rolls them again.
    """

    changes: list[AftermathChange]
    notes: list[AftermathNote]
    questions: list[Question]
    rolls: list[Roll]
    lying: list[Roll]


class Replay(TypedDict):
    identical: bool
    differs: int | None
    events: list[Event]


class Ruleset(TypedDict):
    slug: str
    name: str
    version: str
    templates: list[Template]


class RulesetItems(TypedDict):
    """
    A ruleset with its items by kind.
    """

    slug: str
    name: str
    version: str
    templates: list[Template]
    tactics: NotRequired[list[RuleItem]]
    strategies: NotRequired[list[RuleItem]]
    conditions: NotRequired[list[RuleItem]]
    boons: NotRequired[list[RuleItem]]
    resources: NotRequired[list[RuleItem]]
    abilities: NotRequired[list[RuleItem]]
    offices: NotRequired[list[RuleItem]]
    buildings: NotRequired[list[RuleItem]]
    sizes: NotRequired[list[RuleItem]]
    marks: NotRequired[list[RuleItem]]
    rules: NotRequired[list[RuleItem]]
    weapons: NotRequired[list[RuleItem]]
    armours: NotRequired[list[RuleItem]]
    machines: NotRequired[list[RuleItem]]
    unit_types: NotRequired[list[RuleItem]]
    units: NotRequired[list[RuleItem]]
    qualities: NotRequired[list[RuleItem]]
    places: NotRequired[list[RuleItem]]
    ground: NotRequired[list[RuleItem]]
    weather: NotRequired[list[RuleItem]]
    troops: NotRequired[list[RuleItem]]
    characters: NotRequired[list[RuleItem]]
    profiles: NotRequired[list[RuleItem]]
    orders: NotRequired[list[RuleItem]]
    postures: NotRequired[list[RuleItem]]
    states: NotRequired[list[RuleItem]]
    spells: NotRequired[list[RuleItem]]
    traits: NotRequired[list[RuleItem]]
    experiences: NotRequired[list[RuleItem]]
    kinds: NotRequired[list[RuleItem]]
    weights: NotRequired[list[RuleItem]]
    moves: NotRequired[list[RuleItem]]
    hits: NotRequired[list[RuleItem]]
    faces: NotRequired[list[RuleItem]]
    ranks: NotRequired[list[RuleItem]]
    levels: NotRequired[list[RuleItem]]
    appeals: NotRequired[list[RuleItem]]
    interventions: NotRequired[list[RuleItem]]


class SecurityEvent(TypedDict):
    """
    `address` is shortened. `about`: the token or device concerned. `times`: how often in a row within an hour.
    """

    id: int
    at: str
    kind: SecurityEventKindEnum
    address: str
    device: str
    about: str
    times: int


class SeveralArmyInputRequest(TypedDict):
    """
    As one army, and how many: `name` is counted on (2nd company, 3rd company); `commander` leads the first.
    """

    kingdom: str
    name: str
    unit: UnitRequest
    count: int
    mount: NotRequired[MountRequest | None]
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]
    copies: int


class SeveralBreakingPointArmyInputRequest(TypedDict):
    """
    As one army, and how many: `name` is counted on (2nd company, 3rd company); `commander` leads the first.
    """

    kingdom: str
    name: str
    units: list[HomogeneousUnitRequest]
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]
    copies: int


class SeveralThucidideFantasyArmyInputRequest(TypedDict):
    """
    As one army, and how many: `name` is counted on (2nd company, 3rd company); `commander` leads the first.
    """

    kingdom: str
    name: str
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]
    units: list[ThucidideFantasyContingentUnitInputRequest]
    characters: NotRequired[list[ThucidideFantasyContingentCharacterInputRequest] | None]
    copies: int


class SeveralWingCommandArmyInputRequest(TypedDict):
    """
    As one army, and how many: `name` is counted on (2nd company, 3rd company); `commander` leads the first.
    """

    kingdom: str
    name: str
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]
    troops: list[WingCommandWingTroopInputRequest]
    characters: NotRequired[list[WingCommandWingCharacterInputRequest] | None]
    order: NotRequired[OpeningOrderEnum | None]
    morale: NotRequired[int | None]
    copies: int


class Siege(TypedDict):
    """
    A siege as far as you may know it. `damage`: percent of their force that both sides have lost. `hold`: weeks that
    the garrison can hold, with breakdown, null for the besieger. `price`: what the garrison is worth in Build Points,
    null for the besieger. `hears`: whether it hears terms.
    """

    id: str
    campaign: str
    place: str
    began: int
    status: str
    weeks: int
    thin: int
    bombards: bool
    answers: bool
    hears: bool
    hold: int | None
    hold_lines: list[Line] | None
    price: int | None
    damage: dict[str, int]
    garrison: SiegeSide
    besiegers: SiegeSide
    log: list[SiegeLog]
    version: int


class SiegeFoughtCommandRequest(TypedDict):
    """
    End a battle of the siege by hand (GM).
    """

    outcome: NotRequired[SiegeOutcomeEnum]
    losses: NotRequired[dict[str, int]]
    type: Literal["fought"]


class SiegeLine(TypedDict):
    """
    A siege in a list.
    """

    id: str
    campaign: str
    place: str
    began: int
    status: NotRequired[SiegeLineStatusEnum]
    weeks: int
    version: NotRequired[int]


class Spoil(TypedDict):
    """
    Guns without crews (`name` of their unit, `count`), baggage of an army or stores of a place (`share` in %).
    """

    what: SpoilWhatEnum
    of: str
    name: NotRequired[str]
    count: NotRequired[int]
    share: NotRequired[int]


class SupposedArmyInputRequest(TypedDict):
    """
    A hypothetical army: as for POST armies/, with its commander and resources.
    """

    kingdom: NotRequired[str | None]
    revealed: NotRequired[bool]
    name: str
    unit: UnitRequest
    count: int
    mount: NotRequired[MountRequest | None]
    commander: NotRequired[SupposedCommanderInputRequest | None]
    resources: NotRequired[dict[str, int] | list[Resource]]
    tactics: NotRequired[list[str | Tactics1]]
    hp: NotRequired[int | None]
    morale: NotRequired[int]


class SupposedHostInputRequest(TypedDict):
    """
    A hypothetical army: as for POST armies/, with its commander.
    """

    kingdom: NotRequired[str | None]
    revealed: NotRequired[bool]
    status: NotRequired[str]
    name: str
    units: list[HomogeneousUnitRequest]
    commander: NotRequired[SupposedGeneralInputRequest | None]


class SupposedSideInputRequest(TypedDict):
    name: str
    armies: list[str | SupposedArmyInputRequest | SupposedHostInputRequest | PlainSupposedInputRequest]


class SweepInputRequest(TypedDict):
    """
    `army` against each of `against`, or with `every` each of `against` against every other. An army is an id, or a
    description as in POST forecast/, then identified by its `name`. Without `against`: all armies of `campaign` whose
    sheets you may read. `conditions` are those of the whole field.
    """

    campaign: NotRequired[str]
    ruleset: NotRequired[str]
    house_rules: NotRequired[HouseRules]
    army: NotRequired[str | SupposedArmyInputRequest | SupposedHostInputRequest | PlainSupposedInputRequest]
    against: NotRequired[list[str | SupposedArmyInputRequest | SupposedHostInputRequest | PlainSupposedInputRequest]]
    every: NotRequired[bool]
    conditions: NotRequired[list[ConditionRequest | FieldMarkInputRequest]]


class TableLine(TypedDict):
    """
    One entry of the table: new, changed (`differences`), the same, or wrong (`problems`).
    """

    line: int
    name: str
    kingdom: str
    what: TableLineWhatEnum
    differences: list[Cell]
    problems: list[TableProblem]
    warnings: list[str]


class ThucidideFantasyAnswer(TypedDict):
    """
    The battle after a command, with its events or the proposal of its aftermath. `phases` are those that passed, in
    order, if there are several. `stopped` says why the battle stopped after `forward`.
    """

    armies: list[PlainArmy]
    map: MapDocument
    overlays: list[HexOverlay]
    units: list[FantasyUnit]
    effects: list[HexEffect]
    losses: list[HexLoss]
    picked: list[str]
    able: list[str]
    choices: list[HexChoice]
    way: list[str]
    must: str | None
    does: str | None
    map_version: str
    turn: FantasyTurn
    contingents: list[ContingentSide]
    fight: WaitingFight | None
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    legal: list[str]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None
    events: list[Event]
    phases: NotRequired[list[str]]
    stopped: NotRequired[list[Halt]]
    proposal: NotRequired[Proposal]


class ThucidideFantasyArmyInputRequest(TypedDict):
    kingdom: str
    name: str
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]
    units: list[ThucidideFantasyContingentUnitInputRequest]
    characters: NotRequired[list[ThucidideFantasyContingentCharacterInputRequest] | None]


class ThucidideFantasyBattle(TypedDict):
    """
    A battle as far as you may know it.
    """

    armies: list[PlainArmy]
    map: MapDocument
    overlays: list[HexOverlay]
    units: list[FantasyUnit]
    effects: list[HexEffect]
    losses: list[HexLoss]
    picked: list[str]
    able: list[str]
    choices: list[HexChoice]
    way: list[str]
    must: str | None
    does: str | None
    map_version: str
    turn: FantasyTurn
    contingents: list[ContingentSide]
    fight: WaitingFight | None
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    legal: list[str]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None


class ThucidideFantasyBattleInputRequest(TypedDict):
    """
    A battle to open: its sides, and what its ruleset asks of the field.
    """

    combat: NotRequired[CombatByEngineEnum | None]
    supply: NotRequired[SupplyEnum | None]
    hindrance: NotRequired[HindranceEnum | None]
    flyers_beside: NotRequired[FlyersBesideEnum | None]
    appeals: NotRequired[AppealsEnum | None]
    victory_share: NotRequired[VictoryShareEnum | None]
    turn_limit: NotRequired[int | None]
    map: NotRequired[Literal["meadows", "the-ford", "the-pass"] | Map]
    campaign: str
    name: str
    sides: list[SideInputRequest]
    ruleset: NotRequired[str]
    opponents: NotRequired[list[HeadInputRequest]]


class ThucidideFantasyCommander(TypedDict):
    id: str
    campaign: str
    kingdom: str
    name: str
    status: CommanderStatusEnum
    captures: int
    away_until: int | None
    ransom: int | None
    army: str | None
    rank: RankEnum
    level: LeaderLevelEnum
    armour: ArmourWeightEnum
    mounted: bool
    melee: int | None
    shot: int
    range: int
    resistance: int | None
    traits: list[str | Traits]
    cards: list[str]
    points: int | None
    sheet: ContingentLeaderFigures | None


class ThucidideFantasyLoadMapCommandRequest(TypedDict):
    """
    Replace the map by this document.
    """

    map: MapDocumentRequest
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["load_map"]


class ThucidideFantasySupposedInputRequest(TypedDict):
    """
    A hypothetical battle: its opening, as for POST battles/, and the question.
    """

    combat: NotRequired[CombatByEngineEnum | None]
    supply: NotRequired[SupplyEnum | None]
    hindrance: NotRequired[HindranceEnum | None]
    flyers_beside: NotRequired[FlyersBesideEnum | None]
    appeals: NotRequired[AppealsEnum | None]
    victory_share: NotRequired[VictoryShareEnum | None]
    turn_limit: NotRequired[int | None]
    map: NotRequired[Literal["meadows", "the-ford", "the-pass"] | Map]
    orders: NotRequired[dict[str, PathfinderOrderMembersRequest | BreakingPointOrderMembersRequest]]
    until: NotRequired[UntilInputRequest]
    withdraw: NotRequired[dict[str, RetreatInputRequest]]
    unknown: NotRequired[OrdersAssumedEnum]
    matrix: NotRequired[bool]
    table: NotRequired[WhichTableInputRequest]
    ruleset: str
    house_rules: NotRequired[HouseRules]
    sides: list[SupposedSideInputRequest]


class ThucidideFantasyTimeProposal(TypedDict):
    """
    What the days would do. `mark`: to be sent for confirmation; `version` is the same.
    """

    mark: str
    day: int
    until: int
    date: str
    changes: list[Change]
    notes: list[TimeNote]
    events: list[TimeEvent]
    warnings: list[str]
    dice: list[Die]
    version: str


class ThucidideTroop(TypedDict):
    """
    A campaign's own type of troops, with weapons of the law or the campaign.
    """

    name: str
    kind: TroopKindEnum
    weight: ArmourWeightEnum
    weapon: str
    points: int
    missile: NotRequired[str]
    stands: NotRequired[int]
    experience: NotRequired[ExperienceEnum]
    traits: NotRequired[list[str | Traits]]
    summary: NotRequired[str]


class ThucidideTroopRequest(TypedDict):
    """
    A campaign's own type of troops, with weapons of the law or the campaign.
    """

    name: str
    kind: TroopKindEnum
    weight: ArmourWeightEnum
    weapon: str
    points: int
    missile: NotRequired[str]
    stands: NotRequired[int]
    experience: NotRequired[ExperienceEnum]
    traits: NotRequired[list[str | Traits]]
    summary: NotRequired[str]


class Unit(TypedDict):
    """
    One unit of a homogeneous army. CR as text: "1/3", "9"; speed in metres per round.
    """

    name: str
    cr: str
    hit_die: NotRequired[str]
    speed_m: NotRequired[float]
    creature_type: NotRequired[str]
    alignment: NotRequired[str]
    level: NotRequired[int]
    ranged: NotRequired[bool]
    abilities: NotRequired[list[Ability]]


class UnitOfFile(TypedDict):
    slug: str
    family: str
    unit: Unit


class UnitType(TypedDict):
    slug: str
    name: str
    family: str
    library: bool
    own: bool
    terrains: list[str]
    unit: Unit


class UnitTypePage(TypedDict):
    """
    All unit types at once: there is never another page.
    """

    next: str | None
    previous: str | None
    results: list[UnitType]


class Webhook(TypedDict):
    """
    `secret`: only in the response that creates it, later null. `failing_since`: no delivery has succeeded since
    then.
    """

    id: str
    campaign: str
    name: str
    url: str
    events: list[WebhookEventEnum]
    shape: WebhookShapeEnum
    language: LanguageEnum
    state: WebhookStateEnum
    failing_since: str | None
    created_at: str
    secret: str | None


class WebhookAttempt(TypedDict):
    """
    `status`: of the response, null if there was none. `answer`: its first lines.
    """

    at: str
    milliseconds: int
    status: int | None
    trouble: WebhookHitchEnum | Literal[""]
    answer: str


class WebhookDelivery(TypedDict):
    """
    `message`: the id that receivers see, the same in every attempt.
    """

    id: str
    message: str
    event: str
    at: str
    state: DeliveryStateEnum
    next_at: str | None
    why: str | None
    attempts: list[WebhookAttempt]


class WebhookInputRequest(TypedDict):
    url: str
    events: list[WebhookEventEnum]
    name: NotRequired[str]
    shape: NotRequired[WebhookShapeEnum]
    language: NotRequired[LanguageEnum]


class WingCommandActCommandRequest(TypedDict):
    """
    Move and attack with a unit in one step. `to`: take the cheapest path there. `stay`: characters of its hex that
    don't go along. `exit`: leave the map at the end of the path. Sent as `act`.
    """

    unit: str
    path: NotRequired[list[str]]
    to: NotRequired[str]
    posture: NotRequired[PostureEnum]
    effort: NotRequired[bool]
    attack: NotRequired[WingCommandStrikeInputRequest | None]
    charge: NotRequired[bool | None]
    follow: NotRequired[bool | None]
    stay: NotRequired[list[str]]
    exit: NotRequired[bool]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["act"]


class WingCommandArmyInputRequest(TypedDict):
    kingdom: str
    name: str
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]
    troops: list[WingCommandWingTroopInputRequest]
    characters: NotRequired[list[WingCommandWingCharacterInputRequest] | None]
    order: NotRequired[OpeningOrderEnum | None]
    morale: NotRequired[int | None]


class WingCommandBattleInputRequest(TypedDict):
    """
    A battle to open: its sides, and what its ruleset asks of the field.
    """

    combat: NotRequired[CombatByTableEnum | None]
    orders_to_characters: NotRequired[bool | None]
    turn_limit: NotRequired[int | None]
    break_share: NotRequired[int | None]
    map: NotRequired[Literal["meadows", "the-ford", "the-pass"] | Map]
    campaign: str
    name: str
    sides: list[SideInputRequest]
    ruleset: NotRequired[str]
    opponents: NotRequired[list[HeadInputRequest]]


class WingCommandCommander(TypedDict):
    id: str
    campaign: str
    kingdom: str
    name: str
    status: CommanderStatusEnum
    captures: int
    away_until: int | None
    ransom: int | None
    army: str | None
    ability: AbilityEnum
    profile: ProfileEnum
    melee: int
    guard: int
    shot: int
    range: int
    move: int
    fly: bool
    infiltrate: bool
    art: ArtEnum
    level: int
    pentacle: int
    sheet: WingLeaderFigures | None


class WingCommandLoadMapCommandRequest(TypedDict):
    """
    Replace the map by this document.
    """

    map: MapDocumentRequest
    reason: NotRequired[str]
    dice: NotRequired[list[DieInputRequest]]
    ask: NotRequired[bool]
    type: Literal["load_map"]


class WingCommandSupposedInputRequest(TypedDict):
    """
    A hypothetical battle: its opening, as for POST battles/, and the question.
    """

    combat: NotRequired[CombatByTableEnum | None]
    orders_to_characters: NotRequired[bool | None]
    turn_limit: NotRequired[int | None]
    break_share: NotRequired[int | None]
    map: NotRequired[Literal["meadows", "the-ford", "the-pass"] | Map]
    orders: NotRequired[dict[str, PathfinderOrderMembersRequest | BreakingPointOrderMembersRequest]]
    until: NotRequired[UntilInputRequest]
    withdraw: NotRequired[dict[str, RetreatInputRequest]]
    unknown: NotRequired[OrdersAssumedEnum]
    matrix: NotRequired[bool]
    table: NotRequired[WhichTableInputRequest]
    ruleset: str
    house_rules: NotRequired[HouseRules]
    sides: list[SupposedSideInputRequest]


class WingCommandWingCharacterInput(TypedDict):
    """
    A character of the wing other than its commander.
    """

    name: str
    kind: NotRequired[WingCommandWingCharacterInputKindEnum]
    ability: NotRequired[AbilityEnum]
    profile: NotRequired[ProfileEnum]
    art: NotRequired[ArtEnum]
    level: NotRequired[int]
    pentacle: NotRequired[int]


class WingFigures(TypedDict):
    """
    Derived figures of a wing, troops and characters in document order. Null if the ruleset no longer accepts it.
    """

    points: int
    upkeep: int
    health: int
    breakdown: dict[str, list[Line]]
    troops: list[WingUnitFigures]
    characters: list[WingUnitFigures]


WingUnitOwn = TypedDict(
    "WingUnitOwn",
    {
        "move": int,
        "melee": int,
        "shot": int,
        "range": int,
        "guard": int,
        "kind": str,
        "size": WingUnitOwnSizeEnum,
        "fly": bool,
        "infiltrate": bool,
        "profile": str | None,
        "ability": str | None,
        "art": str | None,
        "level": int | None,
        "pentacle": int | None,
        "posture": str,
        "special_order": bool,
        "activated": bool,
        "wing": str,
        "spell": str | None,
        "class": str | None,
    },
)


type Advanced = (
    PathfinderTimeProposal
    | BreakingPointTimeProposal
    | WingCommandTimeProposal
    | ThucidideFantasyTimeProposal
    | Chronicle
)


type AnyCommanderInputRequest = (
    CommanderInputRequest
    | BreakingPointCommanderInputRequest
    | WingCommandCommanderInputRequest
    | ThucidideFantasyCommanderInputRequest
)


type AnySeveralArmiesInputRequest = (
    SeveralArmyInputRequest
    | SeveralBreakingPointArmyInputRequest
    | SeveralWingCommandArmyInputRequest
    | SeveralThucidideFantasyArmyInputRequest
)


class Army(TypedDict):
    """
    An army with every derived figure. They are null where the ruleset no longer accepts the army.
    """

    id: str
    campaign: str
    kingdom: str
    name: str
    unit: Unit
    count: int
    mount: Mount | None
    commander: str | None
    size: str | None
    acr: str | None
    hp: int
    hp_max: int
    om: int | None
    dv: int | None
    morale: int
    morale_check: int | None
    consumption: int
    speed: int | None
    xp: int | None
    ranged: bool | None
    mounted: bool | None
    tactics: list[str]
    tactics_granted: list[str]
    tactics_max: int | None
    resources: list[Held]
    status: ArmyStatusEnum
    arrears: bool
    disease: int
    ill: bool
    owed: int
    drain: int
    conditions: list[str]
    place: str
    marching_until: int | None
    revealed: bool
    hidden: bool
    breakdown: Breakdowns


class ArmyInBattle(TypedDict):
    """
    An army on the field. What you may not know is null: `om`, `dv`, `morale`, `breakdown`, `order`, and `hp` and
    `hp_max` if the campaign tells an enemy's health in words.
    """

    army: str
    name: str
    side: str
    hp: int | None
    hp_max: int | None
    looks: str
    acr: str
    om: int | None
    dv: int | None
    morale: int | None
    tactic: str
    strategy: str
    target: str | None
    status: str
    marks: list[str]
    breakdown: Figures | None
    order: OrderGiven | None


class BattleMap(TypedDict):
    """
    A battle map; `map` is its file's document.
    """

    id: str
    campaign: str
    name: str
    columns: int
    rows: int
    kept_by: str | None
    kept_at: str
    map: MapDocument


class BattleMapInputRequest(TypedDict):
    """
    Give exactly one of `map`, `battle`, `starter` and `generate`.
    """

    name: NotRequired[str]
    map: NotRequired[MapDocumentRequest]
    battle: NotRequired[str]
    starter: NotRequired[str]
    generate: NotRequired[GeneratedMapInputRequest]


class BreakingPointAnswer(TypedDict):
    """
    The battle after a command, with its events or the proposal of its aftermath. `phases` are those that passed, in
    order, if there are several. `stopped` says why the battle stopped after `forward`.
    """

    kind: str
    medium: str
    distance: str
    scores: list[int | None]
    surprised: list[str]
    seconds: int
    armies: list[Host]
    choices: list[HostChoices]
    conditions: list[FieldMark]
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    legal: list[str]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None
    events: list[Event]
    phases: NotRequired[list[str]]
    stopped: NotRequired[list[Halt]]
    proposal: NotRequired[Proposal]


class BreakingPointArmy(TypedDict):
    """
    An army with all derived figures. `sheet` is null where the ruleset no longer accepts the units. `health`: heads
    able to fight; `health_max`: these and the wounded. `spoils`: what it has taken.
    """

    id: str
    campaign: str
    kingdom: str
    name: str
    units: list[FieldedUnit]
    spoils: list[Spoil]
    sheet: HostSheet | None
    commander: str | None
    status: ArmyStatusEnum
    health: int
    health_max: int
    upkeep: int
    place: str
    marching_until: int | None
    revealed: bool
    hidden: bool


class BreakingPointArmyInputRequest(TypedDict):
    kingdom: str
    name: str
    units: list[HomogeneousUnitRequest]
    commander: NotRequired[str | None]
    revealed: NotRequired[bool]


class BreakingPointBattle(TypedDict):
    """
    A battle as far as you may know it.
    """

    kind: str
    medium: str
    distance: str
    scores: list[int | None]
    surprised: list[str]
    seconds: int
    armies: list[Host]
    choices: list[HostChoices]
    conditions: list[FieldMark]
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    legal: list[str]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None


class BreakingPointBattleInputRequest(TypedDict):
    """
    A battle to open: its sides, and what its ruleset asks of the field.
    """

    kind: NotRequired[BattleKindEnum]
    medium: NotRequired[MediumEnum]
    distance: NotRequired[str]
    conditions: NotRequired[list[FieldMarkInputRequest]]
    place: NotRequired[StormedPlaceInputRequest | None]
    defender: NotRequired[str | int]
    support: NotRequired[list[str]]
    characters: NotRequired[list[CharacterInputRequest]]
    campaign: str
    name: str
    sides: list[SideInputRequest]
    ruleset: NotRequired[str]
    opponents: NotRequired[list[HeadInputRequest]]


type BreakingPointCommandInputRequest = (
    AftermathCommandRequest
    | BreakingPointConditionCommandRequest
    | BreakingPointEndCommandRequest
    | ForwardCommandRequest
    | BreakingPointNextCommandRequest
    | BreakingPointOrderCommandRequest
    | BreakingPointOverrideCommandRequest
    | ReinforceCommandRequest
    | BreakingPointResolveCommandRequest
    | BreakingPointShareCommandRequest
    | UndoCommandRequest
)


class BreakingPointCommander(TypedDict):
    """
    A commander: characteristics, which count above 5, and skills; `sums` derive from them.
    """

    id: str
    campaign: str
    kingdom: str
    name: str
    status: CommanderStatusEnum
    captures: int
    away_until: int | None
    ransom: int | None
    army: str | None
    mental: int
    presence: int
    combat: int
    art_of_war: int
    diplomacy: int
    sums: CommandSums


class BreakingPointSupposedInputRequest(TypedDict):
    """
    A hypothetical battle: its opening, as for POST battles/, and the question.
    """

    kind: NotRequired[BattleKindEnum]
    medium: NotRequired[MediumEnum]
    distance: NotRequired[str]
    conditions: NotRequired[list[FieldMarkInputRequest]]
    place: NotRequired[StormedPlaceInputRequest | None]
    defender: NotRequired[str | int]
    support: NotRequired[list[str]]
    characters: NotRequired[list[CharacterInputRequest]]
    orders: NotRequired[dict[str, PathfinderOrderMembersRequest | BreakingPointOrderMembersRequest]]
    until: NotRequired[UntilInputRequest]
    withdraw: NotRequired[dict[str, RetreatInputRequest]]
    unknown: NotRequired[OrdersAssumedEnum]
    matrix: NotRequired[bool]
    table: NotRequired[WhichTableInputRequest]
    ruleset: str
    house_rules: NotRequired[HouseRules]
    sides: list[SupposedSideInputRequest]


class Bringing(TypedDict):
    """
    `entry`: the chronicle entry of the import, null for a proposal.
    """

    mark: str
    new: int
    changed: int
    same: int
    wrong: int
    lines: list[TableLine]
    entry: Chronicle | None


class BroughtIn(TypedDict):
    """
    The imported campaign, with warnings about what could not be imported.
    """

    id: str
    name: str
    ruleset: str
    day: NotRequired[int]
    week: int
    date: str
    calendar: Calendar
    house_rules: NotRequired[HouseRules]
    players_may: PlayersMay
    first_steps: NotRequired[bool]
    players_share: NotRequired[bool]
    others_known: KnowledgeEnum
    met_known: MetKnownEnum
    secrecy: Secrecy
    role: str
    warnings: list[str]


class Campaign(TypedDict):
    """
    A campaign. `calendar` is complete, with defaults filled in; `date` is today in words.
    """

    id: str
    name: str
    ruleset: str
    day: NotRequired[int]
    week: int
    date: str
    calendar: Calendar
    house_rules: NotRequired[HouseRules]
    players_may: PlayersMay
    first_steps: NotRequired[bool]
    players_share: NotRequired[bool]
    others_known: KnowledgeEnum
    met_known: MetKnownEnum
    secrecy: Secrecy
    role: str


class CampaignInputRequest(TypedDict):
    """
    `template`: kingdoms, settlements, commanders and armies to begin with, named in the requested language.
    `rules/{ruleset}/` lists the templates of a ruleset.
    """

    name: str
    ruleset: RulesetEnum
    house_rules: NotRequired[HouseRules]
    calendar: NotRequired[CalendarRequest]
    players_may: NotRequired[PlayersMayRequest]
    secrecy: NotRequired[SecrecyRequest]
    first_steps: NotRequired[bool]
    players_share: NotRequired[bool]
    others_known: NotRequired[KnowledgeEnum]
    met_known: NotRequired[MetKnownEnum]
    template: NotRequired[str]


class ContingentFigures(TypedDict):
    """
    Derived figures of an army, units and characters in document order. Null if the ruleset no longer accepts it.
    """

    points: int
    upkeep: int
    health: int
    health_max: int
    victory: int
    breakdown: dict[str, list[Line]]
    units: list[ContingentUnitFigures]
    characters: list[CharacterFigures]


class DisbandInputRequest(TypedDict):
    """
    Resources that are not listed are stored. `confirm: false` only previews the result.
    """

    resources: NotRequired[list[DisposalInputRequest]]
    confirm: NotRequired[bool]


type Disbanded = Army | Disbanding


class ForecastInputRequest(TypedDict):
    """
    Question of a forecast. Its `orders` are assumed, not given.
    """

    orders: NotRequired[dict[str, PathfinderOrderMembersRequest | BreakingPointOrderMembersRequest]]
    until: NotRequired[UntilInputRequest]
    withdraw: NotRequired[dict[str, RetreatInputRequest]]
    unknown: NotRequired[OrdersAssumedEnum]
    matrix: NotRequired[bool]
    table: NotRequired[WhichTableInputRequest]


class Job(TypedDict):
    """
    Work that takes longer than a request. `results` holds what there is so far: pairs of a sweep, the odds of
    battles that are `played`, or a forecast once it is `done`. It is empty for the fairness of a battle: ask the battle
    again.
    """

    id: str
    kind: str
    state: WorkStateEnum
    done: int
    of: int
    results: list[JobResult]
    trouble: str | None
    created_at: str


type Marched = MarchShape | Army | March


class Muster(TypedDict):
    """
    The army in terms common to all rulesets. `spirit` is from −4 to 4; 0 is usual. `caster` is the highest level of
    magic among its troops.
    """

    size: MusterSizeEnum
    health: int
    health_max: int
    spirit: int
    caster: int
    troops: list[MusteredTroops]
    leader: MusteredLeader | None


type MusteredArmy = MusteredWing | MusteredContingent


type OwnThing = (
    OwnWeapon | OwnArmour | OwnMachine | OwnType | WingTroopType | ThucidideWeapon | ThucidideTroop | ThucidideSpell
)


type OwnThingRequest = (
    OwnWeaponRequest
    | OwnArmourRequest
    | OwnMachineRequest
    | OwnTypeRequest
    | WingTroopTypeRequest
    | ThucidideWeaponRequest
    | ThucidideTroopRequest
    | ThucidideSpellRequest
)


class PaginatedCampaignList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Campaign]


class PaginatedSecurityEventList(TypedDict):
    next: str | None
    previous: str | None
    results: list[SecurityEvent]


class PaginatedSiegeLineList(TypedDict):
    next: str | None
    previous: str | None
    results: list[SiegeLine]


class PaginatedWebhookDeliveryList(TypedDict):
    next: str | None
    previous: str | None
    results: list[WebhookDelivery]


class PaginatedWebhookList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Webhook]


type PatchedAnyArmyChangeRequest = (
    PatchedArmyChangeRequest
    | PatchedBreakingPointArmyChangeRequest
    | PatchedWingCommandArmyChangeRequest
    | PatchedThucidideFantasyArmyChangeRequest
)


type PatchedAnyCommanderChangeRequest = (
    PatchedCommanderChangeRequest
    | PatchedBreakingPointCommanderChangeRequest
    | PatchedWingCommandCommanderChangeRequest
    | PatchedThucidideFantasyCommanderChangeRequest
)


class PathfinderAnswer(TypedDict):
    """
    The battle after a command, with its events or the proposal of its aftermath. `phases` are those that passed, in
    order, if there are several. `stopped` says why the battle stopped after `forward`.
    """

    legal: list[str]
    armies: list[ArmyInBattle]
    choices: list[Choices]
    conditions: list[Condition]
    ammunition: int | None
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None
    events: list[Event]
    phases: NotRequired[list[str]]
    stopped: NotRequired[list[Halt]]
    proposal: NotRequired[Proposal]


class PathfinderBattle(TypedDict):
    """
    A battle as far as you may know it.
    """

    legal: list[str]
    armies: list[ArmyInBattle]
    choices: list[Choices]
    conditions: list[Condition]
    ammunition: int | None
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None


type PathfinderCommandInputRequest = (
    AftermathCommandRequest
    | PathfinderConditionCommandRequest
    | PathfinderEndCommandRequest
    | ForwardCommandRequest
    | PathfinderInterruptCommandRequest
    | PathfinderNextCommandRequest
    | PathfinderOrderCommandRequest
    | PathfinderOverrideCommandRequest
    | ReinforceCommandRequest
    | PathfinderResolveCommandRequest
    | UndoCommandRequest
)


class PathfinderSupposedInputRequest(TypedDict):
    """
    A hypothetical battle: its opening, as for POST battles/, and the question.
    """

    conditions: NotRequired[list[ConditionRequest]]
    overcomes: NotRequired[list[OvercomeInputRequest]]
    sees_invisible: NotRequired[list[str]]
    cannot_leave: NotRequired[list[str]]
    engines_shoot: NotRequired[list[str]]
    magical: NotRequired[list[str]]
    ambush: NotRequired[Ambush | list[AmbushItem] | None]
    ammunition: NotRequired[int | None]
    orders: NotRequired[dict[str, PathfinderOrderMembersRequest | BreakingPointOrderMembersRequest]]
    until: NotRequired[UntilInputRequest]
    withdraw: NotRequired[dict[str, RetreatInputRequest]]
    unknown: NotRequired[OrdersAssumedEnum]
    matrix: NotRequired[bool]
    table: NotRequired[WhichTableInputRequest]
    ruleset: str
    house_rules: NotRequired[HouseRules]
    sides: list[SupposedSideInputRequest]


class Rested(TypedDict):
    healed: int
    text: str
    check: LoyaltyCheck | None
    breakdown: list[Line]
    army: Army


type SiegeCommandRequest = (
    SiegeTermsCommandRequest
    | SiegeAssaultCommandRequest
    | SiegeSortieCommandRequest
    | SiegeLiftCommandRequest
    | SiegeSurrenderCommandRequest
    | SiegeReliefCommandRequest
    | SiegeOrdersCommandRequest
    | SiegeJoinCommandRequest
    | SiegeFoughtCommandRequest
)


type SupposedInputRequest = (
    PathfinderSupposedInputRequest
    | BreakingPointSupposedInputRequest
    | WingCommandSupposedInputRequest
    | ThucidideFantasySupposedInputRequest
)


class Thing(TypedDict):
    """
    An entry of a campaign's own; `thing` has the shape in which it was sent.
    """

    id: str
    kind: str
    slug: str
    name: str
    thing: OwnThing


class ThingInputRequest(TypedDict):
    """
    `slug`: that of the entry to replace. Without it a new entry gets one made from its name.
    """

    campaign: str
    kind: str
    slug: NotRequired[str]
    thing: OwnThingRequest


class ThingPage(TypedDict):
    """
    All entries at once: there is never another page.
    """

    next: str | None
    previous: str | None
    results: list[Thing]


class ThucidideFantasyArmy(TypedDict):
    """
    An army; `sheet` is its ruleset's own document.
    """

    id: str
    campaign: str
    kingdom: str
    name: str
    units: list[ThucidideFantasyContingentUnitInput]
    characters: list[ThucidideFantasyContingentCharacterInput]
    sheet: ContingentFigures | None
    commander: str | None
    status: ArmyStatusEnum
    health: int
    health_max: int
    upkeep: int
    place: str
    marching_until: int | None
    revealed: bool
    hidden: bool


type ThucidideFantasyCommandInputRequest = (
    ThucidideFantasyActivateCommandRequest
    | AftermathCommandRequest
    | ThucidideFantasyAnnounceCommandRequest
    | ThucidideFantasyAnswerCommandRequest
    | ThucidideFantasyAnswerGodCommandRequest
    | ThucidideFantasyAttachCommandRequest
    | ThucidideFantasyAttackCommandRequest
    | ThucidideFantasyCastCommandRequest
    | ThucidideFantasyChooseCardsCommandRequest
    | ThucidideFantasyConsentCommandRequest
    | ThucidideFantasyDeclineCommandRequest
    | ThucidideFantasyDivineCommandRequest
    | ThucidideFantasyEdgeCommandRequest
    | ThucidideFantasyEditUnitCommandRequest
    | ThucidideFantasyEndCommandRequest
    | ThucidideFantasyEndPhaseCommandRequest
    | ThucidideFantasyFleeCommandRequest
    | ForwardCommandRequest
    | ThucidideFantasyGenerateMapCommandRequest
    | ThucidideFantasyGrantCommandRequest
    | ThucidideFantasyHomeCommandRequest
    | ThucidideFantasyLabelCommandRequest
    | ThucidideFantasyLineUpCommandRequest
    | ThucidideFantasyLoadMapCommandRequest
    | ThucidideFantasyMoveCommandRequest
    | ThucidideFantasyNameGeneralCommandRequest
    | ThucidideFantasyOptionCommandRequest
    | ThucidideFantasyOrderCommandRequest
    | ThucidideFantasyOverrideCommandRequest
    | ThucidideFantasyPaintCommandRequest
    | ThucidideFantasyPlaceCommandRequest
    | ThucidideFantasyPursueCommandRequest
    | ThucidideFantasyRaiseCommandRequest
    | ThucidideFantasyReadyCommandRequest
    | ReinforceCommandRequest
    | ThucidideFantasyReportCommandRequest
    | ThucidideFantasyRerollCommandRequest
    | ThucidideFantasyResizeCommandRequest
    | ThucidideFantasyRevealCommandRequest
    | ThucidideFantasyRiverCommandRequest
    | ThucidideFantasyRoadCommandRequest
    | ThucidideFantasySealCommandRequest
    | ThucidideFantasyShootCommandRequest
    | ThucidideFantasyStartCommandRequest
    | ThucidideFantasyTurnAttackCommandRequest
    | UndoCommandRequest
    | ThucidideFantasyVictoryCommandRequest
    | ThucidideFantasyZoneCommandRequest
)


class UnitFile(TypedDict):
    """
    The shape that `import` takes too.
    """

    format: str
    version: int
    units: list[UnitOfFile]


class WingCommandArmy(TypedDict):
    """
    An army; `sheet` is its ruleset's own document.
    """

    id: str
    campaign: str
    kingdom: str
    name: str
    troops: list[WingCommandWingTroopInput]
    characters: list[WingCommandWingCharacterInput]
    order: OpeningOrderEnum
    morale: int
    sheet: WingFigures | None
    commander: str | None
    status: ArmyStatusEnum
    health: int
    health_max: int
    upkeep: int
    place: str
    marching_until: int | None
    revealed: bool
    hidden: bool


type WingCommandCommandInputRequest = (
    WingCommandActCommandRequest
    | AftermathCommandRequest
    | WingCommandAimCommandRequest
    | WingCommandAnswerCommandRequest
    | WingCommandCastCommandRequest
    | WingCommandChangeOrderCommandRequest
    | WingCommandChooseSpellCommandRequest
    | WingCommandDistributeCommandRequest
    | WingCommandDuelCommandRequest
    | WingCommandEdgeCommandRequest
    | WingCommandEditUnitCommandRequest
    | WingCommandEndCommandRequest
    | WingCommandEndDistributionCommandRequest
    | WingCommandEndWingCommandRequest
    | ForwardCommandRequest
    | WingCommandGenerateMapCommandRequest
    | WingCommandGiveOrderCommandRequest
    | WingCommandHomeCommandRequest
    | WingCommandLabelCommandRequest
    | WingCommandLineUpCommandRequest
    | WingCommandLoadMapCommandRequest
    | WingCommandNameArmyLeaderCommandRequest
    | WingCommandOptionCommandRequest
    | WingCommandOverrideCommandRequest
    | WingCommandPaintCommandRequest
    | WingCommandPassCommandRequest
    | WingCommandPlaceCommandRequest
    | WingCommandRaiseCommandRequest
    | WingCommandRallyCommandRequest
    | WingCommandReadyCommandRequest
    | ReinforceCommandRequest
    | WingCommandReportCommandRequest
    | WingCommandResignCommandRequest
    | WingCommandResizeCommandRequest
    | WingCommandResolveRoutCommandRequest
    | WingCommandRiverCommandRequest
    | WingCommandRoadCommandRequest
    | WingCommandRollInitiativeCommandRequest
    | WingCommandSetOrderCommandRequest
    | WingCommandSetPostureCommandRequest
    | WingCommandStartCommandRequest
    | WingCommandTakeCommandCommandRequest
    | WingCommandTakeWingCommandRequest
    | UndoCommandRequest
    | WingCommandZoneCommandRequest
)


class WingUnit(TypedDict):
    """
    A unit with its figures.
    """

    unit: str
    army: str
    side: int
    name: str
    type: str
    tag: str
    at: str | None
    kind: TokenKindEnum
    states: list[str]
    can_act: bool
    done: bool
    figures: WingBattleFigures
    own: WingUnitOwn


type AnyArmy = Army | BreakingPointArmy | WingCommandArmy | ThucidideFantasyArmy


type AnyArmyInputRequest = (
    ArmyInputRequest | BreakingPointArmyInputRequest | WingCommandArmyInputRequest | ThucidideFantasyArmyInputRequest
)


type AnyCommander = Commander | BreakingPointCommander | WingCommandCommander | ThucidideFantasyCommander


type BattleInputRequest = (
    PathfinderBattleInputRequest
    | BreakingPointBattleInputRequest
    | WingCommandBattleInputRequest
    | ThucidideFantasyBattleInputRequest
)


type CommandInputRequest = (
    PathfinderCommandInputRequest
    | BreakingPointCommandInputRequest
    | WingCommandCommandInputRequest
    | ThucidideFantasyCommandInputRequest
)


class Mustered(TypedDict):
    """
    The army converted to another ruleset. `army` is in that ruleset's terms.
    """

    ruleset: str
    muster: Muster
    army: MusteredArmy


class PaginatedAnyArmyList(TypedDict):
    next: str | None
    previous: str | None
    results: list[AnyArmy]


class PaginatedAnyCommanderList(TypedDict):
    next: str | None
    previous: str | None
    results: list[AnyCommander]


class WingCommandAnswer(TypedDict):
    """
    The battle after a command, with its events or the proposal of its aftermath. `phases` are those that passed, in
    order, if there are several. `stopped` says why the battle stopped after `forward`.
    """

    armies: list[PlainArmy]
    map: MapDocument
    overlays: list[HexOverlay]
    units: list[WingUnit]
    effects: list[HexEffect]
    losses: list[HexLoss]
    picked: list[str]
    able: list[str]
    choices: list[HexChoice]
    way: list[str]
    must: str | None
    does: str | None
    map_version: str
    turn: WingTurn
    initiative: int | None
    wings: list[WingState]
    distribution: OrderPoints | None
    waits_for_report: bool
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    legal: list[str]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None
    events: list[Event]
    phases: NotRequired[list[str]]
    stopped: NotRequired[list[Halt]]
    proposal: NotRequired[Proposal]


class WingCommandBattle(TypedDict):
    """
    A battle as far as you may know it.
    """

    armies: list[PlainArmy]
    map: MapDocument
    overlays: list[HexOverlay]
    units: list[WingUnit]
    effects: list[HexEffect]
    losses: list[HexLoss]
    picked: list[str]
    able: list[str]
    choices: list[HexChoice]
    way: list[str]
    must: str | None
    does: str | None
    map_version: str
    turn: WingTurn
    initiative: int | None
    wings: list[WingState]
    distribution: OrderPoints | None
    waits_for_report: bool
    id: str
    campaign: str
    name: str
    version: int
    ruleset: str
    day: int
    phase: Phase
    status: str
    sides: list[Side]
    awaiting: list[Awaited]
    legal: list[str]
    your_turn: bool
    pending: NotRequired[list[Pending]]
    result: Result | None


type Answer = PathfinderAnswer | BreakingPointAnswer | WingCommandAnswer | ThucidideFantasyAnswer


type Battle = PathfinderBattle | BreakingPointBattle | WingCommandBattle | ThucidideFantasyBattle

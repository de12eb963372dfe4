/** Plays a battle of each ruleset, from raising the armies to the aftermath, with types generated from openapi.yaml. */

import { Field, muster, sidesOf, type Force, type Schemas } from "./site.js";

const PHASES = 60; // within which a battle of mass combat or breaking point ends here
const STEPS = 300; // commands within which a battle on hexes ends here: it has a limit of turns

async function massCombat(): Promise<void> {
  const unit: Schemas["UnitRequest"] = { name: "Raider", cr: "2", hit_die: "d10", level: 1, ranged: true };
  const force = (count: number) => ({ unit, count });
  const table = await muster<Schemas["ArmyInputRequest"]>("combat-de-masse", { level: 6 }, force(500), force(100));
  const field = await Field.open<
    Schemas["PathfinderBattle"],
    Schemas["PathfinderCommandInputRequest"],
    Schemas["PathfinderBattleInputRequest"]
  >({ campaign: table.campaign, name: "The ford", sides: sidesOf(table) });
  const [crown, horde] = table.armies;
  await field.give({ type: "next" });
  for (let phase = 0; field.runs && phase < PHASES; phase++) {
    if (field.now.phase.kind === "melee") {
      await field.give({ type: "order", army: crown, strategy: "aggressive", target: horde });
      await field.give({ type: "order", army: horde, strategy: "aggressive", target: crown });
    }
    await field.give({ type: "resolve" });
  }
  await field.settle();
}

async function breakingPoint(): Promise<void> {
  const swords = (strength: number): Schemas["BreakingPointArmyInputRequest"]["units"] => [
    { name: "Swords", type: "infantry", strength, combat: 3, armour: 0, group: "contact", weapons: ["sword"] },
  ];
  const table = await muster<Schemas["BreakingPointArmyInputRequest"]>(
    "breaking-point",
    { art_of_war: 2 },
    { units: swords(100) },
    { units: swords(40) },
  );
  const field = await Field.open<
    Schemas["BreakingPointBattle"],
    Schemas["BreakingPointCommandInputRequest"],
    Schemas["BreakingPointBattleInputRequest"]
  >({ campaign: table.campaign, name: "The bridge", sides: sidesOf(table) });
  const [crown, horde] = table.armies;
  await field.give({ type: "next" });
  for (let phase = 0; field.runs && phase < PHASES; phase++) {
    if (field.now.phase.kind === "round") {
      for (const [mine, theirs] of [[crown, horde], [horde, crown]] as const) {
        const bodies = { contact: { do: "attack", target: `${theirs}:contact` } } as const;
        await field.give({ type: "order", army: mine, bodies });
      }
    }
    await field.give({ type: "resolve" });
  }
  await field.settle();
}

const MEADOW: NonNullable<Schemas["WingCommandBattleInputRequest"]["map"]> = { columns: 12, rows: 12, kind: "plain", seed: "oak" };

/** What both hex rulesets tell of their units, and of what the picked one may choose. */
interface OnHexes {
  units: { unit: string; side: number | null; at: string | null }[];
  choices: Schemas["HexChoice"][];
}

interface Picked {
  targets: Schemas["HexChoice"][];
  hexes: Schemas["HexChoice"][];
}

/** The targets and hexes that a unit may choose, those next to an enemy first. */
function choicesOf(told: OnHexes, unit: string): Picked {
  const side = told.units.find((one) => one.unit === unit)?.side;
  const foes = told.units.flatMap((one) => (one.side !== side && one.at ? [one.at] : []));
  const open = told.choices.filter((choice) => !choice.why_not);
  const hexes = open.filter((choice) => choice.what === "hex");
  const far = (choice: Schemas["HexChoice"]): number => Math.min(...foes.map((foe) => distance(choice.id, foe)));
  return { targets: open.filter((choice) => choice.what === "target"), hexes: hexes.sort((a, b) => far(a) - far(b)) };
}

/** Hexes between two labels such as C7, roughly: enough to come nearer. */
function distance(one: string, other: string): number {
  const place = (label: string): [number, number] => [label.charCodeAt(0), Number(label.slice(1))];
  const [[column, row], [its, otherRow]] = [place(one), place(other)];
  return Math.max(Math.abs(column - its), Math.abs(row - otherRow));
}

type Wings = Field<Schemas["WingCommandBattle"], Schemas["WingCommandCommandInputRequest"]>;

async function wingCommand(): Promise<void> {
  const riders: Force<Schemas["WingCommandArmyInputRequest"]> = { troops: [{ type: "riders" }], order: "attack" };
  const table = await muster<Schemas["WingCommandArmyInputRequest"]>("wing-command", { ability: "B" }, riders, riders);
  const field: Wings = await Field.open<
    Schemas["WingCommandBattle"],
    Schemas["WingCommandCommandInputRequest"],
    Schemas["WingCommandBattleInputRequest"]
  >({ campaign: table.campaign, name: "The raid", sides: sidesOf(table), map: MEADOW });
  await field.give({ type: "line_up", wings: table.armies });
  await field.give({ type: "start" });
  for (let step = 0; field.runs && step < STEPS; step++) await field.give(await nextOfWings(field));
  await field.settle();
}

/** A wing is taken, each of its units attacks or comes nearer, and the wing is done. */
async function nextOfWings(field: Wings): Promise<Schemas["WingCommandCommandInputRequest"]> {
  const { pending, turn, wings, able } = field.now;
  const asked = pending?.[0];
  if (asked) return { type: "answer", key: asked.key, choice: asked.options[0]?.slug ?? "" };
  if (turn.phase === "initiative") return { type: "roll_initiative" };
  if (turn.phase === "command") return { type: "pass", side: turn.side ?? 0 };
  if (turn.phase === "rout") return { type: "resolve_rout" };
  if (turn.active === null) {
    const free = wings.find((wing) => wing.side === turn.side && !wing.activated);
    return free ? { type: "take_wing", wing: free.wing } : { type: "end_wing" };
  }
  for (const unit of able) {
    const { targets, hexes } = choicesOf(await field.pick(unit), unit);
    const [target, hex] = [targets[0], hexes[0]];
    if (target) {
      const attack = { target: target.id, how: target.how } as Schemas["WingCommandStrikeInputRequest"];
      return { type: "act", unit, to: target.from ?? "", attack };
    }
    if (hex) return { type: "act", unit, to: hex.id };
  }
  return { type: "end_wing" };
}

type Contingents = Field<Schemas["ThucidideFantasyBattle"], Schemas["ThucidideFantasyCommandInputRequest"]>;

async function thucidideFantasy(): Promise<void> {
  const table = await muster<Schemas["ThucidideFantasyArmyInputRequest"]>(
    "thucidide-fantasy",
    { level: "normal" },
    { units: [{ type: "foot-heavy" }] },
    { units: [{ type: "recruits" }] },
  );
  const field: Contingents = await Field.open<
    Schemas["ThucidideFantasyBattle"],
    Schemas["ThucidideFantasyCommandInputRequest"],
    Schemas["ThucidideFantasyBattleInputRequest"]
  >({ campaign: table.campaign, name: "The pass", sides: sidesOf(table), map: MEADOW });
  await field.give({ type: "line_up", armies: table.armies });
  await field.give({ type: "start" });
  for (let step = 0; field.runs && step < STEPS; step++) await field.give(await nextOfContingents(field));
  await field.settle();
}

/** What a unit can do in this phase; where none can do anything, its end. */
async function nextOfContingents(field: Contingents): Promise<Schemas["ThucidideFantasyCommandInputRequest"]> {
  const { pending, turn, able } = field.now;
  const asked = pending?.[0];
  if (asked) return { type: "answer", key: asked.key, choice: asked.options[0]?.slug ?? "" };
  for (const unit of able) {
    const { targets, hexes } = choicesOf(await field.pick(unit), unit);
    const [target, hex] = [targets[0], hexes[0]];
    if (turn.phase === "command" && target) return { type: "activate", leader: unit, units: [target.id] };
    if (turn.phase === "movement" && hex) return { type: "move", unit, to: hex.id };
    if (turn.phase === "combat" && target) return { type: "attack", unit, target: target.id };
  }
  return { type: "end_phase" };
}

for (const play of [massCombat, breakingPoint, wingCommand, thucidideFantasy]) await play();

/** Plays a battle of Pathfinder from raising the armies to the aftermath, with types generated from openapi.yaml. */

import type { components, operations } from "./api";

type Schemas = components["schemas"];
type Battle = Schemas["PathfinderBattle"];
type Command = Schemas["PathfinderCommandInputRequest"];
type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;

declare const process: { env: Record<string, string | undefined> };

const { WARHOST: site = "", WARHOST_TOKEN: token = "" } = process.env;

class Refused extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(`${problem.status} ${problem.detail}`);
  }
}

async function ask<Answer>(method: string, path: string, body?: unknown, version?: number): Promise<Answer> {
  const headers = new Headers({ Authorization: `Bearer ${token}`, "Content-Type": "application/json" });
  if (version !== undefined) headers.set("If-Match", `"${version}"`);
  if (method === "POST") headers.set("Idempotency-Key", crypto.randomUUID());
  const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${site}/api/v1/${path}`, sent);
  if (!answer.ok) throw new Refused((await answer.json()) as Schemas["Problem"]);
  return (await answer.json()) as Answer;
}

async function raise(campaign: string, name: string, count: number): Promise<string> {
  const kingdom = await ask<Schemas["Kingdom"]>("POST", "kingdoms/", {
    campaign,
    name,
    treasury: 100,
  } satisfies Body<"kingdoms_create">);
  const unit: Schemas["UnitRequest"] = { name: "Raider", cr: "2", hit_die: "d10", level: 1, ranged: true };
  const army = await ask<Schemas["Army"]>("POST", "armies/", {
    kingdom: kingdom.id,
    name: `Host of ${name}`,
    unit,
    count,
  } satisfies Schemas["ArmyInputRequest"]);
  return army.id;
}

async function play(): Promise<void> {
  const campaign = await ask<Schemas["Campaign"]>("POST", "campaigns/", {
    name: "Marches",
    ruleset: "combat-de-masse",
  } satisfies Body<"campaigns_create">);
  const [crown, horde] = [await raise(campaign.id, "Crown", 500), await raise(campaign.id, "Horde", 100)];
  let battle = await ask<Battle>("POST", "battles/", {
    campaign: campaign.id,
    name: "The ford",
    sides: [
      { name: "Crown", armies: [crown] },
      { name: "Horde", armies: [horde] },
    ],
  } satisfies Schemas["PathfinderBattleInputRequest"]);
  const give = async (command: Command): Promise<void> => {
    const answer = await ask<Schemas["PathfinderAnswer"]>("POST", `battles/${battle.id}/commands/`, command, battle.version);
    for (const event of answer.events ?? []) console.log(event.text);
    battle = answer;
  };
  await give({ type: "next" });
  for (let phase = 0; battle.status === "running" && phase < 60; phase++) {
    if (battle.phase.kind === "melee") {
      await give({ type: "order", army: crown, strategy: "aggressive", target: horde });
      await give({ type: "order", army: horde, strategy: "aggressive", target: crown });
    }
    await give({ type: "resolve" });
  }
  await give({ type: "aftermath", confirm: false });
  await give({ type: "aftermath", confirm: true });
  console.log(`${battle.name}: ${battle.status}, ${battle.result?.winner ?? "nobody"} won`);
}

await play();

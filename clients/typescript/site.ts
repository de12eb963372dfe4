/** Client of the API: requests, a campaign with two armies, and a battle that takes commands and throws dice. */

import type { components, operations } from "./api";

export type Schemas = components["schemas"];
type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;

declare const process: { env: Record<string, string | undefined> };

const { WARHOST: site = "", WARHOST_TOKEN: token = "" } = process.env;

export class Refused extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(`${problem.status} ${problem.detail}`);
  }
}

export async function ask<Answer>(method: string, path: string, body?: unknown, version?: number): Promise<Answer> {
  const headers = new Headers({ Authorization: `Bearer ${token}`, "Content-Type": "application/json" });
  if (version !== undefined) headers.set("If-Match", `"${version}"`);
  if (method === "POST") headers.set("Idempotency-Key", crypto.randomUUID());
  const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${site}/api/v1/${path}`, sent);
  if (!answer.ok) throw new Refused((await answer.json()) as Schemas["Problem"]);
  return (await answer.json()) as Answer;
}

/** What a ruleset says of a new army beside its kingdom, name and commander. */
export type Force<Input> = Omit<Input, "kingdom" | "name" | "commander">;

/** A campaign of two kingdoms, and in each an army with a commander. */
export interface Table {
  campaign: string;
  armies: [crown: string, horde: string];
}

export async function muster<Input>(
  ruleset: Body<"campaigns_create">["ruleset"],
  commander: Omit<Schemas["AnyCommanderInputRequest"], "kingdom" | "name">,
  crown: Force<Input>,
  horde: Force<Input>,
): Promise<Table> {
  const sent = { name: "Marches", ruleset } satisfies Body<"campaigns_create">;
  const campaign = (await ask<Schemas["Campaign"]>("POST", "campaigns/", sent)).id;
  const raise = async (name: string, force: Force<Input>): Promise<string> => {
    const founded = { campaign, name, treasury: 100 } satisfies Body<"kingdoms_create">;
    const kingdom = (await ask<Schemas["Kingdom"]>("POST", "kingdoms/", founded)).id;
    const leads = { kingdom, name: `Captain of ${name}`, ...commander };
    const leader = (await ask<Schemas["Commander"]>("POST", "commanders/", leads)).id;
    const army = { kingdom, name: `Host of ${name}`, commander: leader, ...force };
    return (await ask<Schemas["Army"]>("POST", "armies/", army)).id;
  };
  return { campaign, armies: [await raise("Crown", crown), await raise("Horde", horde)] };
}

export function sidesOf(table: Table): Schemas["SideInputRequest"][] {
  const [crown, horde] = table.armies;
  return [
    { name: "Crown", armies: [crown] },
    { name: "Horde", armies: [horde] },
  ];
}

/** What every battle tells, whatever its ruleset. */
interface Told {
  id: string;
  name: string;
  status: string;
  version: number;
  result?: unknown;
}

/** A battle of one ruleset. `now` is its state after the last command. */
export class Field<State extends Told, Command> {
  private constructor(public now: State) {}

  static async open<State extends Told, Command, Input>(battle: Input): Promise<Field<State, Command>> {
    return new Field<State, Command>(await ask<State>("POST", "battles/", battle));
  }

  get runs(): boolean {
    return this.now.status === "running";
  }

  /** Give a command; the server throws the dice it needs. */
  async give(command: Command | Schemas["AftermathCommandRequest"]): Promise<void> {
    const path = `battles/${this.now.id}/commands/`;
    const answer = await ask<State & { events?: { text: string }[] }>("POST", path, command, this.now.version);
    for (const event of answer.events ?? []) console.log(event.text);
    this.now = answer;
  }

  /** The battle as the reader sees it who picks this unit. */
  async pick(unit: string): Promise<State> {
    return ask<State>("GET", `battles/${this.now.id}/?pick=${encodeURIComponent(unit)}`);
  }

  async settle(): Promise<void> {
    await this.give({ type: "aftermath", confirm: false });
    await this.give({ type: "aftermath", confirm: true });
    console.log(`${this.now.name}: ${this.now.status}`);
  }
}

/** The layer that touches Foundry, in a Foundry of a few lines. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { newActor } from "../scripts/sync.mjs";
import { sayFrom } from "../scripts/wording.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url)));
const answers = read("fixtures/answers.json");
const say = sayFrom(read("../lang/en.json"));
const hooks = {};
const world = { settings: {}, notes: [], made: [], updated: [], added: [], chat: [], dialogs: [], asked: [], actors: [] };
const once = (name, action) => (hooks[name] = action);
const [campaign] = answers.campaigns.results;
const [battle] = answers.battles.results;

function document(actor) {
  return {
    ...actor,
    toObject: () => JSON.parse(JSON.stringify(actor)),
    update: async (data) => world.updated.push(data),
    createEmbeddedDocuments: async (_kind, items) => world.added.push(...items),
    deleteEmbeddedDocuments: async () => {},
  };
}

const answer = (value) => async (options) => (world.dialogs.push(options.content), value(options));
globalThis.Hooks = { once, on: once };
globalThis.setInterval = () => {};
globalThis.ui = { notifications: Object.fromEntries(
  ["info", "warn", "error"].map((kind) => [kind, (text) => world.notes.push(text)])) };
globalThis.Folder = { create: async (data) => ({ id: "f1", ...data }) };
globalThis.Actor = { createDocuments: async (all) => world.made.push(...all) };
globalThis.ChatMessage = {
  create: async (data) => world.chat.push(data),
  getWhisperRecipients: () => ["gm"],
};
globalThis.foundry = { applications: { api: { DialogV2: {
  prompt: answer(() => world.choice),
  confirm: answer(() => true),
  wait: answer(() => ({ keep: false })),
} } } };
globalThis.game = {
  i18n: { lang: "en", format: say },
  user: { isGM: true },
  users: {},
  folders: [],
  modules: new Map([["warhost", {}]]),
  settings: {
    register: (_scope, name, options) => (world.settings[name] ??= options.default),
    get: (_scope, name) => world.settings[name],
    set: async (_scope, name, value) => (world.settings[name] = value),
  },
};

const routes = [
  [/campaigns\/$/, () => answers.campaigns],
  [/campaigns\/[\w-]+\/foundry\/$/, (body) => (body.confirm ? answers.done : answers.proposal)],
  [/kingdoms\/\?/, () => ({ results: answers.kingdoms.results.slice(0, 1), next: null })],
  [/armies\/\?/, () => ({ results: answers.armies.results.slice(2), next: null })],
  [/kingdoms\/[\w-]+\/foundry\/$/, () => answers.kingdom_actor],
  [/armies\/[\w-]+\/foundry\/$/, () => answers.army_actor],
  [/battles\/\?/, () => answers.battles],
  [/events\//, () => answers.events],
];
globalThis.fetch = async (url, { body, headers }) => {
  world.asked.push({ url, token: headers.Authorization, body: body && JSON.parse(body) });
  const [, found] = routes.find(([pattern]) => pattern.test(url));
  return { status: 200, text: async () => JSON.stringify(found(body && JSON.parse(body))), headers: new Map() };
};

await import("../scripts/main.mjs");
hooks.init();
hooks.ready();
const { api } = game.modules.get("warhost");

beforeEach(() => {
  Object.assign(world, { notes: [], made: [], updated: [], added: [], chat: [], dialogs: [], asked: [], choice: null });
  Object.assign(world.settings, { site: "war.example.org", token: "t", chatToken: "", followed: {},
    campaign: { id: campaign.id, name: campaign.name } });
  setActors([]);
});

function setActors(actors) {
  const documents = actors.map(document);
  game.actors = { filter: (wanted) => documents.filter(wanted), get: (id) => documents.find((one) => one._id === id) };
}

const fetched = () => ({ _id: "a1", ...JSON.parse(JSON.stringify(newActor(answers.army_actor))) });

test("without an address nothing is asked", async () => {
  world.settings.site = "";
  await api.fetch();
  assert.deepEqual([world.asked, world.notes], [[], [say("WARHOST.setup")]]);
});

test("what Warhost has becomes actors, once the GM has seen it", async () => {
  await api.fetch();
  assert.ok(world.dialogs[0].includes("Crown"));
  assert.deepEqual(world.made.map((actor) => [actor.name, actor.folder]), [["Crown", "f1"], ["Spare", "f1"]]);
  assert.ok(world.asked.every((one) => one.url.startsWith("https://war.example.org/api/v1/")));
});

test("an actor that changed at Warhost is updated, and one that changed here is left", async () => {
  const old = fetched();
  old.system.hp.current = old.flags.warhost.synced["hp.current"] = 5;
  setActors([old]);
  await api.fetch();
  assert.equal(world.updated[0]["system.hp.current"], 33);
  const changed = fetched();
  changed.system.morale.base = 2;
  setActors([changed]);
  world.updated = [];
  await api.fetch();
  assert.deepEqual(world.updated, []);
});

test("changes are shown as Warhost understands them, confirmed with its mark and remembered", async () => {
  const changed = fetched();
  changed.system.morale.base = 2;
  setActors([changed]);
  await api.send();
  const sent = world.asked.filter((one) => one.body);
  assert.deepEqual(sent.map((one) => one.body.confirm ?? false), [false, true]);
  assert.equal(sent[1].body.mark, answers.proposal.mark);
  assert.equal(JSON.parse(sent[0].body.file)[0].flags.warhost.synced, undefined);
  assert.ok(world.dialogs.at(-1).includes("morale 0 → <b>2</b>"));
  assert.ok(world.notes.includes(say("WARHOST.send.done", { new: 0, changed: 1 })));
  assert.equal(world.updated.length, 1);
});

test("where nothing changed nothing is sent", async () => {
  setActors([fetched()]);
  await api.send();
  assert.ok(!world.asked.some((one) => one.body));
  assert.ok(world.notes.includes(say("WARHOST.send.nothing")));
});

test("a followed battle is whispered to the GM, each phase once", async () => {
  world.choice = battle.id;
  await api.follow();
  assert.deepEqual(world.chat.map((one) => one.whisper), [["gm"]]);
  assert.ok(world.chat[0].content.includes("The shots of Ironwatch hit Raiders: 5 damage."));
  assert.equal(world.settings.followed.seq, answers.events.results.findLast((one) => one.type === "phase-ended").seq);
});

test("with a player's token everybody reads what that player may know", async () => {
  world.choice = battle.id;
  world.settings.chatToken = "players";
  await api.follow();
  assert.deepEqual(world.chat[0].whisper, []);
  assert.equal(world.asked.at(-1).token, "Token players");
});

test("a refusal is told in words", async () => {
  const before = globalThis.fetch;
  globalThis.fetch = async () => { throw new TypeError("failed"); };
  await api.fetch();
  globalThis.fetch = before;
  assert.ok(world.notes.includes(say("WARHOST.problem.network")));
});

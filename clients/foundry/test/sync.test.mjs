import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  ARMY, changesOf, compare, exportOf, idOf, KINGDOM, newActor, planSync, sharedFields, stable, unknownActors,
} from "../scripts/sync.mjs";

const answers = JSON.parse(readFileSync(new URL("fixtures/answers.json", import.meta.url)));
const clone = (thing) => JSON.parse(JSON.stringify(thing));
const army = () => clone(answers.army_actor);
const kingdom = () => clone(answers.kingdom_actor);

/** An actor as Foundry keeps it after a fetch: with ids, and with what the module adds. */
function kept(there) {
  const actor = { _id: "a1", img: "icons/x.svg", ...clone(newActor(there, "folder")) };
  actor.system.strategy = "2";
  actor.items = actor.items.map((item, place) => ({ _id: `i${place}`, img: "x", ...item }));
  return actor;
}

test("an actor fetched from Warhost is alike", () => {
  for (const there of [army(), kingdom(), clone(answers.tactics_actor)]) {
    assert.deepEqual(compare(kept(there), there), { status: "same", changes: [] });
  }
});

test("what was changed is told by side", () => {
  const here = kept(army());
  here.system.morale.base = 2;
  const there = army();
  assert.equal(compare(here, there).status, "here");
  assert.deepEqual(compare(here, there).changes, [{ name: "morale.base", before: 2, after: 0 }]);
  there.system.hp.current = 10;
  assert.equal(compare(here, there).status, "both");
  assert.equal(compare(kept(army()), there).status, "there");
});

test("kingdoms are compared by their own figures", () => {
  const there = kingdom();
  there.system.terrain.hills = 2;
  assert.deepEqual(compare(kept(kingdom()), there).changes, [{ name: "terrain.hills", before: 0, after: 2 }]);
});

test("tactics and abilities count by name, other items do not", () => {
  const here = kept(army());
  here.items.push({ _id: "i9", name: "Taunt", type: "pf1-kingdom-sheet.tactic" });
  assert.equal(compare(here, army()).status, "here");
  const boon = kept(army());
  boon.items.push({ _id: "i9", name: "Loyalty", type: "pf1-kingdom-sheet.boon" });
  assert.equal(compare(boon, army()).status, "same");
});

test("what only Warhost knows counts, too", () => {
  const there = army();
  there.flags.warhost.count = 620;
  assert.equal(compare(kept(army()), there).status, "there");
  assert.deepEqual(compare(kept(army()), there).changes.map((one) => one.name), ["flags"]);
});

test("a value Warhost does not send is Foundry's own", () => {
  const there = army();
  delete there.system.hd;
  const here = kept(there);
  here.system.hd = "d10";
  assert.equal(compare(here, there).status, "same");
  there.system.morale.base = 1;
  assert.equal(compare(here, there).status, "there");
});

test("an actor without a memory of the last fetch is for the GM to decide", () => {
  const here = kept(army());
  delete here.flags.warhost.synced;
  here.system.morale.base = 2;
  assert.equal(compare(here, army()).status, "both");
});

test("a plan sorts actors by what happens to them", () => {
  const changed = kept(army());
  changed.system.morale.base = 3;
  const lost = { ...kept(army()), _id: "a3", name: "Lost" };
  lost.flags.warhost.id = "gone";
  const own = { _id: "a4", name: "Local", type: ARMY, system: {}, items: [], flags: {} };
  const plan = planSync([changed, kept(kingdom()), lost, own], [army(), kingdom(), clone(answers.tactics_actor)]);
  const names = Object.fromEntries(
    Object.entries(plan).map(([part, found]) => [part, found.map(({ here, there }) => (here ?? there).name)]));
  assert.deepEqual(names, {
    create: ["Ironwatch"], update: [], send: ["Spare"], conflicts: [], same: ["Crown"], gone: ["Lost"],
  });
  assert.deepEqual(unknownActors([changed, own, { type: "npc" }]), [own]);
});

test("a new actor goes into its folder and remembers what is alike", () => {
  const made = newActor(army(), "f1");
  assert.equal(made.folder, "f1");
  assert.equal(idOf(made), answers.army_actor.flags.warhost.id);
  assert.deepEqual(made.flags.warhost.synced, sharedFields(army()));
});

test("changes touch our figures alone", () => {
  const there = army();
  there.system.hp.current = 7;
  there.items = [{ name: "Taunt", type: "pf1-kingdom-sheet.tactic", system: {} }];
  const here = kept(army());
  here.flags.warhost.granted = ["taunt"];
  const { data, add, remove } = changesOf(here, there);
  assert.equal(data["system.hp.current"], 7);
  assert.equal(data["flags.warhost.-=granted"], null);
  assert.ok(!("flags.warhost.-=synced" in data));
  assert.deepEqual(Object.keys(data).filter((name) => name.includes("strategy")), []);
  assert.deepEqual(add.map((item) => item.name), ["Taunt"]);
  assert.deepEqual(remove, ["i0"]);
  assert.equal(compare(applied(here, { data, add, remove }), there).status, "same");
});

test("what is sent has neither the module's own memory nor what means something in this world alone", () => {
  const sent = exportOf({ ...kept(army()), ownership: { default: 3 }, sort: 7, _stats: {} });
  assert.deepEqual(Object.keys(sent).sort(), ["effects", "flags", "img", "items", "name", "system", "type"]);
  assert.deepEqual(sent.flags.warhost, answers.army_actor.flags.warhost);
  assert.deepEqual(exportOf({ name: "x", type: KINGDOM, flags: {} }).flags, {});
});

test("members in another order are alike", () => {
  assert.equal(stable({ a: 1, b: [{ d: 1, c: null }] }), stable({ b: [{ c: null, d: 1 }], a: 1 }));
  assert.notEqual(stable([1, 2]), stable([2, 1]));
});

/** What Foundry makes of an update. */
function applied(here, { data, add, remove }) {
  const actor = clone(here);
  for (const [path, value] of Object.entries(data)) {
    const parts = path.split(".");
    const last = parts.pop();
    const holder = parts.reduce((one, name) => (one[name] ??= {}), actor);
    if (last.startsWith("-=")) delete holder[last.slice(2)];
    else holder[last] = value !== null && typeof value === "object" ? { ...holder[last], ...value } : value;
  }
  delete actor.flags.warhost.granted;
  actor.items = [...actor.items.filter((item) => !remove.includes(item._id)), ...add];
  return actor;
}

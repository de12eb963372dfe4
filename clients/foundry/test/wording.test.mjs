import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { endedPhases, lastSeq, phaseMessage, worthTelling } from "../scripts/battle.mjs";
import { newActor, planSync } from "../scripts/sync.mjs";
import { describePlan, describeProposal, escapeHtml, flatten, isReady, sayFrom } from "../scripts/wording.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url)));
const answers = read("fixtures/answers.json");
const languages = { en: read("../lang/en.json"), fr: read("../lang/fr.json") };
const say = sayFrom(languages.en);
const dire = sayFrom(languages.fr);
const events = answers.events.results;
const battle = { name: "The ford" };

test("both languages say the same things, with the same gaps", () => {
  const [english, french] = [flatten(languages.en), flatten(languages.fr)];
  assert.deepEqual([...french.keys()], [...english.keys()]);
  const gaps = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();
  for (const [key, text] of english) assert.deepEqual(gaps(french.get(key)), gaps(text), key);
});

test("every sentence the scripts name is there, and every one is named", () => {
  const folder = new URL("../scripts/", import.meta.url);
  const code = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const keys = [...flatten(languages.en).keys()];
  const named = [...code.matchAll(/["'`](WARHOST\.[\w.]+)["'`]/g)].map((found) => found[1]);
  assert.deepEqual(named.filter((key) => !keys.includes(key)), []);
  const made = ["WARHOST.settings.", "WARHOST.menu.", "WARHOST.plan."]; // put together from a name
  assert.deepEqual(keys.filter((key) => !named.includes(key) && !made.some((start) => key.startsWith(start))), []);
});

test("gaps are filled, and unknown ones stay", () => {
  assert.equal(say("WARHOST.folder", { campaign: "Marches" }), "Warhost: Marches");
  assert.equal(say("WARHOST.folder"), "Warhost: {campaign}");
  assert.equal(say("WARHOST.none.such"), "WARHOST.none.such");
});

test("phases are told once they have ended", () => {
  const phases = endedPhases(events);
  assert.deepEqual(phases.map((phase) => phase.end), ["Setup ends.", "Tactics ends.", "Ranged phase 1 ends."]);
  const told = worthTelling(phases);
  assert.equal(told.length, 1);
  assert.equal(told[0].title, "Ranged phase 1 begins.");
  assert.ok(told[0].events.some((event) => event.text === "The shots of Ironwatch hit Raiders: 5 damage."));
  assert.ok(!told[0].events.some((event) => event.type === "order-given"));
});

test("a phase that is under way waits, and nothing is told twice", () => {
  const underWay = events.filter((event) => event.text !== "Ranged phase 1 ends.");
  assert.deepEqual(worthTelling(endedPhases(underWay)), []);
  const after = lastSeq(endedPhases(underWay));
  assert.deepEqual(worthTelling(endedPhases(events, after)).map((phase) => phase.events.length > 0), [true]);
  const end = lastSeq(endedPhases(events));
  assert.deepEqual(endedPhases(events, end), []);
  assert.equal(lastSeq(endedPhases(answers.no_events.results, end), end), end);
});

test("what was taken back is not told", () => {
  const undone = events.map((event) => (event.type === "attacked" ? { ...event, undone: true } : event));
  assert.ok(!worthTelling(endedPhases(undone)).some((phase) => phase.events.some((event) => event.type === "attacked")));
});

test("the end of a battle is told with what led to it", () => {
  const ended = [...events, { seq: 90, type: "wounded", text: "A hard blow.", rolls: [] },
    { seq: 91, type: "battle-ended", text: "Crown holds the field.", rolls: [] }];
  const [, last] = worthTelling(endedPhases(ended));
  assert.deepEqual(last.events.map((event) => event.text), ["A hard blow.", "Crown holds the field."]);
  assert.equal(lastSeq(endedPhases(ended)), 91);
  assert.ok(phaseMessage(battle, last, say).startsWith("<h3>The ford: Melee phase 1 begins.</h3>"));
});

test("a message has title, sentences and dice, in either language", () => {
  const [phase] = worthTelling(endedPhases(events));
  const html = phaseMessage(battle, phase, say);
  assert.ok(html.startsWith("<h3>The ford: Ranged phase 1 ends.</h3><ul><li>"));
  assert.ok(html.includes("The shots of Ironwatch hit Raiders: 5 damage. <small>d20: 14</small>"));
  assert.ok(phaseMessage(battle, phase, dire).startsWith("<h3>The ford : Ranged phase 1"));
});

test("names are no markup", () => {
  const phase = { title: "<b>", end: "", events: [{ text: "<img src=x onerror=1>", rolls: [] }] };
  assert.ok(!/<img|<b>/.test(phaseMessage({ name: "<i>" }, phase, say)));
  assert.equal(escapeHtml(`<a href="x">'&`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
  const there = { ...answers.army_actor, name: "<script>" };
  assert.ok(!describePlan(planSync([], [there]), say).includes("<script>"));
});

test("a plan names what is new and what changes from what to what", () => {
  const here = { _id: "a", ...newActor(answers.army_actor) };
  const there = { ...answers.army_actor, system: { ...answers.army_actor.system, acr: 8 } };
  const html = describePlan(planSync([here], [there, answers.kingdom_actor]), say);
  assert.ok(html.includes("New in Foundry</strong></p><ul><li>Crown</li></ul>"));
  assert.ok(html.includes("Spare: acr 6 → <b>8</b>"));
  assert.equal(describePlan(planSync([], []), say), "");
});

test("a proposal of Warhost is told whole", () => {
  assert.equal(describeProposal(answers.proposal, say),
    "<p>Warhost will import 0 new and 1 changed.</p><ul><li><b>Spare</b>: morale 0 → <b>2</b></li></ul>");
  assert.ok(isReady(answers.proposal));
  const refused = describeProposal(answers.problems, say);
  assert.ok(refused.includes("Warhost refuses 1."));
  assert.ok(refused.includes("<em>Line 1, system/hd: Choose one of: d6, d8, d10, d12.</em>"));
  assert.ok(!isReady(answers.problems));
  assert.ok(!isReady({ ...answers.proposal, changed: 0 }));
});

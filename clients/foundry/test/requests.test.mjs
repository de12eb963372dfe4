import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  ApiProblem, buildRequest, explainProblem, nextPath, readAll, readAnswer, siteOf, splitActors,
} from "../scripts/requests.mjs";

const answers = JSON.parse(readFileSync(new URL("fixtures/answers.json", import.meta.url)));

test("an address is cleaned up", () => {
  assert.equal(siteOf(" https://war.example.org/api/v1/ "), "https://war.example.org");
  assert.equal(siteOf("war.example.org"), "https://war.example.org");
  assert.equal(siteOf("http://localhost:8000/c/1/"), "http://localhost:8000");
  for (const odd of ["", "   ", null, undefined, "https://"]) assert.equal(siteOf(odd), "");
});

test("the token goes into a header, never into the address", () => {
  const { url, options } = buildRequest({ site: "https://w.org", token: "secret", language: "fr" }, "campaigns/");
  assert.equal(url, "https://w.org/api/v1/campaigns/");
  assert.equal(options.method, "GET");
  assert.equal(options.headers.Authorization, "Token secret");
  assert.equal(options.headers["Accept-Language"], "fr");
  assert.equal(options.credentials, "omit");
  assert.ok(!url.includes("secret"));
});

test("a body is sent as JSON", () => {
  const { options } = buildRequest({ site: "https://w.org", token: "t" }, "x/", { file: "[]" });
  assert.equal(options.method, "POST");
  assert.equal(options.headers["Content-Type"], "application/json");
  assert.deepEqual(JSON.parse(options.body), { file: "[]" });
});

test("an answer is read, and a refusal keeps the API's sentence", () => {
  assert.deepEqual(readAnswer(200, JSON.stringify(answers.campaigns)), answers.campaigns);
  assert.throws(() => readAnswer(412, JSON.stringify(answers.stale)), (problem) =>
    problem instanceof ApiProblem && problem.status === 412 && problem.message === answers.stale.detail);
  assert.throws(() => readAnswer(429, "{}", "17"), (problem) => problem.wait === 17);
});

test("a page that is no API is told apart from an answer", () => {
  assert.throws(() => readAnswer(200, "<html>Welcome</html>"), (problem) =>
    explainProblem(problem)[0] === "WARHOST.problem.answer");
});

test("each refusal says what to do", () => {
  const key = (status) => explainProblem(new ApiProblem(status, "why"))[0].replace("WARHOST.problem.", "");
  assert.deepEqual([0, 401, 403, 404, 429, 500, 400, 409].map(key),
    ["network", "token", "scope", "missing", "often", "server", "refused", "refused"]);
  assert.deepEqual(explainProblem(new ApiProblem(400, "why"))[1], { detail: "why" });
  assert.deepEqual(explainProblem(new ApiProblem(429, "", { wait: 9 }))[1], { seconds: 9 });
  assert.deepEqual(explainProblem(new TypeError("odd")), ["WARHOST.problem.other", { detail: "odd" }]);
});

test("lists are read to their last page, on the site's own address", async () => {
  const pages = {
    "armies/?campaign=1": { results: [1, 2], next: "http://inner:8000/api/v1/armies/?campaign=1&cursor=c%3D" },
    "armies/?campaign=1&cursor=c%3D": { results: [3], next: null },
  };
  const asked = [];
  const rows = await readAll(async (path) => (asked.push(path), pages[path]), "armies/?campaign=1");
  assert.deepEqual(rows, [1, 2, 3]);
  assert.deepEqual(asked, Object.keys(pages));
  assert.equal(nextPath({ next: "https://elsewhere.org/other" }), null);
  assert.deepEqual((await readAll(async () => answers.kingdoms, "kingdoms/")).map((one) => one.name), ["Crown", "Horde"]);
});

test("actors are split into files the API takes", () => {
  assert.deepEqual(splitActors([]), []);
  const many = Array.from({ length: 250 }, (_unused, number) => ({ name: `Army ${number}` }));
  const files = splitActors(many);
  assert.deepEqual(files.map((file) => JSON.parse(file).length), [100, 100, 50]);
  assert.deepEqual(files.flatMap((file) => JSON.parse(file)), many);
  const large = splitActors([{ x: "a".repeat(40) }, { x: "b".repeat(40) }], { characters: 60 });
  assert.equal(large.length, 2);
});

/** Requests to Warhost's API and their answers. Nothing here knows Foundry. */

export const PAGE = 200;
export const ACTORS_AT_ONCE = 100;
export const CHARACTERS_AT_ONCE = 1_200_000; // a request is JSON in JSON, and has 2.5 MB at most

/** A refusal of the API, or of the network. `status` is 0 where no answer came. */
export class ApiProblem extends Error {
  constructor(status, detail, { errors = [], wait = 0 } = {}) {
    super(detail);
    this.name = "ApiProblem";
    this.status = status;
    this.errors = errors;
    this.wait = wait;
  }
}

/** The site's address without a path: "https://war.example.org"; "" for what is no address. */
export function siteOf(typed) {
  const text = String(typed ?? "").trim();
  try {
    const url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`);
    return text ? url.origin : "";
  } catch {
    return "";
  }
}

/** Address and options of a request, for `fetch`. The token goes into a header, never into the address. */
export function buildRequest({ site, token, language = "en" }, path, body) {
  const headers = { Accept: "application/json", "Accept-Language": language, Authorization: `Token ${token}` };
  const options = { method: "GET", headers, credentials: "omit", cache: "no-store" };
  if (body !== undefined) {
    options.method = "POST";
    headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  return { url: `${site}/api/v1/${path}`, options };
}

/** The JSON of an answer. Throws `ApiProblem` for a refusal, with the API's own sentence where there is one. */
export function readAnswer(status, text, retryAfter = null) {
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    body = null;
  }
  if (status >= 200 && status < 300 && body !== null) return body;
  const errors = Array.isArray(body?.errors) ? body.errors : [];
  const wait = Number.parseInt(retryAfter ?? "", 10) || 0;
  throw new ApiProblem(status, body?.detail ?? "", { errors, wait });
}

/** The path of the next page below `/api/v1/`; null on the last one. The site itself may name another host. */
export function nextPath(answer) {
  if (!answer?.next) return null;
  const url = new URL(answer.next);
  const [, path] = url.pathname.split("/api/v1/");
  return path === undefined ? null : path + url.search;
}

/** Every row of a list. `get(path)` answers one page. */
export async function readAll(get, path) {
  const rows = [];
  for (let next = path; next; ) {
    const answer = await get(next);
    rows.push(...answer.results);
    next = nextPath(answer);
  }
  return rows;
}

/** Actors in as many files as the API takes at once, each with its text. */
export function splitActors(actors, { most = ACTORS_AT_ONCE, characters = CHARACTERS_AT_ONCE } = {}) {
  const files = [];
  let texts = [];
  let length = 0;
  for (const actor of actors) {
    const text = JSON.stringify(actor);
    if (texts.length && (texts.length >= most || length + text.length > characters)) {
      files.push(texts);
      [texts, length] = [[], 0];
    }
    texts.push(text);
    length += text.length + 2;
  }
  if (texts.length) files.push(texts);
  return files.map((own) => `[${own.join(",")}]`);
}

/** Key and data of the sentence that says what went wrong and what to do. */
export function explainProblem(problem) {
  if (!(problem instanceof ApiProblem)) return ["WARHOST.problem.other", { detail: String(problem?.message ?? problem) }];
  const { status, message: detail, wait } = problem;
  if (status === 0) return ["WARHOST.problem.network", {}];
  if (status === 401) return ["WARHOST.problem.token", {}];
  if (status === 403) return ["WARHOST.problem.scope", {}];
  if (status === 404) return ["WARHOST.problem.missing", {}];
  if (status === 429) return ["WARHOST.problem.often", { seconds: wait || 60 }];
  if (status >= 500) return ["WARHOST.problem.server", {}];
  if (status >= 200 && status < 300) return ["WARHOST.problem.answer", {}];
  return ["WARHOST.problem.refused", { detail: detail || String(status) }];
}

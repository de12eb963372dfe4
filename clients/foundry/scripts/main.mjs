/** What touches Foundry: settings, dialogs, actors and the chat. Everything that decides stands in the other files. */

import { endedPhases, lastSeq, phaseMessage, worthTelling } from "./battle.mjs";
import { ApiProblem, buildRequest, explainProblem, PAGE, readAll, readAnswer, siteOf, splitActors } from "./requests.mjs";
import { changesOf, exportOf, idOf, newActor, planSync, SCOPE, TYPES, unknownActors } from "./sync.mjs";
import { describePlan, describeProposal, escapeHtml, isReady } from "./wording.mjs";

const RULESETS = ["combat-de-masse", "ultimate-campaign"];
const CLOSED = "closed";
const POLL_SECONDS = 15;

const say = (key, data = {}) => game.i18n.format(key, data);
const setting = (name) => game.settings.get(SCOPE, name);
const remember = (name, value) => game.settings.set(SCOPE, name, value);
const { DialogV2 } = foundry.applications.api;

Hooks.once("init", () => {
  const shown = { site: "world", token: "client", chatToken: "client" };
  for (const [name, scope] of Object.entries(shown)) {
    const label = { name: `WARHOST.settings.${name}.name`, hint: `WARHOST.settings.${name}.hint` };
    game.settings.register(SCOPE, name, { ...label, scope, config: true, restricted: true, type: String, default: "" });
  }
  for (const name of ["campaign", "followed"]) {
    game.settings.register(SCOPE, name, { scope: "world", config: false, type: Object, default: {} });
  }
});

Hooks.once("ready", () => {
  game.modules.get(SCOPE).api = { open: openMenu, fetch: fetchActors, send: sendActors, follow: followBattle };
  setInterval(() => isPoster() && postPhases().catch(() => {}), POLL_SECONDS * 1000);
});

Hooks.on("renderActorDirectory", (_app, html) => {
  const root = html instanceof HTMLElement ? html : html[0];
  const header = root?.querySelector(".directory-header .header-actions");
  if (!game.user.isGM || !header || header.querySelector("[data-warhost]")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.warhost = "";
  button.innerHTML = `<i class="fa-solid fa-chess-rook"></i> ${escapeHtml(say("WARHOST.menu.open"))}`;
  button.addEventListener("click", openMenu);
  header.append(button);
});

// Requests.

function connection(token = setting("token")) {
  return { site: siteOf(setting("site")), token, language: game.i18n.lang };
}

async function ask(path, body, token) {
  const { url, options } = buildRequest(connection(token), path, body);
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new ApiProblem(0, "");
  }
  return readAnswer(response.status, await response.text(), response.headers.get("Retry-After"));
}

const askAll = (path, token) => readAll((page) => ask(page, undefined, token), path);

/** Runs an action and says what went wrong. */
async function told(action) {
  if (!siteOf(setting("site")) || !setting("token")) return void ui.notifications.warn(say("WARHOST.setup"));
  try {
    await action();
  } catch (problem) {
    const [key, data] = explainProblem(problem);
    ui.notifications.error(say(key, data));
    if (!(problem instanceof ApiProblem)) console.error(problem);
  }
}

// Choices.

async function choose(title, choices, { none = false } = {}) {
  const options = choices.map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`);
  if (none) options.unshift(`<option value="">${escapeHtml(say("WARHOST.choose.none"))}</option>`);
  return DialogV2.prompt({
    window: { title: say("WARHOST.title") },
    content: `<label>${escapeHtml(title)} <select name="choice" autofocus>${options.join("")}</select></label>`,
    ok: { label: say("WARHOST.choose.ok"), callback: (_event, button) => button.form.elements.choice.value },
    rejectClose: false,
  });
}

async function chooseCampaign() {
  const campaigns = (await askAll("campaigns/")).filter((one) => RULESETS.includes(one.ruleset));
  if (!campaigns.length) return void ui.notifications.warn(say("WARHOST.choose.noCampaign"));
  const id = await choose(say("WARHOST.choose.campaign"), campaigns);
  const chosen = campaigns.find((one) => one.id === id);
  if (chosen) await remember("campaign", { id: chosen.id, name: chosen.name });
  return chosen;
}

async function campaignOf() {
  const kept = setting("campaign");
  return kept?.id ? kept : chooseCampaign();
}

async function openMenu() {
  await told(async () => {
    const campaign = await campaignOf();
    if (!campaign) return;
    const actions = { fetch: fetchActors, send: sendActors, follow: followBattle, campaign: () => told(chooseCampaign) };
    const picked = await DialogV2.wait({
      window: { title: say("WARHOST.title") },
      content: `<p>${escapeHtml(say("WARHOST.menu.intro", { campaign: campaign.name }))}</p>`,
      buttons: Object.keys(actions).map((action) => ({ action, label: say(`WARHOST.menu.${action}`) })),
      rejectClose: false,
    });
    await actions[picked]?.();
  });
}

async function confirmed(content, label) {
  return DialogV2.confirm({
    window: { title: say("WARHOST.title") },
    content,
    yes: { label },
    no: { label: say("WARHOST.cancel") },
    rejectClose: false,
  });
}

// Actors.

const actorsHere = () => game.actors.filter((actor) => TYPES.includes(actor.type)).map((actor) => actor.toObject());

async function actorsThere(campaign) {
  const found = [];
  for (const kind of ["kingdoms", "armies"]) {
    for (const { id } of await askAll(`${kind}/?campaign=${campaign.id}&limit=${PAGE}`)) {
      const actor = await ask(`${kind}/${id}/foundry/`).catch((problem) => {
        if (problem.status === 404) return null; // its owner may know of it, and not read it
        throw problem;
      });
      if (actor) found.push(actor);
    }
  }
  return found;
}

async function planOf(campaign) {
  ui.notifications.info(say("WARHOST.working"));
  return planSync(actorsHere(), await actorsThere(campaign));
}

async function fetchActors() {
  await told(async () => {
    const campaign = await campaignOf();
    if (!campaign) return;
    const plan = await planOf(campaign);
    const content = describePlan(plan, say);
    const something = plan.create.length + plan.update.length + plan.conflicts.length;
    if (!something) return void ui.notifications.info(say("WARHOST.plan.nothing"));
    const keep = plan.conflicts.length
      ? `<label><input type="checkbox" name="keep"> ${escapeHtml(say("WARHOST.plan.keep"))}</label>` : "";
    const answer = await DialogV2.wait({
      window: { title: say("WARHOST.title") },
      content: content + keep,
      buttons: [
        { action: "apply", label: say("WARHOST.plan.confirm"),
          callback: (_event, button) => ({ keep: button.form.elements.keep?.checked ?? false }) },
        { action: "cancel", label: say("WARHOST.cancel") },
      ],
      rejectClose: false,
    });
    if (typeof answer === "object" && answer) await applyPlan(plan, campaign, answer.keep);
  });
}

async function applyPlan(plan, campaign, keep) {
  const folder = plan.create.length ? await folderOf(campaign) : null;
  await Actor.createDocuments(plan.create.map(({ there }) => newActor(there, folder?.id ?? null)));
  const updates = keep ? plan.update : [...plan.update, ...plan.conflicts];
  for (const { here, there } of updates) await applyTo(here, there);
  ui.notifications.info(say("WARHOST.plan.done", { created: plan.create.length, updated: updates.length }));
}

async function applyTo(here, there) {
  const actor = game.actors.get(here._id);
  if (!actor) return;
  const { data, add, remove } = changesOf(here, there);
  await actor.update(data);
  if (remove.length) await actor.deleteEmbeddedDocuments("Item", remove);
  if (add.length) await actor.createEmbeddedDocuments("Item", add);
}

async function folderOf(campaign) {
  const name = say("WARHOST.folder", { campaign: campaign.name });
  return game.folders.find((one) => one.type === "Actor" && one.name === name) ?? Folder.create({ name, type: "Actor" });
}

async function sendActors() {
  await told(async () => {
    const campaign = await campaignOf();
    if (!campaign) return;
    const plan = await planOf(campaign);
    const changed = [...plan.send, ...plan.conflicts].map(({ here }) => here);
    const fresh = unknownActors(actorsHere());
    const actors = [...changed, ...fresh].map(exportOf);
    if (!actors.length) return void ui.notifications.info(say("WARHOST.send.nothing"));
    const kingdoms = await askAll(`kingdoms/?campaign=${campaign.id}&limit=${PAGE}`);
    const kingdom = fresh.length && kingdoms.length
      ? await choose(say("WARHOST.choose.kingdom"), kingdoms, { none: true }) : "";
    if (kingdom === null) return;
    for (const file of splitActors(actors)) if (!(await sendFile(campaign, file, kingdom || null))) return;
    await linkSent(campaign, [...changed, ...fresh]);
  });
}

/** Shows what Warhost would do, and does it once the GM agrees. Whether it was done, or there was nothing to do. */
async function sendFile(campaign, file, kingdom) {
  const path = `campaigns/${campaign.id}/foundry/`;
  for (;;) {
    const proposal = await ask(path, { file, kingdom });
    if (!isReady(proposal) && !proposal.wrong) {
      ui.notifications.info(say("WARHOST.send.empty"));
      return true;
    }
    const content = describeProposal(proposal, say);
    if (proposal.wrong) {
      await DialogV2.prompt({ window: { title: say("WARHOST.title") }, content, rejectClose: false });
      return false;
    }
    if (!(await confirmed(content, say("WARHOST.send.confirm")))) return false;
    try {
      const done = await ask(path, { file, kingdom, confirm: true, mark: proposal.mark });
      ui.notifications.info(say("WARHOST.send.done", { new: done.new, changed: done.changed }));
      return true;
    } catch (problem) {
      if (problem.status !== 412) throw problem;
      ui.notifications.warn(say("WARHOST.send.stale"));
    }
  }
}

/** What was sent is alike now: actors are linked to what they became, new ones by type and name. */
async function linkSent(campaign, sent) {
  const there = await actorsThere(campaign);
  for (const here of sent) {
    const same = there.find((one) => idOf(one) === idOf(here))
      ?? there.find((one) => !idOf(here) && one.type === here.type && one.name === here.name);
    if (same) await applyTo(here, same);
  }
}

// Battles.

const isPoster = () => game.user === game.users.activeGM && Boolean(setting("token")) && Boolean(setting("followed")?.id);

async function followBattle() {
  await told(async () => {
    const campaign = await campaignOf();
    if (!campaign) return;
    const battles = (await askAll(`battles/?campaign=${campaign.id}&limit=${PAGE}`)).filter((one) => one.status !== CLOSED);
    if (!battles.length) return void ui.notifications.warn(say("WARHOST.choose.noBattle"));
    const id = await choose(say("WARHOST.choose.battle"), battles, { none: true });
    if (id === null) return;
    const battle = battles.find((one) => one.id === id);
    await remember("followed", battle ? { id, name: battle.name, seq: 0 } : {});
    ui.notifications.info(battle ? say("WARHOST.battle.following", { battle: battle.name }) : say("WARHOST.battle.stopped"));
    if (battle) await postPhases();
  });
}

let posting = false;

/** Posts the phases of the followed battle that have ended since the last time. */
async function postPhases() {
  if (posting) return;
  posting = true;
  try {
    const followed = setting("followed");
    const forAll = setting("chatToken");
    const path = `battles/${followed.id}/events/?after=${followed.seq}&limit=${PAGE}`;
    const phases = endedPhases(await askAll(path, forAll || setting("token")), followed.seq);
    const whisper = forAll ? [] : ChatMessage.getWhisperRecipients("GM");
    for (const phase of worthTelling(phases)) {
      await ChatMessage.create({ content: phaseMessage(followed, phase, say), whisper });
    }
    const seq = lastSeq(phases, followed.seq);
    if (seq !== followed.seq) await remember("followed", { ...followed, seq });
  } finally {
    posting = false;
  }
}

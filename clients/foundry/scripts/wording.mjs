/** Sentences and HTML for people. `say(key, data)` is Foundry's `game.i18n.format`, or one made from a dictionary. */

const MARKS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text) => String(text ?? "").replace(/[&<>"']/g, (sign) => MARKS[sign]);

/** A `say` from a dictionary as in `lang/en.json`, as Foundry reads it: keys with dots, `{name}` filled in. */
export function sayFrom(dictionary) {
  const flat = flatten(dictionary);
  return (key, data = {}) =>
    (flat.get(key) ?? key).replace(/\{([^}]+)\}/g, (whole, name) => (name in data ? String(data[name]) : whole));
}

/** Every sentence of a dictionary by its key with dots. */
export function flatten(dictionary, before = "") {
  const found = new Map();
  for (const [name, value] of Object.entries(dictionary)) {
    const key = before ? `${before}.${name}` : name;
    if (typeof value === "string") found.set(key, value);
    else for (const [inner, text] of flatten(value, key)) found.set(inner, text);
  }
  return found;
}

const bullets = (lines) => (lines.length ? `<ul>${lines.map((line) => `<li>${line}</li>`).join("")}</ul>` : "");

/** What a fetch will do, as HTML; "" where nothing would happen. */
export function describePlan(plan, say) {
  const parts = [
    ["create", plan.create.map(({ there }) => escapeHtml(there.name))],
    ["update", plan.update.map(({ there, changes }) => `${escapeHtml(there.name)}: ${describeChanges(changes, say)}`)],
    ["conflicts", plan.conflicts.map(({ here, changes }) => `${escapeHtml(here.name)}: ${describeChanges(changes, say)}`)],
    ["send", plan.send.map(({ here }) => escapeHtml(here.name))],
    ["gone", plan.gone.map(({ here }) => escapeHtml(here.name))],
  ];
  return parts
    .filter(([, lines]) => lines.length)
    .map(([part, lines]) => `<p><strong>${escapeHtml(say(`WARHOST.plan.${part}`))}</strong></p>${bullets(lines)}`)
    .join("");
}

function describeChanges(changes, say) {
  return changes
    .map(({ name, before, after }) =>
      name === "flags"
        ? escapeHtml(say("WARHOST.plan.details"))
        : `${escapeHtml(name)} ${escapeHtml(before ?? "–")} → <b>${escapeHtml(after ?? "–")}</b>`,
    )
    .join("; ");
}

/** A proposal of Warhost (`campaigns/{id}/foundry/`), as HTML. */
export function describeProposal(proposal, say) {
  const lines = proposal.lines
    .filter((line) => line.what !== "same" || line.warnings.length)
    .map((line) => {
      const told = [
        ...line.differences.map((one) =>
          `${escapeHtml(one.column)} ${escapeHtml(one.before ?? "–")} → <b>${escapeHtml(one.after ?? "–")}</b>`),
        ...line.warnings.map(escapeHtml),
        ...line.problems.map((one) => `<em>${escapeHtml(one.detail)}</em>`),
      ];
      const what = line.what === "new" ? ` (${escapeHtml(say("WARHOST.send.new"))})` : "";
      return `<b>${escapeHtml(line.name)}</b>${what}${told.length ? `: ${told.join("; ")}` : ""}`;
    });
  const { changed, wrong } = proposal;
  const head = say(wrong ? "WARHOST.send.wrong" : "WARHOST.send.ready", { new: proposal.new, changed, wrong });
  return `<p>${escapeHtml(head)}</p>${bullets(lines)}`;
}

/** Whether a proposal may be confirmed. */
export const isReady = (proposal) => proposal.wrong === 0 && proposal.new + proposal.changed > 0;

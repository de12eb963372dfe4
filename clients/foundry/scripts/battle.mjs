/** Phases of a battle for the chat. Nothing here knows Foundry. */

import { escapeHtml } from "./wording.mjs";

const BEGINS = "phase-began";
const ENDS = "phase-ended";
/** Ends that are news themselves. */
const LAST = new Set(["battle-ended", "battle-closed"]);
/** Events that a phase's story does without. */
const QUIET = new Set(["order-given", "target-chosen"]);

/**
 * Phases that have ended, each with its title and what happened in it, and the number of the last event they have.
 * Events after the last end wait for the next time; what was taken back is left out.
 */
export function endedPhases(events, after = 0) {
  const fresh = events.filter((event) => event.seq > after && !event.undone).sort((one, other) => one.seq - other.seq);
  const phases = [];
  let open = { title: "", events: [] };
  for (const event of fresh) {
    if (event.type === BEGINS) open.title = event.text;
    else if (event.type === ENDS || LAST.has(event.type)) {
      if (LAST.has(event.type)) open.events.push(event);
      phases.push({ ...open, end: event.type === ENDS ? event.text : "", seq: event.seq });
      open = { title: "", events: [] };
    } else if (!QUIET.has(event.type) && event.text) open.events.push(event);
  }
  return phases;
}

/** Phases in which something happened. */
export const worthTelling = (phases) => phases.filter((phase) => phase.events.length);

/** The number after which to ask the next time. */
export const lastSeq = (phases, after = 0) => phases.reduce((most, phase) => Math.max(most, phase.seq), after);

/** The chat message of a phase. */
export function phaseMessage(battle, phase, say) {
  const rows = phase.events.map((event) => {
    const dice = describeDice(event.rolls, say);
    return `<li>${escapeHtml(event.text)}${dice ? ` <small>${escapeHtml(dice)}</small>` : ""}</li>`;
  });
  const named = phase.end || phase.title;
  const title = !named ? battle.name : say("WARHOST.battle.title", { battle: battle.name, phase: named });
  return `<h3>${escapeHtml(title)}</h3><ul>${rows.join("")}</ul>`;
}

function describeDice(rolls, say) {
  return (rolls ?? [])
    .filter((roll) => Array.isArray(roll.values) && roll.values.length)
    .map((roll) => say("WARHOST.battle.roll", { die: roll.die, values: roll.values.join(", ") }))
    .join("; ");
}

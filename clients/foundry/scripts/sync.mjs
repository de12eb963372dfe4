/** Comparison of actors here and at Warhost, and what makes them alike. Nothing here knows Foundry. */

export const SCOPE = "warhost";
export const MODULE = "pf1-kingdom-sheet";
export const ARMY = `${MODULE}.army`;
export const KINGDOM = `${MODULE}.kingdom`;
export const TYPES = [ARMY, KINGDOM];

const RESOURCES = ["potions", "impArmor", "magArmor", "impWeapons", "magWeapons", "mounts", "ranged", "seCount"];
const TERRAIN = ["cavern", "coast", "desert", "forest", "hills", "jungle", "marsh", "mountains", "plains", "water"];
const FIGURES = {
  [ARMY]: ["acr", "type", "alignment", "size", "hd", "hp.current", "speed.base", "morale.base",
    ...RESOURCES.map((name) => `resources.${name}`)],
  [KINGDOM]: ["alignment", "treasury", "unrest", ...TERRAIN.map((name) => `terrain.${name}`)],
};
const LISTED = [`${MODULE}.tactic`, `${MODULE}.special`];
const OURS_ALONE = "synced";
const OF_THIS_WORLD = ["_id", "_stats", "folder", "ownership", "sort"];

/** The value at a dotted path; undefined where it is missing. */
export function at(thing, path) {
  return path.split(".").reduce((here, name) => (here === null || here === undefined ? undefined : here[name]), thing);
}

export const idOf = (actor) => at(actor, `flags.${SCOPE}.id`) ?? "";

/** JSON with its members in one order, so that two objects can be compared. */
export function stable(value) {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${stable(value[name])}`);
  return `{${members.join(",")}}`;
}

/** What Warhost and Foundry both know of an actor, by name. */
export function sharedFields(actor) {
  const fields = { name: actor.name };
  for (const path of FIGURES[actor.type] ?? []) fields[path] = at(actor.system, path) ?? null;
  for (const type of LISTED) fields[type.slice(MODULE.length + 1)] = itemNames(actor, type);
  const flags = { ...at(actor, `flags.${SCOPE}`) };
  delete flags[OURS_ALONE];
  fields.flags = stable(flags);
  return fields;
}

function itemNames(actor, type) {
  const items = Array.isArray(actor.items) ? actor.items : [];
  return items.filter((item) => item.type === type).map((item) => item.name).sort().join(", ");
}

/** The fields that differ, each with both values. */
export function differences(before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => stable(before[name]) !== stable(after[name]))
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }));
}

/**
 * How an actor here stands to the same one at Warhost: "same", "there" (changed at Warhost), "here" (changed in
 * Foundry), or "both". What was alike the last time is kept in its flags.
 */
export function compare(here, there) {
  const [own, other] = [sharedFields(here), sharedFields(there)];
  for (const name of Object.keys(other)) if (other[name] === null) own[name] = null; // Foundry fills in a default
  const changes = differences(own, other);
  if (!changes.length) return { status: "same", changes };
  const kept = at(here, `flags.${SCOPE}.${OURS_ALONE}`);
  if (!kept) return { status: "both", changes };
  const changedHere = differences(kept, own).some(({ name }) => kept[name] !== null && own[name] !== null);
  const changedThere = differences(kept, other).length > 0;
  return { status: changedHere && changedThere ? "both" : changedHere ? "here" : "there", changes };
}

/** What is to be done so that Foundry has what Warhost has. `here` and `there` are lists of actors. */
export function planSync(here, there) {
  const known = new Map(here.filter((actor) => idOf(actor)).map((actor) => [idOf(actor), actor]));
  const plan = { create: [], update: [], send: [], conflicts: [], same: [], gone: [] };
  const rooms = { same: "same", there: "update", here: "send", both: "conflicts" };
  for (const other of there) {
    const own = known.get(idOf(other));
    known.delete(idOf(other));
    if (!own) plan.create.push({ there: other });
    else {
      const { status, changes } = compare(own, other);
      plan[rooms[status]].push({ here: own, there: other, changes });
    }
  }
  plan.gone = [...known.values()].map((own) => ({ here: own }));
  return plan;
}

/** The flags that remember what is alike from now on. */
export function syncedFlags(there) {
  return { ...at(there, `flags.${SCOPE}`), [OURS_ALONE]: sharedFields(there) };
}

/** Data of a new actor. */
export function newActor(there, folder = null) {
  return { ...there, folder, flags: { ...there.flags, [SCOPE]: syncedFlags(there) } };
}

/** Changes of an existing actor: its data, items to add, and ids of items to delete. Everything else of it stays. */
export function changesOf(here, there) {
  const flags = syncedFlags(there);
  const data = { name: there.name, [`flags.${SCOPE}`]: flags };
  for (const name of Object.keys(at(here, `flags.${SCOPE}`) ?? {})) {
    if (!(name in flags)) data[`flags.${SCOPE}.-=${name}`] = null; // an update merges: what is gone is named
  }
  for (const path of FIGURES[there.type] ?? []) {
    const value = at(there.system, path);
    if (value !== undefined) data[`system.${path}`] = value;
  }
  const [own, other] = [listed(here), listed(there)];
  const missing = (items, item) => !items.some((one) => one.type === item.type && one.name === item.name);
  return {
    data,
    add: other.filter((item) => missing(own, item)),
    remove: own.filter((item) => missing(other, item)).map((item) => item._id),
  };
}

function listed(actor) {
  return (Array.isArray(actor.items) ? actor.items : []).filter((item) => LISTED.includes(item.type));
}

/** The actor as it is sent: without what means something in this world alone, and what only this module keeps. */
export function exportOf(actor) {
  const kept = Object.fromEntries(Object.entries(actor).filter(([name]) => !OF_THIS_WORLD.includes(name)));
  const flags = { ...actor.flags, [SCOPE]: { ...at(actor, `flags.${SCOPE}`) } };
  delete flags[SCOPE][OURS_ALONE];
  if (!Object.keys(flags[SCOPE]).length) delete flags[SCOPE];
  return { ...kept, flags };
}

/** Actors of pf1-kingdom-sheet that Warhost does not know yet. */
export function unknownActors(actors) {
  return actors.filter((actor) => TYPES.includes(actor.type) && !idOf(actor));
}

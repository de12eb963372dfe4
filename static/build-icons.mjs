// Writes icons.svg from icons.json. Run it after adding an icon there (its author is on its page at game-icons.net):
//   npm install --no-save --prefix /tmp/icons @iconify-json/game-icons@1.2.4
//   node static/build-icons.mjs /tmp/icons/node_modules/@iconify-json/game-icons/icons.json
// Then round-sprites.mjs, as it says itself.
import { readFileSync, writeFileSync } from "node:fs";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const here = (name) => new URL(name, import.meta.url);
const library = read(process.argv[2]);
const wanted = read(here("icons.json"));

const bodyOf = (name) => {
  const icon = library.icons[name] ?? library.icons[library.aliases?.[name]?.parent];
  if (!icon) throw new Error(`game-icons has no ${name}`);
  return icon.body;
};
const symbol = (id, body) => `<symbol id="${id}" viewBox="0 0 512 512">${body}</symbol>`;
const symbols = [
  ...Object.keys(wanted.icons).map((name) => symbol(name, bodyOf(name))),
  ...Object.entries(wanted.own).map(([name, body]) => symbol(name, body)),
];
writeFileSync(here("icons.svg"), `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`);
console.log(`${symbols.length} icons`);

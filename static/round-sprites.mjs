// Rounds the paths of the sprites to whole units of a grid of 256 (a twentieth of a pixel in a line of text), which makes
// them a third as large. Lines of our own (`stroke`) are whole already and stay. Run it after build-icons.mjs:
//   npm install --no-save --prefix /tmp/icons svgo@4.1.0
//   node static/round-sprites.mjs /tmp/icons/node_modules/svgo/dist/svgo-node.cjs
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const { optimize } = createRequire(import.meta.url)(resolve(process.argv[2]));
const plugins = [{ name: "convertPathData", params: { floatPrecision: 0, transformPrecision: 5, makeArcs: false } }];
const around = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">', "</svg>"];
const [half, twice] = ['<path transform="scale(.5)" ', '<path transform="scale(2)" '];

function rounded(body) {
  const small = optimize(around.join(body.replaceAll("<path ", half)), { plugins }).data;
  return small.slice(around[0].length, -around[1].length).replaceAll("<path ", twice);
}

for (const name of ["icons.svg", "glyphs.svg"]) {
  const file = new URL(name, import.meta.url);
  const sprite = readFileSync(file, "utf8");
  const now = sprite.replace(/(<symbol [^>]*viewBox="0 0 512 512"[^>]*>)(.*?)(?=<\/symbol>)/gs, (whole, symbol, body) =>
    body.includes("stroke=") || body.includes("scale(2)") ? whole : symbol + rounded(body));
  writeFileSync(file, now);
  console.log(`${name}: ${sprite.length} → ${now.length}`);
}

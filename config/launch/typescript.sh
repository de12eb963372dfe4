#!/bin/sh
# Compiles the program in clients/typescript, strictly, with types generated from openapi.yaml, and runs it against the
# site that WARHOST and WARHOST_TOKEN name. Tools are pinned and installed under build/ by npm.
set -eu
cd "$(dirname "$0")/../.."
GENERATOR=7.13.0
COMPILER=5.9.3
PLACE=build/typescript

installed() {
    grep -q "\"version\": \"$2\"" "$PLACE/node_modules/$1/package.json" 2>/dev/null
}

mkdir -p "$PLACE"
if ! installed openapi-typescript "$GENERATOR" || ! installed typescript "$COMPILER"; then
    npm install --silent --no-audit --no-fund --no-save --prefix "$PLACE" \
        "openapi-typescript@$GENERATOR" "typescript@$COMPILER"
fi
cp clients/typescript/*.ts clients/typescript/tsconfig.json "$PLACE/"
echo '{"type": "module"}' > "$PLACE/package.json"
"$PLACE/node_modules/.bin/openapi-typescript" openapi.yaml --output "$PLACE/api.d.ts" >/dev/null
"$PLACE/node_modules/.bin/tsc" --project "$PLACE/tsconfig.json"
node "$PLACE/battle.js"

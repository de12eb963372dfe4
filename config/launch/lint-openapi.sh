#!/bin/sh
# Lints openapi.yaml with Redocly's public linter, pinned, installed under build/. Ends with 0 only if it has no error.
# Without node nothing is checked, and it says so; a linter that cannot be installed is a failure.
set -u
cd "$(dirname "$0")/../.."
VERSION=2.77.0
PLACE=build/openapi-lint
DOCUMENT=${1:-openapi.yaml}

if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    echo "NOT CHECKED: openapi.yaml is linted by @redocly/cli, which needs node (20.19 or later). Install node to check it." >&2
    exit 0
fi
if ! grep -q "\"version\": \"$VERSION\"" "$PLACE/node_modules/@redocly/cli/package.json" 2>/dev/null; then
    mkdir -p "$PLACE"
    npm install --silent --no-audit --no-fund --no-save --prefix "$PLACE" "@redocly/cli@$VERSION" \
        || { echo "NOT CHECKED: @redocly/cli $VERSION could not be installed." >&2; exit 2; }
fi
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
    "$PLACE/node_modules/.bin/redocly" lint "$DOCUMENT" --config config/launch/redocly.yaml --format=stylish --max-problems=50

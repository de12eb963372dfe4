#!/bin/sh
# Makes static/fonts anew from the files of Fontsource (npm), by fonttools in a .venv of its own under build/.
set -eu
cd "$(dirname "$0")/../.."
VERSION=5.3.0
npm install --silent --no-save --no-audit --no-fund --prefix build/fonts \
    "@fontsource/alegreya@$VERSION" "@fontsource/alegreya-sans@$VERSION"
[ -x build/fonts/bin/python ] || .venv/bin/uv venv --quiet --allow-existing --python .venv/bin/python build/fonts
.venv/bin/uv pip install --quiet --python build/fonts/bin/python 'fonttools==4.*' 'brotli==1.*'
exec build/fonts/bin/python config/launch/fonts.py build/fonts/node_modules

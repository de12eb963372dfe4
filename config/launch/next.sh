#!/bin/sh
# Makes build/next: an environment like .venv, but with the latest Django, pre-releases included, whatever the pins say.
set -eu
cd "$(dirname "$0")/../.."

wanted=$(mktemp)
trap 'rm -f "$wanted"' EXIT
echo 'django>=6.1.0a0' >"$wanted"
[ -x build/next/bin/python ] || .venv/bin/uv venv --quiet --python .venv/bin/python build/next
.venv/bin/uv pip install --quiet --system-certs --upgrade --python build/next/bin/python --override "$wanted" \
    -r requirements.in -r requirements-dev.in
build/next/bin/python -c 'import django; print("Django", django.get_version())'

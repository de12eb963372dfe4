#!/bin/sh
# Makes build/load with what drives a site under load, apart from .venv: it brings an event loop of its own along.
set -eu
cd "$(dirname "$0")/../.."

if ! cmp -s requirements-load.txt build/load/requirements-load.txt; then
    echo "Installing requirements-load.txt"
    .venv/bin/python -m venv --clear build/load
    build/load/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-load.txt
    cp requirements-load.txt build/load/
fi

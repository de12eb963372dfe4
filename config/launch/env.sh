#!/bin/sh
# Makes .venv and brings it up to the pinned requirements. `env.sh` is enough to play, `env.sh dev` also to test.
# A copy of what was installed stays in .venv, so a second start compares files and installs nothing.
set -eu
cd "$(dirname "$0")/../.."

if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1; then
    python=$(sh config/launch/find-python.sh)
    echo "Making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
fi

# To test, what is used is compiled when it is used first: half the time of an install goes into the rest. Whoever is
# served may have installed this as somebody else, who alone may write here.
if [ "${1:-}" = dev ]; then pips=--no-compile uvs=--no-compile-bytecode; else pips=--compile uvs=--compile-bytecode; fi

by_pip() {
    .venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes "$pips" -r "$1"
}

# uv does the same several times as fast, but it knows nothing of an index of one's own that pip was told of.
by_uv() {
    ! .venv/bin/python -m pip config list 2>/dev/null | grep -qE '\.(index-url|no-index)=' &&
        { [ -x .venv/bin/uv ] || by_pip requirements-env.txt; } &&
        .venv/bin/uv pip install -q --python .venv/bin/python --system-certs --require-hashes "$uvs" -r "$1"
}

install() {
    if ! cmp -s "$1" ".venv/$1"; then
        echo "Installing $1"
        by_uv "$1" >/dev/null 2>&1 || by_pip "$1"
        cp "$1" ".venv/$1"
    fi
}

install requirements.txt
if [ "${1:-}" = dev ]; then install requirements-dev.txt; fi

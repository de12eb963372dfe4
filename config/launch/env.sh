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
[ "${1:-}" = dev ] && sparing=--no-compile || sparing=

install() {
    if ! cmp -s "$1" ".venv/$1"; then
        echo "Installing $1"
        .venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes $sparing -r "$1"
        cp "$1" ".venv/$1"
    fi
}

install requirements.txt
if [ "${1:-}" = dev ]; then install requirements-dev.txt; fi

#!/bin/sh
# Prints the path of a Python that is new enough and can make a virtual environment; says what to install otherwise.
# A name on PATH is not proof: version managers leave shims that refuse to run, so every candidate is run once.
set -u

fits() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1
}

found() {
    "$1" -c 'import sys; print(sys.executable)'
    exit 0
}

for name in ${PYTHON:-} python3 python3.13 python3.14 python3.12 "$HOME"/.pyenv/versions/3.13*/bin/python \
    "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python /usr/bin/python3 /usr/local/bin/python3 /opt/homebrew/bin/python3; do
    fits "$name" && found "$name"
done

if command -v uv >/dev/null 2>&1; then
    name=$(uv python find --no-project '>=3.12' 2>/dev/null) ||
        { uv python install 3.13 >&2 && name=$(uv python find --no-project '>=3.12' 2>/dev/null); }
    fits "$name" && found "$name"
fi

echo "Warhost needs Python 3.12 or newer with its venv module: install it (Debian and Ubuntu: apt install python3 python3-venv; anywhere: https://www.python.org/downloads/) or name one with PYTHON=/path/to/python3, then try again." >&2
exit 1

#!/bin/sh
# Asks whether anything pinned has a known weakness (pip-audit, in a .venv of its own under build/). Ends with 0 only if
# every package was asked after and none has, and no image is old: a list that cannot be reached is a failure, and says so.
set -u
cd "$(dirname "$0")/../.."
AUDIT=${AUDIT:-build/audit/bin/pip-audit}
SERVICE=${SERVICE:-osv}  # or pypi

if [ ! -x "$AUDIT" ]; then
    python3 -m venv build/audit && build/audit/bin/python -m pip install -qq --disable-pip-version-check 'pip-audit>=2.10,<3' \
        || { echo "NOT CHECKED: pip-audit could not be installed." >&2; exit 2; }
fi

said=$(mktemp) && trap 'rm -f "$said"' EXIT
worst=0
for file in requirements.txt requirements-dev.txt requirements-env.txt; do
    if "$AUDIT" --strict --no-deps --disable-pip --progress-spinner off -s "$SERVICE" -r "$file" >"$said" 2>&1; then
        echo "$file: no known weakness."
    elif grep -q '^Found [0-9]* known vulnerabilit' "$said"; then
        cat "$said" >&2
        echo "$file: KNOWN WEAKNESSES, listed above. SECURITY.md says how soon they are mended." >&2
        worst=1
    else
        tail -n 1 "$said" >&2
        echo "$file: NOT CHECKED: the list of known weaknesses ($SERVICE) could not be asked. Nothing is known to be safe." >&2
        [ "$worst" -eq 1 ] || worst=2
    fi
done
# The images of the containers are looked at by the day beside each of their pins; nothing is asked for that.
if ! python3 config/launch/image_ages.py; then
    [ "$worst" -ne 0 ] || worst=1
fi
exit "$worst"

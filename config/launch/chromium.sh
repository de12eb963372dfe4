#!/bin/sh
# The browser tests drive Debian's Chromium. Installs it where that is allowed, else says what to install.
# Given paths of tests, it asks for it only where one of them opens a page.
set -eu

open_pages() {
    for path; do
        grep -rqE --include='*.py' 'def .*[(, ](page|open_page|browser)[,):]' "${path%%::*}" 2>/dev/null && return
    done
    return 1
}

[ $# = 0 ] || open_pages "$@" || exit 0
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
else
    echo "The browser tests need Chromium: install it (Debian and Ubuntu: sudo apt install chromium), then try again." >&2
    exit 1
fi

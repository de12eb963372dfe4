#!/bin/sh
# The browser tests drive Debian's Chromium, best the one without windows, which works a third less. Installs it where
# that is allowed; else any Chromium will do, and where there is none, says what to install.
# Given paths of tests, it asks for it only where one of them opens a page.
set -eu

open_pages() {
    for path; do
        grep -rqE --include='*.py' 'def .*[(, ](page|open_page|browser)[,):]' "${path%%::*}" 2>/dev/null && return
    done
    return 1
}

there_is() {
    for name; do
        command -v "$name" >/dev/null 2>&1 && return
    done
    return 1
}

may_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1
}

[ $# = 0 ] || open_pages "$@" || exit 0
there_is chromium-headless-shell && exit 0
if there_is chromium chromium-browser google-chrome; then
    # Another one than that of Debian need not wait for a package that may be nowhere.
    if there_is chromium && may_install; then install chromium-headless-shell || true; fi
    exit 0
fi
if may_install; then
    echo "Installing Chromium for the browser tests"
    apt-get update -qq || true
    { install chromium-headless-shell fonts-liberation || install chromium; } && exit 0
fi
echo "The browser tests need Chromium: install it (Debian: sudo apt install chromium-headless-shell; elsewhere chromium)," \
    "then try again." >&2
exit 1
